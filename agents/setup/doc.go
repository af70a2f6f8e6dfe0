// Package setup edits the configuration of coding agents so that they call the hook, and takes its edits out again.
//
// It owns where each agent keeps its hooks and what is written there. It is pure: the bytes of a file in, bytes out;
// reading, backing up and writing are the caller's. It promises that everything else in a file stays byte for byte
// as it was: it inserts text at one place for each entry instead of writing the file anew, and the same pieces of
// text can be taken out again (Edit.Inserted). It never writes a file that its agent could not read: the result of
// an edit of JSON or TOML is parsed before it is handed back, and has the entries where the agent looks for them.
package setup

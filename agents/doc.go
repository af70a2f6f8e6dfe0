// Package agents translates what coding agents say into what the bridge takes, and the owner's answers back
// into what each agent expects to hear.
//
// It owns one file per agent (the vendor's event names, field names and output contracts), the identity that an
// item gets (key and occurrence, from ids alone), and one table of what a later event proves about earlier items
// (Inferences). It is pure: payload bytes in, a Plan out; a list of the session's items in, the operations of one
// batch out; an answer in, the agent's exact output out. No files, no network, no clock, no environment of its own.
//
// It promises that no payload is fatal: unknown events, unknown fields, cut or broken JSON and wrong types give a
// Plan that says less, never an error and never a panic. It never decides for the owner: where nobody answered, the
// output is the agent's own "no decision". It never keys or merges by text, and never says that an item ended
// unless an event of the same session proved it.
package agents

// Package arch holds the module against its design: who may import whom, who
// may reach a library, which versions are pinned, and a few rules of the house
// that the compiler doesn't know. It is tests only and imports nothing of ours.
//
// To add a room, add a line to the table in table_test.go.
package arch

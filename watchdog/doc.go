// Package watchdog notices a session that said it works and then fell silent for long, and raises one
// quiet item in it that resolves itself when the session is heard of again.
//
// How long is long is learned per connection from the pauses that its sessions make while they work.
// It promises to raise at most one item a silence, to never announce one, to forget a session that
// ended, and to wake only when a silence may have become long. It never ends the work and never
// decides what else becomes of a record.
package watchdog

// Package center is the one door to the state: every change is a command to [Center.Do], every
// client learns of changes from the ordered feed.
//
// It owns the command queue, the group commit, the live state of what is pending, the change feed
// with resume, queries, and the timer for deadlines. It promises that a command is decided by the
// rules of notify on the newest state, that its changes are durable before the caller hears of them
// and before anybody else does (L8), that a batch happens whole or not at all (L9), and that every
// subscriber gets the same changes in the same order. It never decides a rule itself, and reaches
// storage only through [Storage].
package center

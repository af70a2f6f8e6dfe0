// Package notify holds the nouns and the rules of Signalbox: what a notification is, which commands
// change one, and what each command decides.
//
// It owns records, connections, sessions, validation, ordering, filters, the classifier that says in
// which place an item is shown, the badge, and the announcement policy. Its one verb is
// [Decide]: a pure function of a [State] and a [Command] that answers with the [Change]s to make.
// The same commands in the same order give the same state anywhere.
//
// It never does I/O, never reads a clock and never makes up an id: the command carries its own
// instant and ids. It imports the standard library only. Values handed out (records, connections,
// sessions) are shared and never modified afterwards; a change makes a copy.
//
// Rules are named by number (L1 lifecycle, D1 dismissal, I1 interactions, R1 retention, E1 refresh
// effects, A1 attention, P1 placement, S1 safety); docs/rules.md has the list.
package notify

// Package daemon is a whole center without a desktop: data directory, lock, settings, store, center,
// retention, snapshots, announcements, bridge. The desktop app, sigbox serve and end-to-end tests run
// the same one.
//
// It owns the order of starting and stopping, and is wiring: it decides no rule. It promises that one
// center runs in a data directory, that the bridge listens last and stops first, that a command which
// was answered is on the disk whatever ends the process, and that everything it started has ended when
// Close returns. It never needs cgo.
package daemon

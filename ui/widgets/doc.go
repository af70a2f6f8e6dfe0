// Package widgets holds the pieces that the windows are made of. A widget shows a value of the view
// model and reports what the owner wants by its On… functions; it reads no store, opens nothing,
// starts no goroutine and runs no animation, so that a hidden window costs nothing.
//
// All of it runs on the toolkit's main goroutine. Colours and sizes come from theme names, so a change
// of appearance is a refresh. Every text is cut or wrapped: no content can widen a window.
package widgets

import (
	"slices"
	"strings"
	"time"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// Env is what widgets need from their surroundings.
type Env struct {
	// Tr writes a text in the owner's language.
	Tr func(vm.Msg) string
	// Now is the clock, for buttons that are inert at first.
	Now func() time.Time
}

// T writes a text without arguments.
func (e *Env) T(key string) string { return e.Tr(vm.M(key)) }

// List writes several texts one after the other.
func (e *Env) List(list []vm.Msg) string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = e.Tr(m)
	}
	return strings.Join(out, ", ")
}

// With writes a text and what it is about, if anything is known of that.
func (e *Env) With(m vm.Msg, about []vm.Msg) string {
	if len(about) == 0 {
		return e.Tr(m)
	}
	return e.Tr(m) + ": " + e.List(about)
}

// Armed says what the key of a button does that was pressed once, of one that takes two; empty: none was.
func (e *Env) Armed(buttons []vm.Button, key int) string {
	if key <= 0 || key > len(buttons) {
		return ""
	}
	b := buttons[key-1]
	if b.Danger {
		return e.Tr(vm.Msg{Key: "card.sure", N: key, A: b.Label})
	}
	return e.Tr(vm.Msg{Key: "card.armed", N: key, A: b.Label})
}

// Presence says whether a connection is there, or how long ago it was heard of.
func (e *Env) Presence(p notify.Presence, heard vm.Msg) string {
	if !heard.IsZero() {
		return e.Tr(vm.MA("presence.heard", e.Tr(heard)))
	}
	return e.Tr(vm.PresenceWord(p))
}

// Waits says how long something has been waiting, when it ends, and that it is set aside; zero: it does not end, it is not.
// Where there is no room for all of it, it is the time that it has waited that is cut.
func (e *Env) Waits(aside, clock, deadline vm.Msg) string {
	waits := e.Tr(vm.MA("card.waits", e.Tr(clock)))
	ends := ""
	if !deadline.IsZero() {
		ends = e.Tr(vm.MA("card.ends_in", e.Tr(deadline)))
	}
	parts := []string{waits, ends}
	if !aside.IsZero() {
		parts = []string{e.Tr(aside), ends, waits}
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// Updated says how long ago something changed, and which parts of it.
func (e *Env) Updated(ago vm.Msg, parts []vm.Msg) string {
	return e.With(vm.MA("card.updated", e.Tr(ago)), parts)
}

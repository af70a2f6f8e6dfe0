package ui

import (
	"context"
	"reflect"
	"slices"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// connections are all connections as last read; none before the first reading.
func (u *UI) connections() []notify.ConnectionView {
	if u.snap == nil {
		return nil
	}
	return u.snap.Connections
}

// connection finds one of them.
func (u *UI) connection(id string) (notify.ConnectionView, bool) {
	if u.snap == nil {
		return notify.ConnectionView{}, false
	}
	return u.snap.Connection(id)
}

// reread reads everything at once, for a page that shows what was just changed.
func (u *UI) reread(then func()) {
	background(u, u.loop.read, func(s *vm.Snapshot, err error) {
		u.take(s, err)
		then()
	})
}

// change changes the settings: it reads them anew, for what is shown may be old, has the change made to what was read,
// and sends that. What cannot be read is not written over, and changes are made in the order in which they were asked
// for. then runs on the main goroutine.
func (u *UI) change(edit func(notify.Settings) (notify.SetSettings, error), then func(error)) {
	before, done := u.changing, make(chan struct{})
	u.changing = done
	background(u, func(ctx context.Context) (struct{}, error) {
		defer close(done)
		if before != nil {
			<-before
		}
		now, err := u.port.Settings(ctx)
		if err != nil {
			return struct{}{}, err
		}
		op, err := edit(now)
		if err != nil {
			return struct{}{}, err
		}
		_, err = u.port.Do(ctx, notify.Owner, op)
		return struct{}{}, err
	}, func(_ struct{}, err error) { then(err) })
}

// find finds what was shown at a place of a list, there or elsewhere; a conflict if it is gone or was changed.
func find[T any](list []T, shown int, v T) (int, error) {
	if shown < len(list) && reflect.DeepEqual(list[shown], v) {
		return shown, nil
	}
	if i := slices.IndexFunc(list, func(o T) bool { return reflect.DeepEqual(o, v) }); i >= 0 {
		return i, nil
	}
	return 0, notify.Errorf(notify.CodeRevisionConflict, "It was changed meanwhile.")
}

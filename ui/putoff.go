package ui

import (
	"slices"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// sayUndo says what was done, and offers to undo it for a while; so does the key u, also where something else is said since.
func (r *railWindow) sayUndo(text string, undo func()) {
	once := func() {
		r.undoing = nil
		r.snack.Hide()
		undo()
		r.layout.again()
	}
	r.say(text, r.u.t("dismiss.undo"), once)
	r.undoing = once
	r.undoNo++
	no := r.undoNo
	r.u.after(vm.UndoFor, func() {
		if r.undoNo == no {
			r.undoing = nil
		}
	})
}

// setAside moves waiting items from the front; they stay waiting (I7). One that is set aside already stays as it is. Where
// the chosen one goes, the next is chosen.
func (r *railWindow) setAside(ids ...string) {
	var list []*notify.Record
	for _, id := range ids {
		if x := r.record(id); x != nil && x.Waiting() && !x.SetAsideAt(r.u.now()) {
			list = append(list, x)
		}
	}
	r.putOff(list, r.u.t("aside.done"), func(x *notify.Record) notify.Op { return notify.SetAside{ID: x.ID} })
}

// snooze puts items off: what waits is set aside for that long, for it goes on waiting.
func (r *railWindow) snooze(list []*notify.Record, s vm.Snooze) {
	now := r.u.now()
	r.putOff(list, r.u.tr(vm.MA("snooze.done", r.u.tr(s.Label))), func(x *notify.Record) notify.Op {
		switch {
		case s.UntilChange && x.Waiting():
			return notify.SetAside{ID: x.ID}
		case s.UntilChange:
			return notify.Snooze{ID: x.ID, UntilEvent: true}
		case x.Waiting():
			return notify.SetAside{ID: x.ID, For: s.Until.Sub(now)}
		}
		return notify.Snooze{ID: x.ID, Until: s.Until.UTC()}
	})
}

// putOff has items put off by op, moves the choice off them, and says so when all of it is done.
func (r *railWindow) putOff(list []*notify.Record, said string, op func(*notify.Record) notify.Op) {
	if len(list) == 0 {
		return
	}
	var ids []string
	for _, x := range list {
		ids = append(ids, x.ID)
	}
	read := map[string]bool{}
	for _, x := range list {
		read[x.ID] = x.Read || x.ID == r.chosen()
	}
	was := r.chosen()
	if slices.Contains(ids, was) {
		r.selectNext(ids)
	} else {
		was = ""
	}
	left, failed := len(list), false
	for _, x := range list {
		r.u.do(op(x), func(_ notify.Result, err error) {
			r.u.trouble(err)
			failed = failed || err != nil
			if left--; left > 0 || failed {
				return
			}
			r.sayUndo(said, func() {
				for _, x := range list {
					r.u.do(notify.Unsnooze{ID: x.ID}, func(_ notify.Result, err error) {
						r.u.trouble(err)
						if err == nil && read[x.ID] {
							r.u.do(notify.SetRead{ID: x.ID, Read: true}, nil) // it comes back as it went
						}
					})
				}
				if was != "" && r.record(was) != nil && !isLine(r.selected) {
					r.choose(was)
				}
			})
		})
	}
}

package center

import (
	"context"
	"errors"
	"runtime"
	"time"

	"signalbox/notify"
)

// retryTick is how long the writer waits after what came due could not be stored.
const retryTick = 5 * time.Second

// jitter is by how much commands may be out of order by their instants for no other reason than racing.
const jitter = time.Second

// writer is the one goroutine that decides and commits.
type writer struct {
	*Center
	alarm Alarm
	set   time.Time // what the alarm is set for
	retry time.Time // not before then, after a failed tick; zero: none failed
	at    time.Time // the instant of the last command; zero: none yet
	back  bool      // the clock may have been set back since the last tick: at the start, nobody knows
	group []*call   // the last one, until the next is taken
}

// run commits groups until the center closes and the queue is empty.
func (w *writer) run() {
	defer close(w.stopped)
	defer w.ring.close()
	defer w.alarm.Stop()
	for {
		w.arm()
		select {
		case call := <-w.queue:
			w.take(call)
			w.commit(w.group)
			if w.back && !w.retry.After(w.clock.Now()) {
				w.tick()
			}
		case done := <-w.reload:
			done <- w.load(context.Background())
			w.tick()
		case <-w.alarm.C():
			w.set = time.Time{}
			w.tick()
		case <-w.stopping:
			for {
				select {
				case call := <-w.queue:
					w.take(call)
					w.commit(w.group)
				default:
					return
				}
			}
		}
	}
}

// take gathers what waits, without waiting for more: one client alone pays one commit, and many share
// one.
func (w *writer) take(first *call) {
	crowd := len(w.group) > 1
	w.group = append(w.group[:0], first)
	bytes := first.bytes
	// Where many ask, those who are about to may do so now: a commit costs the same for more. One who asks alone
	// must not wait for whatever else has a core, such as a merge.
	if crowd {
		runtime.Gosched()
	}
	for len(w.group) < groupCommands && bytes < groupBytes {
		select {
		case call := <-w.queue:
			w.group = append(w.group, call)
			bytes += call.bytes
		default:
			return
		}
	}
}

// commit decides a group, commits it once, shows it, and answers the callers. A command that is
// refused takes nothing from the others.
func (w *writer) commit(group []*call) {
	answers, changes, err := w.decide(group)
	if len(changes) > 0 && err == nil {
		err = w.storage.Commit(context.Background(), changes)
		if err != nil && len(group) > 1 && alone(err) {
			// One of them may be what the store cannot take; the others need not suffer.
			for i := range group {
				w.commit(group[i : i+1])
			}
			return
		}
	}
	if err != nil {
		w.stats.failed.Add(1)
		w.log.Error("commit failed", "commands", len(group), "changes", len(changes), "error", err)
		for _, call := range group {
			call.done <- answer{err: unavailable(err)}
		}
		return
	}
	w.publish(changes)
	if len(changes) > 0 {
		w.stats.commits.Add(1)
		w.stats.changes.Add(int64(len(changes)))
	}
	w.stats.commands.Add(int64(len(group)))
	for i, call := range group {
		call.done <- answers[i]
	}
	if len(changes) > 0 {
		// Subscribers are many, and the callers, who wait for this one thing, come first.
		w.ring.tell()
	}
}

// alone reports whether a failed commit may be due to one of its commands.
func alone(err error) bool {
	switch notify.CodeOf(err) {
	case notify.CodeStorageFull, notify.CodeUnavailable:
		return false
	}
	return true
}

// unavailable makes a failure of the store one that can be shown.
func unavailable(err error) error {
	var known *notify.Error
	if errors.As(err, &known) {
		return err
	}
	return &notify.Error{Code: notify.CodeUnavailable, Detail: "The change could not be stored.", Cause: err}
}

// decide decides the commands of a group in order, each on the state after those before it. An error
// is a failure to read the storage; nothing may be committed then.
func (w *writer) decide(group []*call) (answers []answer, changes []notify.Change, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reads.err = nil
	w.live.ResetErr()
	overlay := notify.NewOverlay(w.live)
	rules := *w.rules.Load()
	answers = make([]answer, len(group))
	for i, call := range group {
		command := call.command
		// Callers race for their place in the queue; by so little, time does not go back with the
		// sequence. A clock that was set back is believed.
		if late := w.at.Sub(command.At); late >= jitter {
			w.back = true
		} else if late > 0 {
			command.At = w.at
		}
		w.at = command.At
		d, err := notify.Decide(overlay, rules, command)
		if w.reads.err != nil {
			return nil, nil, w.reads.err
		}
		// A refusal may still have found a timeout that was due (I8).
		answers[i] = answer{d.Result, err}
		overlay.Apply(d.Changes)
		changes = append(changes, d.Changes...)
	}
	return answers, changes, nil
}

// publish makes committed changes visible: to readers, and to feeds and waits.
func (w *writer) publish(changes []notify.Change) {
	if len(changes) == 0 {
		return
	}
	w.mu.Lock()
	w.live.Apply(changes)
	w.tokens.follow(changes, w.live)
	w.mu.Unlock()
	w.ring.append(changes)
	w.waiters.wake(changes)
}

// tick does what is due. A failure is tried again later: nothing else would come back to it.
func (w *writer) tick() {
	now := w.now()
	back := w.back || w.at.Sub(now) >= jitter
	one := &call{command: notify.Command{At: now, By: notify.Center, Op: notify.Tick{SetBack: back}}, done: make(chan answer, 1)}
	w.commit([]*call{one})
	w.retry, w.back = time.Time{}, false
	if a := <-one.done; a.err != nil {
		w.retry, w.back = w.clock.Now().Add(retryTick), back
	}
}

// arm sets the alarm for the next deadline, if that is another than it is set for.
func (w *writer) arm() {
	w.mu.Lock()
	next := w.live.NextDue()
	w.mu.Unlock()
	if !next.IsZero() && next.Before(w.retry) {
		next = w.retry
	}
	if w.set.IsZero() && next.IsZero() || w.set.Equal(next) {
		return
	}
	w.set = next
	w.alarm.Set(next)
}

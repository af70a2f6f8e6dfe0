package delivery

import (
	"errors"
	"log/slog"
	"time"

	"signalbox/notify"
)

var errQueueFull = errors.New("too many announcements are waiting")

// sent takes the outcome of a call.
func (e *Engine) sent(r result) {
	if r.out.withdraw != "" {
		return // nothing to settle; a toast that could not be taken back goes by itself
	}
	if r.err != nil {
		e.failed(r.lane, r.out, r.err)
		return
	}
	now := e.p.Now().UTC()
	for _, j := range r.out.jobs {
		j.row.State, j.row.At, j.row.ToldAt, j.row.RetryAt, j.row.Error = notify.DeliveryDelivered, now, now, time.Time{}, ""
		j.row.Attempts++
		j.row.Revision = j.record.Revision
		e.settle(j.row)
		if live, pending := e.live[j.record.ID]; pending {
			r.lane.shown[j.record.ID] = append(r.lane.shown[j.record.ID], j.row)
			if r.lane.name == notify.ProviderToast && r.out.message.Record != nil && leftFront(live, now) {
				r.lane.withdraw(live.ID, "it left the front while it was told", now)
			}
		} else if r.lane.name == notify.ProviderToast && r.out.message.Kind != Digest {
			// It ended while it was being told: what has just appeared is wrong.
			j.row.State, j.row.Reason = notify.DeliveryWithdrawn, string(notify.ReasonEnded)+": it ended while it was told"
			e.settle(j.row)
			r.lane.send(outgoing{withdraw: j.record.ID})
		}
	}
}

// leftFront reports that the owner has done with a pending record for now: what is on the screen has done
// its work.
func leftFront(r *notify.Record, now time.Time) bool {
	return !notify.PlaceOf(r, now).Front() || r.SetAsideAt(now) || r.Read && !r.Waiting()
}

// failed settles the rows of a call that failed and plans when to try again.
func (e *Engine) failed(l *lane, o outgoing, err error) {
	now := e.p.Now()
	for _, j := range o.jobs {
		j.row.State, j.row.At, j.row.Error = notify.DeliveryFailed, now.UTC(), err.Error()
		j.row.Attempts++
		j.row.RetryAt = time.Time{}
		level := slog.LevelInfo
		if again := e.again(l, j, now); again > 0 && errors.Is(err, ErrNobody) {
			// No clock brings a listener; what is too old by then is not told as new.
			level = slog.LevelDebug
			if len(l.parked) == laneQueue {
				l.parked = l.parked[1:]
			}
			l.parked = append(l.parked, j)
		} else if again > 0 {
			j.row.RetryAt = now.Add(again).UTC()
			l.retries = append(l.retries, j)
		}
		e.settle(j.row)
		if _, pending := e.live[j.record.ID]; !pending && l.name == notify.ProviderToast && o.message.Record != nil {
			l.send(outgoing{withdraw: j.record.ID}) // it ended meanwhile, and may appear late
		}
		e.log.Log(e.ctx, level, "announcement failed", "provider", l.name, "attempts", j.row.Attempts, "err", err)
	}
}

// again is in how long a failed job is tried again; 0: never.
func (e *Engine) again(l *lane, j *job, now time.Time) time.Duration {
	r, pending := e.live[j.record.ID]
	switch {
	case j.kind == Trial, l.name == notify.ProviderSound:
		return 0 // a late sound says nothing
	case !pending:
		return 0
	case r.Waiting():
	case j.row.Attempts >= retryTries, now.Sub(r.Activity()) > staleAfter:
		return 0
	}
	d := retryFirst
	for i := 1; i < j.row.Attempts && d < retryMost; i++ {
		d *= 3
	}
	return min(d, retryMost)
}

// kick makes everything due now.
func (l *lane) kick(now time.Time) {
	l.retries = append(l.retries, l.parked...)
	l.parked = nil
	for _, j := range l.retries {
		j.row.RetryAt = now
	}
}

// retryDue takes the jobs whose time has come. They go through the storm like any other, so that what
// failed together is told as one.
func (l *lane) retryDue(now time.Time) {
	if len(l.retries) == 0 {
		return
	}
	jobs := l.retries
	l.retries = nil
	for _, j := range jobs {
		if j.row.RetryAt.After(now) {
			l.retries = append(l.retries, j)
			continue
		}
		r, pending := l.e.live[j.record.ID]
		_, quiet := notify.QuietAt(l.e.p.Center.Settings(), now)
		switch {
		case !pending, !r.Waiting() && now.Sub(r.Activity()) > staleAfter, leftFront(r, now):
			j.row.RetryAt = time.Time{}
			j.row.Reason = string(notify.ReasonEnded) + ": it was over before it could be told"
			l.e.settle(j.row)
			continue
		case quiet:
			j.row.State, j.row.RetryAt, j.row.At = notify.DeliveryHeld, time.Time{}, now.UTC()
			j.row.Reason = string(notify.ReasonQuiet)
			l.e.settle(j.row)
			l.e.held[r.ID] = r
			l.heldRows[r.ID] = j.row
			continue
		}
		j.record = r
		j.row.State, j.row.RetryAt = notify.DeliveryClaimed, time.Time{}
		l.e.settle(j.row)
		l.offer(j, now)
	}
}

package delivery

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"signalbox/notify"
)

// job is one row on its way.
type job struct {
	record *notify.Record
	kind   MessageKind
	row    notify.Delivery
}

// outgoing is one call of a provider.
type outgoing struct {
	message Message
	jobs    []*job // whose rows the outcome settles; empty for what is only brought up to date
	// withdraw, when set, is the record to take back instead.
	withdraw string
}

// result is the outcome of an outgoing.
type result struct {
	lane *lane
	out  outgoing
	err  error
}

// Limits of a lane.
const (
	laneQueue   = 256              // calls that wait; more fail, and are tried again
	tellLimit   = 15 * time.Second // for one call, whatever the provider promises
	soundGap    = 2 * time.Second
	retryFirst  = 5 * time.Second
	retryMost   = 10 * time.Minute
	retryTries  = 10               // for what does not wait
	staleAfter  = 10 * time.Minute // what does not wait is not told later than that (A13)
	summaryList = 5                // titles in a summary
)

// lane is a provider with what is on its way to it. All but serve belongs to the engine's goroutine.
type lane struct {
	e        *Engine
	name     string
	provider chan Provider // of one; the newest
	out      chan outgoing
	end      context.CancelFunc

	storm    notify.Storm
	waiting  map[string]*job // held by the storm, by record
	toasted  []time.Time     // of the toasts in the storm window
	last     time.Time       // of the last sound
	replaces map[string]*notify.Record
	replaced time.Time
	retries  []*job
	parked   []*job                       // failed because nobody listened: tried when somebody does
	shown    map[string][]notify.Delivery // delivered rows of pending records
	heldRows map[string]notify.Delivery   // rows held by quiet
	refresh  bool                         // the summary on the screen is out of date
	late     []string                     // what is to be taken back once the queue has room
}

func newLane(e *Engine, p Provider) *lane {
	ctx, cancel := context.WithCancel(e.ctx)
	l := &lane{
		e: e, name: p.Name(), provider: make(chan Provider, 1), out: make(chan outgoing, laneQueue), end: cancel,
		waiting: map[string]*job{}, replaces: map[string]*notify.Record{},
		shown: map[string][]notify.Delivery{}, heldRows: map[string]notify.Delivery{},
	}
	l.provider <- p
	e.wg.Go(func() { l.serve(ctx) })
	return l
}

func (l *lane) setProvider(p Provider) {
	<-l.provider
	l.provider <- p
}

func (l *lane) stop() { l.end() }

// serve makes the calls, one at a time.
func (l *lane) serve(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case o := <-l.out:
			p := <-l.provider
			l.provider <- p
			call, cancel := context.WithTimeout(ctx, tellLimit)
			var err error
			if o.withdraw != "" {
				err = p.Withdraw(call, o.withdraw)
			} else {
				err = p.Tell(call, o.message)
			}
			cancel()
			if err == nil {
				l.told(ctx, o)
			}
			select {
			case l.e.results <- result{l, o, err}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// told notes in the session how far the owner was told (A4).
func (l *lane) told(ctx context.Context, o outgoing) {
	if l.name == notify.ProviderSound || o.message.InPlace {
		return
	}
	for _, j := range o.jobs {
		if j.record.Position > 0 {
			_, err := l.e.p.Center.Do(ctx, notify.Center, notify.TellSession{
				Connection: j.record.Connection, Session: j.record.Session, Sequence: j.record.Position})
			if err != nil && ctx.Err() == nil {
				l.e.log.Debug("told position not kept", "err", err)
			}
		}
	}
}

// send puts a call into the queue. A full one fails it at once, but for what is to be taken back, which waits: it would
// stay on the screen.
func (l *lane) send(o outgoing) {
	if r := o.message.Record; r != nil { // told anew, which takes the place of what was to go
		l.late = slices.DeleteFunc(l.late, func(id string) bool { return id == r.ID })
	}
	select {
	case l.out <- o:
		return
	default:
	}
	if o.withdraw != "" {
		l.late = append(l.late, o.withdraw)
	}
	l.e.failed(l, o, errQueueFull)
}

// sendLate takes back what waited for room in the queue. It is called after every outcome, and a full queue has some.
func (l *lane) sendLate() {
	for len(l.late) > 0 {
		select {
		case l.out <- outgoing{withdraw: l.late[0]}:
			l.late = l.late[1:]
		default:
			return
		}
	}
}

// offer takes a claimed job.
func (l *lane) offer(j *job, now time.Time) {
	switch l.name {
	case notify.ProviderToast:
		if l.stormy(now) && !j.record.Waiting() {
			l.storm.Hold(j.record)
		} else if l.storm.Offer(j.record, now) {
			l.toasted = append(l.toasted, now)
			l.send(l.one(j))
			return
		}
		if old := l.waiting[j.record.ID]; old != nil {
			l.drop(old, notify.ReasonStorm, "a newer revision is told", now)
		}
		l.waiting[j.record.ID] = j
	case notify.ProviderSound:
		if !l.last.IsZero() && now.Sub(l.last) < soundGap && !now.Before(l.last) {
			l.drop(j, notify.ReasonStorm, "another sound has just played", now)
			return
		}
		l.last = now
		l.send(l.one(j))
	default:
		l.send(l.one(j))
	}
}

// drop settles a row that is not sent.
func (l *lane) drop(j *job, why notify.Reason, detail string, now time.Time) {
	j.row.State, j.row.At, j.row.RetryAt = notify.DeliveryHeld, now.UTC(), time.Time{}
	j.row.Reason = string(why) + ": " + detail
	l.e.settle(j.row)
}

func (l *lane) one(j *job) outgoing {
	j.row.Reason = strings.TrimSuffix(j.row.Reason, inSummary)
	return outgoing{message: l.e.compose(l, j), jobs: []*job{j}}
}

// replace brings what is shown of r up to date, soon.
func (l *lane) replace(r *notify.Record) {
	if j := l.waiting[r.ID]; j != nil {
		j.record = r
	}
	for _, j := range l.retries {
		if j.record.ID == r.ID {
			j.record = r
		}
	}
	if l.name == notify.ProviderToast && len(l.shown[r.ID]) > 0 {
		l.replaces[r.ID] = r
	}
}

// withdraw takes back what was, or would be, told of a record.
func (l *lane) withdraw(id, why string, now time.Time) {
	l.storm.Withdraw(id)
	if j := l.waiting[id]; j != nil {
		delete(l.waiting, id)
		l.drop(j, notify.ReasonEnded, why+" before it was told", now)
	}
	l.parked = slices.DeleteFunc(l.parked, func(j *job) bool { return j.record.ID == id })
	tried := false // a provider that failed may show it all the same, late
	l.retries = slices.DeleteFunc(l.retries, func(j *job) bool {
		if j.record.ID != id {
			return false
		}
		tried = true
		j.row.RetryAt = time.Time{}
		j.row.Reason = string(notify.ReasonEnded) + ": " + why + " before it could be told"
		l.e.settle(j.row)
		return true
	})
	delete(l.replaces, id)
	rows, ok := l.shown[id]
	if !ok && !tried {
		return
	}
	delete(l.shown, id)
	for _, row := range rows {
		row.State, row.At = notify.DeliveryWithdrawn, now.UTC()
		row.Reason = string(notify.ReasonEnded) + ": " + why
		l.e.settle(row)
	}
	l.send(outgoing{withdraw: id})
}

// stormy reports whether as many toasts were shown within the window as make a storm.
func (l *lane) stormy(now time.Time) bool {
	l.toasted = slices.DeleteFunc(l.toasted, func(t time.Time) bool { return now.Sub(t) >= l.e.p.StormWindow || now.Before(t) })
	return l.e.p.StormCount > 0 && len(l.toasted) >= l.e.p.StormCount
}

// flushAt is when what the storm holds is told. While it lasts that is once a window, and at once for
// what waits.
func (l *lane) flushAt() time.Time {
	next := l.storm.Next()
	if next.IsZero() || len(l.toasted) < l.e.p.StormCount || l.e.p.StormCount == 0 {
		return next
	}
	for _, j := range l.waiting {
		if j.record.Waiting() {
			return next
		}
	}
	if t := l.toasted[len(l.toasted)-1].Add(l.e.p.StormWindow); t.After(next) {
		return t
	}
	return next
}

// next is when the lane has something to do.
func (l *lane) next() time.Time {
	next := l.flushAt()
	take := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for _, j := range l.retries {
		take(j.row.RetryAt)
	}
	if len(l.replaces) > 0 || l.refresh {
		take(l.replaced.Add(notify.StormGap))
	}
	return next
}

// due sends what has come due.
func (l *lane) due(now time.Time) {
	l.sendLate()
	l.retryDue(now)
	var records []*notify.Record
	if !l.flushAt().After(now) {
		records = l.storm.Flush(now)
	}
	if len(records) > 0 {
		l.toasted = append(l.toasted, now)
		var jobs []*job
		for _, r := range records {
			if j := l.waiting[r.ID]; j != nil {
				delete(l.waiting, r.ID)
				jobs = append(jobs, j)
			}
		}
		switch len(jobs) {
		case 0:
		case 1:
			l.send(l.one(jobs[0]))
		default:
			l.summarise(jobs, now)
		}
	}
	if (len(l.replaces) > 0 || l.refresh) && now.Sub(l.replaced) >= notify.StormGap {
		l.replaced = now
		for _, r := range l.replaces {
			m := l.e.compose(l, &job{record: r, kind: Item})
			m.InPlace = true
			l.send(outgoing{message: m})
		}
		clear(l.replaces)
		if l.refresh {
			l.refresh = false
			l.sendSummary(nil, true, now)
		}
	}
}

// inSummary is added to the reason of what was told together with others.
const inSummary = " (told in a summary)"

// summarise tells several as one.
func (l *lane) summarise(jobs []*job, now time.Time) {
	l.e.beginSummary(now)
	for _, j := range jobs {
		j.row.Reason = strings.TrimSuffix(j.row.Reason, inSummary) + inSummary
		l.e.summary[j.record.ID] = j.record
	}
	l.sendSummary(jobs, false, now)
}

// summaryFor is how long a summary goes on growing; after that a new one begins.
const summaryFor = 30 * time.Second

// beginSummary drops what an older summary was about.
func (e *Engine) beginSummary(now time.Time) {
	if now.Sub(e.summed) > summaryFor || e.reminding {
		clear(e.summary)
	}
	e.summed, e.reminding = now, false
}

// sendSummary sends, or brings up to date, the one summary there is.
func (l *lane) sendSummary(jobs []*job, inPlace bool, now time.Time) {
	records := notify.DigestOf(values(l.e.summary), now).Records
	if len(records) == 0 {
		l.send(outgoing{withdraw: string(Summary), jobs: jobs})
		return
	}
	m := l.e.gather(l, Summary, records, now)
	if l.e.reminding {
		m.Title = fmt.Sprintf(l.e.p.Words().orEnglish().StillAll, len(records))
	}
	m.InPlace = inPlace
	if len(jobs) > 0 {
		m.Delivery = jobs[0].row.ID
	}
	l.send(outgoing{message: m, jobs: jobs})
}

func values(m map[string]*notify.Record) []*notify.Record {
	out := make([]*notify.Record, 0, len(m))
	for _, r := range m {
		out = append(out, r)
	}
	return out
}

// Package history makes up a history of notifications of a realistic shape, of any length, always the
// same for the same seed: some connections that do most of the talking, many sessions, a few pending
// items, most of the rest dismissed or resolved, and words with the frequencies that words have.
//
// It is for measurements and tests only.
package history

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"signalbox/notify"
)

// Start is when a history begins; it goes on for two years, whatever its length.
var Start = time.Date(2024, 6, 1, 8, 0, 0, 0, time.UTC)

const span = 2 * 365 * 24 * time.Hour

// Shape of a history.
const (
	Connections   = 12
	Sessions      = 4000
	TagCount      = 60
	vocabulary    = 6000
	PendingEach   = 5000 // one in so many is pending
	wordsInBody   = 24
	sessionOfSize = 250
)

// RareTag and RareSession occur once in 100,000 records.
const (
	RareTag     = "rare"
	RareSession = "s-rare"
)

// Connection is the id of the nth connection, the busiest first.
func Connection(n int) string { return fmt.Sprintf("agent-%02d", n) }

// Tag is the nth tag, the most frequent first.
func Tag(n int) string { return fmt.Sprintf("tag-%02d", n) }

// Word is the nth word, the most frequent first.
func Word(n int) string {
	const letters = "etaoinshrdlucmfwypvbgk"
	var b strings.Builder
	for n += 30; n > 0; n /= len(letters) {
		b.WriteByte(letters[n%len(letters)])
	}
	return b.String()
}

// Maker makes the records of a history, one after the other.
type Maker struct {
	rnd   *rand.Rand
	words *rand.Zipf
	conns *rand.Zipf
	n     int
	total int
}

// New starts a history of total records.
func New(total int) *Maker {
	rnd := rand.New(rand.NewPCG(7, uint64(total)))
	return &Maker{rnd: rnd, words: rand.NewZipf(rnd, 1.1, 4, vocabulary-1), conns: rand.NewZipf(rnd, 1.4, 2, Connections-1), total: total}
}

func pick[T any](rnd *rand.Rand, weights []int, values []T) T {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	at := rnd.IntN(sum)
	for i, w := range weights {
		if at < w {
			return values[i]
		}
		at -= w
	}
	return values[len(values)-1]
}

var (
	kinds      = []notify.Kind{notify.KindNotice, notify.KindProgress, notify.KindStatus, notify.KindInteraction, notify.KindReport}
	severities = []notify.Severity{notify.SeverityInfo, notify.SeveritySuccess, notify.SeverityWarning, notify.SeverityError, notify.SeverityCritical}
	ended      = []notify.Status{notify.Dismissed, notify.Resolved, notify.Expired}
	events     = []string{notify.EventTurnFinished, notify.EventTurnFailed, notify.EventClarificationRequested, "build.done", ""}
)

func (m *Maker) text(words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Word(int(m.words.Uint64())))
	}
	return b.String()
}

// Next makes the next record; nil at the end.
func (m *Maker) Next() *notify.Record {
	if m.n >= m.total {
		return nil
	}
	i, rnd := m.n, m.rnd
	m.n++
	created := Start.Add(time.Duration(float64(span) * float64(i) / float64(m.total))).Truncate(time.Millisecond)
	conn := int(m.conns.Uint64())
	r := &notify.Record{
		ID:         fmt.Sprintf("%08x-%04x-7%03x-8%03x-%012x", uint64(created.UnixMilli())>>16, created.UnixMilli()&0xFFFF, rnd.IntN(0x1000), rnd.IntN(0x1000), i),
		Connection: Connection(conn), Scope: notify.ScopeSession,
		Session:    fmt.Sprintf("s-%05d", (i/sessionOfSize*Connections+conn)%Sessions),
		Occurrence: 1, Revision: 1, Status: notify.Pending,
		Content: notify.Content{
			Kind: pick(rnd, []int{70, 8, 6, 12, 4}, kinds), Severity: pick(rnd, []int{600, 200, 120, 70, 10}, severities),
			Title: m.text(5), Body: m.text(wordsInBody) + fmt.Sprintf(" build %d of %x failed in pkg/%s.go", i, rnd.Uint32(), Word(rnd.IntN(vocabulary))),
			Sender: Connection(conn), Presentation: notify.PresentBanner, Dismissible: true,
			Retention: notify.Retention{Policy: notify.UntilResolved}, Silent: rnd.IntN(50) == 0,
		},
		Read: rnd.IntN(3) > 0, CreatedAt: created, ContentAt: created,
	}
	if rnd.IntN(6) == 0 {
		r.Scope, r.Session = notify.ScopeApplication, ""
	}
	for range rnd.IntN(4) {
		if tag := Tag(int(float64(TagCount) * rnd.Float64() * rnd.Float64())); len(r.Tags) == 0 || r.Tags[len(r.Tags)-1] != tag {
			r.Tags = append(r.Tags, tag)
		}
	}
	if ev := pick(rnd, []int{45, 5, 10, 15, 25}, events); ev != "" {
		r.Event = &notify.Event{Type: ev, Occurrence: fmt.Sprint(i)}
	}
	if i%100_000 == 50_000 || m.total <= 100_000 && i == m.total/2 {
		r.Tags, r.Session, r.Scope = append(r.Tags, RareTag), RareSession, notify.ScopeSession
	}
	if i%4 == 0 {
		r.Lines = []string{m.text(6), m.text(6)}
	}
	r.UpdatedAt = created
	if rnd.IntN(PendingEach) > 0 {
		r.Status = pick(rnd, []int{60, 30, 10}, ended)
		r.UpdatedAt = created.Add(time.Duration(1+rnd.IntN(3600)) * time.Second)
		r.EndedAt = r.UpdatedAt
		r.Outcome = &notify.Outcome{Kind: notify.OutcomeKind(r.Status), By: "owner", At: r.EndedAt}
	}
	if r.Kind == notify.KindInteraction {
		r.InteractionState = notify.InteractionResolved
		if r.Status == notify.Pending {
			r.InteractionState, r.Dismissible = notify.InteractionWaiting, false
		}
		r.Interaction = &notify.Interaction{Kind: "question", Prompt: m.text(12), Options: []notify.Option{
			{ID: "yes", Label: "Yes", Style: "primary", Comment: "none"}, {ID: "no", Label: "No", Style: "default", Comment: "optional"},
		}}
	}
	return r
}

// Store is what a history is written to.
type Store interface {
	Load(ctx context.Context) (*notify.Snapshot, error)
	Commit(ctx context.Context, changes []notify.Change) error
	Trim(ctx context.Context, before int64, receiptsBefore time.Time) error
}

// Keep is how many changes of a written history stay in the log.
const Keep = 10_000

// Fill writes a history of n records, in commits of 500, behind what is there, and cuts the log.
func Fill(ctx context.Context, s Store, n int, progress func(done int)) error {
	snap, err := s.Load(ctx)
	if err != nil {
		return err
	}
	seq := snap.Sequence
	m := New(n)
	var changes []notify.Change
	done := 0
	commit := func() error {
		if len(changes) == 0 {
			return nil
		}
		if err := s.Commit(ctx, changes); err != nil {
			return err
		}
		done += len(changes)
		changes = changes[:0]
		if progress != nil {
			progress(done)
		}
		if done%50_000 == 0 {
			return s.Trim(ctx, seq-Keep, time.Time{})
		}
		return nil
	}
	for r := m.Next(); r != nil; r = m.Next() {
		seq++
		r.Change = seq
		name := notify.EvCreated
		if r.Status != notify.Pending {
			name = notify.EventName(r.Status)
		}
		changes = append(changes, notify.Change{Seq: seq, At: r.UpdatedAt, Name: name, By: r.Connection, Record: r, Quiet: true})
		if len(changes) == 500 {
			if err := commit(); err != nil {
				return err
			}
		}
	}
	if err := commit(); err != nil {
		return err
	}
	return s.Trim(ctx, seq-Keep, time.Time{})
}

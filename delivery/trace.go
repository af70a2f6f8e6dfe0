package delivery

import (
	"context"
	"slices"
	"time"

	"signalbox/notify"
)

// Deliveries lists rows of the ledger, newest first; empty provider or record: any; limit 0: 500. Of one
// record it also says, for each provider without a row, why that one did not tell of it (A11).
func (e *Engine) Deliveries(ctx context.Context, provider, recordID string, limit int) ([]notify.Delivery, error) {
	rows, err := e.p.Ledger.Deliveries(ctx, provider, recordID, limit)
	if err != nil || recordID == "" {
		return rows, err
	}
	r, err := e.p.Center.Record(ctx, recordID)
	if err != nil {
		return rows, nil
	}
	e.mu.Lock()
	names := slices.Clone(e.names)
	e.mu.Unlock()
	for _, name := range names {
		if provider != "" && provider != name || slices.ContainsFunc(rows, func(d notify.Delivery) bool { return d.Provider == name }) {
			continue
		}
		rows = append(rows, e.explain(r, name))
	}
	return rows, nil
}

// explain works out why a provider told nothing of a record.
func (e *Engine) explain(r *notify.Record, provider string) notify.Delivery {
	as := *r
	if as.Status.Terminal() { // what counts is how it was when it could have been told
		as.Status = notify.Pending
		if as.Kind == notify.KindInteraction && as.InteractionState != notify.InteractionAutoAnswered {
			as.InteractionState = notify.InteractionWaiting
		}
	}
	a := notify.Announce(notify.AnnounceInput{
		Change: notify.Change{Name: notify.EvCreated, Record: &as}, Provider: provider, Settings: e.p.Center.Settings(),
		Connection: e.connection(r.Connection), Now: e.p.Now(), Away: true,
	})
	if a.Act == notify.ActTell { // today's settings would tell it; those of then, or an absence, did not
		a.Reason, a.Detail = notify.ReasonReplay, "nobody told when it came"
	}
	return notify.Delivery{
		ID: r.ID + "/" + provider, Provider: provider, EventType: a.ID.EventType, Occurrence: a.ID.Occurrence,
		RecordID: r.ID, Revision: r.Revision, State: notify.DeliveryHeld, Reason: reason(a), At: r.ContentAt,
	}
}

// Test tells a trial by one provider and returns its row when the outcome is known. An unknown provider
// is CodeNotFound; a provider that failed is no error, the row says it.
func (e *Engine) Test(ctx context.Context, provider string) (notify.Delivery, error) {
	w := e.p.Words().orEnglish()
	now := e.p.Now()
	row := notify.Delivery{ID: e.p.NewID(), Provider: provider, EventType: "trial", State: notify.DeliveryClaimed, Reason: "trial", At: now.UTC()}
	row.Occurrence = row.ID
	var p Provider
	err := e.do(ctx, func() {
		if l := e.lanes[provider]; l != nil {
			p = <-l.provider
			l.provider <- p
		}
	})
	if err != nil {
		return notify.Delivery{}, notify.Errorf(notify.CodeUnavailable, "Announcements are not running.")
	}
	if p == nil {
		return notify.Delivery{}, notify.Errorf(notify.CodeNotFound, "There is no such provider.")
	}
	if _, err := e.p.Ledger.Claim(ctx, row); err != nil {
		return notify.Delivery{}, err
	}
	call, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	tellErr := p.Tell(call, Message{Kind: Trial, Delivery: row.ID, Title: w.Trial, Body: w.TrialBody, At: now})
	row.State, row.Attempts, row.At = notify.DeliveryDelivered, 1, e.p.Now().UTC()
	if tellErr != nil {
		row.State, row.Error = notify.DeliveryFailed, tellErr.Error()
	} else {
		row.ToldAt = row.At
	}
	row.RetryAt = time.Time{}
	if err := e.p.Ledger.Settle(ctx, row); err != nil {
		return notify.Delivery{}, err
	}
	return row, nil
}

package storetest

import (
	"reflect"
	"testing"
	"time"

	"signalbox/notify"
)

func delivery(n int, provider string) notify.Delivery {
	return notify.Delivery{
		ID: ID(n), Provider: provider, EventType: notify.EventTurnFinished, Occurrence: ID(n), RecordID: ID(n),
		Revision: 1, State: notify.DeliveryClaimed, Reason: "subscription", Attempts: 1, At: At(n),
	}
}

func list(t *testing.T, s Store, provider, record string, limit int) []notify.Delivery {
	t.Helper()
	return must(s.Deliveries(t.Context(), provider, record, limit))(t)
}

// Proves: A2, A3
func ledger(t *testing.T, w *Writer) check {
	ctx := t.Context()
	claim := func(d notify.Delivery, want bool) {
		t.Helper()
		if ok, err := w.S.Claim(ctx, d); ok != want || err != nil {
			t.Errorf("Claim(%s, %s) = %v, %v; want %v", d.Provider, d.Occurrence, ok, err, want)
		}
	}
	toast, sound := delivery(1, "toast"), delivery(1, "sound")
	claim(toast, true)
	claim(toast, false)
	claim(sound, true)
	failed := toast
	failed.State, failed.RetryAt, failed.Error = notify.DeliveryFailed, At(30), "no daemon"
	if err := w.S.Settle(ctx, failed); err != nil {
		t.Fatal(err)
	}
	if got := must(w.S.Retries(ctx, At(29)))(t); len(got) != 0 {
		t.Errorf("retries before their time: %v", got)
	}
	if got := must(w.S.Retries(ctx, At(30)))(t); !reflect.DeepEqual(got, []notify.Delivery{failed}) {
		t.Errorf("retries = %v", got)
	}
	second := toast
	second.Attempts, second.At = 2, At(31)
	claim(second, true)
	done := second
	done.State = notify.DeliveryDelivered
	if err := w.S.Settle(ctx, done); err != nil {
		t.Fatal(err)
	}
	claim(toast, false)
	gone := delivery(2, "toast")
	gone.State = notify.DeliveryFailed // and never again: no RetryAt
	if err := w.S.Settle(ctx, gone); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, s Store) {
		if got := must(s.Retries(t.Context(), At(1000)))(t); len(got) != 0 {
			t.Errorf("retries of what is settled: %v", got)
		}
		if got, want := list(t, s, "", "", 0), []notify.Delivery{done, gone, sound}; !reflect.DeepEqual(got, want) {
			t.Errorf("Deliveries = %v\nwant %v", got, want)
		}
		if got := list(t, s, "toast", "", 1); !reflect.DeepEqual(got, []notify.Delivery{done}) {
			t.Errorf("Deliveries of toast, 1 = %v", got)
		}
		if got := list(t, s, "sound", ID(1), 0); !reflect.DeepEqual(got, []notify.Delivery{sound}) {
			t.Errorf("Deliveries of sound for a record = %v", got)
		}
		if got := list(t, s, "sound", ID(2), 0); len(got) != 0 {
			t.Errorf("Deliveries of sound for another record = %v", got)
		}
	}
}

func ledgerOfRecord(t *testing.T, w *Writer) check {
	w.Put(New(1), New(2))
	for _, d := range []notify.Delivery{delivery(1, "toast"), delivery(1, "sound"), delivery(2, "toast")} {
		if ok, err := w.S.Claim(t.Context(), d); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	retry := delivery(1, "toast")
	retry.State, retry.RetryAt = notify.DeliveryFailed, At(5)
	if err := w.S.Settle(t.Context(), retry); err != nil {
		t.Fatal(err)
	}
	w.Prune(New(1))
	return func(t *testing.T, s Store) {
		if got := list(t, s, "", "", 0); len(got) != 1 || got[0].RecordID != ID(2) {
			t.Errorf("Deliveries after pruning one of two records = %v", got)
		}
		if got := must(s.Retries(t.Context(), At(1000).Add(time.Hour)))(t); len(got) != 0 {
			t.Errorf("retries for a pruned record: %v", got)
		}
	}
}

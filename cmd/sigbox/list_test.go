package main

import (
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

// What waits is listed with how long it has been waiting, which nothing that is done to it changes; all else with its last change.
func TestListedAge(t *testing.T) {
	// Proves: P6
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	at := func(ago time.Duration) wire.Time { return wire.Time{Time: now.Add(-ago)} }
	n := wire.Notification{ID: "q", Status: wire.StatusPending, CreatedAt: at(9 * time.Minute), UpdatedAt: at(4 * time.Minute)}
	n.Kind, n.Severity, n.Connection = wire.KindInteraction, wire.SeverityInfo, "c"
	other := n
	other.Kind = wire.KindNotice
	over := n
	over.Status = wire.StatusResolved
	var b strings.Builder
	table(&b, []wire.Notification{n, other, over}, now)
	var ages []string
	for line := range strings.Lines(b.String()) {
		ages = append(ages, strings.Fields(line)[2])
	}
	if got := strings.Join(ages, " "); got != "9m 4m 4m" {
		t.Errorf("%q\n%s", got, b.String())
	}
}

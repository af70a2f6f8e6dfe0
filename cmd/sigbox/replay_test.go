package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// What an agent told while there was no center is told in its order when there is one, once, and at its own times: by these
// the old is not announced as new (A13).
//
// Proves: S1
func TestReplayInOrderOnceAtItsTimes(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	l := &lab{t: t, home: home}
	a := &app{surroundings: surroundings{env: func(string) string { return "" }, now: time.Now}, cli: &cli{Home: home}, ctx: t.Context()}
	first := time.Now().UTC().Add(-time.Hour).Truncate(time.Millisecond)
	const turns = 5
	for i := range turns {
		stop := fmt.Sprintf(`{"session_id":"s","prompt_id":"%d","hook_event_name":"Stop"}`, i)
		p := agents.Translate(agents.Input{Agent: "claude", Payload: []byte(stop), At: first.Add(time.Duration(i) * time.Minute)})
		if err := a.spool(hookConnection(a, "claude"), p); err != nil {
			t.Fatal(err)
		}
	}
	d := startDaemon(t, home)
	// A busy machine may keep some for a later call.
	for calls := 0; calls < 2 || len(spooled(filepath.Join(home, spoolDir, "claude"))) > 0; calls++ {
		if code, out, _ := l.run(strings.NewReader(`{"session_id":"other","hook_event_name":"SessionStart"}`), "hook", "claude"); code != 0 || out != "" {
			t.Fatalf("code %d, stdout %q", code, out)
		}
	}
	owner, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	page, err := owner.List(t.Context(), client.Query{Sessions: []string{"s"}})
	if err != nil || len(page.Notifications) != turns {
		t.Fatalf("%d told, %v", len(page.Notifications), err)
	}
	slices.SortFunc(page.Notifications, func(a, b wire.Notification) int { return a.CreatedAt.Compare(b.CreatedAt.Time) })
	for i, n := range page.Notifications {
		want := wire.StatusResolved // by the turn that followed
		if i == turns-1 {
			want = wire.StatusPending
		}
		if at := first.Add(time.Duration(i) * time.Minute); n.Event.Occurrence != fmt.Sprint(i) || !n.CreatedAt.Equal(at) || n.Status != want || n.Revision != 1 {
			t.Errorf("turn %s of %v is %s, revision %d; want turn %d of %v, %s", n.Event.Occurrence, n.CreatedAt, n.Status, n.Revision, i, at, want)
		}
	}
}

package notify_test

import (
	"slices"
	"testing"
	"time"

	"signalbox/notify"
)

// Proves: P5
func TestPlaces(t *testing.T) {
	now := start
	full := func() *notify.Record { // one that would fit everywhere
		return &notify.Record{Status: notify.Pending, SnoozeUntil: now.Add(time.Hour), Muted: true, InteractionState: notify.InteractionWaiting,
			Content: notify.Content{Kind: notify.KindInteraction, Panel: "builds", Severity: notify.SeverityError, Tags: []string{"ci", "x"}}}
	}
	r := full()
	// Take away the first that fits, one after the other.
	for _, c := range []struct {
		want notify.Place
		take func()
	}{
		{notify.Place{Kind: notify.PlaceSnoozed}, func() { r.SnoozeUntil = time.Time{} }},
		{notify.Place{Kind: notify.PlaceMuted}, func() { r.Muted = false }},
		{notify.Place{Kind: notify.PlaceWaiting}, func() { r.InteractionState, r.Kind = "", notify.KindNotice }},
		{notify.Place{Kind: notify.PlacePanel, Name: "builds"}, func() { r.Panel = "" }},
		{notify.Place{Kind: notify.PlaceErrors}, func() { r.Severity = notify.SeverityWarning }},
		{notify.Place{Kind: notify.PlaceTag, Name: "ci"}, func() { r.Tags = nil }},
		{notify.Place{Kind: notify.PlaceGeneral}, func() { r.Silent = true }},
		{notify.Place{}, func() { r.Silent = false }},
		{notify.Place{Kind: notify.PlaceGeneral}, func() { r.Retention = notify.Retention{Policy: notify.TTL, Deadline: now} }},
		{notify.Place{}, func() { r = full(); r.Status = notify.Resolved }},
		{notify.Place{}, func() {}},
	} {
		if got := notify.PlaceOf(r, now); got != c.want {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
		c.take()
	}
	critical := &notify.Record{Status: notify.Pending, Content: notify.Content{Severity: notify.SeverityCritical}}
	if got := notify.PlaceOf(critical, now); got.Kind != notify.PlaceErrors {
		t.Errorf("critical is in %v", got)
	}
}

// Proves: P1
func TestRail(t *testing.T) {
	d := newDesk(t)
	d.ok(notify.Owner, notify.CreateConnection{ID: "beta", Label: "Beta"})
	beta := notify.Producer("beta")
	a := d.publish(notify.Publish{})
	b := d.ok(beta, notify.Publish{Content: notify.Content{Title: "B"}}).Record
	s := d.publish(notify.Publish{Session: "s"})
	d.publish(notify.Publish{Session: "s2"})
	foreign := d.ok(beta, notify.Publish{Session: "s", Content: notify.Content{Title: "B"}}).Record // the same name, another chat
	show := func(focus notify.SessionRef, application, session []string) {
		t.Helper()
		rail := d.m.Rail(focus, d.now)
		got := func(rs []*notify.Record) (ids []string) {
			for _, r := range rs {
				ids = append(ids, r.ID)
			}
			slices.Sort(ids)
			return ids
		}
		if x, y := got(rail.Application), got(rail.Session); !slices.Equal(x, application) || !slices.Equal(y, session) {
			t.Errorf("focus %v: %v and %v, want %v and %v", focus, x, y, application, session)
		}
	}
	ref := notify.SessionRef{Connection: "alpha", Session: "s"}
	show(notify.SessionRef{}, []string{a.ID, b.ID}, nil)
	show(ref, []string{a.ID, b.ID}, []string{s.ID})
	show(notify.SessionRef{Connection: "beta", Session: "s"}, []string{a.ID, b.ID}, []string{foreign.ID})
	open := false
	d.ok(notify.Owner, notify.UpdateConnection{ID: "beta", Open: &open})
	show(ref, []string{a.ID}, []string{s.ID})
	if got := d.m.Attention(d.now); got.Unread != 3 || got.Connections["beta"].Unread != 2 {
		t.Errorf("the badge says %d, of beta %d", got.Unread, got.Connections["beta"].Unread)
	}
	open = true
	d.ok(notify.Owner, notify.UpdateConnection{ID: "beta", Open: &open})
	show(ref, []string{a.ID, b.ID}, []string{s.ID})
	// The focus is set as a whole, to what is there.
	d.ok(notify.Owner, notify.SetFocus{Focus: ref})
	if got := d.m.Settings().Focus; got != ref {
		t.Errorf("the focus is %v", got)
	}
	d.field("/session", notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Connection: "alpha"}})
	d.field("/connection", notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Session: "s"}})
	d.refused(notify.CodeNotFound, notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Connection: "none", Session: "s"}})
	d.ok(notify.Owner, notify.SetFocus{})
	if d.ok(notify.Owner, notify.SetFocus{}).Verdict != notify.Unchanged {
		t.Error("the same focus is a change")
	}
}

// Proves: P6, A5
func TestOrder(t *testing.T) {
	d := newDesk(t)
	add := func(p notify.Publish) string { d.later(time.Minute); return d.publish(p).ID }
	q1, q2 := add(notify.Publish{Content: yesNo()}), add(notify.Publish{Content: yesNo()})
	n1, n2, n3 := add(notify.Publish{Key: "n1"}), add(notify.Publish{}), add(notify.Publish{})
	want := func(what string, ids ...string) {
		t.Helper()
		var got []string
		for _, r := range d.m.Rail(notify.SessionRef{}, d.now).Application {
			got = append(got, r.ID)
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %v, want %v", what, got, ids)
		}
	}
	want("what waits longest is on top, then the newest", q1, q2, n3, n2, n1)
	d.later(time.Minute)
	d.ok(notify.Owner, notify.SetRead{ID: n2, Read: true})
	d.ok(notify.Owner, notify.SetMuted{ID: n2, Muted: true})
	d.ok(notify.Owner, notify.SetMuted{ID: n2})
	want("reading and muting are no activity", q1, q2, n3, n2, n1)
	d.later(time.Minute)
	d.publish(notify.Publish{Key: "n1"})
	want("content is", q1, q2, n1, n3, n2)
	d.later(time.Minute)
	d.ok(notify.Owner, notify.Snooze{ID: n2, For: time.Minute})
	d.later(time.Minute)
	d.ok(notify.Center, notify.Tick{})
	want("resurfacing is", q1, q2, n2, n1, n3)
	d.ok(notify.Owner, notify.SetAside{ID: q1})
	want("what was set aside comes last", q2, n2, n1, n3, q1)
}

// Proves: P3, S4
func TestActions(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Key: "k", Content: notify.Content{Title: "T", Actions: []notify.Action{{ID: "open"}, {ID: "log", InHistory: true}}}})
	invoke := func(action string, n int) notify.InvokeAction {
		return notify.InvokeAction{ID: r.ID, Action: action, Expect: rev(n)}
	}
	res := d.ok(notify.Owner, invoke("open", 1))
	if len(d.last) != 1 || d.last[0].Name != notify.EvAction || d.last[0].Action != "open" || res.Record.Revision != 1 {
		t.Errorf("it did %+v", d.last)
	}
	d.is(r.ID, notify.Pending, "") // it is the producer's to say what came of it
	d.field("/expected_revision", notify.Owner, notify.InvokeAction{ID: r.ID, Action: "open"})
	d.refused(notify.CodeRevisionConflict, notify.Owner, invoke("open", 2))
	d.refused(notify.CodeNotFound, notify.Owner, invoke("close", 1))
	d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	e := d.refused(notify.CodeActionUnavailable, notify.Owner, invoke("open", 1))
	if e.Current == nil {
		t.Error("the refusal has no record")
	}
	d.ok(notify.Owner, invoke("log", 1))
	d.is(r.ID, notify.Dismissed, notify.OutcomeDismissed)
}

// Proves: P3
func TestFilters(t *testing.T) {
	r := &notify.Record{ID: "1", Connection: "alpha", Scope: notify.ScopeSession, Session: "s", Status: notify.Pending, Read: true, UpdatedAt: start,
		Content: notify.Content{Kind: notify.KindReport, Severity: notify.SeverityWarning, Title: "Übersicht: 3 tests failed", Body: "see `ci/run.go`",
			Lines: []string{"naïve café"}, Sender: "worker-7", Tags: []string{"ci", "nightly"}, Event: event(notify.EventTurnFailed, "1")}}
	yes, no := true, false
	for name, c := range map[string]struct {
		f    notify.Filter
		want bool
	}{
		"all":                   {notify.Filter{}, true},
		"its connection":        {notify.Filter{Connections: []string{"beta", "alpha"}}, true},
		"another connection":    {notify.Filter{Connections: []string{"beta"}}, false},
		"its scope":             {notify.Filter{Scopes: []notify.Scope{notify.ScopeSession}}, true},
		"another scope":         {notify.Filter{Scopes: []notify.Scope{notify.ScopeApplication}}, false},
		"another session":       {notify.Filter{Sessions: []string{"s2"}}, false},
		"its status":            {notify.Filter{Statuses: []notify.Status{notify.Expired, notify.Pending}}, true},
		"another status":        {notify.Filter{Statuses: []notify.Status{notify.Expired}}, false},
		"its severity":          {notify.Filter{Severities: []notify.Severity{notify.SeverityWarning}}, true},
		"another severity":      {notify.Filter{Severities: []notify.Severity{notify.SeverityError}}, false},
		"another kind":          {notify.Filter{Kinds: []notify.Kind{notify.KindNotice}}, false},
		"a tag of it":           {notify.Filter{Tags: []string{"x", "nightly"}}, true},
		"another tag":           {notify.Filter{Tags: []string{"night"}}, false},
		"its event":             {notify.Filter{Events: []string{notify.EventTurnFailed}}, true},
		"another event":         {notify.Filter{Events: []string{notify.EventTurnFinished}}, false},
		"since then":            {notify.Filter{Since: start}, true},
		"since later":           {notify.Filter{Since: start.Add(time.Millisecond)}, false},
		"until then":            {notify.Filter{Until: start}, false},
		"until later":           {notify.Filter{Until: start.Add(time.Millisecond)}, true},
		"read":                  {notify.Filter{Read: &yes}, true},
		"unread":                {notify.Filter{Read: &no}, false},
		"words that begin so":   {notify.Filter{Text: "FAIL über 3"}, true},
		"a word of the body":    {notify.Filter{Text: "run.go"}, true},
		"a word of a line":      {notify.Filter{Text: "naïve"}, true},
		"the sender":            {notify.Filter{Text: "worker 7"}, true},
		"the middle of a word":  {notify.Filter{Text: "ests"}, false},
		"one word too many":     {notify.Filter{Text: "tests passed"}, false},
		"no word":               {notify.Filter{Text: " - "}, true},
		"one of them isn't his": {notify.Filter{Connections: []string{"alpha"}, Kinds: []notify.Kind{notify.KindNotice}}, false},
	} {
		if got := c.f.Match(r); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := notify.Tokens("Größe 42 größe, 日本語 x_y"); !slices.Equal(got, []string{"42", "größe", "x", "y", "日", "本", "語"}) {
		t.Errorf("words: %q", got)
	}
	if !notify.MatchText(&notify.Record{Content: notify.Content{Title: "日本語のテスト"}}, "本語") {
		t.Error("a script without spaces can't be searched")
	}
}

// Proves: S3
func TestConnections(t *testing.T) {
	d := newDesk(t)
	first := d.ok(notify.Owner, notify.CreateConnection{Label: "My  Agent!", Color: "#a0B1c2"}).Connection
	second := d.ok(notify.Owner, notify.CreateConnection{Label: "My Agent"}).Connection
	third := d.ok(notify.Owner, notify.CreateConnection{Label: "日本"}).Connection
	if first.ID != "my-agent" || second.ID != "my-agent-2" || third.ID != "connection" || !first.Open {
		t.Errorf("ids: %s, %s, %s", first.ID, second.ID, third.ID)
	}
	d.field("/label", notify.Owner, notify.CreateConnection{Label: " \n"})
	d.field("/id", notify.Owner, notify.CreateConnection{Label: "X", ID: "a/b"})
	d.field("/id", notify.Owner, notify.CreateConnection{Label: "X", ID: "alpha"})
	d.field("/color", notify.Owner, notify.CreateConnection{Label: "X", Color: "red"})
	presence := func(want notify.Presence) {
		t.Helper()
		if v, _ := d.m.ConnectionView("alpha", d.now); v.Presence != want {
			t.Errorf("presence: %s, want %s", v.Presence, want)
		}
	}
	presence(notify.Missing)
	d.publish(notify.Publish{})
	presence(notify.Online)
	d.later(notify.OnlineFor)
	presence(notify.Offline)
	d.ok(notify.Center, notify.Tick{})
	if got := names(d.last); len(got) != 1 || got[0] != notify.EvConnection {
		t.Errorf("that it went is told as %v", got)
	}
	d.ok(notify.Center, notify.Tick{})
	if len(d.last) != 0 {
		t.Error("it went twice")
	}
	d.ok(notify.Center, notify.SetPresence{Connection: "alpha", Streams: 2})
	d.later(time.Hour)
	presence(notify.Online)
	d.ok(notify.Center, notify.Tick{})
	if len(d.last) != 0 {
		t.Error("a connection with a stream went")
	}
	// The center ended with the stream open: the next start knows that it has closed.
	c, _ := d.m.Connection("alpha")
	stored := *c
	stored.Streams = 0 // as it is read back
	d.m = notify.NewMemory()
	d.m.Load(c.Change, []*notify.Connection{&stored}, nil, nil, nil, notify.Settings{})
	d.later(1000 * time.Hour)
	d.ok(notify.Center, notify.Tick{})
	if c, _ := d.m.Connection("alpha"); notify.Orphaned(c, d.rules, d.now) || c.Streaming {
		t.Error("it is an orphan, though it was there until the center ended")
	}
	d.ok(notify.Owner, notify.RevokeConnection{ID: "alpha"})
	presence(notify.Revoked)
	if c, _ := d.m.Connection("alpha"); len(c.TokenHash) != 0 {
		t.Error("its token is still known")
	}
	d.ok(notify.Owner, notify.RotateToken{ID: "alpha", TokenHash: []byte("new")})
	if c, _ := d.m.Connection("alpha"); c.Revoked || string(c.TokenHash) != "new" {
		t.Error("a new token does not bring it back")
	}
	if d.ok(notify.Owner, notify.UpdateConnection{ID: "alpha"}).Verdict != notify.Unchanged {
		t.Error("a change of nothing is one")
	}
	n := 5
	if c := d.ok(notify.Owner, notify.UpdateConnection{ID: "alpha", KeepCount: &n}).Connection; c.KeepCount != 5 {
		t.Errorf("keeps %d", c.KeepCount)
	}
	d.refused(notify.CodeNotFound, notify.Owner, notify.UpdateConnection{ID: "none"})
}

package notify_test

import (
	"slices"
	"testing"
	"time"

	"signalbox/notify"
)

// change is the creation of a record with a content, in alpha's session s.
func change(c notify.Content) notify.Change {
	if c.Title == "" {
		c.Title = "T"
	}
	if c.Kind == "" {
		c.Kind = notify.KindNotice
	}
	if c.Severity == "" {
		c.Severity = notify.SeverityInfo
	}
	r := &notify.Record{ID: "r", Connection: "alpha", Scope: notify.ScopeSession, Session: "s", Revision: 1, Status: notify.Pending, Content: c}
	if c.Kind == notify.KindInteraction {
		r.InteractionState = notify.InteractionWaiting
	}
	return notify.Change{Seq: 1, Name: notify.EvCreated, Record: r}
}

func of(typ string) notify.Content { return notify.Content{Event: event(typ, "1")} }

// Proves: A3, A10, A11
func TestAnnouncedByDefault(t *testing.T) {
	ran := func(s string) notify.Content {
		c := of(notify.EventTurnFinished)
		c.Data = raw(`{"duration_seconds": ` + s + `}`)
		return c
	}
	tagged := func(c notify.Content) notify.Content { c.Tags = []string{notify.TagSubagent}; return c }
	for name, c := range map[string]struct {
		content      notify.Content
		toast, sound bool
		reason       notify.Reason
	}{
		"a notice":                    {notify.Content{}, true, false, notify.ReasonDefault},
		"a report":                    {notify.Content{Kind: notify.KindReport}, true, false, notify.ReasonDefault},
		"an error":                    {notify.Content{Severity: notify.SeverityError}, true, true, notify.ReasonDefault},
		"a question":                  {yesNo(), true, true, notify.ReasonDefault},
		"progress":                    {notify.Content{Kind: notify.KindProgress}, false, false, notify.ReasonDefault},
		"a status":                    {notify.Content{Kind: notify.KindStatus}, false, false, notify.ReasonDefault},
		"a status of an error":        {notify.Content{Kind: notify.KindStatus, Severity: notify.SeverityCritical}, true, true, notify.ReasonDefault},
		"a failed turn":               {of(notify.EventTurnFailed), true, true, notify.ReasonDefault},
		"a clarification":             {of(notify.EventClarificationRequested), true, true, notify.ReasonDefault},
		"a long turn":                 {ran("30"), true, false, notify.ReasonDefault},
		"a short turn":                {ran("29.9"), false, false, notify.ReasonShortTurn},
		"a turn of unknown length":    {of(notify.EventTurnFinished), true, false, notify.ReasonDefault},
		"an update":                   {of(notify.EventUpdateAvailable), true, false, notify.ReasonDefault},
		"another event":               {of("session.idle_again"), false, false, notify.ReasonDefault},
		"another event that weighs":   {notify.Content{Event: event("acme.x", "1"), Severity: notify.SeverityWarning}, true, false, notify.ReasonDefault},
		"a sub-agent's turn":          {tagged(ran("3000")), false, false, notify.ReasonSubagent},
		"a sub-agent's error":         {tagged(notify.Content{Severity: notify.SeverityError}), false, false, notify.ReasonSubagent},
		"a question of a sub-agent's": {tagged(yesNo()), true, true, notify.ReasonDefault},
	} {
		for provider, want := range map[string]bool{notify.ProviderToast: c.toast, notify.ProviderSound: c.sound, notify.ProviderInApp: c.toast, "webhook:x": c.toast} {
			a := notify.Announce(notify.AnnounceInput{Change: change(c.content), Provider: provider, Now: start})
			if (a.Act == notify.ActTell) != want {
				t.Errorf("%s by %s: %+v", name, provider, a)
			}
			if a.Reason != c.reason && provider == notify.ProviderToast {
				t.Errorf("%s: the reason is %s, want %s", name, a.Reason, c.reason)
			}
		}
	}
	short := notify.Announce(notify.AnnounceInput{Change: change(ran("30")), Provider: notify.ProviderToast, Now: start, Settings: notify.Settings{MinTurn: time.Minute}})
	if short.Reason != notify.ReasonShortTurn {
		t.Errorf("the owner's limit: %+v", short)
	}
}

// Proves: A3, A11
func TestSubscriptions(t *testing.T) {
	toast := func(s notify.Subscription) []notify.Subscription {
		s.Provider = notify.ProviderToast
		return []notify.Subscription{s}
	}
	failed := of(notify.EventTurnFailed)
	sub := failed
	sub.Tags = []string{notify.TagSubagent}
	for name, c := range map[string]struct {
		subs    []notify.Subscription
		content notify.Content
		tell    bool
		reason  notify.Reason
	}{
		"of another provider: the default":    {[]notify.Subscription{{Provider: "sound", Events: []string{}}}, failed, true, notify.ReasonDefault},
		"no events named: the default":        {toast(notify.Subscription{}), failed, true, notify.ReasonSubscription},
		"no events named, and not by default": {toast(notify.Subscription{}), notify.Content{Kind: notify.KindProgress}, false, notify.ReasonSubscription},
		"an empty list: none":                 {toast(notify.Subscription{Events: []string{}}), failed, false, notify.ReasonSubscription},
		"its type":                            {toast(notify.Subscription{Events: []string{notify.EventTurnFailed}}), failed, true, notify.ReasonSubscription},
		"another type":                        {toast(notify.Subscription{Events: []string{notify.EventTurnFinished}}), failed, false, notify.ReasonSubscription},
		"its namespace":                       {toast(notify.Subscription{Events: []string{"session.*"}}), failed, true, notify.ReasonSubscription},
		"another namespace":                   {toast(notify.Subscription{Events: []string{"sess.*"}}), failed, false, notify.ReasonSubscription},
		"everything":                          {toast(notify.Subscription{Events: []string{"*"}}), notify.Content{Kind: notify.KindProgress}, true, notify.ReasonSubscription},
		"items of a kind":                     {toast(notify.Subscription{Events: []string{"notification.progress"}}), notify.Content{Kind: notify.KindProgress}, true, notify.ReasonSubscription},
		"disabled":                            {toast(notify.Subscription{Disabled: true, Events: []string{"*"}}), failed, false, notify.ReasonSubscription},
		"too light":                           {toast(notify.Subscription{Events: []string{"*"}, MinSeverity: notify.SeverityError}), failed, false, notify.ReasonSubscription},
		"heavy enough":                        {toast(notify.Subscription{Events: []string{"*"}, MinSeverity: notify.SeverityInfo}), failed, true, notify.ReasonSubscription},
		"another severity":                    {toast(notify.Subscription{Events: []string{"*"}, Severities: []notify.Severity{notify.SeverityError}}), failed, false, notify.ReasonSubscription},
		"its connection":                      {toast(notify.Subscription{Events: []string{"*"}, Connections: []string{"alpha"}}), failed, true, notify.ReasonSubscription},
		"another connection":                  {toast(notify.Subscription{Events: []string{"*"}, Connections: []string{"beta"}}), failed, false, notify.ReasonSubscription},
		"another scope":                       {toast(notify.Subscription{Events: []string{"*"}, Scopes: []notify.Scope{notify.ScopeApplication}}), failed, false, notify.ReasonSubscription},
		"a sub-agent among everything":        {toast(notify.Subscription{Events: []string{"*"}}), sub, false, notify.ReasonSubagent},
		"a sub-agent, asked for":              {toast(notify.Subscription{Events: []string{notify.EventTurnFailed}}), sub, true, notify.ReasonSubscription},
		"one of several":                      {append(toast(notify.Subscription{Events: []string{}}), toast(notify.Subscription{Events: []string{"*"}})...), failed, true, notify.ReasonSubscription},
	} {
		a := notify.Announce(notify.AnnounceInput{Change: change(c.content), Provider: notify.ProviderToast, Now: start, Settings: notify.Settings{Subscriptions: c.subs}})
		if (a.Act == notify.ActTell) != c.tell || a.Reason != c.reason {
			t.Errorf("%s: %+v", name, a)
		}
	}
	d := newDesk(t)
	for field, s := range map[string]notify.Subscription{
		"/subscriptions/0/provider":     {Provider: "pigeon"},
		"/subscriptions/0/events/0":     {Provider: "toast", Events: []string{"Everything"}},
		"/subscriptions/0/min_severity": {Provider: "toast", MinSeverity: "loud"},
		"/subscriptions/0/severities/0": {Provider: "toast", Severities: []notify.Severity{"loud"}},
		"/subscriptions/0/scopes/0":     {Provider: "toast", Scopes: []notify.Scope{"world"}},
	} {
		d.field(field, notify.Owner, notify.SetSettings{Subscriptions: &[]notify.Subscription{s}})
	}
	d.ok(notify.Owner, notify.SetSettings{Subscriptions: &[]notify.Subscription{{Provider: "webhook:chat", Events: []string{"session.*", "*"}}, {Provider: "command:x"}}})
}

// Proves: A11
func TestRules(t *testing.T) {
	c := notify.Content{Kind: notify.KindProgress, Severity: notify.SeverityWarning, Title: "Deploy 7", Lines: []string{"to staging"}, Tags: []string{"ci"}, Sender: "bot",
		Event: event("acme.deploy", "1")}
	rule := func(name, set string, m notify.RuleMatch) notify.Rule {
		return notify.Rule{Name: name, Set: set, Match: m}
	}
	decide := func(provider string, rules ...notify.Rule) notify.Announcement {
		return notify.Announce(notify.AnnounceInput{Change: change(c), Provider: provider, Now: start, Settings: notify.Settings{Rules: rules}})
	}
	for name, m := range map[string]notify.RuleMatch{
		"everything": {}, "connection": {Connection: "alpha"}, "session": {Session: "s"}, "kind": {Kind: notify.KindProgress},
		"severity": {Severity: notify.SeverityWarning}, "tag": {Tag: "ci"}, "sender": {Sender: "bot"}, "event": {Event: "acme.*"},
		"title": {Text: `^Deploy \d+$`}, "line": {Text: "staging"},
	} {
		if a := decide(notify.ProviderToast, rule(name, "toast", m)); a.Act != notify.ActTell || a.Reason != notify.ReasonRule || a.Detail != name {
			t.Errorf("%s: %+v", name, a)
		}
	}
	for name, m := range map[string]notify.RuleMatch{
		"connection": {Connection: "beta"}, "session": {Session: "s2"}, "kind": {Kind: notify.KindNotice}, "severity": {Severity: notify.SeverityError},
		"tag": {Tag: "c"}, "sender": {Sender: "bo"}, "event": {Event: "acme.x"}, "text": {Text: "production"}, "one of two": {Tag: "ci", Sender: "x"},
		"a text that is no expression": {Text: "("},
	} {
		if a := decide(notify.ProviderToast, rule(name, "none", m)); a.Reason == notify.ReasonRule {
			t.Errorf("another %s: %+v", name, a)
		}
	}
	for set, want := range map[string][]bool{"toast": {true, false}, "sound": {true, true}, "none": {false, false}, "mute": {false, false}} {
		for i, provider := range []string{notify.ProviderToast, notify.ProviderSound} {
			if a := decide(provider, rule("r", set, notify.RuleMatch{})); (a.Act == notify.ActTell) != want[i] {
				t.Errorf("%s by %s: %+v", set, provider, a)
			}
		}
	}
	last := decide(notify.ProviderToast, rule("a", "none", notify.RuleMatch{}), rule("b", "toast", notify.RuleMatch{}))
	if last.Detail != "b" {
		t.Errorf("the last that matches decides: %+v", last)
	}
	stop := rule("a", "none", notify.RuleMatch{})
	stop.Stop = true
	if a := decide(notify.ProviderToast, stop, rule("b", "toast", notify.RuleMatch{})); a.Detail != "a" {
		t.Errorf("unless one stops: %+v", a)
	}
	d := newDesk(t)
	for field, r := range map[string][]notify.Rule{
		"/rules/0/name": {{Set: "toast"}}, "/rules/1/name": {{Name: "a", Set: "toast"}, {Name: "a", Set: "toast"}},
		"/rules/0/set": {{Name: "a", Set: "shout"}}, "/rules/0/match/severity": {{Name: "a", Set: "toast", Match: notify.RuleMatch{Severity: "x"}}},
		"/rules/0/match/kind":  {{Name: "a", Set: "toast", Match: notify.RuleMatch{Kind: "shout"}}},
		"/rules/0/match/event": {{Name: "a", Set: "toast", Match: notify.RuleMatch{Event: "Turn Finished"}}},
		"/rules/0/match/tag":   {{Name: "a", Set: "toast", Match: notify.RuleMatch{Tag: "A B"}}},
		"/rules/0/match/text":  {{Name: "a", Set: "toast", Match: notify.RuleMatch{Text: "("}}},
	} {
		d.field(field, notify.Owner, notify.SetSettings{Rules: &r})
	}
	rules := []notify.Rule{rule("a", "mute", notify.RuleMatch{Text: "x"})}
	d.ok(notify.Owner, notify.SetSettings{Rules: &rules})
	r := d.publish(notify.Publish{Content: notify.Content{Title: "x"}})
	if r.Muted || r.Silent {
		t.Error("a rule changed the record")
	}
}

// Proves: A11, A5, A8, A2
func TestHeldAndWhy(t *testing.T) {
	plain := func() notify.AnnounceInput {
		return notify.AnnounceInput{Change: change(notify.Content{}), Provider: notify.ProviderToast, Now: start}
	}
	focus := notify.SessionRef{Connection: "alpha", Session: "s"}
	for name, c := range map[string]struct {
		set    func(*notify.AnnounceInput)
		reason notify.Reason
		act    notify.Act
	}{
		"nothing against it": {func(*notify.AnnounceInput) {}, notify.ReasonDefault, notify.ActTell},
		"silent":             {func(in *notify.AnnounceInput) { in.Change.Record.Silent = true }, notify.ReasonSilent, notify.ActHold},
		"muted":              {func(in *notify.AnnounceInput) { in.Change.Record.Muted = true }, notify.ReasonMuted, notify.ActWithdraw},
		"snoozed":            {func(in *notify.AnnounceInput) { in.Change.Record.SnoozeUntil = start.Add(1) }, notify.ReasonSnoozed, notify.ActWithdraw},
		"set aside": {func(in *notify.AnnounceInput) {
			in.Change = change(yesNo())
			in.Change.Name, in.Change.Record.SetAsideUntil = notify.EvSnoozed, notify.SetAsideForever
		}, notify.ReasonSetAside, notify.ActWithdraw},
		"past its TTL": {func(in *notify.AnnounceInput) {
			in.Change.Record.Retention = notify.Retention{Policy: notify.TTL, Deadline: start}
		}, notify.ReasonLapsed, notify.ActHold},
		"old":       {func(in *notify.AnnounceInput) { in.Change.Quiet = true }, notify.ReasonReplay, notify.ActHold},
		"told once": {func(in *notify.AnnounceInput) { in.Told = func(notify.AnnounceID) bool { return true } }, notify.ReasonDuplicate, notify.ActHold},
		"ended": {func(in *notify.AnnounceInput) {
			in.Change.Name, in.Change.Record.Status = notify.EvResolved, notify.Resolved
		}, notify.ReasonEnded, notify.ActWithdraw},
		"read":         {func(in *notify.AnnounceInput) { in.Change.Name = notify.EvRead }, notify.ReasonNoNews, notify.ActHold},
		"corroborated": {func(in *notify.AnnounceInput) { in.Change.Name = notify.EvCorroborated }, notify.ReasonNoNews, notify.ActHold},
		"pruned":       {func(in *notify.AnnounceInput) { in.Change.Removed = true }, notify.ReasonNoNews, notify.ActHold},
		"no record": {func(in *notify.AnnounceInput) {
			in.Change = notify.Change{Name: notify.EvSession, Session: &notify.Session{}}
		}, notify.ReasonNoNews, notify.ActHold},
		"a closed connection":               {func(in *notify.AnnounceInput) { in.Connection = &notify.Connection{} }, notify.ReasonClosed, notify.ActHold},
		"the chat being looked at":          {func(in *notify.AnnounceInput) { in.Settings.Focus = focus }, notify.ReasonFocus, notify.ActHold},
		"a question in it":                  {func(in *notify.AnnounceInput) { in.Change = change(yesNo()); in.Settings.Focus = focus }, notify.ReasonFocus, notify.ActHold},
		"the active chat, and nobody looks": {func(in *notify.AnnounceInput) { in.Settings.Focus, in.Away = focus, true }, notify.ReasonDefault, notify.ActTell},
		"another chat": {func(in *notify.AnnounceInput) {
			in.Settings.Focus = notify.SessionRef{Connection: "alpha", Session: "s2"}
		}, notify.ReasonDefault, notify.ActTell},
		"do not disturb": {func(in *notify.AnnounceInput) { in.Settings.QuietUntil = start.Add(time.Hour) }, notify.ReasonQuiet, notify.ActHold},
		"quiet hours": {func(in *notify.AnnounceInput) {
			in.Settings.QuietHours = []notify.QuietHours{{From: "08:00", To: "10:00"}}
		}, notify.ReasonQuiet, notify.ActHold},
		"what may break through": {func(in *notify.AnnounceInput) {
			in.Settings.QuietUntil = start.Add(time.Hour)
			in.Settings.Rules = []notify.Rule{{Name: "r", Set: "toast", Through: true}}
		}, notify.ReasonRule, notify.ActTell},
		"what a rule tells and may not": {func(in *notify.AnnounceInput) {
			in.Settings.QuietUntil = start.Add(time.Hour)
			in.Settings.Rules = []notify.Rule{{Name: "r", Set: "toast"}}
		}, notify.ReasonQuiet, notify.ActHold},
	} {
		in := plain()
		c.set(&in)
		if a := notify.Announce(in); a.Reason != c.reason || a.Act != c.act || a.Later != (c.reason == notify.ReasonQuiet) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// Proves: A2, A4
func TestToldOnceAndAnew(t *testing.T) {
	d := newDesk(t)
	var lastID notify.AnnounceID
	step := func(what string, news bool, by notify.Actor, op notify.Op) {
		t.Helper()
		d.later(time.Second)
		d.ok(by, op)
		for _, c := range d.last {
			if c.Record == nil {
				continue
			}
			a := notify.Announce(notify.AnnounceInput{Change: c, Provider: notify.ProviderToast, Now: d.now, Told: func(id notify.AnnounceID) bool { return id == lastID }})
			if (a.Act == notify.ActTell) != news {
				t.Errorf("%s: %+v", what, a)
			}
			if a.Act == notify.ActTell {
				lastID = a.ID
			}
		}
	}
	p := notify.Publish{Key: "k", Content: notify.Content{Title: "T"}}
	step("it comes", true, alpha, p)
	step("another revision", false, alpha, p)
	step("it is read", false, notify.Owner, notify.SetRead{ID: "id-002", Read: true})
	p.Content.Severity = notify.SeverityError
	step("it is an error now", true, alpha, p)
	step("still one", false, alpha, p)
	p.Content.Event = event(notify.EventTurnFailed, "1")
	step("another event", true, alpha, p)
	step("snoozed", false, notify.Owner, notify.Snooze{ID: "id-002", For: time.Minute})
	d.later(time.Hour)
	step("back", true, notify.Center, notify.Tick{})
	step("changed after it was back", false, alpha, notify.Update{ID: "id-002", Fields: []string{"title"}, Changes: notify.Content{Title: "U"}})
	q := d.publish(notify.Publish{Content: yesNo()})
	lastID = notify.AnnounceIDOf(notify.Change{Name: notify.EvCreated, Record: q})
	step("answered", false, notify.Owner, notify.AnswerOp{ID: q.ID, Answer: answer("yes", "", nil)})
	step("asked again", true, alpha, notify.RejectAnswer{ID: q.ID, Reason: "no"})
}

// Proves: A8
func TestQuietHours(t *testing.T) {
	at := func(s string) time.Time {
		x, err := time.ParseInLocation("Mon 15:04", s, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		day := map[time.Weekday]int{time.Monday: 4, time.Tuesday: 5, time.Wednesday: 6, time.Saturday: 9, time.Sunday: 10, time.Friday: 8}
		for w, n := range day {
			if w.String()[:3] == s[:3] {
				return time.Date(2026, 5, n, x.Hour(), x.Minute(), 0, 0, time.UTC)
			}
		}
		return x
	}
	night := []notify.QuietHours{{From: "22:00", To: "07:00"}}
	weekend := []notify.QuietHours{{Days: []time.Weekday{time.Friday}, From: "18:00", To: "09:00"}}
	chain := []notify.QuietHours{{From: "12:00", To: "13:00"}, {From: "13:00", To: "14:00"}}
	for _, c := range []struct {
		hours []notify.QuietHours
		now   string
		until string // empty: not quiet
	}{
		{night, "Mon 21:59", ""}, {night, "Mon 22:00", "Tue 07:00"}, {night, "Tue 03:00", "Tue 07:00"}, {night, "Tue 07:00", ""},
		{weekend, "Fri 19:00", "Sat 09:00"}, {weekend, "Sat 08:59", "Sat 09:00"}, {weekend, "Sat 19:00", ""}, {weekend, "Fri 08:00", ""},
		{chain, "Mon 12:30", "Mon 14:00"}, {[]notify.QuietHours{{From: "x", To: "07:00"}}, "Mon 06:00", ""},
	} {
		until, quiet := notify.QuietAt(notify.Settings{QuietHours: c.hours}, at(c.now))
		if quiet != (c.until != "") || quiet && !until.Equal(at(c.until)) {
			t.Errorf("%s: quiet %v until %v, want %q", c.now, quiet, until, c.until)
		}
	}
	if _, quiet := notify.QuietAt(notify.Settings{QuietHours: []notify.QuietHours{{From: "00:00", To: "00:00"}}}, start); !quiet {
		t.Error("a whole day is not quiet")
	}
	d := newDesk(t)
	for field, h := range map[string]notify.QuietHours{"/quiet_hours/0/from": {To: "07:00"}, "/quiet_hours/0/to": {From: "07:00", To: "25:00"}, "/quiet_hours/0/days": {From: "07:00", To: "08:00", Days: []time.Weekday{9}}} {
		d.field(field, notify.Owner, notify.SetSettings{QuietHours: &[]notify.QuietHours{h}})
	}
	until := start.Add(time.Hour)
	d.ok(notify.Owner, notify.SetSettings{QuietUntil: &until, QuietHours: &night})
	if s := d.m.Settings(); !s.QuietUntil.Equal(until) || len(s.QuietHours) != 1 {
		t.Errorf("set as %+v", s)
	}
	d.ok(notify.Owner, notify.SetSettings{QuietUntil: &time.Time{}})
	if s := d.m.Settings(); !s.QuietUntil.IsZero() || len(s.QuietHours) != 1 {
		t.Errorf("ended as %+v", s)
	}
}

// Proves: A13, A8
func TestDigest(t *testing.T) {
	d := newDesk(t)
	var held []*notify.Record
	hold := func(p notify.Publish) *notify.Record {
		d.later(time.Second)
		r := d.publish(p)
		held = append(held, r)
		return r
	}
	finished := hold(told("s", notify.EventTurnFinished, "1"))
	failed := hold(told("s", notify.EventTurnFailed, "2"))
	question := hold(notify.Publish{Content: yesNo()})
	read := hold(notify.Publish{})
	gone := hold(notify.Publish{})
	other := hold(notify.Publish{Key: "k"})
	held = append(held, d.publish(notify.Publish{Key: "k"})) // a later revision of it
	d.ok(notify.Owner, notify.SetRead{ID: read.ID, Read: true})
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: gone.ID}})
	for i := range held {
		held[i] = d.get(held[i].ID)
	}
	got := notify.DigestOf(held, d.now)
	if got.Waiting != 1 || got.Failed != 1 || got.Finished != 1 || got.Other != 1 {
		t.Errorf("the digest is %+v", got)
	}
	var ids []string
	for _, r := range got.Records {
		ids = append(ids, r.ID)
	}
	if want := []string{question.ID, other.ID, failed.ID, finished.ID}; !slices.Equal(ids, want) {
		t.Errorf("in the order %v, want %v", ids, want)
	}
	if !notify.DigestOf([]*notify.Record{d.get(gone.ID), d.get(read.ID)}, d.now).Empty() {
		t.Error("there is something to tell of what is over")
	}
}

// Proves: A8
func TestStorms(t *testing.T) {
	record := func(id string, asks bool) *notify.Record {
		c := change(notify.Content{})
		if asks {
			c = change(yesNo())
		}
		c.Record.ID = id
		return c.Record
	}
	var s notify.Storm
	now := start
	if !s.Offer(record("1", false), now) {
		t.Fatal("the first of all is held")
	}
	if !s.Next().IsZero() {
		t.Error("something is due in a calm")
	}
	// A storm: one toast, then one summary a second, and what waits is in it, first.
	for i := range 100 {
		now = now.Add(5 * time.Millisecond)
		if s.Offer(record(string(rune('a'+i)), i == 50), now) {
			t.Fatalf("%d is told", i)
		}
	}
	if due := s.Next(); !due.Equal(start.Add(notify.StormGap)) {
		t.Errorf("due at %v", due)
	}
	if got := s.Flush(now); got != nil {
		t.Errorf("%d are told early", len(got))
	}
	s.Withdraw(string(rune('a')))
	s.Offer(record("b", false), now) // again: held once
	now = s.Next()
	got := s.Flush(now)
	if len(got) != 99 || !got[0].Waiting() {
		t.Errorf("%d in the summary, the first waits: %v", len(got), got[0].Waiting())
	}
	if s.Flush(now) != nil || !s.Next().IsZero() {
		t.Error("the summary comes twice")
	}
	if s.Offer(record("x", false), now.Add(notify.StormGap-1)) {
		t.Error("a toast too soon after the summary")
	}
	if !s.Next().Equal(now.Add(notify.StormGap)) || len(s.Flush(s.Next())) != 1 {
		t.Error("the one that was held is not told as itself")
	}
	// A clock that went back holds nothing for long.
	if !s.Offer(record("y", false), start.Add(-time.Hour)) {
		t.Error("held until a clock of the future")
	}
}

package vm_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"signalbox/assets"
	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

func TestAgo(t *testing.T) {
	for _, test := range []struct {
		ago  time.Duration
		want vm.Msg
	}{
		{-time.Hour, vm.M("ago.now")}, {59 * time.Second, vm.M("ago.now")}, {time.Minute, vm.MN("ago.minutes", 1)},
		{59*time.Minute + 59*time.Second, vm.MN("ago.minutes", 59)}, {time.Hour, vm.MN("ago.hours", 1)},
		{47 * time.Hour, vm.MN("ago.days", 1)}, {8 * 24 * time.Hour, vm.Msg{Key: "ago.date", A: "2026-03-02"}},
	} {
		if got := vm.Ago(sample.Now, sample.Now.Add(-test.ago)); got != test.want {
			t.Errorf("%v: got %+v", test.ago, got)
		}
	}
}

// Seconds are shown for ten minutes, then whole minutes: what changes no text has nothing drawn anew.
func TestClock(t *testing.T) {
	c, err := vm.LoadCatalog(assets.Translations, "en")
	if err != nil {
		t.Fatal(err)
	}
	for d, want := range map[time.Duration]string{-1: "0:00", 7 * time.Second: "0:07", 599 * time.Second: "9:59", 754 * time.Second: "12 min",
		time.Hour: "1 h", 3*time.Hour + 5*time.Minute + 9*time.Second: "3 h 5 min"} {
		if got := c.Text(vm.Clock(d)); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
	if vm.Clock(10*time.Minute+time.Second) != vm.Clock(10*time.Minute+59*time.Second) {
		t.Error("a second changes what is said of ten minutes")
	}
}

func TestSnoozesFollowTheTimeOfDay(t *testing.T) {
	for _, test := range []struct {
		hour, min int
		want      string
	}{{14, 30, "minutes hours evening tomorrow event"}, {17, 29, "minutes hours evening tomorrow event"}, {17, 30, "minutes hours tomorrow event"}, {23, 0, "minutes hours tomorrow event"}} {
		now := time.Date(2026, 3, 10, test.hour, test.min, 0, 0, time.FixedZone("", 3600))
		var got []string
		for _, s := range vm.Snoozes(now) {
			got = append(got, strings.TrimPrefix(s.Label.Key, "snooze."))
			if !s.UntilChange && !s.Until.After(now) {
				t.Errorf("%v is over at once", s)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%02d:%02d: got %v", test.hour, test.min, got)
		}
	}
}

// Nothing is put off beyond the end that it has, of several the first one's, and what that leaves out is said.
//
// Proves: I7
func TestSnoozesEndWithTheItem(t *testing.T) {
	now := time.Date(2026, 3, 10, 14, 30, 0, 0, time.UTC)
	asks := func(left time.Duration) *notify.Record {
		r := &notify.Record{Content: notify.Content{Kind: notify.KindInteraction, Interaction: &notify.Interaction{}}, Status: notify.Pending, InteractionState: notify.InteractionWaiting}
		if left > 0 {
			r.InteractionDeadline = now.Add(left)
		}
		return r
	}
	notice := &notify.Record{Content: notify.Content{Kind: notify.KindNotice}, Status: notify.Pending, InteractionDeadline: now.Add(time.Minute)}
	for _, test := range []struct {
		name    string
		records []*notify.Record
		want    string
		says    bool
	}{
		{"no end", []*notify.Record{asks(0)}, "minutes hours evening tomorrow event", false},
		{"half an hour", []*notify.Record{asks(30 * time.Minute)}, "minutes event", true},
		{"eight minutes", []*notify.Record{asks(8 * time.Minute)}, "event", true},
		{"the first end of two", []*notify.Record{asks(2 * time.Hour), asks(15 * time.Minute)}, "event", true},
		{"beyond all", []*notify.Record{asks(48 * time.Hour)}, "minutes hours evening tomorrow event", false},
		{"does not wait, has no session", []*notify.Record{notice}, "minutes hours evening tomorrow", false},
	} {
		list, ends := vm.SnoozesOf(now, test.records...)
		var got []string
		for _, s := range list {
			got = append(got, strings.TrimPrefix(s.Label.Key, "snooze."))
		}
		if strings.Join(got, " ") != test.want || ends.IsZero() == test.says {
			t.Errorf("%s: %v, ends %v", test.name, got, ends)
		}
	}
}

func TestMarkdownBlocks(t *testing.T) {
	blocks := vm.Markdown("# Head\n\nA *b* **c** `d` [e](https://x.y) ![pic](file:///etc/passwd)\n\n- one\n  - two\n1. three\n\n> quote\n\n```go\nx := 1\n```\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script>\n")
	var kinds []string
	for _, b := range blocks {
		kinds = append(kinds, string(b.Kind))
	}
	if got, want := strings.Join(kinds, " "), "heading text item item item quote code rule table text"; got != want {
		t.Fatalf("got %s\nwant %s", got, want)
	}
	p := blocks[1].Spans
	if !p[1].Italic || !p[3].Bold || !p[5].Code || p[7].Link != "https://x.y" {
		t.Errorf("spans: %+v", p)
	}
	if last := p[len(p)-1]; !last.Image || last.Text != "pic" {
		t.Errorf("the image is not a link with its text: %+v", last)
	}
	if blocks[3].Level != 1 || blocks[4].Bullet != "1." {
		t.Errorf("items: %+v", blocks[2:5])
	}
	if got := vm.SpansText(blocks[len(blocks)-1].Spans); got != "<script>alert(1)</script>" {
		t.Errorf("raw HTML is not text: %q", got)
	}
}

// Proves: S4
func TestRawHTMLInALineIsText(t *testing.T) {
	for _, s := range []string{"a <b>c</b> d", `\*not\* &amp; &lt;this&gt;`, `a \\ b`} {
		got := vm.SpansText(vm.Markdown(s)[0].Spans)
		want := map[string]string{"a <b>c</b> d": "a <b>c</b> d", `\*not\* &amp; &lt;this&gt;`: "*not* & <this>", `a \\ b`: `a \ b`}[s]
		if got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"", "# a", "- a\n  - b", "```\nx", "|a|\n|-|\n|b|", "[a](b)", "![a](b)", "<div>\n", "\\", "> > >", "1. a\n\n   b", "&#0;", "a\x00b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 20000 {
			return
		}
		blocks := vm.Markdown(s)
		if p := vm.Plain(blocks, 100); utf8.RuneCountInString(p) > 101 {
			t.Errorf("%d characters", utf8.RuneCountInString(p))
		}
		vm.Codes(blocks)
	})
}

func TestRightToLeft(t *testing.T) {
	for s, want := range map[string]bool{"שלום": true, "123 مرحبا": true, "hello שלום": false, "": false, "123": false, "日本": false} {
		if got := vm.RightToLeft(s); got != want {
			t.Errorf("%q: got %v", s, got)
		}
	}
}

// Only allowed schemes open at all.
//
// Proves: S4
func TestWhatMayBeOpened(t *testing.T) {
	for address, want := range map[string]bool{
		"https://example.com/a": true, "http://127.0.0.1:1/": true, "file:///tmp/a.txt": true, "vscode://file/a": true, "VSCODE://file/a": true,
		"javascript:alert(1)": false, "data:text/html,x": false, "smb://host/share": false, "https:///nohost": false, "file://evil/share": false,
		"": false, "example.com": false, "https://a\nb": false, "mailto:x@y.z": false, "ftp://x": false,
	} {
		if _, ok := vm.OpenAddress(address, []string{"vscode", "javascript"}); ok != want {
			t.Errorf("%q: got %v, want %v", address, ok, want)
		}
	}
	if got := vm.FileAddress("/tmp/a b#c.txt"); got != "file:///tmp/a%20b%23c.txt" {
		t.Errorf("got %s", got)
	}
}

func TestReportsFailClosed(t *testing.T) {
	snapshot := notify.RawJSON(`[{"type":"heading","text":"H","level":2},{"type":"list","items":["a","b"],"ordered":true},{"type":"table","header":["x"],"rows":[["1"]]},{"type":"facts","facts":[{"name":"n","value":"v"}]},{"type":"code","text":"c"},{"type":"new","text":"**t**"}]`)
	for _, test := range []struct {
		name         string
		blocks       notify.RawJSON
		live         string
		liveErr      error
		n            int
		from, failed string
	}{
		{name: "the snapshot", blocks: snapshot, n: 7, from: "report.snapshot"},
		{name: "the live document wins", blocks: snapshot, live: `{"title":"L","blocks":[{"type":"text","text":"now"}]}`, n: 1, from: "report.live"},
		{name: "a live document that is none", blocks: snapshot, live: `{"title":`, n: 7, from: "report.snapshot", failed: "report.live_failed"},
		{name: "a live document that is not there", blocks: snapshot, liveErr: notify.Errorf(notify.CodeNotFound, "no"), n: 7, from: "report.snapshot", failed: "report.live_failed"},
		{name: "a broken snapshot", blocks: notify.RawJSON(`[{"type":1}]`), failed: "report.invalid"},
		{name: "duplicate names", blocks: notify.RawJSON(`[{"type":"text","type":"code","text":"x"}]`), failed: "report.invalid"},
		{name: "nothing", blocks: notify.RawJSON(`[]`), failed: "report.invalid"},
		{name: "too large", live: `[{"type":"text","text":"` + strings.Repeat("x", notify.MaxReport) + `"}]`, failed: "report.live_failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var live []byte
			if test.live != "" {
				live = []byte(test.live)
			}
			v := vm.ReportOf(&notify.Report{Blocks: test.blocks, Path: "/r.json"}, live, test.liveErr)
			if len(v.Blocks) != test.n || v.From.Key != test.from || v.Failed.Key != test.failed {
				t.Errorf("got %d blocks, from %q, failed %q", len(v.Blocks), v.From.Key, v.Failed.Key)
			}
		})
	}
	if vm.ReportOf(nil, nil, nil).There {
		t.Error("a report where there is none")
	}
}

func FuzzReport(f *testing.F) {
	f.Add([]byte(`[{"type":"text","text":"x"}]`))
	f.Add([]byte(`{"title":"t","blocks":[]}`))
	f.Add([]byte(`[{"type":"table","rows":[[]]}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		v := vm.ReportOf(&notify.Report{Blocks: b}, nil, nil)
		if len(v.Blocks) == 0 && v.Failed.IsZero() {
			t.Error("neither a report nor a failure")
		}
	})
}

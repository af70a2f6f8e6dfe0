package notify_test

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"signalbox/notify"
)

// Proves: S6. T13: what would pretend to be something else is taken away, what people write stays.
func TestClean(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":                    {"Build finished", "Build finished"},
		"NUL":                      {"a\x00b", "ab"},
		"bell and backspace":       {"a\a\bb\x7f", "ab"},
		"colour":                   {"\x1b[31mred\x1b[0m", "red"},
		"cursor and title":         {"\x1b[2J\x1b]0;owned\x07ok", "ok"},
		"title ended by ST":        {"\x1b]2;owned\x1b\\ok", "ok"},
		"a link in the terminal":   {"\x1b]8;;http://x\x07text\x1b]8;;\x07", "text"},
		"one-character CSI":        {"\u009b31mred", "red"},
		"an escape without end":    {"\x1b[31", "31"},
		"a string without end":     {"\x1b]0;all of the rest", "0;all of the rest"},
		"a lone escape":            {"a\x1b", "a"},
		"a character set":          {"\x1b(Bx", "x"},
		"direction override":       {"exe.\u202egpj\u202c", "exe.gpj"},
		"isolates":                 {"a\u2066b\u2069c", "abc"},
		"zero width":               {"pass\u200bword\ufeff\u2060", "password"},
		"tags that smuggle text":   {"hi\U000E0041\U000E0042", "hi"},
		"a family":                 {"👨‍👩‍👧‍👦 ok", "👨‍👩‍👧‍👦 ok"},
		"a flag by tags":           {"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F!", "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F!"},
		"tags after the flag":      {"🏴\U000E0067\U000E007F\U000E0041", "🏴\U000E0067\U000E007F"},
		"a variation selector":     {"❤️", "❤️"},
		"Persian":                  {"می\u200cخواهم", "می\u200cخواهم"},
		"Hebrew and Arabic":        {"שלום مرحبا", "שלום مرحبا"},
		"combining":                {"e\u0301", "e\u0301"},
		"line ends":                {"a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne"},
		"tabs stay":                {"a\tb", "a\tb"},
		"invalid UTF-8":            {"a\xffb", "a\uFFFDb"},
		"fillers":                  {"a\u3164b\u115f", "ab"},
		"an escape in an escape":   {"\x1b\x1b[31mx", "x"},
		"what cleaning uncovers":   {"\x1b\x00[31mred", "[31mred"},
		"override inside a colour": {"\x1b[3\u202e1mx", "31mx"},
	} {
		if got := notify.Clean(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := notify.CleanLine("  a\r\n\tb \n"); got != "a b" {
		t.Errorf("a row: %q", got)
	}
	if got := notify.CleanText("\n\n  code\n\ttab\n\n"); got != "  code\n\ttab" {
		t.Errorf("a text: %q", got)
	}
}

// Proves: S6
func TestCleanedWhereItEnters(t *testing.T) {
	d := newDesk(t)
	bad := "a\x1b[31m\u202eb\x00\nc"
	r := d.publish(notify.Publish{Session: "s", Corroborate: true, Note: bad, Content: notify.Content{
		Title: bad, Body: bad, Lines: []string{bad}, Sender: bad, Panel: bad, Kind: notify.KindInteraction, DedupKey: "d",
		Chip: &notify.Chip{Label: bad}, Progress: &notify.Progress{Text: bad}, Links: []notify.Link{{URL: "https://x", Title: bad, Status: bad}},
		Attachments: []notify.Attachment{{Path: "/x", Name: bad}}, Actions: []notify.Action{{ID: "a", Label: bad, Confirm: bad}},
		Report: &notify.Report{Title: bad},
		Interaction: &notify.Interaction{Kind: bad, Prompt: bad, Options: []notify.Option{{ID: "o", Label: bad, Description: bad, Comment: "optional"}},
			Fields: []notify.Field{{ID: "f", Label: bad, Type: notify.FieldText}}},
	}})
	i := r.Interaction
	for field, s := range map[string]string{
		"title": r.Title, "line": r.Lines[0], "sender": r.Sender, "panel": r.Panel, "chip": r.Chip.Label, "progress": r.Progress.Text,
		"link": r.Links[0].Title, "link status": r.Links[0].Status, "attachment": r.Attachments[0].Name, "action": r.Actions[0].Label,
		"confirm": r.Actions[0].Confirm, "report": r.Report.Title, "kind": i.Kind, "option": i.Options[0].Label, "field": i.Fields[0].Label,
	} {
		if s != "ab c" {
			t.Errorf("%s: %q", field, s)
		}
	}
	for field, s := range map[string]string{"body": r.Body, "prompt": i.Prompt, "description": i.Options[0].Description} {
		if s != "ab\nc" {
			t.Errorf("%s: %q", field, s)
		}
	}
	d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Answer: answer("o", bad, map[string]notify.RawJSON{"f": raw(`"a\u001b[31m\u202eb"`)})})
	if a := d.get(r.ID).Outcome.Answer; a.Comment != "ab\nc" || string(a.Fields["f"]) != `"ab"` {
		t.Errorf("the answer: %q, %s", a.Comment, a.Fields["f"])
	}
	x := d.publish(notify.Publish{})
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: x.ID}, Reason: bad})
	if got := d.get(x.ID).Outcome.Reason; got != "ab c" {
		t.Errorf("the reason: %q", got)
	}
	if c := d.ok(notify.Owner, notify.CreateConnection{Label: bad}).Connection; c.Label != "ab c" {
		t.Errorf("the label: %q", c.Label)
	}
	if s := d.ok(alpha, notify.PutSession{Session: "s", Title: &bad, State: &bad}).Session; s.Title != "ab c" || s.State != "ab c" {
		t.Errorf("the session: %q, %q", s.Title, s.State)
	}
}

// Proves: S5, S4
func TestBadContent(t *testing.T) {
	long := strings.Repeat("ä", 201)
	for name, c := range map[string]struct {
		field string
		with  func(*notify.Publish)
	}{
		"no title":                   {"/title", func(p *notify.Publish) { p.Content.Title = "" }},
		"a title of nothing seen":    {"/title", func(p *notify.Publish) { p.Content.Title = " \u200b\x00 " }},
		"a long title":               {"/title", func(p *notify.Publish) { p.Content.Title = long }},
		"a long body":                {"/body", func(p *notify.Publish) { p.Content.Body = strings.Repeat("x", notify.MaxBody+1) }},
		"many lines":                 {"/lines", func(p *notify.Publish) { p.Content.Lines = make([]string, 51) }},
		"a long line":                {"/lines/1", func(p *notify.Publish) { p.Content.Lines = []string{"", strings.Repeat("x", 501)} }},
		"an unknown kind":            {"/kind", func(p *notify.Publish) { p.Content.Kind = "shout" }},
		"an unknown severity":        {"/severity", func(p *notify.Publish) { p.Content.Severity = "bad" }},
		"an unknown presentation":    {"/presentation", func(p *notify.Publish) { p.Content.Presentation = "popup" }},
		"a long key":                 {"/key", func(p *notify.Publish) { p.Key = strings.Repeat("k", 513) }},
		"a key with a line break":    {"/key", func(p *notify.Publish) { p.Key = "a\nb" }},
		"a key that turns around":    {"/key", func(p *notify.Publish) { p.Key = "a\u202eb" }},
		"a blank key":                {"/key", func(p *notify.Publish) { p.Key = " " }},
		"a key that is no text":      {"/key", func(p *notify.Publish) { p.Key = "\xff" }},
		"a session with a NUL":       {"/session", func(p *notify.Publish) { p.Session = "a\x00" }},
		"a color by name":            {"/color", func(p *notify.Publish) { p.Content.Color = "red" }},
		"two icons":                  {"/icon", func(p *notify.Publish) { p.Content.Icon = "🚀🚀" }},
		"an icon that is a word":     {"/icon", func(p *notify.Publish) { p.Content.Icon = "Rocket Ship" }},
		"a tag with a space":         {"/tags/1", func(p *notify.Publish) { p.Content.Tags = []string{"ok", "a b"} }},
		"a long tag":                 {"/tags/0", func(p *notify.Publish) { p.Content.Tags = []string{strings.Repeat("x", 41)} }},
		"many tags":                  {"/tags", func(p *notify.Publish) { p.Content.Tags = make([]string, 21) }},
		"a chip without a face":      {"/chip/label", func(p *notify.Publish) { p.Content.Chip = &notify.Chip{} }},
		"progress without progress":  {"/progress", func(p *notify.Publish) { p.Content.Kind = notify.KindProgress }},
		"negative progress":          {"/progress/current", func(p *notify.Publish) { p.Content.Progress = &notify.Progress{Current: -1} }},
		"progress that is no number": {"/progress/current", func(p *notify.Publish) { p.Content.Progress = &notify.Progress{Current: math.NaN()} }},
		"progress of nothing":        {"/progress/total", func(p *notify.Publish) { zero := 0.0; p.Content.Progress = &notify.Progress{Total: &zero} }},
		"an attachment of nothing":   {"/attachments/0", func(p *notify.Publish) { p.Content.Attachments = []notify.Attachment{{}} }},
		"an attachment twice":        {"/attachments/0", func(p *notify.Publish) { p.Content.Attachments = []notify.Attachment{{Path: "/a", URL: "https://x"}} }},
		"a path of nothing":          {"/attachments/0/path", func(p *notify.Publish) { p.Content.Attachments = []notify.Attachment{{Path: "  "}} }},
		"a path that is no text": {"/report/path", func(p *notify.Publish) {
			p.Content.Report = &notify.Report{Path: "/a" + strings.Repeat("x", 600) + "\xff"}
		}},
		"a long path": {"/attachments/0/path", func(p *notify.Publish) {
			p.Content.Attachments = []notify.Attachment{{Path: "/" + strings.Repeat("x", notify.MaxURL)}}
		}},
		"a path with an escape":     {"/attachments/0/path", func(p *notify.Publish) { p.Content.Attachments = []notify.Attachment{{Path: "/a\x1b"}} }},
		"a media type that is none": {"/attachments/0/media_type", func(p *notify.Publish) { p.Content.Attachments = []notify.Attachment{{Path: "/a", MediaType: "image"}} }},
		"a script as a link":        {"/links/0/url", func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "javascript:alert(1)"}} }},
		"data as a link":            {"/links/0/url", func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "data:text/html,x"}} }},
		"a relative link":           {"/links/0/url", func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "/etc/passwd"}} }},
		"a scheme nobody allowed":   {"/links/0/url", func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "vscode://file/x"}} }},
		"a file of another machine": {"/links/0/url", func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "file://server/share"}} }},
		"a link with a space":       {"/links/0/url", func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "https://x/ y"}} }},
		"many actions":              {"/actions", func(p *notify.Publish) { p.Content.Actions = make([]notify.Action, 9) }},
		"an action without an id":   {"/actions/0/id", func(p *notify.Publish) { p.Content.Actions = []notify.Action{{Label: "x"}} }},
		"an action twice":           {"/actions/1/id", func(p *notify.Publish) { p.Content.Actions = []notify.Action{{ID: "x"}, {ID: "x"}} }},
		"an action of no style":     {"/actions/0/style", func(p *notify.Publish) { p.Content.Actions = []notify.Action{{ID: "x", Style: "loud"}} }},
		"an action that runs":       {"/actions/0/url", func(p *notify.Publish) { p.Content.Actions = []notify.Action{{ID: "x", URL: "javascript:x"}} }},
		"data that is no object":    {"/data", func(p *notify.Publish) { p.Content.Data = raw("[1]") }},
		"data that is no JSON":      {"/data", func(p *notify.Publish) { p.Content.Data = raw("{") }},
		"too much data":             {"/data", func(p *notify.Publish) { p.Content.Data = raw(`{"x":"` + strings.Repeat("x", notify.MaxData) + `"}`) }},
		"a report of no blocks":     {"/report/blocks", func(p *notify.Publish) { p.Content.Report = &notify.Report{Blocks: raw("{}")} }},
		"too large a report": {"/report/blocks", func(p *notify.Publish) {
			p.Content.Report = &notify.Report{Blocks: raw(`["` + strings.Repeat("x", notify.MaxReport) + `"]`)}
		}},
		"a refresh of many":           {"/refresh/sessions", func(p *notify.Publish) { p.Content.Refresh = &notify.Refresh{Sessions: make([]string, 101)} }},
		"a refresh of nothing":        {"/refresh/sessions/0", func(p *notify.Publish) { p.Content.Refresh = &notify.Refresh{Sessions: []string{""}} }},
		"a snooze for ever":           {"/snooze_until", func(p *notify.Publish) { p.SnoozeUntil = start.AddDate(100, 0, 0) }},
		"an idempotency key too long": {notify.IdempotencyField, func(p *notify.Publish) { p.IdempotencyKey = strings.Repeat("k", 513) }},
	} {
		t.Run(name, func(t *testing.T) {
			p := notify.Publish{Content: notify.Content{Title: "T"}}
			c.with(&p)
			newDesk(t).field(c.field, alpha, p)
		})
	}
	t.Run("all of them at once", func(t *testing.T) {
		d := newDesk(t)
		e := d.refused(notify.CodeInvalidField, alpha, notify.Publish{Key: "\x00", Content: notify.Content{Color: "x", Icon: "abc def"}})
		if len(e.Fields) != 4 {
			t.Errorf("the fields at fault are %v", e.Fields)
		}
	})
	t.Run("a field that is none", func(t *testing.T) {
		d := newDesk(t)
		r := d.publish(notify.Publish{})
		d.field("/st~1atus", alpha, notify.Update{ID: r.ID, Fields: []string{"st/atus"}})
		d.field("/title", alpha, notify.Update{ID: r.ID, Fields: []string{"title"}})
	})
}

// Proves: S5. A name that stands in a path is one that a path can have.
func TestNamesOfPathsAreReachable(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{".", "..", "/"} {
		d.field("/key", alpha, notify.Publish{Key: name, Content: notify.Content{Title: "T"}})
		d.field("/session", alpha, notify.Publish{Session: name, Content: notify.Content{Title: "T"}})
		d.field("/request", alpha, notify.Publish{Content: notify.Content{Title: "T", Request: name}})
		d.field("/session", alpha, notify.PutSession{Session: name})
	}
	d.publish(notify.Publish{Key: "...", Session: ".a", Content: notify.Content{Title: "T"}})
	d.publish(notify.Publish{Key: "/a/", Session: "//", Content: notify.Content{Title: "T"}})
}

// Proves: S4, S5. T14: unusual is not bad.
func TestUnusualContent(t *testing.T) {
	d := newDesk(t)
	d.rules.LinkSchemes = []string{"vscode", "JavaScript"}
	for name, with := range map[string]func(*notify.Publish){
		"a title as long as may be": func(p *notify.Publish) { p.Content.Title = strings.Repeat("ä", notify.MaxTitle) },
		"a key with anything":       func(p *notify.Publish) { p.Key = "a/b:!badger! ?&" },
		"a key as long as may be":   func(p *notify.Publish) { p.Key = strings.Repeat("k", notify.MaxKey) },
		"paths of any letters": func(p *notify.Publish) {
			for n := range 8 { // wherever a letter of several bytes is cut
				p.Content.Attachments = append(p.Content.Attachments, notify.Attachment{Path: "/" + strings.Repeat("x", n) + strings.Repeat("日本", 300)})
			}
		},
		"one emoji": func(p *notify.Publish) { p.Content.Icon = "🚀" },
		"a family":  func(p *notify.Publish) { p.Content.Icon = "👨‍👩‍👧‍👦" },
		"a flag":    func(p *notify.Publish) { p.Content.Icon = "🇩🇪" },
		"a flag by tags": func(p *notify.Publish) {
			p.Content.Icon = "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"
		},
		"a keycap":                   func(p *notify.Publish) { p.Content.Icon = "1️⃣" },
		"a skin tone":                func(p *notify.Publish) { p.Content.Icon = "👍🏽" },
		"a letter with a mark":       func(p *notify.Publish) { p.Content.Icon = "e\u0301" },
		"an icon's name":             func(p *notify.Publish) { p.Content.Icon = "check-circle" },
		"a scheme the owner allowed": func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "vscode://file/x"}} },
		"a file":                     func(p *notify.Publish) { p.Content.Links = []notify.Link{{URL: "file:///tmp/x"}} },
		"markup":                     func(p *notify.Publish) { p.Content.Body = "<script>alert(1)</script>" },
		"data of null":               func(p *notify.Publish) { p.Content.Data = raw("null") },
		"a tag twice":                func(p *notify.Publish) { p.Content.Tags = []string{"a", "a"} },
		"indeterminate progress":     func(p *notify.Publish) { p.Content.Kind, p.Content.Progress = notify.KindProgress, &notify.Progress{} },
	} {
		p := notify.Publish{Content: notify.Content{Title: "T"}}
		with(&p)
		if _, err := d.do(alpha, p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.rules.LinkSchemes = []string{"JavaScript", "data", "vbscript", "about", "blob"}
	for _, s := range d.rules.LinkSchemes {
		if notify.SchemeAllowed(s+":alert(1)", d.rules) {
			t.Errorf("%s may open, since the owner allowed its scheme", s)
		}
	}
}

// Proves: S4
func TestSchemesThatAreAllowedNoMore(t *testing.T) {
	d := newDesk(t)
	d.rules.LinkSchemes = []string{"vscode", "zed"}
	r := d.publish(notify.Publish{Content: notify.Content{Title: "T", Links: []notify.Link{{URL: "vscode://file/x"}}}})
	d.rules.LinkSchemes = nil
	d.ok(alpha, notify.Update{ID: r.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "U"}})
	if got := d.get(r.ID); got.Title != "U" || len(got.Links) != 1 {
		t.Errorf("got %q with %d links", got.Title, len(got.Links))
	}
	d.field("/links/0/url", alpha, notify.Update{ID: r.ID, Fields: []string{"links"}, Changes: notify.Content{Links: []notify.Link{{URL: "zed://file/x"}}}})
}

// Proves: S5
func TestCommandsAreLeftAlone(t *testing.T) {
	d := newDesk(t)
	lines, tags := []string{" a\n", "b"}, []string{"x", "x"}
	i := &notify.Interaction{Prompt: " ? ", Options: []notify.Option{{ID: "a"}}}
	p := notify.Publish{Content: notify.Content{Title: " T ", Lines: lines, Tags: tags, Kind: notify.KindInteraction, Interaction: i}}
	d.publish(p)
	if lines[0] != " a\n" || len(tags) != 2 || i.Prompt != " ? " || i.Options[0].Label != "" {
		t.Error("deciding modified the command")
	}
}

// A megabyte of beginnings without an end once took minutes.
func TestCleanIsLinear(t *testing.T) {
	for _, unit := range []string{"\x1b]", "\x1b[", "\x1b[0", "\x1b ", "\u009d", "\u202e", "\x1b]\n"} {
		s := strings.Repeat(unit, 1<<20/len(unit))
		began := time.Now()
		notify.Clean(s)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("a megabyte of %q took %v", unit, took)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b[31mred\x1b[0m", "\x1b]0;t\x07x", "a\u202eb", "👨‍👩‍👧", "\xff\xc2", "\u009b1m", "\r\n\u2028", "🏴\U000E0067\U000E007F"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, clean := range map[string]func(string) string{"Clean": notify.Clean, "CleanLine": notify.CleanLine, "CleanText": notify.CleanText} {
			got := clean(s)
			if again := clean(got); again != got {
				t.Errorf("%s(%q) is %q, and cleaned again %q", name, s, got, again)
			}
			if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\x7f\r\u202e\u2066\u200b\u009b") {
				t.Errorf("%s(%q) leaves %q", name, s, got)
			}
			if name == "CleanLine" && strings.ContainsAny(got, "\n\t\u2028") {
				t.Errorf("%s(%q) is more than a row: %q", name, s, got)
			}
			if len(got) > len(s)*3+1 {
				t.Errorf("%s made %d bytes of %d", name, len(got), len(s))
			}
		}
	})
}

// FuzzAnswer holds that an answer is taken or refused, whatever its text, and never breaks.
func FuzzAnswer(f *testing.F) {
	for _, typ := range []string{"text", "number", "integer", "boolean", "choice", "choices", "date", "duration", "x"} {
		for _, v := range []string{"1", `"a"`, `["a"]`, "true", `"2026-01-01"`, `"PT1H"`, "null", "{", "1e999", `"\ud800"`} {
			f.Add(typ, v, v, v)
		}
	}
	f.Fuzz(func(t *testing.T, typ, value, low, high string) {
		d := newDesk(t)
		field := notify.Field{ID: "f", Type: notify.FieldType(typ), Min: raw(low), Max: raw(high), Default: raw(value)}
		if typ == "choice" || typ == "choices" {
			field.Choices = []string{"a", "b"}
		}
		res, err := d.do(alpha, notify.Publish{Content: question(notify.Interaction{Fields: []notify.Field{field}})})
		if err != nil {
			if notify.CodeOf(err) != notify.CodeInvalidField {
				t.Fatalf("refused with %v", err)
			}
			field.Min, field.Max, field.Default = nil, nil, nil
			if res, err = d.do(alpha, notify.Publish{Content: question(notify.Interaction{Fields: []notify.Field{field}})}); err != nil {
				return
			}
		}
		_, err = d.do(notify.Owner, notify.AnswerOp{ID: res.Record.ID, Answer: answer("", "", map[string]notify.RawJSON{"f": raw(value)})})
		if code := notify.CodeOf(err); code != "" && code != notify.CodeAnswerInvalid {
			t.Fatalf("refused with %v", err)
		}
	})
}

// FuzzTokens holds that what is searched for is found in what it was taken from.
func FuzzTokens(f *testing.F) {
	f.Add("Build finished: 3 tests", "日本語")
	f.Add(strings.Repeat("x", 100), "ÄÖÜ ß")
	f.Fuzz(func(t *testing.T, a, b string) {
		r := &notify.Record{Content: notify.Content{Title: a, Body: b}}
		for _, w := range notify.Tokens(a + " " + b) {
			if w == "" || len(w) > 64 {
				t.Errorf("%q is a word", w)
			}
			if !notify.MatchText(r, w) {
				t.Errorf("%q is not found in %q, %q", w, a, b)
			}
		}
	})
}

// An import cleans all that is shown of a record, not its content alone, and leaves alone what it was given.
//
// Proves: S6, L7
func TestImportedTextsAreClean(t *testing.T) {
	d := newDesk(t)
	const dirty, clean = "a\x1b[31mb\u202ec", "abc"
	given := &notify.Record{ID: "x", Connection: "elsewhere", Status: notify.Resolved, Content: yesNo(), UpdatedAt: start,
		InteractionError: dirty,
		PlusOnes:         []notify.PlusOne{{At: start, Sender: dirty, Note: dirty}},
		Outcome:          &notify.Outcome{Kind: notify.OutcomeAnswered, By: dirty, Reason: dirty, Answer: &notify.Answer{Option: "no", Comment: dirty}, At: start}}
	d.ok(notify.Owner, notify.Import{Records: []*notify.Record{given}})
	r := d.get("x")
	for what, text := range map[string]string{"error": r.InteractionError, "sender": r.PlusOnes[0].Sender, "note": r.PlusOnes[0].Note,
		"by": r.Outcome.By, "reason": r.Outcome.Reason, "comment": r.Outcome.Answer.Comment} {
		if text != clean {
			t.Errorf("%s came in as %q", what, text)
		}
	}
	if given.PlusOnes[0].Note != dirty || given.Outcome.Reason != dirty || given.Outcome.Answer.Comment != dirty {
		t.Error("what was given is changed")
	}
}

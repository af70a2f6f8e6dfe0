package delivery

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"signalbox/internal/pattern"
	"signalbox/notify"
)

// Words are the texts that the engine adds; %d and %s are filled in. An empty text is English.
type Words struct {
	Waits, Permission, Plan, Finished, Failed, News string // what happened, under a title
	Terminal                                        string // the same, of what waits where it cannot be answered from here
	Still, StillAll                                 string // of a reminder; of how many at once
	SummaryWaiting, Summary, Digest                 string
	SummaryMore                                     string // in place of SummaryWaiting where others waited before: of how many in all
	HeldBack                                        string // in place of Digest where a quiet time ended
	DigestWaiting, DigestFailed                     string // parts of Digest
	DigestMore                                      string // as SummaryMore
	DigestFinished, DigestOther                     string
	And                                             string
	Hidden                                          string // in place of a title
	Trial, TrialBody                                string
	// Session is how a session of an agent is called, as the windows call it; nil: by its title.
	Session func(s *notify.Session, agent string) string
}

var english = Words{
	Waits:          "waits for your answer",
	Permission:     "asks for permission",
	Plan:           "waits for your approval of a plan",
	Finished:       "finished a turn",
	Failed:         "failed",
	News:           "has news",
	Terminal:       "waits in its terminal",
	Still:          "still waits for your answer",
	StillAll:       "Still waiting for you: %d",
	SummaryWaiting: "%d waiting for you",
	SummaryMore:    "%d more waiting for you, %d in all",
	Summary:        "%d notifications",
	Digest:         "While you were away: %s",
	HeldBack:       "Held back while it was quiet: %s",
	DigestWaiting:  "%d waiting",
	DigestMore:     "%d waiting (%d in all)",
	DigestFailed:   "%d failed",
	DigestFinished: "%d finished",
	DigestOther:    "%d other",
	And:            "and %d more",
	Hidden:         "An agent",
	Trial:          "Signalbox is here",
	TrialBody:      "This is what an announcement looks like.",
}

func (w Words) away() string     { return w.Digest }
func (w Words) heldBack() string { return w.HeldBack }

func (w Words) orEnglish() Words {
	for _, p := range []struct {
		to   *string
		from string
	}{
		{&w.Waits, english.Waits}, {&w.Permission, english.Permission}, {&w.Plan, english.Plan}, {&w.Finished, english.Finished},
		{&w.Failed, english.Failed}, {&w.News, english.News}, {&w.Terminal, english.Terminal}, {&w.Still, english.Still}, {&w.StillAll, english.StillAll}, {&w.SummaryWaiting, english.SummaryWaiting}, {&w.SummaryMore, english.SummaryMore}, {&w.DigestMore, english.DigestMore},
		{&w.Summary, english.Summary}, {&w.Digest, english.Digest}, {&w.HeldBack, english.HeldBack}, {&w.DigestWaiting, english.DigestWaiting},
		{&w.DigestFailed, english.DigestFailed}, {&w.DigestFinished, english.DigestFinished}, {&w.DigestOther, english.DigestOther}, {&w.And, english.And}, {&w.Hidden, english.Hidden},
		{&w.Trial, english.Trial}, {&w.TrialBody, english.TrialBody},
	} {
		if *p.to == "" {
			*p.to = p.from
		}
	}
	if w.Session == nil {
		w.Session = func(s *notify.Session, _ string) string { return s.Title }
	}
	return w
}

// from says whose a record is: the connection's label, and the session's name beside it. label is the former alone.
func (e *Engine) from(r *notify.Record, w Words) (from, label string) {
	label = r.Connection
	if c := e.connection(r.Connection); c != nil && c.Label != "" {
		label = c.Label
	}
	if r.Session == "" {
		return label, label
	}
	v, ok := e.p.Center.Session(r.Ref())
	if !ok {
		return label, label
	}
	name := strings.TrimPrefix(cut(w.Session(v.Session, label), maxFrom), label+" · ")
	if name == "" {
		return label, label
	}
	return label + " › " + name, label
}

// maxFrom bounds a session's name, in characters.
const maxFrom = 60

// compose makes the message of one job.
func (e *Engine) compose(l *lane, j *job) Message {
	w := e.p.Words().orEnglish()
	r := j.record
	from, label := e.from(r, w)
	m := Message{Kind: j.kind, Delivery: j.row.ID, Record: r, Connection: label, At: e.p.Now()}
	what := happened(r, w)
	if j.kind == Reminder {
		what = w.Still
	}
	switch e.p.Privacy(l.name) {
	case PrivacyNone:
		m.Connection, m.Title = "", w.Hidden+" "+what
	case PrivacyFull:
		text, whole := said(r)
		m.Title, m.Body, m.Whole = r.Title, join(from+" "+what, text), whole
	default:
		m.Title, m.Body = r.Title, from+" "+what
	}
	return m
}

// happened is what a record is about, without its own words.
func happened(r *notify.Record, w Words) string {
	switch {
	case r.Waiting() && r.Interaction.GivesLeave():
		return w.Permission
	case r.Waiting() && r.Interaction.Plans():
		return w.Plan
	case r.Waiting():
		return w.Waits
	case r.Asks():
		return w.Terminal
	case r.Event != nil && r.Event.Type == notify.EventTurnFailed, r.Severity == notify.SeverityError, r.Severity == notify.SeverityCritical:
		return w.Failed
	case r.Event != nil && r.Event.Type == notify.EventTurnFinished:
		return w.Finished
	}
	return w.News
}

// said is what a record says beside its title, for the eye, and whether that and the title are all that an interaction asks,
// letter by letter: what leave is asked for is in the body, where title and question do not end with it.
func said(r *notify.Record) (text string, whole bool) {
	if !r.Waiting() || r.Interaction.Prompt == "" {
		return notify.BehindTitle(plain(r.Body), r.Title), false
	}
	var parts []string
	if r.Interaction.Prompt != r.Title {
		parts = append(parts, r.Interaction.Prompt)
	}
	body := strings.TrimSpace(fences().ReplaceAllString(r.Body, ""))
	if r.Interaction.GivesLeave() && !ends(r.Interaction.Prompt, body) {
		parts = append(parts, body)
	}
	text = plain(strings.Join(parts, "\n"))
	return text, !slices.ContainsFunc(parts, func(part string) bool { return !holds(text, part) })
}

// ends reports whether a text ends with part, as words of its own, or asks about it.
func ends(text, part string) bool {
	return strings.HasSuffix(" "+strings.TrimRight(words(text), "? "), " "+words(part))
}

// holds reports whether a text has part in it, whatever the spaces between its words.
func holds(text, part string) bool { return strings.Contains(words(text), words(part)) }

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// gather makes the message of several records.
func (e *Engine) gather(l *lane, kind MessageKind, records []*notify.Record, now time.Time) Message {
	w := e.p.Words().orEnglish()
	d := notify.DigestOf(records, now)
	m := Message{Kind: kind, Records: records, At: now}
	if d.Waiting > 0 {
		m.Title = e.counted(d, w, w.SummaryWaiting, w.SummaryMore)
	} else {
		m.Title = fmt.Sprintf(w.Summary, len(records))
	}
	if e.p.Privacy(l.name) == PrivacyNone {
		return m
	}
	var lines []string
	for i, r := range records {
		if i == summaryList {
			lines = append(lines, fmt.Sprintf(w.And, len(records)-i))
			break
		}
		from, _ := e.from(r, w)
		lines = append(lines, cut(r.Title, 80)+" · "+from)
	}
	m.Body = strings.Join(lines, "\n")
	return m
}

// counted says how many there are of each sort that there is: of what waits by waiting, or, where others wait beside them, by
// more, which also says how many wait in all.
func (e *Engine) counted(d notify.Digest, w Words, waiting, more string) string {
	var parts []string
	if total := e.p.Center.Attention().Waiting; d.Waiting > 0 && total > d.Waiting {
		parts = append(parts, fmt.Sprintf(more, d.Waiting, total))
	} else if d.Waiting > 0 {
		parts = append(parts, fmt.Sprintf(waiting, d.Waiting))
	}
	for _, p := range []struct {
		text string
		n    int
	}{{w.DigestFailed, d.Failed}, {w.DigestFinished, d.Finished}, {w.DigestOther, d.Other}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf(p.text, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "\n" + b
}

var (
	imageOrLink = pattern.Lazy(`!?\[([^\]]*)\]\([^)]*\)`)
	emphasis    = pattern.Lazy("[*_`~]{1,3}([^*_`~]+)[*_`~]{1,3}")
	leading     = pattern.Lazy(`(?m)^\s*(#{1,6}|>|[-*+]|\d+\.)\s+`)
	fences      = pattern.Lazy("(?m)^```.*$")
)

// plain makes readable text of Markdown, for where it is not rendered. It is for the eye alone.
func plain(s string) string {
	s = cut(s, 1000)
	s = fences().ReplaceAllString(s, "")
	s = imageOrLink().ReplaceAllString(s, "$1")
	s = leading().ReplaceAllString(s, "")
	s = emphasis().ReplaceAllString(s, "$1")
	return cut(strings.TrimSpace(s), 400)
}

func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

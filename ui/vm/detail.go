package vm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"signalbox/notify"
)

// Detail is everything that a record has.
type Detail struct {
	ID       string
	Revision int
	Record   *notify.Record
	Sign     Sign
	Status   Msg
	Chip     ChipView
	Session  string
	Body     []Block
	Prompt   []Block
	Meter    *Meter
	Fields   []FieldView // what was asked
	Options  []string    // what could be answered; of what still waits, those with more to say than their label
	Buttons  []Button
	Outcome  *OutcomeView
	Report   ReportView
	Files    []FileView
	Links    []FileView
	PlusOnes []Line
	Dropped  int // corroborations that are no longer kept
	Trace    []TraceLine
	History  []RevisionLine
	Facts    []FactLine
	Data     string
	Edited   Msg
	Parts    []Msg
}

// FieldView is a field that was asked, with the value that was answered.
type FieldView struct{ Label, Value string }

// OutcomeView is how and why a record ended.
type OutcomeView struct {
	Word   Msg
	By     Msg
	Answer string
	Reason string
	When   string
	// Sent is exactly what goes back to the agent.
	Sent string
	// Delivery says whether the agent has had the answer (I9); zero: there was none.
	Delivery Msg
	Tone     Tone
}

// FileView is an attachment or a link.
type FileView struct {
	Name    string
	Address string // to be opened after a confirmation
	Path    string // local; empty: remote
	Note    string
	Image   bool // a local image that can be previewed
	Dead    bool // its address would be refused: it is text, no button
}

// Line is a dated line of text.
type Line struct{ When, Who, Text string }

// FactLine is a named value.
type FactLine struct {
	Name  Msg
	Value string
}

// TraceLine is why a provider announced the item, or not (A11).
type TraceLine struct {
	Provider string
	State    Msg
	Tone     Tone
	Reason   string
	When     string
	Retry    string
	Error    string
}

// RevisionLine is one step in the life of a record.
type RevisionLine struct {
	When  string
	What  Msg
	By    string
	Parts []Msg
}

// DetailInput is what a detail is made of beside its record.
type DetailInput struct {
	Snapshot   *Snapshot
	Now        time.Time
	Deliveries []notify.Delivery
	Changes    []notify.Change
	Mark       Mark
	HasMark    bool
	// Live is the live document of the report: nil when it was not read; LiveErr why it could not be used.
	Live    []byte
	LiveErr error
	// Schemes open beside http, https and file (S4).
	Schemes []string
	// More: there are older changes than Changes.
	More bool
}

// DetailOf gathers everything about a record.
func DetailOf(r *notify.Record, in DetailInput) Detail {
	d := Detail{ID: r.ID, Revision: r.Revision, Record: r, Sign: SignOf(r), Status: StatusWord(r.Status),
		Chip: *in.Snapshot.ChipOf(r.Connection), Body: Refused(Markdown(r.Body), in.Schemes), Meter: MeterOf(r.Progress), Buttons: ButtonsOf(r),
		Dropped: r.PlusOnesDropped}
	if r.Session != "" {
		d.Session = in.Snapshot.SessionTitle(notify.SessionRef{Connection: r.Connection, Session: r.Session})
	}
	if in.HasMark {
		d.Edited, d.Parts = Ago(in.Now, in.Mark.At), in.Mark.Parts
	}
	if i := r.Interaction; i != nil {
		if !Says(r, i.Prompt) {
			d.Prompt = Refused(Markdown(i.Prompt), in.Schemes)
		}
		for _, o := range i.Options {
			s := orID(o.Label, o.ID)
			if o.Description != "" {
				s += " — " + o.Description
			}
			if o.Description != "" && !strings.Contains(r.Body, o.Description) || r.Status.Terminal() {
				d.Options = append(d.Options, s)
			}
		}
		for _, f := range i.Fields {
			v := FieldView{Label: orID(f.Label, f.ID)}
			if r.Outcome != nil && r.Outcome.Answer != nil {
				v.Value, _ = fieldText(r.Outcome.Answer.Fields[f.ID])
			}
			d.Fields = append(d.Fields, v)
		}
	}
	d.Outcome = outcomeOf(r, in)
	d.Report = ReportOf(r.Report, in.Live, in.LiveErr)
	d.Report.Blocks = Refused(d.Report.Blocks, in.Schemes)
	for _, a := range r.Attachments {
		f := FileView{Name: a.Name, Note: a.MediaType, Path: a.Path, Address: a.URL}
		if a.Path != "" {
			f.Address = FileAddress(a.Path)
		}
		if f.Name == "" {
			f.Name = orID(a.Path, a.URL)
		}
		f.Image = a.Path != "" && isImage(a.Path, a.MediaType)
		_, ok := OpenAddress(f.Address, in.Schemes)
		f.Dead = !ok
		d.Files = append(d.Files, f)
	}
	for _, l := range r.Links {
		_, ok := OpenAddress(l.URL, in.Schemes)
		d.Links = append(d.Links, FileView{Name: orID(l.Title, l.URL), Address: l.URL, Note: l.Status, Dead: !ok})
	}
	for _, p := range r.PlusOnes {
		d.PlusOnes = append(d.PlusOnes, Line{Stamp(in.Now, p.At), p.Sender, p.Note})
	}
	for _, v := range in.Deliveries {
		d.Trace = append(d.Trace, traceLine(v, in.Now))
	}
	var before *notify.Record
	for _, c := range in.Changes {
		if c.Record == nil {
			continue
		}
		line := RevisionLine{When: FullStamp(in.Now, c.At), What: changeWord(c.Name), By: c.By}
		if before != nil && c.Record.Revision > before.Revision {
			line.Parts = Changed(&before.Content, &c.Record.Content)
		}
		before = c.Record
		d.History = append(d.History, line)
	}
	d.Facts = factsOf(r, in)
	if len(r.Data) > 0 {
		var b bytes.Buffer
		if json.Indent(&b, r.Data, "", "  ") == nil {
			d.Data = cut(b.String(), 16<<10)
		}
	}
	return d
}

func outcomeOf(r *notify.Record, in DetailInput) *OutcomeView {
	o := r.Outcome
	if o == nil {
		return nil
	}
	v := &OutcomeView{Word: OutcomeWord(o.Kind), Reason: o.Reason, When: FullStamp(in.Now, o.At), Answer: AnswerText(r), Tone: ToneQuiet}
	switch o.By {
	case "owner":
		v.By = M("by.owner")
	case "center", "":
		v.By = M("by.center")
	default:
		v.By = MA("by.connection", in.Snapshot.ConnectionLabel(o.By))
	}
	switch o.Kind {
	case notify.OutcomeAnswered, notify.OutcomeResolved:
		v.Tone = ToneSuccess
	case notify.OutcomeTimedOut:
		v.Tone = ToneWarning
	}
	if o.Answer != nil {
		if b, err := json.MarshalIndent(o.Answer, "", "  "); err == nil {
			v.Sent = string(b)
		}
	}
	if o.Kind == notify.OutcomeAnswered {
		var c *notify.Connection
		for _, view := range in.Snapshot.Connections {
			if view.ID == r.Connection {
				c = view.Connection
			}
		}
		switch {
		case r.AnswerDelivered:
			v.Delivery = M("answer.delivered")
		case notify.Undeliverable(r, c):
			v.Delivery, v.Tone = M("answer.undeliverable"), ToneError
		default:
			v.Delivery, v.Tone = M("answer.kept"), ToneWarning
		}
	}
	return v
}

func isImage(path, mediaType string) bool {
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif":
		return true
	case "":
		p := strings.ToLower(path)
		return strings.HasSuffix(p, ".png") || strings.HasSuffix(p, ".jpg") || strings.HasSuffix(p, ".jpeg") || strings.HasSuffix(p, ".gif")
	}
	return false
}

func traceLine(v notify.Delivery, now time.Time) TraceLine {
	l := TraceLine{Provider: v.Provider, Reason: v.Reason, When: FullStamp(now, v.At), Error: v.Error, Tone: ToneQuiet}
	if !v.RetryAt.IsZero() {
		l.Retry = FullStamp(now, v.RetryAt)
	}
	switch v.State {
	case notify.DeliveryDelivered:
		l.State, l.Tone = M("delivery.delivered"), ToneSuccess
	case notify.DeliveryFailed:
		l.State, l.Tone = M("delivery.failed"), ToneError
	case notify.DeliveryHeld:
		l.State = M("delivery.held")
	case notify.DeliveryWithdrawn:
		l.State = M("delivery.withdrawn")
	default:
		l.State, l.Tone = M("delivery.claimed"), ToneInfo
	}
	return l
}

func changeWord(n notify.EventName) Msg {
	switch n {
	case notify.EvCreated:
		return M("change.created")
	case notify.EvUpdated:
		return M("change.updated")
	case notify.EvCorroborated:
		return M("change.corroborated")
	case notify.EvDismissed:
		return M("status.dismissed")
	case notify.EvResolved:
		return M("status.resolved")
	case notify.EvExpired:
		return M("status.expired")
	case notify.EvAnswered:
		return M("outcome.answered")
	case notify.EvCancelled:
		return M("outcome.cancelled")
	case notify.EvAction:
		return M("change.action")
	case notify.EvRead:
		return M("change.read")
	case notify.EvMuted:
		return M("change.muted")
	case notify.EvSnoozed:
		return M("change.snoozed")
	case notify.EvResurfaced:
		return M("change.resurfaced")
	}
	return MA("change.other", string(n))
}

func factsOf(r *notify.Record, in DetailInput) []FactLine {
	var out []FactLine
	add := func(key, v string) {
		if v != "" {
			out = append(out, FactLine{M(key), v})
		}
	}
	add("fact.sender", r.Sender)
	add("fact.created", FullStamp(in.Now, r.CreatedAt))
	if r.Revision > 1 {
		add("fact.updated", FullStamp(in.Now, r.ContentAt))
	}
	add("fact.ended", FullStamp(in.Now, r.EndedAt))
	add("fact.revision", fmt.Sprint(r.Revision))
	add("fact.key", r.Key)
	if r.Occurrence > 1 {
		add("fact.occurrence", fmt.Sprint(r.Occurrence))
	}
	if r.Event != nil {
		add("fact.event", r.Event.Type+" · "+r.Event.Occurrence)
	}
	add("fact.request", r.Request)
	add("fact.tags", strings.Join(r.Tags, ", "))
	add("fact.panel", r.Panel)
	retention := string(r.Retention.Policy)
	if !r.Retention.Deadline.IsZero() {
		retention += " · " + FullStamp(in.Now, r.Retention.Deadline)
	}
	add("fact.retention", retention)
	add("fact.dismissible_after", FullStamp(in.Now, r.DismissibleAfter))
	if !r.InteractionDeadline.IsZero() {
		add("fact.deadline", FullStamp(in.Now, r.InteractionDeadline))
	}
	add("fact.masked", strings.Join(r.Masked, ", "))
	add("fact.id", r.ID)
	return out
}

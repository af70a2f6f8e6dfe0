package vm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
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
	Older    bool // there may be steps before History, which were not looked for
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

// FactLine is a named value: Words, in the owner's language, then Value as it is.
type FactLine struct {
	Name  Msg
	Words []Msg
	Value string
}

// TraceLine is why a provider announced the item, or not (A11).
type TraceLine struct {
	Way      Msg
	State    Msg
	Tone     Tone
	Why      Msg
	Name     Msg  // of the rule or the event that decided; zero: none
	Together bool // it was told together with others
	When     string
	Retry    string
	Error    string // in the provider's own words
}

// RevisionLine is one step in the life of a record.
type RevisionLine struct {
	When  string
	What  Msg
	By    Msg // zero: not worth saying
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
		d.Session = WithoutAgent(in.Snapshot.SessionTitle(r.Ref()), d.Chip.Label)
	}
	if in.HasMark {
		d.Edited, d.Parts = Ago(in.Now, in.Mark.At), in.Mark.Parts
	}
	if i := r.Interaction; i != nil {
		if len(d.Body) > 0 && sameQuestion(Plain(d.Body[:1], textLimit), r.Title) {
			d.Body = d.Body[1:]
		}
		if !Says(r, i.Prompt) {
			d.Prompt = Refused(Markdown(i.Prompt), in.Schemes)
		}
		for _, o := range i.Options {
			s := OrID(o.Label, o.ID)
			if o.Description != "" {
				s += " — " + o.Description
			}
			if o.Description != "" && !strings.Contains(r.Body, o.Description) || r.Status.Terminal() {
				d.Options = append(d.Options, s)
			}
		}
		for _, f := range i.Fields {
			v := FieldView{Label: OrID(f.Label, f.ID)}
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
			f.Name = OrID(a.Path, a.URL)
		}
		f.Image = a.Path != "" && isImage(a.Path, a.MediaType)
		_, ok := OpenAddress(f.Address, in.Schemes)
		f.Dead = !ok
		d.Files = append(d.Files, f)
	}
	for _, l := range r.Links {
		_, ok := OpenAddress(l.URL, in.Schemes)
		d.Links = append(d.Links, FileView{Name: OrID(l.Title, l.URL), Address: l.URL, Note: l.Status, Dead: !ok})
	}
	for _, p := range r.PlusOnes {
		d.PlusOnes = append(d.PlusOnes, Line{Stamp(in.Now, p.At), p.Sender, p.Note})
	}
	for _, v := range in.Deliveries {
		d.Trace = append(d.Trace, traceLine(v, r, in))
	}
	var before *notify.Record
	for _, c := range in.Changes {
		if c.Record == nil {
			continue
		}
		line := RevisionLine{When: FullStamp(in.Now, c.At), What: changeWord(c.Name, c.Record), By: byWord(c.By, in.Snapshot)}
		if before != nil && c.Record.Revision > before.Revision {
			line.Parts = Changed(&before.Content, &c.Record.Content)
		}
		before = c.Record
		d.History = append(d.History, line)
	}
	d.Facts, d.Older = factsOf(r, in), in.More
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
	v := &OutcomeView{Word: OutcomeWord(o.Kind), By: byWord(o.By, in.Snapshot), Reason: o.Reason, When: FullStamp(in.Now, o.At), Answer: AnswerText(r), Tone: outcomeTone(r)}
	if o.Kind == notify.OutcomeResolved {
		v.Tone = ToneSuccess
	}
	if o.Answer != nil {
		if b, err := json.MarshalIndent(o.Answer, "", "  "); err == nil {
			v.Sent = string(b)
		}
	}
	if o.Kind == notify.OutcomeAnswered {
		c, _ := in.Snapshot.Connection(r.Connection)
		switch {
		case r.AnswerDelivered:
			v.Delivery = M("answer.delivered")
		case notify.Undeliverable(r, c.Connection):
			v.Delivery, v.Tone = M("answer.undeliverable"), ToneError
		default:
			v.Delivery, v.Tone = M("answer.kept"), ToneWarning
		}
	}
	return v
}

// byWord names who did something.
func byWord(by string, s *Snapshot) Msg {
	switch by {
	case notify.Owner.Name():
		return M("by.owner")
	case notify.Center.Name(), "":
		return M("by.center")
	}
	return MA("by.connection", s.ConnectionLabel(by))
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

func traceLine(v notify.Delivery, r *notify.Record, in DetailInput) TraceLine {
	now := in.Now
	l := TraceLine{Way: WayWord(v.Provider), When: FullStamp(now, v.At), Error: v.Error, Tone: ToneQuiet}
	var name string
	l.Why, name, l.Together = WhyWord(v.Reason)
	if name != "" {
		l.Name = EventWord(name)
	}
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
		l.State, l.Why = M("delivery.withdrawn"), takenDown(v, r, in.Changes)
	default:
		l.State, l.Tone = M("delivery.claimed"), ToneInfo
	}
	return l
}

// takenDown says what the owner or the agent did that took a toast from the screen: the last thing that happened to
// the item until then.
func takenDown(v notify.Delivery, r *notify.Record, changes []notify.Change) Msg {
	if strings.Contains(v.Reason, "it ended") && r.Outcome != nil {
		switch {
		case r.Outcome.Kind == notify.OutcomeAnswered:
			return M("down.answered")
		case r.Outcome.Kind == notify.OutcomeDismissed && r.Outcome.By == notify.Owner.Name():
			return M("down.dismissed")
		}
		return M("down.over")
	}
	word := M("down.front")
	for _, c := range changes {
		if c.Record == nil || c.At.After(v.At.Add(time.Second)) {
			continue
		}
		switch c.Name {
		case notify.EvRead:
			word = M("down.read")
		case notify.EvMuted:
			word = M("down.muted")
		case notify.EvSnoozed:
			word = M("down.snoozed")
			if !c.Record.SetAsideUntil.IsZero() {
				word = M("down.aside")
			}
		}
	}
	return word
}

func changeWord(n notify.EventName, r *notify.Record) Msg {
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
		if !r.Read {
			return M("change.unread")
		}
		return M("change.read")
	case notify.EvMuted:
		if !r.Muted {
			return M("change.unmuted")
		}
		return M("change.muted")
	case notify.EvSnoozed:
		switch {
		case !r.SetAsideUntil.IsZero():
			return M("head.aside")
		case r.SnoozeUntil.IsZero():
			return M("change.woken")
		}
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
			out = append(out, FactLine{Name: M(key), Value: v})
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
		out = append(out, FactLine{Name: M("fact.event"), Words: []Msg{EventWord(r.Event.Type)}, Value: r.Event.Occurrence})
	}
	add("fact.request", r.Request)
	add("fact.tags", strings.Join(r.Tags, ", "))
	add("fact.panel", r.Panel)
	if r.Status == notify.Pending {
		out = append(out, FactLine{Name: M("fact.retention"), Words: []Msg{EndWord(r.Retention.Policy)}, Value: FullStamp(in.Now, r.Retention.Deadline)})
	}
	add("fact.dismissible_after", FullStamp(in.Now, r.DismissibleAfter))
	if !r.InteractionDeadline.IsZero() {
		add("fact.deadline", FullStamp(in.Now, r.InteractionDeadline))
	}
	if len(r.Masked) > 0 {
		line := FactLine{Name: M("fact.masked")}
		for _, m := range r.Masked {
			if w := PartWord(m); !slices.Contains(line.Words, w) {
				line.Words = append(line.Words, w)
			}
		}
		out = append(out, line)
	}
	add("fact.id", r.ID)
	return out
}

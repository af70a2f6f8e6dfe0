package vm

import (
	"strings"
	"time"

	"signalbox/notify"
)

// Card is an item of the rail, ready to be drawn. It is compared field by field before it is drawn again.
type Card struct {
	ID       string
	Revision int
	// Token is UpdatedAt for a record without a revision (L7).
	Token time.Time
	Kind  notify.Kind
	Sign  Sign
	Title string
	// Text is the plain start of the body and the lines; the detail has all of it. Lines are the forms of its lines; nil: all
	// are plain. More reports that something was left out of the text or the code.
	Text  string
	Lines []LineForm
	More  bool
	Whole int // how many lines the texts have in all
	// Code is what is asked permission for, or the first code block: shown as it is, in full for a permission.
	Code string
	Diff bool // Code is a diff
	// Prompt is the question of an interaction where it says more than the title.
	Prompt string
	Chip   *ChipView // of the connection; nil for an item of the active session (P1)
	Sender string
	Tags   []string
	Badge  *notify.Chip // the producer's own chip

	Clock    Msg  // how long it has been waiting; zero: it waits for nobody
	Deadline Msg  // how long until it times out; zero: never
	Ending   bool // that is less than a minute
	Age      Msg
	Edited   Msg   // that a later revision changed it, and when
	Parts    []Msg // what that revision changed
	Meter    *Meter
	Stale    Msg // how long the work that it tells of has said nothing; zero: not for long, or it is no work
	Buttons  []Button
	Armed    int // the key that was pressed once of a button that takes two; 0: none

	// Repeats: the text says what the fields of the answer say; with the form open it is left out.
	Repeats bool
	// Refused is why the producer refused the last answer (I3).
	Refused     string
	Unread      bool
	Dismissible bool
	Waiting     bool
	Aside       bool
	AsideFor    Msg // how long ago it was set aside, and until when; zero: it is not
	Muted       bool
	Snoozed     Msg // until when; zero: not snoozed
	PlusOnes    int
	Attachments int
	Plan        bool // a plan to be read at full height
	Choices     bool // the text says what the options mean, and is shown whole
	// Asked are the sessions that ask the same, when several do, each with its result.
	Asked []Asked
}

// LineForm is the form of a line of a card's text.
type LineForm struct {
	Heading bool
	Tone    Tone // of a line of a diff; empty: none
	Hang    int  // how many bytes of it are the bullet of an item, behind which it goes on; 0: none
}

// Asked is one of several sessions that ask for the same permission.
type Asked struct {
	ID      string
	Session string
	Result  Msg // how its own request ended, or that it waits
}

// ChipView names the connection that an item is from.
type ChipView struct {
	Label string
	Color string
}

// Meter is how far some work is.
type Meter struct {
	Known    bool    // false: indeterminate
	Fraction float64 // 0 to 1
	Percent  int
	Text     string
}

// ButtonKind says what a button does.
type ButtonKind string

// The kinds of button.
const (
	ButtonOption ButtonKind = "option" // answers with an option
	ButtonAnswer ButtonKind = "answer" // opens or sends the form
	ButtonAction ButtonKind = "action" // invokes an action
	ButtonRead   ButtonKind = "read"   // opens all of the text; it has no key, and is not among a card's Buttons
)

// Button is one of the things that can be done on a card, with the key that does it.
type Button struct {
	Kind        ButtonKind
	ID          string
	Label       string
	Description string
	Style       string // default, primary or danger
	Key         int    // 1 to 9; 0: none
	Confirm     string // asked first; empty: not asked
	URL         string
	// Comment is none, optional or required.
	Comment string
	// Lets: pressing it lets the agent go ahead. By a key that takes a second press, for a slip can't be taken back.
	Lets bool
	// Danger: its producer says that it is dangerous. By a key or the mouse it takes a second press.
	Danger bool
}

// Decides reports whether pressing b does something that can't be taken back: it is inert for a moment
// after it appears under a pointer. A button that only opens a form, or
// asks for a comment, doesn't.
func (b Button) Decides() bool {
	return b.Kind == ButtonOption && !b.Comments() || b.Kind == ButtonAction
}

// Twice reports whether a key must be pressed twice for b. A comment is asked for before its answer goes anyway.
func (b Button) Twice() bool { return (b.Lets || b.Danger) && !b.Comments() }

// Comments reports whether pressing b first asks for a comment.
func (b Button) Comments() bool {
	return b.Kind == ButtonOption && (b.Comment == "optional" || b.Comment == "required")
}

// Context is what a card needs to know beside its record.
type Context struct {
	Now     time.Time
	Chip    *ChipView
	Mark    Mark
	HasMark bool
	Digests *Digests // nil: nothing is remembered
}

// textLimit bounds what a card shows of a text; the detail shows all.
const (
	textLimit = 360
	codeLimit = 1200
)

// CardOf turns a record into a card.
func CardOf(r *notify.Record, c Context) Card {
	d := c.Digests.of(r)
	card := Card{
		ID: r.ID, Revision: r.Revision, Token: r.UpdatedAt, Kind: r.Kind,
		Sign: SignOf(r), Title: r.Title, Chip: c.Chip, Sender: r.Sender, Tags: r.Tags, Badge: r.Chip,
		Age: Ago(c.Now, r.Activity()), Meter: MeterOf(r.Progress), Buttons: ButtonsOf(r),
		Unread: !r.Read && r.Status == notify.Pending, Dismissible: Dismissible(r, c.Now), Waiting: r.Waiting(),
		Aside: r.SetAsideAt(c.Now), Muted: r.Muted, PlusOnes: len(r.PlusOnes) + r.PlusOnesDropped,
		Attachments: len(r.Attachments) + len(r.Links), Refused: r.InteractionError,
	}
	card.Stale = staleFor(r, c.Now)
	card.Text, card.Lines, card.Code, card.Diff, card.More, card.Whole = d.text, d.lines, d.code, d.diff, d.more, d.whole
	if c.HasMark && !(r.Kind == notify.KindProgress && onlyProgress(c.Mark.Parts)) {
		card.Edited, card.Parts = Ago(c.Now, c.Mark.At), c.Mark.Parts
	}
	if r.SnoozeUntil.After(c.Now) {
		card.Snoozed = MA("card.snoozed_until", Stamp(c.Now, r.SnoozeUntil))
		if r.SnoozeEvent {
			card.Snoozed = M("card.snoozed_event")
		}
	}
	if r.Waiting() {
		card.Clock = Clock(c.Now.Sub(r.CreatedAt))
		if !r.InteractionDeadline.IsZero() {
			card.Deadline, card.Ending = Clock(r.InteractionDeadline.Sub(c.Now)), ending(r, c.Now)
		}
		if card.Aside {
			card.AsideFor = AsideWord(r, c.Now)
		}
		in := r.Interaction
		card.Repeats = repeats(r)
		card.Plan = in.Plans()
		card.Prompt = d.prompt
		card.Choices = described(in) != ""
	}
	return card
}

// onlyProgress reports whether nothing but the progress is known to have changed, which the meter shows.
func onlyProgress(parts []Msg) bool {
	for _, p := range parts {
		if p != M("part.progress") {
			return false
		}
	}
	return true
}

// Dismissible reports whether r can be dismissed now (D7, I2): a waiting interaction never, another
// item if it says so or its time has come.
func Dismissible(r *notify.Record, now time.Time) bool {
	if r.Status != notify.Pending || r.Waiting() {
		return false
	}
	return r.Dismissible || !r.DismissibleAfter.IsZero() && !now.Before(r.DismissibleAfter)
}

// staleFrom is how long work may say nothing until it is doubted that it goes on.
const staleFrom = 10 * time.Minute

// staleFor is how long work that goes on has said nothing; zero: not for long.
func staleFor(r *notify.Record, now time.Time) Msg {
	silent := now.Sub(r.ContentAt)
	if !Running(r) || silent < staleFrom {
		return Msg{}
	}
	return Clock(silent)
}

// MeterOf turns progress into a meter; nil for none.
func MeterOf(p *notify.Progress) *Meter {
	if p == nil {
		return nil
	}
	m := &Meter{Text: p.Text}
	if p.Total != nil && *p.Total > 0 {
		m.Known = true
		m.Fraction = min(max(p.Current / *p.Total, 0), 1)
		m.Percent = int(m.Fraction*100 + 0.5)
	}
	return m
}

// ButtonsOf are the options of a waiting interaction, then the actions, the first nine with keys.
func ButtonsOf(r *notify.Record) []Button {
	var out []Button
	if r.Waiting() {
		if len(r.Interaction.Options) == 0 || len(r.Interaction.Fields) > 0 {
			out = append(out, Button{Kind: ButtonAnswer, Style: "primary"}) // opens the form, whose buttons are the options
		} else {
			for _, o := range r.Interaction.Options {
				out = append(out, Button{Kind: ButtonOption, ID: o.ID, Label: OrID(o.Label, o.ID), Description: o.Description,
					Style: OptionStyle(o), Comment: o.Comment, Lets: r.Interaction.Lets(o), Danger: OptionStyle(o) == "danger"})
			}
		}
	}
	for _, a := range r.Actions {
		if r.Status.Terminal() && !a.InHistory {
			continue // P3
		}
		out = append(out, Button{Kind: ButtonAction, ID: a.ID, Label: OrID(a.Label, a.ID), Style: a.Style, Confirm: a.Confirm, URL: a.URL})
	}
	for i := range out {
		if i < 9 {
			out[i].Key = i + 1
		}
	}
	return out
}

// OptionStyle is how an option is painted: red is for what is dangerous to choose by its producer's word, and a refusal is not.
func OptionStyle(o notify.Option) string {
	if o.Style == "danger" && o.Refuses() {
		return "default"
	}
	return o.Style
}

// OrID is how a thing with an id is called: by its label, where it has one.
func OrID(label, id string) string {
	if strings.TrimSpace(label) == "" {
		return id
	}
	return label
}

// repeats reports whether the body names all that is asked. An optional text beside choices is nobody's question.
func repeats(r *notify.Record) bool {
	if len(r.Interaction.Fields) == 0 {
		return false
	}
	for _, f := range r.Interaction.Fields {
		aside := f.Type == notify.FieldText && !f.Required
		if !aside && (f.Label == "" || !strings.Contains(r.Body, f.Label)) {
			return false
		}
	}
	return true
}

// AsideWord says since when a waiting item is set aside, and when it comes back by itself. Setting aside is the last
// thing that happened to it, or all but.
func AsideWord(r *notify.Record, now time.Time) Msg {
	if !notify.Endless(r.SetAsideUntil) {
		return MA("aside.until", Stamp(now, r.SetAsideUntil))
	}
	m := Ago(now, r.UpdatedAt)
	m.Key = map[string]string{"ago.now": "aside.now", "ago.minutes": "aside.minutes", "ago.hours": "aside.hours",
		"ago.days": "aside.days", "ago.date": "aside.date"}[m.Key]
	return m
}

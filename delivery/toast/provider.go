package toast

import (
	"context"
	"strings"

	"signalbox/delivery"
	"signalbox/notify"
)

// Act is what the owner asked for by a toast.
type Act struct {
	Kind     ActKind
	RecordID string // empty: of a summary, a digest or a trial
	Revision int    // that the toast showed (D1)
	Option   string // of ActAnswer
}

// ActKind says what is asked for.
type ActKind string

// The acts. ActClosed is a toast closed by hand: dismissed, or set aside if it waits (I7).
const (
	ActOpen    ActKind = "open"
	ActDismiss ActKind = "dismiss"
	ActAnswer  ActKind = "answer"
	ActClosed  ActKind = "closed"
)

// Labels are the texts of the buttons; an empty one is English.
type Labels struct{ Open, Dismiss, SetAside string }

// Provider tells by toast.
type Provider struct {
	Sender Sender
	// Labels are the texts of the buttons in the owner's language; nil: English.
	Labels func() Labels
	// Answers offers options, where the toast shows all that is asked: with full privacy. nil: it never does.
	Answers func() bool
}

var _ delivery.Provider = Provider{}

// Keys of toasts that are about no single record. A digest and a summary share one place.
const (
	keySummary = string(delivery.Summary)
	keyTrial   = string(delivery.Trial)
	optionKey  = "option:"
)

// maxAnswers bounds the options on a toast; with more, the window has the room.
const maxAnswers = 3

// Name is notify.ProviderToast.
func (Provider) Name() string { return notify.ProviderToast }

// Tell shows m.
func (p Provider) Tell(ctx context.Context, m delivery.Message) error {
	return p.Sender.Show(ctx, p.toast(m))
}

// Withdraw closes the toast of a record, or of the summary.
func (p Provider) Withdraw(ctx context.Context, recordID string) error {
	return p.Sender.Withdraw(ctx, recordID)
}

func (p Provider) toast(m delivery.Message) Toast {
	t := Toast{Title: m.Title, Body: m.Body, Urgency: Normal, Sticky: m.Waits(), OnlyIfShown: m.InPlace}
	var labels Labels
	if p.Labels != nil {
		labels = p.Labels()
	}
	open := Action{Key: ActionOpen, Label: or(labels.Open, "Open")}
	r := m.Record
	if r == nil {
		t.Key = keySummary
		if m.Kind == delivery.Trial {
			t.Key = keyTrial
		}
		t.Actions = []Action{open}
		return t
	}
	t.Key, t.Revision = r.ID, r.Revision
	if r.Severity == notify.SeverityCritical {
		t.Urgency = Critical
	}
	t.Actions = append(t.Actions, open)
	switch {
	case r.Waiting():
		if p.Answers != nil && p.Answers() {
			for _, o := range answers(m) {
				t.Actions = append(t.Actions, Action{Key: optionKey + o.ID, Label: o.Label, Decides: true})
			}
		}
		t.Actions = append(t.Actions, Action{Key: ActionDismiss, Label: or(labels.SetAside, "Set aside")})
	case r.Dismissible:
		t.Actions = append(t.Actions, Action{Key: ActionDismiss, Label: or(labels.Dismiss, "Dismiss")})
	}
	return t
}

// answers are the options that may be chosen on a toast: few, and only with all that is asked on it.
func answers(m delivery.Message) []notify.Option {
	if !m.Whole || !fits(m.Title, MaxTitle) || !fits(m.Body, MaxBody) {
		return nil
	}
	out := m.Record.Interaction.Quick(true)
	if len(out) > maxAnswers {
		return nil
	}
	return out
}

func or(s, english string) string {
	if s == "" {
		return english
	}
	return s
}

// ActOf turns an event of a Sender into what the owner asked for.
func ActOf(e Event) Act {
	a := Act{RecordID: e.Key, Revision: e.Revision}
	if e.Key == keySummary || e.Key == keyTrial {
		a.RecordID = ""
	}
	switch option, isOption := strings.CutPrefix(e.Action, optionKey); {
	case e.Kind == ClosedByOwner:
		a.Kind = ActClosed
	case isOption:
		a.Kind, a.Option = ActAnswer, option
	case e.Action == ActionDismiss:
		a.Kind = ActDismiss
	default:
		a.Kind = ActOpen
	}
	return a
}

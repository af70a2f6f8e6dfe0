package sound

import (
	"context"

	"signalbox/delivery"
	"signalbox/notify"
)

// The names of sounds, as the assets have them.
const (
	Question   = "question"
	Permission = "permission"
	Failure    = "failure"
	Finished   = "finished"
	Remind     = "reminder"
)

// Provider tells by a sound.
type Provider struct{ Player *Player }

var _ delivery.Provider = Provider{}

// Name is notify.ProviderSound.
func (Provider) Name() string { return notify.ProviderSound }

// Tell plays the sound of m and returns when it has ended.
func (p Provider) Tell(ctx context.Context, m delivery.Message) error {
	if m.InPlace {
		return nil
	}
	return p.Player.Play(ctx, nameOf(m))
}

// Withdraw does nothing.
func (Provider) Withdraw(context.Context, string) error { return nil }

// nameOf chooses the sound by what the message is about.
func nameOf(m delivery.Message) string {
	r := m.Record
	if r == nil && len(m.Records) > 0 {
		r = m.Records[0]
	}
	switch {
	case m.Kind == delivery.Reminder:
		return Remind
	case r == nil:
		return Finished
	case r.Waiting() && (r.Interaction.Kind == "permission" || r.Interaction.Kind == "plan_approval"):
		return Permission
	case r.Waiting():
		return Question
	case r.Severity == notify.SeverityError, r.Severity == notify.SeverityCritical:
		return Failure
	}
	return Finished
}

package webhook

import (
	"context"

	"signalbox/delivery"
)

// Provider tells by a webhook.
type Provider struct {
	ID   string // webhook:NAME
	Hook *Hook
}

var _ delivery.Provider = Provider{}

// Name is the provider's.
func (p Provider) Name() string { return p.ID }

// Tell posts m. What is only brought up to date is no news for a machine.
func (p Provider) Tell(ctx context.Context, m delivery.Message) error {
	if m.InPlace {
		return nil
	}
	return p.Hook.Post(ctx, m.Delivery, m.Payload())
}

// Withdraw does nothing: what was posted was posted.
func (Provider) Withdraw(context.Context, string) error { return nil }

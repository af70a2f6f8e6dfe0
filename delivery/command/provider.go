package command

import (
	"context"

	"signalbox/delivery"
)

// Provider tells by a program.
type Provider struct {
	ID     string // command:NAME
	Config Config
}

var _ delivery.Provider = Provider{}

// Name is the provider's.
func (p Provider) Name() string { return p.ID }

// Tell runs the program. What is only brought up to date is no news for a machine.
func (p Provider) Tell(ctx context.Context, m delivery.Message) error {
	if m.InPlace {
		return nil
	}
	return p.Config.Run(ctx, m.Payload())
}

// Withdraw does nothing.
func (Provider) Withdraw(context.Context, string) error { return nil }

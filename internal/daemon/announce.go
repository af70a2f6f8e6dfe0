package daemon

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"signalbox/bridge"
	"signalbox/center"
	"signalbox/delivery"
	"signalbox/delivery/command"
	"signalbox/delivery/webhook"
	"signalbox/internal/config"
	"signalbox/notify"
)

// announced is the center as the announcements ask for it.
type announced struct{ *center.Center }

var _ delivery.Center = announced{}

// prepareDelivery makes the announcements, with the providers that need no desktop. They begin when they are
// served: what was missed is told to the providers of that moment.
func (d *Daemon) prepareDelivery() {
	d.announcer = delivery.New(delivery.Params{
		Center:     announced{d.Center},
		Subscribe:  func() (delivery.Feed, error) { return d.Center.Subscribe(-1) },
		Ledger:     d.Store,
		Providers:  d.configured(d.config),
		Looking:    d.options.Looking,
		Privacy:    d.Privacy,
		Remind:     reminders(d.config),
		StormCount: d.config.Storms.Count, StormWindow: d.config.Storms.Window.Std(),
		Words: d.options.Words,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		// Quiet hours are meant in the time zone of the machine.
		Now:    func() time.Time { return d.options.Now().Local() },
		Logger: d.log,
	})
}

// Announcer tells the owner of things.
func (d *Daemon) Announcer() *delivery.Engine { return d.announcer }

// providers is who can be asked to try an announcement.
func (d *Daemon) providers() bridge.Providers { return d.announcer }

// AddProviders adds the providers of a desktop to those of the settings.
func (d *Daemon) AddProviders(ctx context.Context, ps ...delivery.Provider) error {
	d.mu.Lock()
	d.added = append(d.added, ps...)
	c := d.config
	d.mu.Unlock()
	return d.announcer.SetProviders(ctx, d.configured(c))
}

// configured are the providers of the settings and those that were added.
func (d *Daemon) configured(c config.Config) []delivery.Provider {
	d.mu.Lock()
	ps := append([]delivery.Provider{}, d.added...)
	d.mu.Unlock()
	for _, w := range c.Webhooks {
		hook, err := webhook.New(webhook.Config{URL: w.URL, Secret: w.Secret, AllowRemote: w.AllowRemote, Limit: w.Timeout.Std()}, d.options.Now)
		if err != nil { // the settings were checked; they may still mean more than this part takes
			d.log.Warn("webhook cannot be used", "name", w.Name, "error", err)
			d.problems.set(ProblemSettings, fmt.Sprintf("The webhook %s cannot be used: it %v.", w.Name, err))
			continue
		}
		ps = append(ps, webhook.Provider{ID: "webhook:" + w.Name, Hook: hook})
	}
	for _, p := range c.Commands {
		ps = append(ps, command.Provider{ID: "command:" + p.Name, Config: command.Config{Argv: p.Argv, Limit: p.Timeout.Std()}})
	}
	return ps
}

// Privacy says how much of a text a provider tells.
func (d *Daemon) Privacy(provider string) delivery.Privacy {
	c := d.Config()
	if provider == notify.ProviderToast {
		return delivery.Privacy(c.Announce.Privacy)
	}
	for _, w := range c.Webhooks {
		if provider == "webhook:"+w.Name {
			return delivery.Privacy(w.Privacy)
		}
	}
	for _, p := range c.Commands {
		if provider == "command:"+p.Name {
			return delivery.Privacy(p.Privacy)
		}
	}
	return delivery.PrivacyTitle
}

// Rules are the limits in force.
func (d *Daemon) Rules() notify.Rules { return rules(d.Config()) }

func reminders(c config.Config) []time.Duration {
	out := make([]time.Duration, len(c.Announce.Remind))
	for i, r := range c.Announce.Remind {
		out[i] = r.Std()
	}
	return out
}

// reconfigure passes changed settings on to the announcements and the bridge.
func (d *Daemon) reconfigure(c config.Config) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := d.announcer.Configure(ctx, c.Storms.Count, c.Storms.Window.Std(), reminders(c), d.configured(c)); err != nil {
		d.log.Warn("announcements keep the earlier settings", "error", err)
	}
	d.bridge.Reconfigure(d.live(c))
}

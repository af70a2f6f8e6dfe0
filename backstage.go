package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"signalbox/assets"
	"signalbox/bridge"
	"signalbox/delivery"
	"signalbox/internal/config"
	"signalbox/internal/winlink"
	"signalbox/notify"
	"signalbox/ui"
	"signalbox/ui/vm"
)

// What the windows ask of the center's process, beside the center itself.
const (
	callReady      = "ready"
	callLooking    = "looking"
	callQuitApp    = "quit_app"
	callAbout      = "about"
	callDeliveries = "deliveries"
	callTest       = "test"
	callDoctor     = "doctor"
	callBackup     = "backup"
	callSound      = "sound"
	callLanguage   = "language"
	callApp        = "app_actions"
	callInvokeApp  = "invoke_app"
	callOldLists   = "old_lists"
	callRetention  = "set_retention"
	callTelling    = "set_telling"
)

// about is what the windows must know before they are made.
type about struct {
	Version, Home, Address string
	Providers              []string
	Schemes                []string
	Retention              ui.Retention
	Telling                ui.Telling
	Log                    string // the log's path; empty: there is none
}

// serveWindows answers what the windows ask.
func (k *desktop) serveWindows(l *winlink.Line, ready func(), looking func(bool)) {
	winlink.Offer(l, k.d.Center, func(after int64) (winlink.Feed, error) { return k.d.Center.Subscribe(after) })
	winlink.Handle(l, callReady, func(context.Context, struct{}) (struct{}, error) { ready(); return struct{}{}, nil })
	winlink.Handle(l, callLooking, func(_ context.Context, on bool) (struct{}, error) { looking(on); return struct{}{}, nil })
	winlink.Handle(l, callQuitApp, func(context.Context, struct{}) (struct{}, error) { k.quit(); return struct{}{}, nil })
	winlink.Handle(l, callLanguage, func(_ context.Context, chosen string) (struct{}, error) {
		if chosen == "" {
			chosen = systemLocale()
		}
		err := k.words.set(chosen)
		k.wake()
		return struct{}{}, err
	})
	winlink.Handle(l, callAbout, func(context.Context, struct{}) (about, error) {
		c := k.d.Config()
		return about{Version: version, Home: k.d.Dir, Address: k.d.URL(), Providers: k.d.Announcer().Providers(), Schemes: c.LinkSchemes,
			Retention: retentionOf(c), Telling: tellingOf(c), Log: k.logPath()}, nil
	})
	winlink.Handle(l, callDeliveries, func(ctx context.Context, id string) ([]notify.Delivery, error) {
		return k.d.Announcer().Deliveries(ctx, "", id, 0)
	})
	winlink.Handle(l, callTest, func(ctx context.Context, provider string) (struct{}, error) {
		d, err := k.d.Announcer().Test(ctx, provider)
		if err == nil && d.State == notify.DeliveryFailed {
			err = errors.New(d.Error)
		}
		return struct{}{}, err
	})
	winlink.Handle(l, callApp, func(_ context.Context, connection string) (ui.AppActions, error) {
		a := k.d.Reload().Actions(connection)
		k.d.Reload().Retry(connection) // somebody looks
		return ui.AppActions{Actions: a.Actions, Stale: a.Stale, Problem: a.Problem, SessionsProblem: a.SessionsProblem}, nil
	})
	winlink.Handle(l, callOldLists, func(context.Context, struct{}) (map[string]vm.OldLists, error) {
		out := map[string]vm.OldLists{}
		for id, a := range k.d.Reload().Troubled() {
			out[id] = vm.OldLists{Sessions: a.SessionsProblem != "", Actions: a.Problem != ""}
		}
		return out, nil
	})
	var writing sync.Mutex // of the settings file
	winlink.Handle(l, callRetention, func(_ context.Context, e edit[ui.Retention]) (ui.Retention, error) {
		writing.Lock()
		defer writing.Unlock()
		c, err := config.Load(k.d.Dir)
		if err != nil {
			return ui.Retention{}, err
		}
		r := retentionOf(c)
		if e.Now.Age != e.Was.Age {
			r.Age = e.Now.Age
		}
		if e.Now.Count != e.Was.Count {
			r.Count = e.Now.Count
		}
		return r, config.SetRetention(k.d.Dir, r.Age, r.Count)
	})
	winlink.Handle(l, callTelling, func(_ context.Context, e edit[ui.Telling]) (ui.Telling, error) {
		writing.Lock()
		defer writing.Unlock()
		c, err := config.Load(k.d.Dir)
		if err != nil {
			return ui.Telling{}, err
		}
		t := tellingOf(c)
		if e.Now.Privacy != e.Was.Privacy {
			t.Privacy = e.Now.Privacy
		}
		if !slices.Equal(e.Now.Remind, e.Was.Remind) {
			t.Remind = e.Now.Remind
		}
		if e.Now.StormCount != e.Was.StormCount || e.Now.StormWindow != e.Was.StormWindow {
			t.StormCount, t.StormWindow = e.Now.StormCount, e.Now.StormWindow
		}
		a := config.Announce{Privacy: t.Privacy}
		for _, d := range t.Remind {
			a.Remind = append(a.Remind, config.Duration(d))
		}
		return t, config.SetAnnounce(k.d.Dir, a, config.Storms{Count: t.StormCount, Window: config.Duration(t.StormWindow)})
	})
	winlink.Handle(l, callInvokeApp, func(ctx context.Context, a appAction) (struct{}, error) {
		return struct{}{}, k.d.Reload().Invoke(ctx, a.Connection, a.Action)
	})
	winlink.Handle(l, callDoctor, func(ctx context.Context, _ struct{}) ([]ui.Fact, error) { return k.facts(ctx), nil })
	winlink.Handle(l, callBackup, func(ctx context.Context, _ struct{}) (string, error) { return k.d.Store.Snapshot(ctx) })
	winlink.Handle(l, callSound, func(ctx context.Context, name string) (struct{}, error) {
		return struct{}{}, k.player.Play(ctx, name)
	})
}

// edit is a change of settings: as the windows knew them, and as the owner wants them. What is the same in both was not
// chosen there, and stays as the file has it, which may be newer.
type edit[T any] struct{ Was, Now T }

// retentionOf is how long history is kept by the settings.
func retentionOf(c config.Config) ui.Retention {
	return ui.Retention{Age: c.Retention.KeepAge.Std(), Count: c.Retention.KeepCount}
}

// tellingOf is how the owner is told by the settings.
func tellingOf(c config.Config) ui.Telling {
	t := ui.Telling{Privacy: c.Announce.Privacy, StormCount: c.Storms.Count, StormWindow: c.Storms.Window.Std()}
	for _, d := range c.Announce.Remind {
		t.Remind = append(t.Remind, d.Std())
	}
	return t
}

// logPath is where the log is kept; empty: nowhere.
func (k *desktop) logPath() string {
	if k.o.logs == nil {
		return ""
	}
	return k.o.logs.where()
}

// appAction names an application action on the line.
type appAction struct{ Connection, Action string }

// facts are the lines of the doctor page.
func (k *desktop) facts(ctx context.Context) []ui.Fact {
	var facts []ui.Fact
	problems := k.d.Problems()
	c := k.d.Config()
	store := ui.Fact{Name: "store", State: ui.FactGood, Detail: c.StorePath(k.d.Dir)}
	for _, p := range problems {
		if p.Key == "store" {
			store.State, store.Detail = ui.FactBad, p.Text
			continue
		}
		facts = append(facts, ui.Fact{Name: partOf(p), State: ui.FactWarn, Detail: p.Text})
	}
	facts = append(facts, store, ui.Fact{Name: "bridge", State: ui.FactGood, Detail: k.d.URL()})
	if path := k.logPath(); path != "" {
		facts = append(facts, ui.Fact{Name: "log", State: ui.FactGood, Detail: path, FixText: vm.M("doctor.log")})
	}
	tray := ui.Fact{Name: "tray", State: ui.FactGood, Text: vm.M("doctor.tray_good")}
	if s := k.tray.Status(); !s.Available {
		tray = ui.Fact{Name: "tray", State: ui.FactWarn, Detail: s.Problem, FixText: vm.M("doctor.tray_fix")}
	}
	toasts := ui.Fact{Name: "notifications", State: ui.FactGood}
	switch s := k.toasts.Status(); {
	case !s.Available:
		toasts.State, toasts.Text, toasts.FixText = ui.FactBad, vm.TellError(s.Problem), vm.M("doctor.toasts_fix")
		if toasts.Text.IsZero() {
			toasts.Detail = s.Problem
		}
	case s.Server == "":
		toasts.Text = vm.M("doctor.toasts_there")
	default:
		toasts.Text = vm.MA("doctor.toasts_good", s.Server)
	}
	facts = append(facts, tray, toasts)
	rows, err := k.d.Announcer().Deliveries(ctx, "", "", 200)
	if err != nil {
		return facts
	}
	newest := map[string]bool{}
	for _, d := range rows {
		if newest[d.Provider] || d.State == notify.DeliveryHeld {
			continue
		}
		newest[d.Provider] = true
		facts = append(facts, ui.LastTold(d, d.Error == delivery.ErrNobody.Error(), time.Now()))
	}
	return facts
}

// options are the windows' options, most of them answered over the line.
func (p *room) options(port winlink.Port, a about) ui.Options {
	var keeping sync.Mutex // protects what a says of retention and telling
	return ui.Options{
		Subscribe: func(after int64) (ui.Feed, error) { return port.Subscribe(after) },
		Now:       time.Now, Locale: systemLocale(), Schemes: a.Schemes,
		Deliveries: func(ctx context.Context, id string) ([]notify.Delivery, error) {
			return winlink.Call[[]notify.Delivery](ctx, p.line, callDeliveries, id)
		},
		ReadFile: readFile, SaveFile: saveFile, SaveDir: saveDir(),
		NewToken: func() (string, []byte, error) {
			t := bridge.NewToken()
			return t, bridge.HashToken(t), nil
		},
		Agents: setupAgents{a.Home}.list, Setup: setupAgents{a.Home}.setup, Hold: setupAgents{a.Home}.hold,
		AppActions: func(ctx context.Context, connection string) (ui.AppActions, error) {
			return winlink.Call[ui.AppActions](ctx, p.line, callApp, connection)
		},
		OldLists: func(ctx context.Context) (map[string]vm.OldLists, error) {
			return winlink.Call[map[string]vm.OldLists](ctx, p.line, callOldLists, struct{}{})
		},
		InvokeApp: func(ctx context.Context, connection, action string) error {
			_, err := winlink.Call[struct{}](ctx, p.line, callInvokeApp, appAction{connection, action})
			return err
		},
		TestNotification: func(ctx context.Context, provider string) error {
			_, err := winlink.Call[struct{}](ctx, p.line, callTest, provider)
			return err
		},
		Providers: a.Providers,
		Doctor: func(ctx context.Context) []ui.Fact {
			facts, err := winlink.Call[[]ui.Fact](ctx, p.line, callDoctor, struct{}{})
			if err != nil {
				return []ui.Fact{{Name: "bridge", State: ui.FactBad, Detail: err.Error()}}
			}
			return facts
		},
		Backup: func(ctx context.Context) (string, error) {
			return winlink.Call[string](ctx, p.line, callBackup, struct{}{})
		},
		RetentionOf: func() ui.Retention { return read(&keeping, &a.Retention) },
		SetRetention: func(was, now ui.Retention) error {
			return put(p.line, callRetention, edit[ui.Retention]{was, now}, &keeping, &a.Retention)
		},
		TellingOf: func() ui.Telling { return read(&keeping, &a.Telling) },
		SetTelling: func(was, now ui.Telling) error {
			return put(p.line, callTelling, edit[ui.Telling]{was, now}, &keeping, &a.Telling)
		},
		Sounds:       assets.SoundNames(),
		PlaySound:    func(name string) error { return tell(p.line, callSound, name) },
		StartAtLogin: startsAtLogin, SetStartAtLogin: setStartsAtLogin,
		Quit:    p.quit,
		Version: a.Version, Home: a.Home, Address: a.Address, Log: a.Log,
	}
}

// read is what mu protects.
func read[T any](mu *sync.Mutex, at *T) T {
	mu.Lock()
	defer mu.Unlock()
	return *at
}

// put has settings changed in the file, and keeps what they are then: the center follows its file in a moment.
func put[T any](line *winlink.Line, call string, e edit[T], mu *sync.Mutex, at *T) error {
	ctx, cancel := context.WithTimeout(context.Background(), actLimit)
	defer cancel()
	now, err := winlink.Call[T](ctx, line, call, e)
	if err == nil {
		mu.Lock()
		*at = now
		mu.Unlock()
	}
	return err
}

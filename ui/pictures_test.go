package ui

import (
	"context"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

var update = flag.Bool("update", false, "write the pictures in docs/screenshots anew")

// The pictures of the README are these: whole windows, drawn from the samples by the real code, compared with each run.
func TestPictures(t *testing.T) {
	rail := func(d *desk) fyne.Window { return d.u.rail.win }
	for _, p := range []struct {
		name string
		mode theme.Mode
		w, h float32
		none bool // nothing is connected
		show func(*desk) fyne.Window
	}{
		{"rail-light", theme.Light, 1280, 860, false, func(d *desk) fyne.Window { d.u.ShowItem("01-permission"); d.wait(time.Second); return rail(d) }},
		{"rail-dark", theme.Dark, 1000, 860, false, func(d *desk) fyne.Window { d.u.Show(); d.settle(); return rail(d) }},
		{"rail-narrow", theme.Light, 380, 800, false, func(d *desk) fyne.Window { d.u.Show(); d.settle(); return rail(d) }},
		{"plan-dark", theme.Dark, 1280, 860, false, func(d *desk) fyne.Window {
			d.u.ShowItem("03-plan")
			d.wait(time.Second)
			d.u.rail.readAll("03-plan")
			d.wait(time.Second)
			return rail(d)
		}},
		{"form-light", theme.Light, 900, 980, false, func(d *desk) fyne.Window {
			d.u.Show()
			d.wait(time.Second)
			d.u.rail.openForm(d.u.rail.record("04-form"), "hold", 0)
			return rail(d)
		}},
		{"missing-light", theme.Light, 900, 700, false, func(d *desk) fyne.Window {
			d.u.SetMissing([]Missing{{Part: "tray"}, {Part: "store", Detail: "12 of 4,310 records could not be read; the snapshot of 14:10 was restored."}})
			d.u.Show()
			d.settle()
			return rail(d)
		}},
		{"history-light", theme.Light, 1180, 760, false, func(d *desk) fyne.Window {
			d.u.ShowHistory()
			d.wait(time.Second)
			d.u.history.choose("07-error")
			return d.u.history.win
		}},
		{"history-dark", theme.Dark, 640, 700, false, func(d *desk) fyne.Window { d.u.ShowHistory(); d.wait(time.Second); return d.u.history.win }},
		{"first-run-light", theme.Light, 960, 760, true, func(d *desk) fyne.Window { d.u.Show(); d.wait(time.Second); return rail(d) }},
		{"actions-light", theme.Light, 900, 560, false, actionsMenu},
		{"actions-dark", theme.Dark, 900, 560, false, actionsMenu},
		{"empty-dark", theme.Dark, 760, 560, true, func(d *desk) fyne.Window { d.u.prefs.setFirstRunDone(); d.u.Show(); d.settle(); return rail(d) }},
		{"settings-told-dark", theme.Dark, 900, 1180, false, func(d *desk) fyne.Window { d.u.ShowSettingsPage("told"); d.wait(time.Second); return d.u.sets.win }},
		{"settings-connections-light", theme.Light, 900, 700, false, func(d *desk) fyne.Window {
			d.u.ShowSettingsPage("connections")
			d.wait(time.Second)
			return d.u.sets.win
		}},
		{"settings-quiet-light", theme.Light, 900, 700, false, func(d *desk) fyne.Window { d.u.ShowSettingsPage("quiet"); d.wait(time.Second); return d.u.sets.win }},
		{"settings-rules-dark", theme.Dark, 900, 760, false, func(d *desk) fyne.Window { d.u.ShowSettingsPage("rules"); d.wait(time.Second); return d.u.sets.win }},
		{"doctor-light", theme.Light, 900, 560, false, func(d *desk) fyne.Window { d.u.ShowSettingsPage("doctor"); d.wait(time.Second); return d.u.sets.win }},
		{"about-dark", theme.Dark, 900, 560, false, func(d *desk) fyne.Window { d.u.ShowSettingsPage("about"); d.wait(time.Second); return d.u.sets.win }},
		{"compact-light", theme.Light, 900, 760, false, func(d *desk) fyne.Window {
			d.u.prefs.setDense(true)
			d.u.restyle()
			d.u.Show()
			d.wait(time.Second)
			return rail(d)
		}},
	} {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(sample.Now.Add(-time.Hour))) // the day of the samples
				d := &desk{t: t, f: newFake(), app: test.NewTempApp(t)}
				d.app.Preferences().SetString(prefMode, string(p.mode))
				if !p.none {
					d.fill()
				}
				time.Sleep(time.Until(sample.Now))
				d.u = New(d.app, &lineTo{fake: d.f}, pictureOptions(d))
				d.u.Start()
				d.settle()
				win := p.show(d)
				d.wait(500 * time.Millisecond)
				win.Resize(fyne.NewSize(p.w, p.h))
				d.wait(100 * time.Millisecond)
				if d.u.rail != nil && d.u.rail.selected != "" {
					d.u.rail.feed.Reveal(d.u.rail.selected)
				}
				picture(t, p.name, win.Canvas().Capture())
				d.u.Close()
			})
		})
	}
}

// actionsMenu opens the menu of a connection whose server offers actions, and does not answer just now.
func actionsMenu(d *desk) fyne.Window {
	address := "http://127.0.0.1:1/actions"
	d.do(notify.Hello{Connection: "claude", Lifetime: "l", ActionsURL: &address, SessionsURL: &address})
	d.u.Show()
	d.wait(time.Second)
	d.u.rail.win.Resize(fyne.NewSize(900, 560))
	d.wait(time.Second)
	d.u.rail.sideMenu(vm.SideRow{Kind: vm.SideConnection, Ref: notify.SessionRef{Connection: "claude"}}, fyne.NewPos(40, 140))
	d.wait(time.Second)
	return d.u.rail.win
}

// fill puts the samples into the center.
func (d *desk) fill() {
	for _, v := range sample.Connections() {
		d.do(notify.CreateConnection{ID: v.ID, Label: v.Label, Color: v.Color, TokenHash: make([]byte, 32)})
	}
	for _, v := range vm.SortedBy(sample.Connections(), func(v notify.ConnectionView) bool { return v.Presence != notify.Online }) {
		time.Sleep(time.Until(v.SeenAt))
		d.do(notify.Hello{Connection: v.ID, Lifetime: "l"})
	}
	sessions := sample.Sessions()
	for _, v := range sample.Connections() {
		for _, s := range sessions[v.ID] {
			d.do(notify.PutSession{Connection: v.ID, Session: s.ID, Title: &s.Title, URL: &s.URL, State: &s.State})
		}
	}
	rail := sample.Rail()
	all := append(append(append(rail.Application, rail.Session...), sample.Elsewhere()...), sample.Many(60)...)
	first := len(d.f.log)
	d.do(notify.Import{Records: all})
	for i := range d.f.log[first:] { // as if each had been published when it says
		c := &d.f.log[first+i]
		c.Name, c.At, c.By = notify.EvCreated, c.Record.CreatedAt, c.Record.Connection
	}
	d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s-checkout"}})
}

func pictureOptions(d *desk) Options {
	return Options{
		Subscribe: d.f.subscribe, Now: func() time.Time { return time.Now().UTC() }, Locale: "en",
		Dispatch: func(f func()) {
			d.mu.Lock()
			d.work = append(d.work, f)
			d.mu.Unlock()
		},
		NewToken: func() (string, []byte, error) { return "sbx_0123456789abcdef", make([]byte, 32), nil },
		Agents: func(context.Context) ([]Agent, error) {
			return []Agent{{ID: "claude", Name: "Claude Code", Installed: true, Connected: true, Holds: true, Hold: 590 * time.Second}, {ID: "codex", Name: "Codex", Installed: true},
				{ID: "gemini", Name: "Gemini CLI", Program: "gemini"}}, nil
		},
		Setup: func(context.Context, string, bool) (string, error) { return "", nil },
		AppActions: func(context.Context, string) (AppActions, error) {
			return AppActions{Problem: "no answer", SessionsProblem: "no answer", Actions: []notify.Action{
				{ID: "compact", Label: "Compact all chats"}, {ID: "models", Label: "Choose the model…"}}}, nil
		},
		OldLists: func(context.Context) (map[string]vm.OldLists, error) {
			return map[string]vm.OldLists{"claude": {Sessions: true, Actions: true}}, nil
		},
		TestNotification: func(context.Context, string) error { return nil },
		Providers:        []string{"in_app", "toast", "sound", "webhook:phone"},
		Doctor: func(context.Context) []Fact {
			return []Fact{{Name: "store", State: FactGood, Detail: "~/.local/share/signalbox/store"}, {Name: "log", State: FactGood, Detail: "~/.local/share/signalbox/signalbox.log", FixText: vm.M("doctor.log")},
				{Name: "notifications", State: FactBad, Detail: "no notification service is running", FixText: vm.M("doctor.toasts_fix")},
				{Name: "tray", State: FactWarn, Detail: "this desktop shows no tray icons", FixText: vm.M("doctor.tray_fix")},
				{Name: "toast", State: FactGood, Last: true, Text: vm.MA("doctor.delivered", "2026-03-04 11:58")}}
		},
		Deliveries: func(ctx context.Context, id string) ([]notify.Delivery, error) {
			x, err := d.f.Record(ctx, id)
			if err != nil {
				return nil, err
			}
			at := x.CreatedAt.Add(time.Second)
			list := []notify.Delivery{{Provider: "toast", State: notify.DeliveryDelivered, Reason: "subscription", At: at}}
			if x.Session != "" {
				list = append(list, notify.Delivery{Provider: "sound", State: notify.DeliveryHeld, Reason: "focus: you were looking at this session", At: at})
			}
			return list, nil
		},
		TellingOf: func() Telling {
			return Telling{Privacy: "title", Remind: []time.Duration{3 * time.Minute, 10 * time.Minute, 30 * time.Minute}, StormCount: 5, StormWindow: 10 * time.Second}
		},
		SetTelling: func(_, _ Telling) error { return nil }, Hold: func(context.Context, string, time.Duration) error { return nil },
		Sounds: []string{"question", "finished", "failure"}, PlaySound: func(string) error { return nil },
		StartAtLogin: func() (bool, error) { return true, nil }, SetStartAtLogin: func(bool) error { return nil },
		SaveFile: func(string) (io.WriteCloser, error) { return nil, fs.ErrExist },
		Version:  "0.1.0", Home: "~/.local/share/signalbox", Address: "http://127.0.0.1:8377",
	}
}

func picture(t *testing.T, name string, img image.Image) {
	t.Helper()
	path := filepath.Join("..", "docs", "screenshots", name+".png")
	if *update {
		write(t, path, img)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if why := differ(img, want); why != "" {
		failed := filepath.Join("testdata", "failed", name+".png")
		write(t, failed, img)
		t.Errorf("%s: see %s; -update takes it as it is", why, failed)
	}
}

// differ says how two pictures differ; small differences of shade are none.
func differ(a, b image.Image) string {
	if a.Bounds() != b.Bounds() {
		return "it has another size"
	}
	n, r := 0, a.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x, y).RGBA()
			for _, d := range [][2]uint32{{ar, br}, {ag, bg}, {ab, bb}} {
				if max(d[0], d[1])-min(d[0], d[1]) > 4<<8 {
					n++
					break
				}
			}
		}
	}
	if n > 0 {
		return fmt.Sprintf("%d pixels differ", n)
	}
	return ""
}

func write(t *testing.T, path string, img image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

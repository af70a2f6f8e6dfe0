package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"signalbox/notify"
	"signalbox/ui/widgets"
)

// typeShortcut is what the driver does with a shortcut: what has the keyboard gets it, and nobody else.
func typeShortcut(win fyne.Window, key fyne.KeyName) {
	s := &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
	if f, ok := win.Canvas().Focused().(fyne.Shortcutable); ok {
		f.TypedShortcut(s)
		return
	}
	win.Canvas().(fyne.Shortcutable).TypedShortcut(s)
}

// Symptom: with the keyboard in an entry, Ctrl+F, Ctrl+H and Ctrl+W did nothing.
func TestTheWindowsShortcutsWorkFromEveryEntry(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		id := d.question("Deploy?", func(in *notify.Interaction) {
			in.Fields = []notify.Field{{ID: "why", Label: "Why", Type: notify.FieldText}}
		})
		r := d.show()
		r.askForm(r.record(id), "deny", 0)
		d.settle()
		d.u.ShowHistory()
		d.u.ShowSettingsPage("quiet")
		d.wait(RefreshEvery)
		entries := map[string]fyne.Focusable{"the search of the rail": r.search, "the search of the history": d.u.history.search,
			"an entry of the settings": within[*widgets.Entry](d.u.sets.col)[0]}
		wins := map[string]fyne.Window{"the search of the rail": r.win, "the search of the history": d.u.history.win, "an entry of the settings": d.u.sets.win}
		entries["the comment of an answer"], wins["the comment of an answer"] = r.win.Canvas().Focused(), r.win
		for name, entry := range entries {
			win := wins[name]
			for _, way := range []struct {
				key  fyne.KeyName
				open string
			}{{fyne.KeyH, "history"}, {fyne.KeyComma, "settings"}} {
				win.Canvas().Focus(entry)
				d.u.history.hide()
				d.u.sets.hide()
				d.settle()
				win.Canvas().Focus(entry)
				typeShortcut(win, way.key)
				d.settle()
				if !d.u.open[way.open] {
					t.Errorf("%s: %s does not open the %s", name, way.key, way.open)
				}
			}
		}
		r.win.Canvas().Focus(entries["the comment of an answer"])
		typeShortcut(r.win, fyne.KeyF)
		if r.win.Canvas().Focused() != fyne.Focusable(r.search) {
			t.Errorf("Ctrl+F leads to %T", r.win.Canvas().Focused())
		}
		typeShortcut(r.win, fyne.KeyW)
		d.settle()
		if d.u.open["rail"] {
			t.Error("Ctrl+W does not close the window")
		}
	})
}

// A question over a window has its keys to itself.
func TestAQuestionKeepsTheShortcuts(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		r := d.show()
		r.shortcutSheet()
		typeShortcut(r.win, fyne.KeyF)
		typeShortcut(r.win, fyne.KeyW)
		d.settle()
		if r.layout.searching || !d.u.open["rail"] {
			t.Error("the window under a question was acted on")
		}
	})
}

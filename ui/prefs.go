package ui

import (
	"fyne.io/fyne/v2"
	"github.com/go-json-experiment/json"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// prefs are the front end's own settings: how things look, never what they are. Data of agents is not
// kept here; the dismissal cache is identity only (D4).
type prefs struct{ p fyne.Preferences }

// The keys, each with its default.
const (
	prefLanguage   = "language"   // "" follows the system
	prefMode       = "appearance" // system, light, dark
	prefTextScale  = "text_scale" // 0.75 to 2, default 1
	prefDense      = "dense"
	prefDismissals = "dismissals"    // JSON list of vm.Dismissal
	prefSaved      = "saved_filters" // JSON list of vm.SavedFilter
	prefFirstRun   = "first_run_done"
)

func (p prefs) language() string     { return p.p.StringWithFallback(prefLanguage, "") }
func (p prefs) setLanguage(s string) { p.p.SetString(prefLanguage, s) }

func (p prefs) mode() theme.Mode {
	switch m := theme.Mode(p.p.StringWithFallback(prefMode, string(theme.System))); m {
	case theme.Light, theme.Dark:
		return m
	}
	return theme.System
}
func (p prefs) setMode(m theme.Mode) { p.p.SetString(prefMode, string(m)) }

func (p prefs) textScale() float32 {
	return min(max(float32(p.p.FloatWithFallback(prefTextScale, 1)), 0.75), 2)
}
func (p prefs) setTextScale(f float32) { p.p.SetFloat(prefTextScale, float64(f)) }

func (p prefs) dense() bool      { return p.p.BoolWithFallback(prefDense, false) }
func (p prefs) setDense(on bool) { p.p.SetBool(prefDense, on) }

func (p prefs) firstRunDone() bool { return p.p.BoolWithFallback(prefFirstRun, false) }
func (p prefs) setFirstRunDone()   { p.p.SetBool(prefFirstRun, true) }

// size is the saved size of a window; the fallback where none or nonsense is saved.
func (p prefs) size(window string, w, h float32) fyne.Size {
	sw, sh := float32(p.p.Float(window+"_width")), float32(p.p.Float(window+"_height"))
	if sw < 300 || sh < 200 || sw > 8000 || sh > 8000 {
		return fyne.NewSize(w, h)
	}
	return fyne.NewSize(sw, sh)
}

func (p prefs) setSize(window string, s fyne.Size) {
	p.p.SetFloat(window+"_width", float64(s.Width))
	p.p.SetFloat(window+"_height", float64(s.Height))
}

func load[T any](p prefs, key string) (v T) {
	// A list that can't be read is an empty one: it is only the front end's convenience.
	_ = json.Unmarshal([]byte(p.p.StringWithFallback(key, "null")), &v)
	return v
}

func save[T any](p prefs, key string, v T) {
	if b, err := json.Marshal(v); err == nil {
		p.p.SetString(key, string(b))
	}
}

func (p prefs) dismissals() []vm.Dismissal        { return load[[]vm.Dismissal](p, prefDismissals) }
func (p prefs) setDismissals(list []vm.Dismissal) { save(p, prefDismissals, list) }
func (p prefs) savedFilters() []vm.SavedFilter    { return load[[]vm.SavedFilter](p, prefSaved) }
func (p prefs) setSavedFilters(list []vm.SavedFilter) {
	save(p, prefSaved, list)
}

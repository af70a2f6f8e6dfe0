//go:build linux

package rig

import (
	"fmt"
	"image"
	"regexp"
	"strconv"
	"strings"
)

// Window is a window on the screen.
type Window struct {
	r     *Rig
	ID    string // X's number of it
	title string
}

// Window waits for a visible window whose title is exactly this.
func (r *Rig) Window(title string) *Window {
	r.t.Helper()
	var w *Window
	r.Eventually("a window "+title, func() bool {
		w = r.findWindow(title)
		return w != nil
	})
	return w
}

// HasWindow tells whether a visible window has exactly this title now.
func (r *Rig) HasWindow(title string) bool { return r.findWindow(title) != nil }

func (r *Rig) findWindow(title string) *Window {
	// An error is how xdotool says that there is none.
	out, err := r.output("xdotool", "search", "--onlyvisible", "--name", "^"+pattern(title)+"$")
	if ids := strings.Fields(out); err == nil && len(ids) > 0 {
		return &Window{r, ids[0], title}
	}
	return nil
}

// pattern is a title as xdotool matches it: it gets titles in an encoding of its own, so what is not
// ASCII may be anything.
func pattern(title string) string {
	var b strings.Builder
	for _, c := range title {
		if c < 128 {
			b.WriteString(regexp.QuoteMeta(string(c)))
		} else {
			b.WriteString(".*")
		}
	}
	return b.String()
}

// WaitNoWindow waits until no visible window has the title.
func (r *Rig) WaitNoWindow(title string) {
	r.t.Helper()
	r.Eventually("no window "+title, func() bool { return !r.HasWindow(title) })
}

// Bounds is where its content is on the screen.
func (w *Window) Bounds() image.Rectangle {
	w.r.t.Helper()
	v := map[string]int{}
	for _, line := range strings.Split(w.r.must("xdotool", "getwindowgeometry", "--shell", w.ID), "\n") {
		if k, n, ok := strings.Cut(line, "="); ok {
			v[k], _ = strconv.Atoi(n) // WINDOW and SCREEN are of no interest
		}
	}
	return image.Rect(v["X"], v["Y"], v["X"]+v["WIDTH"], v["Y"]+v["HEIGHT"])
}

// Click presses the left button at a place in the window's content.
func (w *Window) Click(x, y int) {
	w.r.t.Helper()
	w.r.must("xdotool", "mousemove", "--window", w.ID, fmt.Sprint(x), fmt.Sprint(y), "click", "1")
}

// Pointer moves the mouse to a place in the window's content.
func (w *Window) Pointer(x, y int) {
	w.r.t.Helper()
	w.r.must("xdotool", "mousemove", "--window", w.ID, fmt.Sprint(x), fmt.Sprint(y))
}

// Wheel turns the mouse wheel at a place: positive is down.
func (w *Window) Wheel(x, y, clicks int) {
	w.r.t.Helper()
	button := "5"
	if clicks < 0 {
		button, clicks = "4", -clicks
	}
	w.r.must("xdotool", "mousemove", "--window", w.ID, fmt.Sprint(x), fmt.Sprint(y), "click", "--repeat", fmt.Sprint(clicks), "--delay", "15", button)
}

// Focus gives it the keyboard.
func (w *Window) Focus() {
	w.r.t.Helper()
	w.r.must("xdotool", "windowactivate", "--sync", w.ID)
}

// Focused tells whether it has the keyboard.
func (w *Window) Focused() bool {
	out, err := w.r.output("xdotool", "getactivewindow")
	return err == nil && strings.TrimSpace(out) == w.ID
}

// Key gives it the keyboard and presses keys.
func (w *Window) Key(keys ...string) {
	w.r.t.Helper()
	w.Focus()
	w.r.Key(keys...)
}

// Type gives it the keyboard and types a text.
func (w *Window) Type(text string) {
	w.r.t.Helper()
	w.Focus()
	w.r.Type(text)
}

// Resize changes the size of its content.
func (w *Window) Resize(width, height int) {
	w.r.t.Helper()
	w.r.must("xdotool", "windowsize", "--sync", w.ID, fmt.Sprint(width), fmt.Sprint(height))
}

// Move puts its upper left corner at a place on the screen.
func (w *Window) Move(x, y int) {
	w.r.t.Helper()
	w.r.must("xdotool", "windowmove", w.ID, fmt.Sprint(x), fmt.Sprint(y))
}

// Close asks it to close, as its close button does.
func (w *Window) Close() {
	w.r.t.Helper()
	w.r.must("wmctrl", "-i", "-c", w.ID)
}

// Visible tells whether it is on the screen now.
func (w *Window) Visible() bool {
	out, err := w.r.output("xwininfo", "-id", w.ID)
	return err == nil && strings.Contains(out, "IsViewable")
}

// Screenshot writes it to NAME.png of the artefacts once it has come to rest, and returns the path.
func (w *Window) Screenshot(name string) string {
	w.r.t.Helper()
	return w.r.shoot(name, w.ID)
}

// Image is the window as it is now.
func (w *Window) Image() *image.NRGBA {
	w.r.t.Helper()
	return w.r.pixels(w.ID)
}

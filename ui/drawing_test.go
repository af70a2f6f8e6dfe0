package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"signalbox/ui/theme"
)

// drawn are all objects of a window that can be seen.
func drawn(o fyne.CanvasObject, each func(fyne.CanvasObject)) {
	if o == nil || !o.Visible() {
		return
	}
	each(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			drawn(c, each)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			drawn(c, each)
		}
	}
}

// A window is cleared with its ground. A rectangle of the same colour over all of it would be the dearest thing that a
// frame draws, by software a third of it.
func TestNoWindowCoversItsGround(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.question("Run it?", nil)
		d.notice("a")
		windows := map[string]fyne.Window{"rail": d.show().win, "history": d.showHistory().win, "settings": d.showSettings("connect").win}
		for name, w := range windows {
			for _, size := range []fyne.Size{{Width: 380, Height: 700}, {Width: 1200, Height: 800}} {
				w.Resize(size)
				d.wait(0)
				n := 0
				drawn(w.Content(), func(o fyne.CanvasObject) {
					n++
					r, ok := o.(*canvas.Rectangle)
					if ok && r.FillColor == theme.At(theme.ColorGround) && r.Size().Width*r.Size().Height > size.Width*size.Height/4 {
						t.Errorf("%s, %v: a rectangle of %v has the colour of the ground", name, size, r.Size())
					}
				})
				if n < 20 {
					t.Errorf("%s, %v: only %d objects", name, size, n)
				}
			}
		}
	})
}

package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

func alphaOf(c color.Color, a uint8) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = a
	return n
}

// Meter is a bar of progress. Work of unknown length shows a part of the bar that moves by a step
// with each Step: no animation runs.
type Meter struct {
	widget.BaseWidget
	known    bool
	fraction float64
	tone     string
	step     int
	bg, bar  *canvas.Rectangle
}

// NewMeter makes an empty meter.
func NewMeter() *Meter {
	m := &Meter{tone: "info", step: 1} // not at the left, where it would look like a part that is done
	m.ExtendBaseWidget(m)
	return m
}

// Set changes what the meter shows.
func (m *Meter) Set(known bool, fraction float64, tone string) {
	if m.known == known && m.fraction == fraction && m.tone == tone {
		return
	}
	m.known, m.fraction, m.tone = known, fraction, tone
	m.Refresh()
}

// Step moves the bar of work of unknown length.
func (m *Meter) Step() {
	if !m.known {
		m.step = (m.step + 1) % 6
		m.Refresh()
	}
}

// CreateRenderer is the toolkit's.
func (m *Meter) CreateRenderer() fyne.WidgetRenderer {
	m.ExtendBaseWidget(m)
	m.bg, m.bar = canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	m.bg.CornerRadius, m.bar.CornerRadius = meterHeight/2, meterHeight/2
	r := &meterRenderer{m}
	r.Refresh()
	return r
}

const meterHeight = 6

type meterRenderer struct{ m *Meter }

func (r *meterRenderer) Destroy()                     {}
func (r *meterRenderer) MinSize() fyne.Size           { return fyne.NewSize(40, meterHeight) }
func (r *meterRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.m.bg, r.m.bar} }
func (r *meterRenderer) Layout(size fyne.Size) {
	place(r.m.bg, 0, 0, size.Width, size.Height)
	if r.m.known {
		w := size.Width * float32(r.m.fraction)
		if r.m.fraction > 0 {
			w = max(w, meterHeight)
		}
		place(r.m.bar, 0, 0, w, size.Height)
		return
	}
	w := size.Width / 4
	place(r.m.bar, (size.Width-w)*float32(r.m.step)/5, 0, w, size.Height)
}
func (r *meterRenderer) Refresh() {
	r.m.bg.FillColor, r.m.bar.FillColor = theme.At(theme.ColorTrack), theme.At(theme.Lamp(r.m.tone))
	r.Layout(r.m.Size())
	r.m.bg.Refresh()
	r.m.bar.Refresh()
}

package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// TapGround takes what is tapped on it. It is not seen until it is painted; then it darkens what lies behind it.
type TapGround struct {
	widget.BaseWidget
	rect *canvas.Rectangle
	tap  func()
}

// NewTapGround makes one that is not seen.
func NewTapGround(tap func()) *TapGround {
	t := &TapGround{rect: canvas.NewRectangle(nil), tap: tap}
	t.ExtendBaseWidget(t)
	return t
}

// Paint darkens it, in the colour of the theme now.
func (t *TapGround) Paint() { t.rect.FillColor = theme.At(theme.ColorShade); t.rect.Refresh() }

// Tapped is the toolkit's.
func (t *TapGround) Tapped(*fyne.PointEvent) { t.tap() }

// CreateRenderer is the toolkit's.
func (t *TapGround) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	return widget.NewSimpleRenderer(t.rect)
}

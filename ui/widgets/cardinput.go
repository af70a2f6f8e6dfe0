package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Tapped is the toolkit's.
func (c *Card) Tapped(*fyne.PointEvent) {
	if c.shift && c.OnMark != nil {
		c.OnMark(c.card.ID)
		return
	}
	if c.OnTap != nil {
		c.OnTap(c.card.ID)
	}
}

// TappedSecondary is the toolkit's.
func (c *Card) TappedSecondary(e *fyne.PointEvent) {
	if c.OnMenu != nil {
		c.OnMenu(c.card.ID, e.AbsolutePosition)
	}
}

// MouseDown is the toolkit's: it notes whether the press is meant to mark.
func (c *Card) MouseDown(e *desktop.MouseEvent) {
	c.shift = e.Modifier&(fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift) != 0
}

// MouseUp is the toolkit's.
func (c *Card) MouseUp(*desktop.MouseEvent) {}

// MouseIn is the toolkit's.
func (c *Card) MouseIn(*desktop.MouseEvent) { c.hot = true; c.paint() }

// MouseMoved is the toolkit's.
func (c *Card) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is the toolkit's.
func (c *Card) MouseOut() { c.hot = false; c.paint() }

func (c *Card) paint() {
	tone := string(c.card.Sign.Tone)
	c.bg.fill, c.bg.stroke = theme.ColorCard, theme.ColorLine
	if c.card.Aside {
		c.bg.fill = theme.ColorGround // it lies back, behind what stands in front
	}
	switch {
	case c.chosen || c.marked:
		c.bg.fill, c.bg.stroke = theme.ColorChosen, theme.ColorFocus
	case c.hot:
		c.bg.fill = theme.ColorCardHover
	}
	c.bg.CornerRadius = base.Size(theme.SizeRadius)
	c.bar.fill = ""
	switch c.card.Sign.Tone {
	case vm.ToneInfo, vm.ToneQuiet:
	default:
		c.bar.fill = theme.Lamp(tone)
	}
	c.bg.paint()
	c.bar.paint()
	c.codeBox.paint()
	c.refusedBox.paint()
	c.unread.FillColor = theme.At(theme.ColorAccent)
	c.unread.Refresh()
	if c.marked {
		c.lamp.Set(vm.Sign{Tone: vm.ToneInfo, Icon: "check"}, false)
	} else {
		c.lamp.Set(c.card.Sign, c.card.Aside || c.card.Muted)
	}
}

// CreateRenderer is the toolkit's.
func (c *Card) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return &cardRenderer{c}
}

type cardRenderer struct{ c *Card }

func (r *cardRenderer) Destroy()                     {}
func (r *cardRenderer) Objects() []fyne.CanvasObject { return r.c.objs }
func (r *cardRenderer) MinSize() fyne.Size {
	w := max(r.c.Size().Width, 240)
	return fyne.NewSize(240, r.c.HeightFor(w))
}
func (r *cardRenderer) Layout(size fyne.Size) { r.c.arrange(size.Width, true) }
func (r *cardRenderer) Refresh() {
	r.c.paint()
	r.c.arrange(r.c.Size().Width, true)
	canvas.Refresh(r.c)
}

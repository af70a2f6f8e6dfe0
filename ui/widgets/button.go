package widgets

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// InertFor is how long a button that decides does nothing after it appeared: a press that was meant
// for what was there before must not decide.
const InertFor = 700 * time.Millisecond

// Style is the weight of a button.
type Style string

// The styles. Quiet has no ground until the pointer is over it.
const (
	Plain   Style = "default"
	Primary Style = "primary"
	Danger  Style = "danger"
	Quiet   Style = "quiet"
)

// Press is a button that the mouse presses; a card offers its keys otherwise. See Button for one that
// takes the keyboard.
type Press struct {
	widget.BaseWidget
	Label string
	Icon  string // before the label; empty: none
	Key   string // a key that does the same, shown small; empty: none
	Style Style
	OnTap func()
	// Env is needed by a button that is inert at first.
	Env *Env
	// Small is for rows and captions.
	Small    bool
	Disabled bool
	// Chosen is drawn as pressed in: a tab, a toggle.
	Chosen bool

	inertUntil time.Time
	hot        bool
	focused    bool

	bg, ring *canvas.Rectangle
	keyBox   *canvas.Rectangle
	text     *canvas.Text
	keyText  *canvas.Text
	img      *canvas.Image
}

var (
	_ fyne.Tappable      = (*Press)(nil)
	_ desktop.Hoverable  = (*Press)(nil)
	_ desktop.Cursorable = (*Press)(nil)
)

// NewPress makes a button for the mouse.
func NewPress(label string, style Style, tap func()) *Press {
	p := &Press{Label: label, Style: style, OnTap: tap}
	p.ExtendBaseWidget(p)
	return p
}

// NewIconPress makes a button that is a symbol alone.
func NewIconPress(icon string, tap func()) *Press {
	p := &Press{Icon: icon, Style: Quiet, OnTap: tap, Small: true}
	p.ExtendBaseWidget(p)
	return p
}

// Arm makes the button inert from now on for InertFor.
func (p *Press) Arm() {
	if p.Env != nil && p.Env.Now != nil {
		p.inertUntil = p.Env.Now().Add(InertFor)
	}
}

// Inert reports whether a press would do nothing now.
func (p *Press) Inert() bool {
	return p.Disabled || p.Env != nil && p.Env.Now != nil && p.Env.Now().Before(p.inertUntil)
}

// Tapped is the toolkit's.
func (p *Press) Tapped(*fyne.PointEvent) {
	if !p.Inert() && p.OnTap != nil {
		p.OnTap()
	}
}

// MouseIn is the toolkit's.
func (p *Press) MouseIn(*desktop.MouseEvent) { p.hot = true; p.Refresh() }

// MouseMoved is the toolkit's.
func (p *Press) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is the toolkit's.
func (p *Press) MouseOut() { p.hot = false; p.Refresh() }

// Cursor is the toolkit's.
func (p *Press) Cursor() desktop.Cursor {
	if p.Disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

func (p *Press) textSize() float32 {
	if p.Small {
		return base.Size(theme.SizeCaption)
	}
	return base.Size(theme.SizeBody)
}

func (p *Press) textStyle() fyne.TextStyle {
	return fyne.TextStyle{Bold: p.Style == Primary || p.Style == Danger}
}

func (p *Press) height() float32 {
	h := fyne.MeasureText("M", p.textSize(), fyne.TextStyle{}).Height
	if p.Small {
		return h + 8
	}
	return h + 13
}

// WidthFor is the width the button takes of what there is.
func (p *Press) WidthFor(room float32) float32 {
	if p.Label == "" {
		return p.height()
	}
	w := measure(p.Label, p.textSize(), p.textStyle()) + 2*p.padX()
	if p.Icon != "" {
		w += p.iconSize() + 6
	}
	if p.Key != "" {
		w += p.keySize() + 6
	}
	return min(w, room)
}

func (p *Press) padX() float32 {
	if p.Small {
		return 9
	}
	return 13
}

// keySize is the side of the box around the key.
func (p *Press) keySize() float32 { return max(17, base.Size(theme.SizeCaption)*1.4) }

func (p *Press) iconSize() float32 {
	if p.Small {
		return p.textSize() + 3
	}
	return p.textSize() + 4
}

// CreateRenderer is the toolkit's.
func (p *Press) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	p.bg, p.ring = canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	p.keyBox = canvas.NewRectangle(nil)
	p.text, p.keyText = canvas.NewText("", nil), canvas.NewText("", nil)
	p.img = &canvas.Image{FillMode: canvas.ImageFillContain}
	r := &pressRenderer{p}
	r.Refresh()
	return r
}

type pressRenderer struct{ p *Press }

func (r *pressRenderer) Destroy() {}

func (r *pressRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.p.bg, r.p.ring, r.p.img, r.p.text, r.p.keyBox, r.p.keyText}
}

func (r *pressRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.p.WidthFor(360), r.p.height())
}

func (r *pressRenderer) Layout(size fyne.Size) {
	p := r.p
	place(p.bg, 0, 0, size.Width, size.Height)
	place(p.ring, 0, 0, size.Width, size.Height)
	icon := p.iconSize()
	if p.Label == "" {
		place(p.img, (size.Width-icon)/2, (size.Height-icon)/2, icon, icon)
		p.text.Hide()
		p.keyBox.Hide()
		p.keyText.Hide()
		return
	}
	p.text.Show()
	want := p.WidthFor(1e6)
	x := p.padX()
	if size.Width > want {
		x += (size.Width - want) / 2
	}
	if p.Icon != "" {
		place(p.img, x-1, (size.Height-icon)/2, icon, icon)
		x += icon + 6
	}
	h := fyne.MeasureText("M", p.textSize(), p.textStyle()).Height
	room := size.Width - x - p.padX() + 2
	if p.Key != "" {
		room -= p.keySize() + 6
	}
	p.text.Text = ellipsis(p.Label, p.textSize(), p.textStyle(), room)
	tw := measure(p.text.Text, p.textSize(), p.textStyle())
	place(p.text, x, (size.Height-h)/2, tw, h)
	if p.Key != "" {
		kx := x + tw + 7
		ks := p.keySize()
		place(p.keyBox, kx, (size.Height-ks)/2, ks, ks)
		kh := fyne.MeasureText("M", p.keyText.TextSize, fyne.TextStyle{}).Height
		place(p.keyText, kx, (size.Height-kh)/2, ks, kh)
		p.keyBox.Show()
		p.keyText.Show()
	} else {
		p.keyBox.Hide()
		p.keyText.Hide()
	}
}

func (r *pressRenderer) Refresh() {
	p := r.p
	var fill fyne.ThemeColorName
	ink := theme.ColorInk
	switch {
	case p.Style == Primary && p.hot:
		fill, ink = theme.ColorAccentHot, theme.ColorOnAccent
	case p.Style == Primary:
		fill, ink = theme.ColorAccent, theme.ColorOnAccent
	case p.Style == Danger && p.hot:
		fill, ink = theme.ColorDanger, theme.ColorOnDanger
	case p.Style == Danger:
		fill, ink = theme.Tint("error"), theme.Tone("error")
	case p.hot:
		fill = theme.ColorButtonHot
	case p.Chosen && p.Style == Plain:
		fill = theme.ColorCard
	case p.Chosen:
		fill = theme.ColorChosen
	case p.Style == Quiet:
		ink = theme.ColorInkSoft
	default:
		fill = theme.ColorButton
	}
	if p.Chosen {
		ink = theme.ColorAccent
	}
	if p.Disabled {
		fill, ink = base.ColorNameDisabledButton, base.ColorNameDisabled
	}
	radius := float32(7)
	if p.Small {
		radius = 6
	}
	p.bg.CornerRadius, p.ring.CornerRadius, p.keyBox.CornerRadius = radius, radius, 4
	p.bg.FillColor = nil
	if fill != "" {
		p.bg.FillColor = theme.At(fill)
	}
	p.ring.FillColor, p.ring.StrokeWidth = nil, 0
	switch {
	case p.Style == Plain && p.Chosen:
		p.ring.StrokeColor, p.ring.StrokeWidth = theme.At(theme.ColorFocus), 1.5
	case p.Style == Plain && !p.Disabled:
		p.ring.StrokeColor, p.ring.StrokeWidth = theme.At(theme.ColorLine), 1
	}
	if p.focused {
		p.ring.StrokeColor, p.ring.StrokeWidth = theme.At(theme.ColorFocus), 2
	}
	p.text.Color, p.text.TextSize, p.text.TextStyle = theme.At(ink), p.textSize(), p.textStyle()
	p.keyText.Text, p.keyText.TextSize, p.keyText.Color, p.keyText.Alignment = p.Key, base.Size(theme.SizeCaption)-1, theme.At(ink), fyne.TextAlignCenter
	p.keyBox.FillColor, p.keyBox.StrokeColor, p.keyBox.StrokeWidth = nil, alphaOf(theme.At(ink), 0x66), 1
	if p.Icon != "" {
		p.img.Resource = theme.Symbol(p.Icon, ink)
		p.img.Show()
		p.img.Refresh()
	} else {
		p.img.Hide()
	}
	r.Layout(p.Size())
	for _, o := range []fyne.CanvasObject{p.bg, p.ring, p.text, p.keyBox, p.keyText} {
		o.Refresh()
	}
}

// Button is a Press that takes the keyboard: Tab reaches it, Space and Return press it.
type Button struct {
	Press
	keyDowns
	keys func(*fyne.KeyEvent) bool // of the form around it, which has them first; nil: there is none
}

var _ fyne.Focusable = (*Button)(nil)

// NewButton makes a button.
func NewButton(label string, style Style, tap func()) *Button {
	b := &Button{Press: Press{Label: label, Style: style, OnTap: tap}}
	b.ExtendBaseWidget(b)
	return b
}

// NewIconButton makes a button that is a symbol with, or without, a label.
func NewIconButton(icon, label string, tap func()) *Button {
	b := &Button{Press: Press{Label: label, Icon: icon, Style: Quiet, OnTap: tap}}
	b.ExtendBaseWidget(b)
	return b
}

// FocusGained is the toolkit's.
func (b *Button) FocusGained() { b.focused = true; b.Refresh() }

// FocusLost is the toolkit's.
func (b *Button) FocusLost() { b.focused = false; b.Refresh() }

// TypedRune is the toolkit's.
func (b *Button) TypedRune(r rune) { passOn(b, r) }

// AcceptsTab is the toolkit's: in a form, Tab goes on inside of it.
func (b *Button) AcceptsTab() bool { return b.keys != nil }

// TypedKey is the toolkit's.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	if b.keys != nil && b.keys(e) {
		return
	}
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	case fyne.KeyEscape, fyne.KeyPageDown, fyne.KeyPageUp, fyne.KeyHome, fyne.KeyEnd:
		letGo(b, e) // what is around it closes something, or scrolls
	}
}

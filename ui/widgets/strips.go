package widgets

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Tabs is the strip of the places of the rail; it scrolls sideways where there are many.
type Tabs struct {
	widget.BaseWidget
	env      *Env
	OnChoose func(place notify.Place)
	row      *fyne.Container
	scroll   *container.Scroll
	last     []vm.Tab
}

// NewTabs makes an empty strip.
func NewTabs(env *Env) *Tabs {
	t := &Tabs{env: env, row: container.NewHBox()}
	t.scroll = container.NewHScroll(t.row)
	t.ExtendBaseWidget(t)
	return t
}

// Set shows tabs.
func (t *Tabs) Set(tabs []vm.Tab) {
	if equalTabs(t.last, tabs) {
		return
	}
	t.last = tabs
	t.row.Objects = nil
	for _, tab := range tabs {
		label := t.env.Tr(tab.Label)
		if tab.Name != "" {
			label = tab.Name
		}
		if tab.Count > 0 {
			label += "  " + strconv.Itoa(tab.Count)
		}
		b := NewButton(label, Quiet, func() { call(t.OnChoose, tab.Place) })
		b.Small, b.Chosen = true, tab.Chosen
		switch tab.Place.Kind {
		case notify.PlaceTag:
			b.Icon = "tag"
		case notify.PlaceMuted:
			b.Icon = "mute"
		case notify.PlaceSnoozed:
			b.Icon = "snooze"
		}
		t.row.Objects = append(t.row.Objects, b)
	}
	t.row.Refresh()
	t.scroll.Refresh()
}

func equalTabs(a, b []vm.Tab) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// CreateRenderer is the toolkit's.
func (t *Tabs) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	return widget.NewSimpleRenderer(t.scroll)
}

// Banner is a line across a window that says something about Signalbox itself.
type Banner struct {
	widget.BaseWidget
	tone   string
	bg     *box
	icon   *Symbol
	text   *Text
	action *Button
	close  *Button
	objs   []fyne.CanvasObject
}

// NewBanner makes a banner; action "" and close nil leave those out.
func NewBanner(tone, icon, text, action string, do, close func()) *Banner {
	b := &Banner{tone: tone, bg: newBox(theme.Tint(tone), 8), icon: NewSymbol(icon, theme.Tone(tone), 18),
		text: NewText(text, Look{Size: theme.SizeBody, Color: theme.ColorInk, Max: 8})}
	if action != "" {
		b.action = NewButton(action, Plain, do)
		b.action.Small = true
	}
	if close != nil {
		b.close = NewIconButton("x", "", close)
		b.close.Small = true
	}
	b.ExtendBaseWidget(b)
	return b
}

// HeightFor is the height at a width.
func (b *Banner) HeightFor(width float32) float32 { return b.arrange(width, false) }

func (b *Banner) arrange(width float32, put bool) float32 {
	left, right := float32(40), width-10
	var aw, cw float32
	if b.close != nil {
		cw = b.close.height()
		right -= cw + 4
	}
	if b.action != nil {
		aw = b.action.WidthFor(width / 2)
		right -= aw + 8
	}
	below := right-left < 160 && b.action != nil
	if below {
		right += aw + 8
	}
	th := b.text.HeightFor(right - left)
	h := max(th+18, 36)
	if !put {
		if below {
			return h + b.action.height() + 6
		}
		return h
	}
	total := h
	b.objs = []fyne.CanvasObject{b.bg.Rectangle, b.icon, b.text}
	place(b.icon, 12, h/2-9, 18, 18)
	place(b.text, left, (h-th)/2, right-left, th)
	if b.action != nil {
		bh := b.action.height()
		if below {
			place(b.action, left, h-4, aw, bh)
			total = h + bh + 6
		} else {
			place(b.action, right+8, (h-bh)/2, aw, bh)
		}
		b.objs = append(b.objs, b.action)
	}
	if b.close != nil {
		place(b.close, width-10-cw, (h-cw)/2, cw, cw)
		b.objs = append(b.objs, b.close)
	}
	b.bg.place(0, 0, width, total)
	return total
}

// CreateRenderer is the toolkit's.
func (b *Banner) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return &bannerRenderer{b}
}

type bannerRenderer struct{ b *Banner }

func (r *bannerRenderer) Destroy()                     {}
func (r *bannerRenderer) Objects() []fyne.CanvasObject { return r.b.objs }
func (r *bannerRenderer) MinSize() fyne.Size {
	return fyne.NewSize(160, r.b.HeightFor(max(r.b.Size().Width, 160)))
}
func (r *bannerRenderer) Layout(size fyne.Size) { r.b.arrange(size.Width, true) }
func (r *bannerRenderer) Refresh() {
	r.b.bg.paint()
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}

// Snack is a short word at the foot of a window: what was done, and how to undo it.
type Snack struct {
	widget.BaseWidget
	bg     *box
	text   *Text
	action *snackAction
	objs   []fyne.CanvasObject
}

type snackAction struct{ Press }

// NewSnack makes a hidden snack.
func NewSnack() *Snack {
	s := &Snack{bg: newBox(theme.ColorSnack, 10), text: NewText("", Look{Size: theme.SizeBody, Color: theme.ColorOnSnack, Max: 2})}
	s.ExtendBaseWidget(s)
	s.Hide()
	return s
}

// Say shows a word; action "" leaves the button out.
func (s *Snack) Say(text, action string, do func()) {
	s.text.SetText(text)
	s.action = nil
	if action != "" {
		s.action = &snackAction{Press{Label: action, Style: Primary, OnTap: do, Small: true}}
		s.action.ExtendBaseWidget(s.action)
	}
	s.Show()
	s.Refresh()
}

// Text is what it says.
func (s *Snack) Text() string { return s.text.Content() }

// Act presses the button, if there is one.
func (s *Snack) Act() {
	if s.action != nil {
		s.action.Tapped(nil)
	}
}

// WantWidth is the width that the snack takes of what there is.
func (s *Snack) WantWidth(room float32) float32 {
	w := s.text.Width() + 36
	if s.action != nil {
		w += s.action.WidthFor(160) + 16
	}
	return min(w, room)
}

// HeightFor is the height at a width.
func (s *Snack) HeightFor(width float32) float32 { return s.arrange(width, false) }

func (s *Snack) arrange(width float32, put bool) float32 {
	right := width - 16
	aw := float32(0)
	if s.action != nil {
		aw = s.action.WidthFor(160)
		right -= aw + 12
	}
	th := s.text.HeightFor(right - 16)
	h := max(th+20, 40)
	if put {
		s.bg.place(0, 0, width, h)
		place(s.text, 16, (h-th)/2, right-16, th)
		s.objs = []fyne.CanvasObject{s.bg.Rectangle, s.text}
		if s.action != nil {
			bh := s.action.height()
			place(s.action, right+8, (h-bh)/2, aw, bh)
			s.objs = append(s.objs, s.action)
		}
	}
	return h
}

// CreateRenderer is the toolkit's.
func (s *Snack) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return &snackRenderer{s}
}

type snackRenderer struct{ s *Snack }

func (r *snackRenderer) Destroy()                     {}
func (r *snackRenderer) Objects() []fyne.CanvasObject { return r.s.objs }
func (r *snackRenderer) MinSize() fyne.Size {
	return fyne.NewSize(120, r.s.HeightFor(max(r.s.Size().Width, 120)))
}
func (r *snackRenderer) Layout(size fyne.Size) { r.s.arrange(size.Width, true) }
func (r *snackRenderer) Refresh() {
	r.s.bg.paint()
	r.Layout(r.s.Size())
	canvas.Refresh(r.s)
}

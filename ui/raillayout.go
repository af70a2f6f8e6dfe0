package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"

	"signalbox/assets"
	"signalbox/ui/theme"
	"signalbox/ui/widgets"
)

func appIcon() []byte { return assets.AppIconSVG() }

// The widths at which the rail window changes its shape.
const (
	narrowWidth = 640  // below: one pane; the sidebar is a drawer, the detail covers the rail
	wideWidth   = 1120 // from here on: the detail stands beside the rail, else under it
)

// textScale is how much larger the owner wants text than it was drawn: panes need more room for it.
func textScale() float32 { return max(base.Size(theme.SizeBody)/13, 1) }

// railLayout places the panes of the rail window for its width.
type railLayout struct {
	r *railWindow
	c *fyne.Container

	drawer, searching          bool
	menu, searchBtn            fyne.CanvasObject
	tools                      []fyne.CanvasObject
	mark                       *canvas.Image
	sideGround                 *canvas.Rectangle
	vline, hline, dline        *canvas.Rectangle
	shade                      *widgets.TapGround
	size                       fyne.Size
	wasDetail, wasBar, wasSnak bool
	wasFull, wasUnder          bool
	wasFoot                    float32
}

func (l *railLayout) widget() fyne.CanvasObject {
	l.c = container.New(l)
	l.paint()
	return l.c
}

// again lays everything out once more.
func (l *railLayout) again() {
	if l.c != nil && l.size.Width > 0 {
		l.Layout(nil, l.size)
		l.c.Refresh()
	}
}

// narrow reports whether there is room for one pane only.
func (l *railLayout) narrow() bool { return l.size.Width < narrowWidth*textScale() }

// under reports whether the detail stands under the rail.
func (l *railLayout) under() bool {
	return !l.narrow() && l.size.Width < wideWidth*textScale()
}

// beside reports whether the detail stands beside the rail.
func (l *railLayout) beside() bool { return l.size.Width >= wideWidth*textScale() }

// railHidden reports whether the detail stands in the place of the cards.
func (l *railLayout) railHidden() bool {
	return l.r.detail.open() && (l.narrow() || l.under() && l.r.detail.full)
}

// follow lays out again only if what is there changed.
func (l *railLayout) follow() {
	d, b, s := l.r.detail.open(), l.r.bar.Visible(), l.r.snack.Visible()
	if d != l.wasDetail || b != l.wasBar || s != l.wasSnak || l.r.detail.full != l.wasFull || s && l.r.detail.view.FootHeight() != l.wasFoot {
		l.again()
	}
}

func (l *railLayout) paint() {
	l.sideGround.FillColor = theme.At(theme.ColorSide)
	for _, r := range []*canvas.Rectangle{l.vline, l.hline, l.dline} {
		r.FillColor = theme.At(theme.ColorLine)
	}
	l.shade.Paint()
}

// MinSize lets the window be as narrow as a phone.
func (l *railLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(340, 360) }

func put(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

const headerHeight = 56

// Layout places the panes.
func (l *railLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.size = size
	r := l.r
	l.paint()
	if r.u.snap != nil {
		r.title.SetText(r.heading())
	}
	narrow, wide := l.narrow(), l.beside()
	if !narrow {
		l.drawer = false
	}
	detail := r.detail.open()
	var objs []fyne.CanvasObject
	add := func(o fyne.CanvasObject, x, y, w, h float32) {
		put(o, x, y, w, h)
		objs = append(objs, o)
	}

	left := float32(0)
	sideW := min(max(size.Width*0.24, 216*textScale()), 300*textScale())
	if !narrow {
		add(l.sideGround, 0, 0, sideW, size.Height)
		add(l.mark, 14, 14, 28, 28)
		add(r.title, 52, 28-r.title.HeightFor(200)/2, sideW-60, r.title.HeightFor(200))
		add(r.side, 0, headerHeight, sideW, size.Height-headerHeight)
		add(l.vline, sideW, 0, 1, size.Height)
		left = sideW + 1
	}
	right := size.Width
	if wide && detail {
		dw := min(max(size.Width*0.36, 400), 620)
		right = size.Width - dw
		add(l.dline, right-1, 0, 1, size.Height)
		add(r.detail.pane(), right, 0, dw, size.Height)
	}

	// The header: tabs at the left, tools at the right; in a narrow window the title takes the place of
	// the tabs, which get a row of their own.
	x := left + 12
	tw := float32(0)
	bs := l.menu.MinSize()
	for _, t := range l.tools {
		if t == l.searchBtn && l.searching {
			continue
		}
		tw += bs.Width + 2
	}
	tx := right - 8 - tw
	for _, t := range l.tools {
		if t == l.searchBtn && l.searching {
			continue
		}
		add(t, tx, (headerHeight-bs.Height)/2, bs.Width, bs.Height)
		tx += bs.Width + 2
	}
	tx = right - 8 - tw
	if narrow {
		add(l.menu, x-4, (headerHeight-bs.Height)/2, bs.Width, bs.Height)
		x += bs.Width + 4
	}
	eh := r.search.MinSize().Height
	th := r.tabs.MinSize().Height
	y := float32(headerHeight)
	switch {
	case l.searching:
		add(r.search, x, (headerHeight-eh)/2, max(tx-x-8, 60), eh)
		if narrow {
			add(r.tabs, 12, y, size.Width-24, th)
			y += th + 6
		}
	case narrow:
		add(r.title, x+4, headerHeight/2-r.title.HeightFor(200)/2, max(tx-x-12, 20), r.title.HeightFor(200))
		add(r.tabs, 12, y, size.Width-24, th)
		y += th + 6
	default:
		add(r.tabs, x, (headerHeight-th)/2, max(tx-x-8, 60), th)
	}
	add(l.hline, left, y-1, right-left, 1)
	under := detail && !wide && !narrow
	covered := under && r.detail.full
	if h := r.notices.HeightFor(right - left - 24); h > 0 && !covered {
		add(r.notices, left+12, y+8, right-left-24, h)
		y += h + 10
	}
	bottom := size.Height
	if under {
		dh := max(size.Height*0.45, 220)
		if covered {
			dh = size.Height - headerHeight
		}
		bottom = size.Height - dh
		add(l.dline, left, bottom, right-left, 1)
		add(r.detail.pane(), left, bottom+1, right-left, dh-1)
	}
	if r.bar.Visible() {
		bw := right - left - 32
		h := r.bar.HeightFor(bw)
		bottom -= h + 16
		add(r.bar, left+16, bottom+8, bw, h)
	}
	hidden := covered || narrow && detail
	snackW, snackH := float32(0), float32(0)
	if r.snack.Visible() {
		snackW = r.snack.WantWidth(right - left - 32)
		snackH = r.snack.HeightFor(snackW)
	}
	// It lies on nothing that can be pressed: the cards make room, or the text of the detail that stands in their place.
	snackY := size.Height - r.detail.view.FootHeight() - snackH - 8
	room := float32(0)
	switch {
	case snackH > 0 && hidden:
		room = snackH + 16
	case snackH > 0:
		bottom -= snackH + 16
		snackY = bottom + 8
	}
	r.detail.view.SetRoom(room)
	if !covered {
		cards := fyne.CanvasObject(r.feed)
		if r.first != nil {
			cards = r.first.pane
		}
		add(cards, left, y, right-left, max(bottom-y, 40))
	}
	if narrow && detail { // it covers everything, and nothing under it can be pressed
		objs = nil
		add(r.detail.pane(), 0, 0, size.Width, size.Height)
	}
	if narrow && l.drawer {
		add(l.shade, 0, 0, size.Width, size.Height)
		dw := min(size.Width*0.82, 320)
		add(l.sideGround, 0, 0, dw, size.Height)
		add(l.mark, 14, 14, 28, 28)
		add(r.side, 0, headerHeight, dw, size.Height-headerHeight)
	}
	if snackH > 0 {
		add(r.snack, left+(right-left-snackW)/2, snackY, snackW, snackH)
	}
	if u := l.under(); u != l.wasUnder { // the detail's own buttons depend on where it stands
		l.wasUnder = u
		r.u.dispatch(func() {
			if r.detail.open() {
				r.detail.draw()
			}
		})
	}
	l.wasFoot = r.detail.view.FootHeight()
	l.wasDetail, l.wasBar, l.wasSnak, l.wasFull = detail, r.bar.Visible(), r.snack.Visible(), r.detail.full
	l.c.Objects = objs
}

package ui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// settingsWindow is where the owner decides. Everything takes effect at once; what needs a restart says so.
type settingsWindow struct {
	u   *UI
	win fyne.Window

	page   string
	pages  []settingsPage
	nav    []*widgets.Button
	tabs   []*widgets.Button // the same in the strip of a narrow window
	col    *widgets.Column
	pane   *widgets.Pane
	navCol *widgets.Column
	strip  *container.Scroll
	layout *settingsLayout
	note   string
	waits  string // the page that is there as soon as something was read; empty: none
	token  string // a new token, shown this once
	tokOf  string
	agents []Agent
	facts  []Fact
	busy   map[string]bool
	result map[string]string
	drafts drafts
	shown  any             // what the page shows of the center
	moving []func() bool   // bring up to date what moves on it, and say whether anything changed
	fresh  map[string]bool // agents that were connected just now
	// unfound says that the agents that are not on this computer are shown too.
	unfound bool
	sought  time.Time // when it was looked last which agents there are
	seeking bool
}

type settingsPage struct {
	name, icon, title string
	fill              func(*settingsWindow)
	there             bool
}

func (u *UI) showSettings(page string) {
	if u.sets == nil {
		u.sets = newSettingsWindow(u)
	}
	s := u.sets
	if page == "" {
		page = s.page
	}
	s.win.Show()
	u.markOpen("settings", true)
	s.open(page)
}

func newSettings(u *UI, win fyne.Window) *settingsWindow {
	return &settingsWindow{u: u, win: win, page: "connect", drafts: drafts{}, busy: map[string]bool{}, result: map[string]string{}, fresh: map[string]bool{}}
}

func newSettingsWindow(u *UI) *settingsWindow {
	s := newSettings(u, u.app.NewWindow("Signalbox — "+u.t("settings.title")))
	s.build()
	s.win.SetPadded(false)
	s.win.Resize(u.prefs.size("settings", 900, 680))
	s.win.SetCloseIntercept(s.hide)
	return s
}

// newFirstRun is the page that connects an agent, in the window of the rail: what a newcomer sees first.
func newFirstRun(r *railWindow) *settingsWindow {
	s := newSettings(r.u, r.win)
	s.pages = []settingsPage{{"connect", "plus", "first.welcome", func(s *settingsWindow) {
		s.connectPage()
		s.col.Add(widgets.NewGap(4), widgets.NewRow(8, widgets.NewButton(s.u.t("first.done"), widgets.Primary, r.endFirstRun)))
	}, true}}
	s.rebuild()
	return s
}

// rebuild makes the welcome anew, in another appearance or language.
func (s *settingsWindow) rebuild() {
	s.newPane()
	s.fill()
}

func (s *settingsWindow) newPane() {
	s.col = widgets.NewColumn(10).Padded(28, 22)
	s.col.MaxWidth = 720
	s.pane = widgets.NewPane(s.col)
}

// endFirstRun puts the cards in the place of the welcome, for good.
func (r *railWindow) endFirstRun() {
	if r.first == nil {
		return
	}
	r.first = nil
	r.u.prefs.setFirstRunDone()
	r.layout.again()
}

func (s *settingsWindow) hide() {
	if s == nil || !s.u.open["settings"] {
		return
	}
	s.u.prefs.setSize("settings", s.win.Canvas().Size())
	s.token = ""
	clear(s.drafts)
	s.win.Hide()
	s.u.markOpen("settings", false)
}

func (s *settingsWindow) build() {
	u := s.u
	s.pages = []settingsPage{
		{"connect", "plus", "settings.connect", (*settingsWindow).connectPage, true},
		{"connections", "connection", "settings.connections", (*settingsWindow).connectionsPage, true},
		{"told", "bell", "settings.told", (*settingsWindow).toldPage, true},
		{"rules", "filter", "settings.rules", (*settingsWindow).rulesPage, true},
		{"quiet", "mute", "settings.quiet", (*settingsWindow).quietPage, true},
		{"keep", "history", "settings.keep", (*settingsWindow).keepPage, true},
		{"look", "settings", "settings.look", (*settingsWindow).lookPage, true},
		{"doctor", "terminal", "settings.doctor", (*settingsWindow).doctorPage, u.o.Doctor != nil},
		{"about", "info", "settings.about", (*settingsWindow).aboutPage, true},
	}
	s.newPane()
	s.nav, s.tabs = nil, nil
	strip := container.NewHBox()
	s.navCol = widgets.NewColumn(2).Padded(10, 14)
	for _, p := range s.pages {
		if !p.there {
			continue
		}
		b := widgets.NewNavButton(p.icon, u.t(p.title), func() { s.open(p.name) })
		s.nav = append(s.nav, &b.Button)
		s.navCol.Add(b)
		small := widgets.NewIconButton(p.icon, u.t(p.title), func() { s.open(p.name) })
		small.Small = true
		s.tabs = append(s.tabs, small)
		strip.Add(small)
	}
	s.strip = container.NewHScroll(strip)
	s.layout = &settingsLayout{s: s, side: canvas.NewRectangle(nil), line: canvas.NewRectangle(nil)}
	s.layout.c = container.New(s.layout)
	s.win.SetContent(s.layout.c)
	s.win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if !u.asking(s.win, e) && e.Name == fyne.KeyEscape {
			s.hide()
		}
	})
	u.shortcuts(s.win, nil, s.hide)
	s.open(s.page)
}

// open shows a page.
func (s *settingsWindow) open(page string) {
	turned := s.page != page
	s.page = page
	s.agents = nil // sigbox setup may have run meanwhile
	if turned {
		s.token, s.note = "", ""
	}
	i := 0
	for _, p := range s.pages {
		if !p.there {
			continue
		}
		for _, b := range []*widgets.Button{s.nav[i], s.tabs[i]} {
			b.Chosen = p.name == page
			b.Refresh()
		}
		i++
	}
	s.revealTab()
	s.fill()
	if turned {
		s.pane.Top()
	}
}

// ofCenter are the pages that show, and change, what the center has.
var ofCenter = map[string]bool{"connections": true, "told": true, "rules": true, "quiet": true, "keep": true}

// unread stands in the place of such a page before anything was read: nothing is shown as empty that was not read, and
// nothing can be changed.
func (s *settingsWindow) unread() {
	u := s.u
	s.waits = s.page
	if u.failed == nil {
		s.col.Add(caption(u.t("state.loading")))
		return
	}
	s.col.Add(widgets.NewBanner("error", "offline", u.tr(vm.Trouble(u.failed)), u.t("state.retry"), u.loop.touch, nil))
}

// changed follows a change that was asked for here: the page shows what is so now.
func (s *settingsWindow) changed(err error) {
	if err != nil {
		s.note = s.u.tr(vm.Trouble(err))
	}
	s.again()
}

// again reads what is so, and makes the page anew.
func (s *settingsWindow) again() { s.u.reread(s.fill) }

// fill makes the page anew from what was read last.
func (s *settingsWindow) fill() {
	s.waits = ""
	s.shown, s.moving = s.shows(), nil
	s.col.Set()
	for _, p := range s.pages {
		if p.name == s.page {
			s.col.Add(widgets.NewText(s.u.t(p.title), widgets.Look{Size: theme.SizeHero, Color: theme.ColorInk, Bold: true}))
			if s.u.snap == nil && ofCenter[p.name] {
				s.unread()
			} else {
				p.fill(s)
			}
		}
	}
	if s.note != "" {
		s.col.Add(widgets.NewBanner("info", "info", s.note, "", nil, func() { s.note = ""; s.fill() }))
	}
	s.pane.Relayout()
}

// revealTab scrolls the strip so far that the page that is shown is seen in it.
func (s *settingsWindow) revealTab() {
	i := slices.IndexFunc(s.tabs, func(b *widgets.Button) bool { return b.Chosen })
	if i < 0 {
		return
	}
	left, right := s.tabs[i].Position().X, s.tabs[i].Position().X+s.tabs[i].Size().Width
	switch room := s.strip.Size().Width; {
	case left < s.strip.Offset.X:
		s.strip.ScrollToOffset(fyne.NewPos(left, 0))
	case right > s.strip.Offset.X+room:
		s.strip.ScrollToOffset(fyne.NewPos(right-room, 0))
	}
}

func (s *settingsWindow) say(text string) {
	s.note = text
	s.fill()
}

// settingsLayout places the pages: a list at the left, or a strip above in a narrow window.
type settingsLayout struct {
	s          *settingsWindow
	c          *fyne.Container
	side, line *canvas.Rectangle
}

// MinSize lets the window be narrow.
func (l *settingsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(340, 360) }

// Layout places the panes.
func (l *settingsLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	s := l.s
	l.side.FillColor, l.line.FillColor = theme.At(theme.ColorSide), theme.At(theme.ColorLine)
	if size.Width < narrowWidth*textScale() {
		s.col.PadX = 16
		h := s.strip.MinSize().Height
		put(s.strip, 8, 8, size.Width-16, h)
		s.revealTab()
		put(l.line, 0, h+15, size.Width, 1)
		put(s.pane, 0, h+16, size.Width, size.Height-h-16)
		l.c.Objects = []fyne.CanvasObject{s.strip, l.line, s.pane}
		return
	}
	s.col.PadX = 28
	w := min(max(size.Width*0.26, 190*textScale()), 250*textScale())
	put(l.side, 0, 0, w, size.Height)
	put(s.navCol, 0, 0, w, size.Height)
	put(l.line, w, 0, 1, size.Height)
	put(s.pane, w+1, 0, size.Width-w-1, size.Height)
	l.c.Objects = []fyne.CanvasObject{l.side, s.navCol, l.line, s.pane}
}

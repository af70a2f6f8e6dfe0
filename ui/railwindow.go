package ui

import (
	"maps"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// railWindow is the main window: the map of the lines at the left, the rail, and the detail of what is selected.
type railWindow struct {
	u   *UI
	win fyne.Window

	side    *widgets.Sidebar
	feed    *widgets.Feed
	tabs    *widgets.Tabs
	search  *searchEntry
	notices *widgets.Column
	detail  *detailPane
	snack   *widgets.Snack
	bar     *widgets.Row // what can be done with several
	layout  *railLayout
	first   *settingsWindow // how to connect an agent, in the place of the cards; nil: the cards are there
	title   *widgets.Text
	quiet   *widgets.Button

	filter   vm.RailFilter
	view     vm.RailView
	selected string
	closed   map[string]bool // notices that the owner closed
	drafts   map[string]vm.Draft
	answered map[string]notify.Expectation // what was answered last of each item, while it is among what is current
	formFor  string                        // the card whose form is open; "": none
	form     *widgets.AnswerForm
	formRev  int
	greeting bool // a newcomer is welcomed when it is known that there is one
	formHere bool // it was asked for in the detail, and stands there
	snackNo  int
	offered  string // the item that what is said leads to; empty: to none
	undoing  func() // undoes what was done last; nil: it is too late
	undoNo   int
	armedNo  int
	downKey  fyne.KeyName      // that went down last, until it is let go of; empty: not known
	armedKey fyne.KeyName      // that of the first of two presses
	letGoOf  bool              // it was let go of
	reveal   string            // to be brought into view with the next picture
	want     *want             // to be chosen when it is there; nil: nothing
	asked    map[string]bool   // what the session that is looked at asked already
	askedIn  notify.SessionRef // that session
	focused  notify.SessionRef
	shownOf  view  // what the last picture was of
	toTop    bool  // it was opened anew, and begins at its top
	opened   int64 // a reading with a higher number was begun since
}

func (u *UI) showRail(id string) {
	if u.rail == nil {
		u.rail = newRailWindow(u)
	}
	r := u.rail
	if id != "" {
		r.showItem(id)
	}
	r.win.Show()
	if !u.open["rail"] && id == "" {
		r.opened, r.toTop = u.readings.Load(), true
		r.feed.Top()
	}
	u.markOpen("rail", true)
	r.arm()
	if u.snap != nil {
		r.render()
	}
	switch {
	case id != "":
		r.greeting = false
		r.endFirstRun()
	case u.o.Agents != nil:
		r.greeting = true
	}
}

// greet welcomes a newcomer, when it is known that nothing is connected.
func (r *railWindow) greet() {
	due := r.greeting
	r.greeting = false
	if !due || r.first != nil || r.u.prefs.firstRunDone() || len(r.u.connections()) > 0 {
		return
	}
	r.first = newFirstRun(r)
	r.layout.again()
}

// arm makes what decides inert for a moment: the window comes under the pointer.
func (r *railWindow) arm() {
	r.feed.Arm()
	r.detail.arm()
	if r.form != nil {
		r.form.Arm()
	}
}

func newRailWindow(u *UI) *railWindow {
	r := &railWindow{u: u, closed: map[string]bool{}, drafts: map[string]vm.Draft{}, answered: map[string]notify.Expectation{}}
	r.win = u.app.NewWindow("Signalbox")
	r.build()
	r.win.SetPadded(false)
	r.win.Resize(u.prefs.size("rail", 960, 760))
	r.win.SetCloseIntercept(r.hide)
	return r
}

// build makes the content; a change of language or appearance makes it anew.
func (r *railWindow) build() {
	u := r.u
	r.side = widgets.NewSidebar(u.env)
	r.side.OnChoose = r.chooseSide
	r.side.OnMenu = r.sideMenu
	r.feed = widgets.NewFeed(u.env)
	r.feed.Selected = r.selected
	r.feed.Form = r.formOf
	r.feed.OnSelect = r.selectItem
	r.feed.OnMove = r.moveTo
	r.feed.OnMark = r.mark
	r.feed.OnMenu = r.itemMenu
	r.feed.OnDismiss = r.dismiss
	r.feed.OnPress = r.press
	r.feed.OnJump = r.jump
	r.feed.OnEmpty = r.emptyAction
	r.feed.OnClear = r.clear
	r.feed.OnFold = r.fold
	r.feed.OnSweep = r.sweep
	r.feed.OnKey = r.typedKey
	r.feed.OnRune = r.typedRune
	r.tabs = widgets.NewTabs(u.env)
	r.tabs.OnChoose = func(p notify.Place) { r.filter.Place = p; r.render() }
	r.search = newSearchEntry(u.t("rail.search"))
	r.search.SetText(r.filter.Text)
	r.search.OnChanged = r.searchFor
	r.search.OnEscape = r.endSearch
	r.notices = widgets.NewColumn(6)
	was, open := r.detail, r.layout != nil && r.layout.searching
	r.detail = newDetailPane(r)
	r.snack = widgets.NewSnack()
	r.bar = widgets.NewRow(6)
	heading := widgets.LookHeading
	heading.Max = 1
	r.title = widgets.NewText("Signalbox", heading)

	icon := widgets.NewIconButton
	l := &railLayout{r: r, searching: open}
	r.layout = l
	l.menu = icon("menu", "", func() { l.drawer = !l.drawer; l.again() })
	l.searchBtn = icon("search", "", r.startSearch)
	r.quiet = icon("bell", "", r.quietMenu)
	l.tools = []fyne.CanvasObject{
		l.searchBtn, r.quiet,
		icon("history", "", u.showHistory),
		icon("settings", "", func() { u.showSettings("") }),
		icon("more", "", r.moreMenu),
	}
	l.mark = canvas.NewImageFromResource(fyne.NewStaticResource("app.svg", appIcon()))
	l.sideGround = canvas.NewRectangle(nil)
	l.shade = widgets.NewTapGround(func() { l.drawer = false; l.again() })
	l.vline, l.hline, l.dline = canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	r.win.SetContent(l.widget())
	r.shortcuts()
	if r.first != nil {
		r.first.rebuild() // with the token in it, which is shown once
	}
	if was != nil && was.open() {
		r.detail.replace(was)
	}
	r.banners()
	r.render()
}

// hide is what closing the window does: it is saved, hidden, and goes on in the tray.
func (r *railWindow) hide() {
	if r == nil || !r.u.open["rail"] {
		return
	}
	r.u.prefs.setSize("rail", r.win.Canvas().Size())
	r.win.Hide()
	r.u.markOpen("rail", false)
}

// render lays the rail out from the last snapshot.
func (r *railWindow) render() {
	u := r.u
	s := u.snap
	if s == nil && u.failed != nil {
		r.feed.Set([]vm.Row{r.failedRow()})
		return
	}
	if s == nil {
		r.feed.Set([]vm.Row{{Kind: vm.RowEmpty, ID: "loading", Empty: &vm.Empty{Icon: "clock", Title: vm.M("state.loading")}}})
		return
	}
	r.followFocus()
	r.view = vm.Rail(s, &u.memory, r.filter)
	r.chooseWanted()
	if r.first != nil && r.first.token == "" && len(s.Active())+len(s.Elsewhere) > 0 {
		r.endFirstRun() // an agent is at work: what it says comes before the welcome
	}
	rows := r.view.Rows
	if u.failed != nil && len(r.view.Shown) == 0 {
		rows = []vm.Row{r.failedRow()}
	}
	r.checkForm()
	maps.DeleteFunc(r.answered, func(id string, _ notify.Expectation) bool { return r.record(id) == nil })
	if len(r.drafts) > maxDrafts { // one that was sent stays for a while: the agent may refuse it, and it is gone on with (I3)
		maps.DeleteFunc(r.drafts, func(id string, _ vm.Draft) bool { return r.record(id) == nil })
	}
	r.dropMarks()
	r.feed.Set(rows)
	r.chooseArrived()
	if now := (view{s.Focus, r.filter}); now != r.shownOf {
		r.shownOf = now
		r.feed.Top()
	}
	if r.toTop && u.fresh && s.Reading > r.opened {
		r.toTop = false
		r.feed.Top() // what came while it was closed is above what it showed then
	}
	r.tabs.Set(r.view.Tabs)
	if r.offered != "" && r.chosen() == r.offered { // one is there already
		r.offered = ""
		r.snack.Hide()
	}
	r.side.Set(vm.SidebarOf(s, &u.memory, r.filter.Connection))
	quiet := "bell"
	if s.Settings.QuietUntil.After(s.At) {
		quiet = "mute"
	}
	if r.quiet.Icon != quiet {
		r.quiet.Icon = quiet
		r.quiet.Chosen = quiet == "mute"
		r.quiet.Refresh()
		r.banners()
	}
	r.title.SetText(r.heading())
	r.detail.follow()
	r.letGo()
	r.markBar()
	r.layout.follow()
	if r.reveal != "" && r.record(r.reveal) != nil {
		r.feed.Reveal(r.reveal)
		r.reveal = ""
	}
}

// failedRow stands where the cards would, when they could not be read.
func (r *railWindow) failedRow() vm.Row {
	return vm.Row{Kind: vm.RowEmpty, ID: "failed", Empty: &vm.Empty{Icon: "warning", Title: vm.M("state.failed"), Text: vm.Trouble(r.u.failed), Action: vm.M("state.retry"), Do: "retry"}}
}

// maxDrafts is how many answers in the making, or made, are remembered.
const maxDrafts = 100

// heading is the name of the app, or in a narrow window, which has no sidebar, of the active session.
func (r *railWindow) heading() string {
	if laidOut := r.layout.size.Width > 0; !laidOut || !r.layout.narrow() {
		return "Signalbox"
	}
	if c := r.filter.Connection; c != "" {
		return r.u.snap.ConnectionLabel(c)
	}
	if f := r.u.snap.Focus; f.Session != "" {
		return r.u.snap.SessionTitle(f)
	}
	return "Signalbox"
}

func (r *railWindow) emptyAction(do string) {
	switch do {
	case "connect":
		r.u.showSettings("connect")
	case "unfilter":
		r.filter = vm.RailFilter{}
		r.search.SetText("")
		r.render()
	case "search":
		r.u.showHistoryOf(vm.HistoryFilter{Text: r.filter.Text})
	case "history":
		r.u.showHistory()
	case "retry":
		r.u.failed = nil
		r.u.loop.touch()
	}
}

// banners shows what is missing, and that it is quiet.
func (r *railWindow) banners() {
	u := r.u
	var objs []fyne.CanvasObject
	add := func(id, tone, icon, text, action string, do func()) {
		if r.closed[id] {
			return
		}
		objs = append(objs, widgets.NewBanner(tone, icon, text, action, do, func() { r.closed[id] = true; r.banners() }))
	}
	for _, m := range u.missing {
		v := vm.MissingText(m.Part, m.Detail)
		add("missing:"+m.Part+m.Detail, string(v.Tone), v.Icon, u.tr(v.Text), u.t("banner.why"), func() { u.showSettings("doctor") })
	}
	if u.failed != nil {
		objs = append(objs, widgets.NewBanner("error", "offline", u.tr(vm.Trouble(u.failed)), u.t("state.retry"), func() { r.emptyAction("retry") }, nil))
	}
	if s := u.snap; s != nil && s.Settings.QuietUntil.After(s.At) {
		objs = append(objs, widgets.NewBanner("quiet", "mute", u.tr(vm.QuietWord(s.At, s.Settings.QuietUntil)), u.t("banner.quiet_off"), func() { r.setQuiet(vm.QuietChoice{}) }, nil))
	}
	r.notices.Set(objs...)
	r.layout.again()
}

// say shows a word at the foot for as long as a dismissal can be undone.
func (r *railWindow) say(text, action string, do func()) {
	r.snackNo++
	r.offered = ""
	no := r.snackNo
	r.snack.Say(text, action, do)
	r.layout.again()
	r.u.after(vm.UndoFor, func() {
		if r.snackNo == no {
			r.snack.Hide()
			r.layout.again()
		}
	})
}

// searchEntry is an entry that lets go of the keyboard with Escape.
type searchEntry struct {
	widgets.Entry
	OnEscape func()
	OnKey    func(*fyne.KeyEvent) bool // reports whether it took a key before the entry did; nil: it takes none
}

func newSearchEntry(hint string) *searchEntry {
	e := &searchEntry{}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(hint)
	e.Icon = theme.Symbol("search", theme.ColorInkFaint)
	return e
}

// TypedKey is the toolkit's.
func (e *searchEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape && e.OnEscape != nil {
		e.OnEscape()
		return
	}
	if e.OnKey != nil && e.OnKey(k) {
		return
	}
	e.Entry.TypedKey(k)
}

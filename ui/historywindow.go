package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// historyWindow is the list of everything, active and ended, filtered and endless. It is read-only (P3).
type historyWindow struct {
	u   *UI
	win fyne.Window

	list   *historyList
	search *searchEntry
	bar    *widgets.Row
	tools  *widgets.Row
	count  *widgets.Text
	empty  *widgets.EmptyState
	detail *detailPane
	layout *historyLayout
	note   *widgets.Text
	export *widgets.Button

	filter vm.HistoryFilter
	paging vm.Paging
	chosen string
	marked map[string]bool
	due    bool
	typed  int // rises with each letter of the search; only the last one asks
}

func (u *UI) showHistory() { u.showHistoryOf(vm.HistoryFilter{}) }

// showHistoryOf shows the history, with the keyboard in its search; a filter that is not zero replaces the one there.
func (u *UI) showHistoryOf(f vm.HistoryFilter) {
	if u.history == nil {
		u.history = newHistoryWindow(u)
	}
	h := u.history
	if !f.Zero() {
		h.filter = f
		h.build()
	}
	h.win.Show()
	h.win.Canvas().Focus(h.search)
	if !u.open["history"] {
		u.markOpen("history", true)
		h.reload() // D5
	} else if !f.Zero() {
		h.reload()
	}
}

func newHistoryWindow(u *UI) *historyWindow {
	h := &historyWindow{u: u, marked: map[string]bool{}}
	h.win = u.app.NewWindow("Signalbox — " + u.t("history.title"))
	h.build()
	h.win.SetPadded(false)
	h.win.Resize(u.prefs.size("history", 1040, 720))
	h.win.SetCloseIntercept(h.hide)
	return h
}

func (h *historyWindow) hide() {
	if h == nil || !h.u.open["history"] {
		return
	}
	h.u.prefs.setSize("history", h.win.Canvas().Size())
	h.filter.Text = "" // the next search begins anew
	h.search.SetText("")
	h.filterBar()
	h.win.Hide()
	h.u.markOpen("history", false)
}

// escape closes the topmost thing that is open, one a press; at last the window.
func (h *historyWindow) escape() {
	switch {
	case h.detail.open():
		h.detail.close()
	case len(h.marked) > 0:
		clear(h.marked)
		h.render()
	default:
		h.hide()
	}
}

func (h *historyWindow) build() {
	u := h.u
	h.list = newHistoryList(h)
	h.search = newSearchEntry(u.t("history.search"))
	h.search.SetText(h.filter.Text)
	h.search.OnChanged = h.typing
	h.search.OnEscape = func() {
		if h.search.Text == "" {
			h.escape()
			return
		}
		h.search.SetText("")
	}
	h.search.OnKey = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyDown, fyne.KeyUp, fyne.KeyPageDown, fyne.KeyPageUp: // from the search into what it found
			h.win.Canvas().Unfocus()
			h.list.TypedKey(e)
			return true
		}
		return false
	}
	h.bar = widgets.NewRow(8)
	h.tools = widgets.NewRow(4)
	h.tools.End = true
	h.count = widgets.NewText("", widgets.LookCaption)
	h.note = widgets.NewText("", widgets.LookCaption)
	h.empty = widgets.NewEmptyState(u.env)
	h.empty.OnDo = h.emptyAction
	h.detail = &detailPane{u: u, win: h.win, onClose: func() { h.chosen = ""; h.list.choices(); h.layout.again() }}
	h.detail.init()
	h.filterBar()
	h.layout = &historyLayout{h: h, line: canvas.NewRectangle(nil), dline: canvas.NewRectangle(nil)}
	h.layout.c = container.New(h.layout)
	h.win.SetContent(h.layout.c)
	c := h.win.Canvas()
	c.SetOnTypedKey(h.list.TypedKey)
	u.shortcuts(h.win, func() { c.Focus(h.search) }, h.hide)
	c.SetOnTypedRune(func(r rune) {
		switch r {
		case '/':
			c.Focus(h.search)
		case 'x':
			if h.chosen != "" {
				h.mark(h.chosen)
			}
		}
	})
}

// typing waits until the owner pauses before it asks.
func (h *historyWindow) typing(s string) {
	h.typed++
	no := h.typed
	h.u.after(searchPause, func() {
		if no != h.typed || s == h.filter.Text {
			return
		}
		was := h.filter.Zero()
		h.filter.Text = s
		if h.filter.Zero() != was {
			h.filterBar() // there is something to clear, or no more
		}
		h.reload()
	})
}

// filtered follows a choice in the filter bar, whose sessions and tools depend on it.
func (h *historyWindow) filtered() {
	h.filterBar()
	h.reload()
}

// reload asks anew, from the top.
func (h *historyWindow) reload() {
	h.note.SetText("")
	h.fetch(h.paging.Restart(h.u.now()), notify.Cursor{})
	h.render()
}

func (h *historyWindow) fetch(question int, after notify.Cursor) {
	u := h.u
	f := h.filter.Filter(h.paging.Since)
	background(u, func(ctx context.Context) (notify.Page, error) { return u.port.Query(ctx, f, after, vm.PageSize) }, func(p notify.Page, err error) {
		if h.paging.Got(question, after, p, err) {
			if after == (notify.Cursor{}) {
				h.list.ScrollToTop()
			}
			h.render()
		}
	})
}

func (h *historyWindow) more() {
	if q, after, ok := h.paging.More(); ok {
		h.fetch(q, after)
	}
}

// changed follows changes of what is in the list, in their order; what is new is told in a line, so that nothing moves
// under the pointer.
func (h *historyWindow) changed(list []notify.Change) {
	replaced, created := false, false
	var detail *notify.Record
	for _, c := range list {
		switch {
		case !h.paging.Replace(c.Record):
			created = created || c.Name == notify.EvCreated
		case h.detail.id == c.Record.ID:
			detail = c.Record
			fallthrough
		default:
			replaced = true
		}
	}
	if replaced {
		h.list.Refresh()
	}
	if detail != nil {
		h.detail.load(detail.ID, detail)
	}
	if created {
		if h.atTop() {
			if !h.due { // a burst is one question
				h.due = true
				h.u.after(newRowsPause, func() {
					h.due = false
					if h.atTop() && h.u.open["history"] {
						h.newer()
					}
				})
			}
			return
		}
		h.note.SetText(h.u.t("history.new"))
	}
}

// newer asks for what is new; the rows that are there keep their places.
func (h *historyWindow) newer() {
	u, question, f := h.u, h.paging.Question, h.filter.Filter(h.paging.Since)
	background(u, func(ctx context.Context) (notify.Page, error) {
		return u.port.Query(ctx, f, notify.Cursor{}, vm.PageSize)
	}, func(p notify.Page, err error) {
		switch {
		case question != h.paging.Question:
		case err != nil || !h.paging.Newer(question, p):
			h.reload()
		default:
			h.render()
		}
	})
}

// newRowsPause is how long what is new is gathered before the list is asked for anew.
const newRowsPause = 400 * time.Millisecond

// atTop reports whether nothing would move under the pointer when new rows come in at the top.
func (h *historyWindow) atTop() bool {
	return h.list.GetScrollOffset() < 4 && len(h.marked) == 0 && h.chosen == "" && !h.paging.Busy
}

func (h *historyWindow) render() {
	u := h.u
	n := len(h.paging.Records)
	text := u.tr(vm.MN("history.count", n))
	if !h.paging.Done {
		text = u.tr(vm.MN("history.count_more", n))
	}
	if len(h.marked) > 0 {
		text = u.tr(vm.MN("marked.count", len(h.marked)))
	}
	h.count.SetText(text)
	switch {
	case h.paging.Failed != nil:
		h.empty.Set(vm.Empty{Icon: "warning", Title: vm.M("state.failed"), Text: vm.Trouble(h.paging.Failed), Action: vm.M("state.retry"), Do: "retry"})
	case n == 0 && h.paging.Busy:
		h.empty.Set(vm.Empty{Icon: "clock", Title: vm.M("state.loading")})
	case n == 0 && !h.filter.Zero():
		h.empty.Set(vm.Empty{Icon: "filter", Title: vm.M("empty.filtered.title"), Text: vm.M("history.none_match"), Action: vm.M("empty.filtered.action"), Do: "unfilter"})
	case n == 0:
		h.empty.Set(vm.Empty{Icon: "history", Title: vm.M("history.none"), Text: vm.M("history.none_text")})
	}
	h.list.Refresh()
	// Laying all out anew draws all anew, which a page that came while somebody scrolls must not.
	if empty := n == 0 || h.paging.Failed != nil; empty || empty != h.layout.empty || h.layout.c == nil {
		h.layout.again()
	}
}

func (h *historyWindow) emptyAction(do string) {
	switch do {
	case "retry":
		h.paging.Retry()
		h.reload()
	case "unfilter":
		h.filter = vm.HistoryFilter{}
		h.search.SetText("")
		h.filtered()
	}
}

func (h *historyWindow) choose(id string) {
	h.chosen = id
	i := h.paging.Index(id)
	if i < 0 {
		return
	}
	was := h.detail.open()
	h.detail.load(id, h.paging.Records[i])
	h.list.choices()
	if !was { // else nothing moves, and laying all out anew would draw all anew
		h.layout.again()
	}
}

func (h *historyWindow) mark(id string) {
	if h.marked[id] {
		delete(h.marked, id)
	} else {
		h.marked[id] = true
	}
	h.render()
}

func (h *historyWindow) say(text string) {
	h.note.SetText(text)
	h.layout.again()
}

package ui

import (
	"runtime"

	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// itemMenu is everything that can be done with one item.
func (r *railWindow) itemMenu(id string, at fyne.Position) {
	u := r.u
	x := r.record(id)
	if x == nil {
		return
	}
	var items []*fyne.MenuItem
	add := func(icon, key string, do func()) { items = append(items, item(icon, u.t(key), do)) }
	add("expand", "menu.open", func() { r.feed.Selected = id; r.selectItem(id); r.render() })
	if x.Waiting() {
		for _, o := range x.Interaction.Options {
			if o.Comment == "optional" {
				items = append(items, item("question", u.tr(vm.MA("menu.with_comment", vm.OrID(o.Label, o.ID))), func() { r.askForm(x, o.ID, 0) }))
			}
		}
		if x.SetAsideAt(u.now()) {
			add("undo", "menu.to_front", func() { u.try(notify.Unsnooze{ID: id}) })
		} else {
			add("setaside", "menu.aside", func() { r.setAside(id) })
		}
	} else if vm.Dismissible(x, u.now()) {
		add("x", "menu.dismiss", func() { r.dismiss(id) })
	}
	if x.SnoozeUntil.After(u.now()) {
		add("bell", "menu.unsnooze", func() { u.try(notify.Unsnooze{ID: id}) })
	} else {
		more := item("snooze", u.t("menu.snooze"), nil)
		more.ChildMenu = fyne.NewMenu("")
		more.ChildMenu.Items = r.snoozeItems(x)
		items = append(items, more)
	}
	muted, key, icon := !x.Muted, "menu.mute", "mute"
	if x.Muted {
		key, icon = "menu.unmute", "bell"
	}
	add(icon, key, func() {
		u.try(notify.SetMuted{ID: id, Muted: muted})
	})
	if x.Read {
		add("dot", "menu.unread", func() { u.do(notify.SetRead{ID: id, Read: false}, nil) })
	}
	add("check", "menu.mark", func() { r.mark(id) })
	add("copy", "menu.copy", func() { u.app.Clipboard().SetContent(vm.CopyText(x)) })
	popup(r.win, at, items...)
}

// snoozeItems are the presets of a snooze that an item can have.
func (r *railWindow) snoozeItems(x *notify.Record) []*fyne.MenuItem {
	list := []*notify.Record{x}
	return r.snoozesOf(list, func(s vm.Snooze) { r.snooze(list, s) })
}

// snoozesOf are the presets that all of some items can have; where some are left out, it is said why.
func (r *railWindow) snoozesOf(list []*notify.Record, do func(vm.Snooze)) []*fyne.MenuItem {
	now := r.u.now()
	snoozes, ends := vm.SnoozesOf(now, list...)
	var items []*fyne.MenuItem
	if !ends.IsZero() {
		items = append(items, note("", r.u.tr(vm.MA("snooze.ends", vm.Stamp(now, ends)))))
	}
	for _, s := range snoozes {
		items = append(items, item("", r.u.tr(s.Label), func() { do(s) }))
	}
	return items
}

func (r *railWindow) moreMenu() {
	u := r.u
	l := r.layout
	b := l.tools[len(l.tools)-1]
	at := u.app.Driver().AbsolutePositionForObject(b).AddXY(0, b.Size().Height)
	items := []*fyne.MenuItem{item("check", u.tr(vm.MN("menu.clear", r.view.Clearable)), r.clear)}
	items[0].Disabled = r.view.Clearable == 0
	if u.o.Agents != nil {
		items = append(items, item("connection", u.t("menu.connect"), func() { u.showSettings("connect") }))
	}
	if u.o.Doctor != nil {
		items = append(items, item("terminal", u.t("menu.doctor"), func() { u.showSettings("doctor") }))
	}
	items = append(items,
		item("keyboard", u.t("menu.shortcuts"), r.shortcutSheet),
		item("info", u.t("menu.about"), func() { u.showSettings("about") }),
		fyne.NewMenuItemSeparator(),
		item("", u.t("menu.quit"), u.Quit))
	popup(r.win, at, items...)
}

func (r *railWindow) quietMenu() {
	u := r.u
	at := u.app.Driver().AbsolutePositionForObject(r.quiet).AddXY(0, r.quiet.Size().Height)
	items := []*fyne.MenuItem{note("", u.t("quiet.now"))}
	quiet := u.snap != nil && u.snap.Settings.QuietUntil.After(u.now())
	for _, q := range vm.QuietChoices(u.now()) {
		m := item("", u.tr(q.Label), func() { r.setQuiet(q) })
		if q.Until.IsZero() {
			m.Checked = !quiet
			if quiet {
				m.Label = u.t("quiet.end")
			}
		}
		items = append(items, m)
	}
	popup(r.win, at, items...)
}

func (r *railWindow) setQuiet(q vm.QuietChoice) {
	until := q.Until.UTC()
	r.u.do(notify.SetSettings{QuietUntil: &until}, func(_ notify.Result, err error) {
		r.u.trouble(err)
		r.u.loop.touch()
	})
}

// typedKey is a key while no entry has the keyboard.
func (r *railWindow) typedKey(e *fyne.KeyEvent) {
	if m, ok := r.win.Canvas().Overlays().Top().(*widgets.Menu); ok {
		m.TypedKey(e) // it lies over all else, whoever has the keyboard
		return
	}
	if r.u.asking(r.win, e) {
		return
	}
	r.chooseCovering()
	switch e.Name {
	case fyne.KeyDown:
		r.move(1)
	case fyne.KeyUp:
		r.move(-1)
	case fyne.KeyPageDown, fyne.KeyPageUp, fyne.KeyHome, fyne.KeyEnd, fyne.KeySpace:
		r.pageKey(e.Name)
	case fyne.KeyReturn, fyne.KeyEnter:
		if r.goAhead() {
			return
		}
		if isFold(r.selected) {
			r.fold(foldOf(r.selected))
		} else if j := r.line(); j != nil {
			r.jump(*j)
		} else if r.selected != "" && !isLine(r.selected) {
			r.openDetail(r.selected)
			r.layout.again()
		}
	case fyne.KeyDelete, fyne.KeyBackspace:
		if r.formFor == "" {
			r.dismissKey()
		}
	case fyne.KeyEscape:
		r.escape()
	}
}

// pageKey scrolls the detail while it is open, for what is long is read there; else it moves the selection.
func (r *railWindow) pageKey(key fyne.KeyName) {
	if r.detail.scrollKey(key) {
		return
	}
	switch key {
	case fyne.KeyPageDown:
		r.feed.MoveSelection(5)
	case fyne.KeyPageUp:
		r.feed.MoveSelection(-5)
	case fyne.KeyHome:
		r.feed.MoveSelection(-1 << 20)
	case fyne.KeyEnd:
		r.feed.MoveSelection(1 << 20)
	}
}

// escape closes the topmost thing that is open, one a press; menus and questions lie over the window and have the key
// before it. Where nothing is open, a chosen item that waits is set aside; it is never answered and never denied (I7).
func (r *railWindow) escape() {
	switch {
	case r.disarm():
	case r.layout.drawer:
		r.layout.drawer = false
		r.layout.again()
	case r.first != nil:
		r.endFirstRun()
	case r.formFor != "":
		r.closeForm()
	case r.detail.open():
		r.detail.close()
	case len(r.feed.Marked) > 0:
		r.unmark()
	case r.layout.searching:
		r.endSearch()
	case r.selected != "":
		r.setAside(r.selected)
		r.choose("")
	}
}

func (r *railWindow) dismissKey() {
	if list := r.marked(); len(list) > 0 {
		r.dismissAll(list, waiting(list), 0)
		return
	}
	if isFold(r.selected) {
		r.sweep(foldOf(r.selected))
	} else if id := r.chosen(); id != "" {
		r.dismiss(id)
	} else {
		r.onLine()
	}
}

// typedRune is a letter while no entry has the keyboard. A digit presses the button of that number on
// the selected card, unless it has only just appeared.
func (r *railWindow) typedRune(c rune) {
	u := r.u
	if u.questionOver(r.win) != nil || r.win.Canvas().Overlays().Top() != nil {
		return
	}
	r.chooseCovering()
	if r.formFor != "" {
		switch { // letters are what is typed there, and no shortcuts but for going on to another card
		case r.form.Typed(c):
		case c == 'j':
			r.move(1)
		case c == 'k':
			r.move(-1)
		case c == 'n':
			r.next()
		case c >= '1' && c <= '9': // it may have opened by being chosen, without the keyboard
			r.form.Focus()
		}
		return
	}
	switch {
	case c >= '1' && c <= '9':
		r.digit(int(c - '1'))
	case c == 'j':
		r.move(1)
	case c == 'k':
		r.move(-1)
	case c == 'n':
		r.next()
	case c == 'd':
		r.dismissKey()
	case c == 'u':
		r.undoLast()
	case c == 'a' && r.chosen() != "":
		r.setAside(r.chosen())
	case c == 's' && r.chosen() != "":
		row := r.feed.Row(r.selected)
		if r.layout.railHidden() {
			row = r.detail.pane()
		}
		if row != nil {
			at := u.app.Driver().AbsolutePositionForObject(row).AddXY(80, 30)
			if x := r.record(r.chosen()); x != nil {
				popup(r.win, at, r.snoozeItems(x)...)
			}
		}
	case c == 'x' && r.selected != "" && !isFold(r.selected):
		if !r.onLine() {
			r.mark(r.selected)
		}
	case c == 'm' && r.chosen() != "":
		if x := r.record(r.chosen()); x != nil {
			u.try(notify.SetMuted{ID: x.ID, Muted: !x.Muted})
		}
	case strings.ContainsRune("asm", c):
		r.onLine() // nothing on a row that stands for several
	case c == '/':
		r.startSearch()
	case c == 'h':
		u.showHistory()
	case c == '?':
		r.shortcutSheet()
	}
}

// shortcuts are the keys of the window.
func (r *railWindow) shortcuts() {
	c := r.win.Canvas()
	c.SetOnTypedKey(r.typedKey)
	c.SetOnTypedRune(r.typedRune)
	r.followKeys()
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter} {
		onShortcut(c, key, func() {
			if r.form != nil {
				r.form.Send()
			}
		})
	}
	r.u.shortcuts(r.win, r.startSearch, r.hide)
}

func onShortcut(c fyne.Canvas, key fyne.KeyName, do func()) {
	c.AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) {
		if key == fyne.KeyQ || c.Overlays().Top() == nil { // menus and questions have the other keys to themselves
			do()
		}
	})
}

// shortcuts are those that every window has. search nil: there is nothing to be searched.
func (u *UI) shortcuts(win fyne.Window, search, hide func()) {
	on := func(key fyne.KeyName, do func()) { onShortcut(win.Canvas(), key, do) }
	settings := func() { u.showSettings("") }
	if search != nil {
		on(fyne.KeyF, search)
	}
	on(fyne.KeyH, u.showHistory)
	on(fyne.KeyComma, settings)
	on(fyne.KeyPeriod, settings) // the comma on the sheet is small, and its neighbour does no harm
	on(fyne.KeyW, hide)
	on(fyne.KeyQ, u.Quit)
}

// shortcutSheet lists the keys.
func (r *railWindow) shortcutSheet() {
	u := r.u
	list := widgets.NewColumn(4).Padded(0, 4)
	for _, s := range vm.Shortcuts(runtime.GOOS, u.tr) {
		list.Add(widgets.NewPair(s.Keys, u.tr(s.Does)))
	}
	u.ask(r.win, u.t("menu.shortcuts"), list, nil, nil)
}

package ui

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

func (r *railWindow) chooseSide(row vm.SideRow) {
	switch row.Kind {
	case vm.SideSession:
		r.focus(row.Ref)
	case vm.SideConnection:
		r.chooseConnection(row.Ref.Connection)
	case vm.SideAll:
		r.focus(notify.SessionRef{})
	}
}

// sideMenu is the menu of a row of the sidebar. That of a connection opens at once, and its application actions
// come into it, under the rest, when they are known.
func (r *railWindow) sideMenu(row vm.SideRow, at fyne.Position) {
	u := r.u
	if row.Kind == vm.SideSession {
		popup(r.win, at, item("next", u.t("side.open_session"), func() { r.focus(row.Ref) }),
			item("history", u.t("side.history"), func() { u.showHistoryOf(vm.HistoryFilter{Connection: row.Ref.Connection, Session: row.Ref.Session}) }))
		return
	}
	if row.Kind != vm.SideConnection {
		return
	}
	id := row.Ref.Connection
	open, label := row.Closed, u.t("side.close")
	if open {
		label = u.t("side.reopen")
	}
	rest := []*fyne.MenuItem{
		item("history", u.t("side.history"), func() { u.showHistoryOf(vm.HistoryFilter{Connection: id}) }),
		item("settings", u.t("side.connection_settings"), func() { u.showSettings("connections") }),
		item("x", label, func() {
			u.try(notify.UpdateConnection{ID: id, Open: &open})
		}),
	}
	if u.snap != nil {
		rest = slices.Insert(rest, 2, r.sweepItems(id)...)
	}
	if u.o.AppActions == nil || !r.offersActions(id) {
		popup(r.win, at, rest...)
		return
	}
	menu := popup(r.win, at, append(slices.Clone(rest), fyne.NewMenuItemSeparator(), note("clock", u.t("side.actions_loading")))...)
	r.loadActions(menu, id, rest, AppActions{Stale: true}, actionTries)
}

// few items are dealt with one by one: there is nothing to be gained by a line in the menu.
const few = 3

// sweepItems dismiss, or mark as read, what is known of an agent at once, where that is more than a few.
func (r *railWindow) sweepItems(connection string) (items []*fyne.MenuItem) {
	u := r.u
	w := vm.SweepOf(u.snap, &u.memory, connection)
	if n := len(w.Dismiss); n > few {
		items = append(items, item("check", u.tr(vm.MN("side.dismiss", n)), func() { r.dismissAll(w.Dismiss, w.Left, w.Running) }))
	}
	if n := len(w.Unread); n > few {
		items = append(items, item("dot", u.tr(vm.MN("side.read", n)), func() {
			for _, x := range w.Unread {
				u.do(notify.SetRead{ID: x.ID, Read: true}, nil)
			}
		}))
	}
	return items
}

// actionTries is how often an open menu looks whether actions that are being loaded have come.
const (
	actionTries = 20
	actionPause = 500 * time.Millisecond
)

// loadActions fills the actions of a connection into its open menu, and follows them for as long as they are
// being loaded and the menu is there.
func (r *railWindow) loadActions(menu *widgets.Menu, id string, rest []*fyne.MenuItem, shown AppActions, tries int) {
	u := r.u
	background(u, func(ctx context.Context) (AppActions, error) { return u.o.AppActions(ctx, id) }, func(a AppActions, err error) {
		if !menu.Shown() {
			return
		}
		if err != nil {
			a = AppActions{Problem: err.Error()}
		}
		if !a.same(shown) || tries == actionTries {
			menu.Set(u.after, append(slices.Clone(rest), r.appItems(id, a)...)...) // what is there stays where it is
		}
		if (a.Stale || a.Problem != "" || a.SessionsProblem != "") && tries > 0 {
			u.after(actionPause, func() { r.loadActions(menu, id, rest, a, tries-1) })
		}
	})
}

// offersActions reports whether a connection may have actions to show.
func (r *railWindow) offersActions(id string) bool {
	c, ok := r.u.connection(id)
	return ok && offersLists(c) && !c.Revoked
}

// appItems are the lines of a connection's application actions, with what is wrong with them.
func (r *railWindow) appItems(connection string, a AppActions) []*fyne.MenuItem {
	u := r.u
	items := []*fyne.MenuItem{fyne.NewMenuItemSeparator()}
	for _, action := range a.Actions {
		items = append(items, item("play", action.Label, func() { r.invokeApp(connection, action) }))
	}
	switch {
	case a.Problem != "" && len(a.Actions) > 0:
		items = append(items, note("warning", u.t("side.actions_old")))
	case a.Problem != "":
		items = append(items, note("warning", u.t("side.actions_failed")))
	case a.Stale && len(a.Actions) > 0:
		items = append(items, note("clock", u.t("side.actions_stale")))
	case a.Stale:
		items = append(items, note("clock", u.t("side.actions_loading")))
	}
	if a.SessionsProblem != "" {
		items = append(items, note("warning", u.t("side.sessions_old")))
	}
	if len(items) == 1 {
		return nil
	}
	return items
}

// invokeApp invokes an application action: one with an address opens it after the usual question, any
// other tells its server, after its own question where it has one.
func (r *railWindow) invokeApp(connection string, action notify.Action) {
	u := r.u
	if action.URL != "" {
		u.confirmOpen(r.win, action.URL)
		return
	}
	do := func() {
		background(u, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, u.o.InvokeApp(ctx, connection, action.ID)
		}, func(_ struct{}, err error) {
			if err != nil {
				u.trouble(err)
				return
			}
			u.say(u.tr(vm.MA("action.sent", action.Label)), "", nil)
		})
	}
	if action.Confirm == "" {
		do()
		return
	}
	u.ask(r.win, action.Label, body(action.Confirm), widgets.NewButton(action.Label, widgets.Style(action.Style), nil), do)
}

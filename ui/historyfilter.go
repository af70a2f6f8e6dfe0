package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// filterBar makes the filters anew: connections and sessions come and go.
func (h *historyWindow) filterBar() {
	u := h.u
	pick := func(label string, keys []string, names []string, now string, set func(string)) fyne.CanvasObject {
		options := append([]string{label}, names...)
		s := widgets.NewSelect(options, nil)
		s.SetSelectedIndex(max(slices.Index(keys, now)+1, 0))
		s.OnChanged = func(string) {
			v := ""
			if i := s.SelectedIndex(); i > 0 {
				v = keys[i-1]
			}
			set(v)
			h.filtered()
		}
		return wide(s)
	}
	names := func(msgs ...vm.Msg) []string {
		out := make([]string, len(msgs))
		for i, m := range msgs {
			out[i] = u.tr(m)
		}
		return out
	}
	var conns, connNames, sessions, sessionNames []string
	for _, c := range u.connections() {
		conns, connNames = append(conns, c.ID), append(connNames, c.Label)
		if h.filter.Connection == "" || h.filter.Connection == c.ID {
			for _, s := range u.snap.Sessions[c.ID] {
				title := s.Title
				if title == "" {
					title = s.ID
				}
				sessions, sessionNames = append(sessions, c.ID+"\x00"+s.ID), append(sessionNames, short(title, 28))
			}
		}
	}
	tag := newSearchEntry(u.t("history.tag"))
	tag.Icon = nil
	tag.OnEscape = func() { h.win.Canvas().Unfocus() }
	tag.SetText(h.filter.Tag)
	tag.OnSubmitted = func(s string) { h.filter.Tag = s; h.filtered() }
	objs := []fyne.CanvasObject{
		pick(u.t("history.any_status"), []string{string(notify.Pending), string(notify.Dismissed), string(notify.Resolved), string(notify.Expired)},
			names(vm.StatusWord(notify.Pending), vm.StatusWord(notify.Dismissed), vm.StatusWord(notify.Resolved), vm.StatusWord(notify.Expired)),
			string(h.filter.Status), func(v string) { h.filter.Status = notify.Status(v) }),
		pick(u.t("history.any_severity"), []string{"info", "success", "warning", "error", "critical"},
			names(vm.SeverityWord("info"), vm.SeverityWord("success"), vm.SeverityWord("warning"), vm.SeverityWord("error"), vm.SeverityWord("critical")),
			string(h.filter.Severity), func(v string) { h.filter.Severity = notify.Severity(v) }),
		pick(u.t("history.any_time"), []string{string(vm.LastHour), string(vm.Today), string(vm.LastWeek), string(vm.LastMonth)},
			names(vm.M("time.hour"), vm.M("time.today"), vm.M("time.week"), vm.M("time.month")), string(h.filter.Time), func(v string) { h.filter.Time = vm.TimeSpan(v) }),
		pick(u.t("history.any_scope"), []string{string(notify.ScopeApplication), string(notify.ScopeSession)},
			names(vm.ScopeWord(notify.ScopeApplication), vm.ScopeWord(notify.ScopeSession)), string(h.filter.Scope), func(v string) { h.filter.Scope = notify.Scope(v) }),
		pick(u.t("history.any_connection"), conns, connNames, h.filter.Connection, func(v string) {
			h.filter.Connection, h.filter.Session = v, ""
		}),
		pick(u.t("history.any_session"), sessions, sessionNames, h.filter.Connection+"\x00"+h.filter.Session, func(v string) {
			if conn, session, ok := strings.Cut(v, "\x00"); ok {
				h.filter.Connection, h.filter.Session = conn, session
			} else {
				h.filter.Session = ""
			}
		}),
		fixed{tag, 120}.object(),
	}
	saved := widgets.NewIconButton("pin", u.t("history.saved"), nil)
	saved.OnTap = func() { h.savedMenu(saved) }
	h.export = widgets.NewIconButton("download", u.t("history.export"), h.exportAll)
	h.export.Disabled = u.o.SaveFile == nil
	clearBtn := widgets.NewIconButton("x", u.t("history.clear"), func() {
		h.filter = vm.HistoryFilter{}
		h.search.SetText("")
		h.filtered()
	})
	tools := []fyne.CanvasObject{saved, h.export}
	if !h.filter.Zero() {
		tools = append([]fyne.CanvasObject{clearBtn}, tools...)
	}
	h.tools.Set(tools...)
	h.bar.Set(objs...)
	if h.layout != nil {
		h.layout.again()
	}
}

func short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// wide gives a select the width of its longest option, within reason: the toolkit makes it as wide as
// its hint.
func wide(s *widgets.Select) fyne.CanvasObject {
	w := float32(96)
	for _, o := range s.Options {
		w = max(w, fyne.MeasureText(o, base.TextSize(), fyne.TextStyle{}).Width+52)
	}
	return fixed{s, min(w, 240)}.object()
}

// fixed gives an entry a width.
type fixed struct {
	o fyne.CanvasObject
	w float32
}

func (f fixed) object() fyne.CanvasObject { return container.New(f, f.o) }
func (f fixed) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(f.w, o[0].MinSize().Height)
}
func (f fixed) Layout(o []fyne.CanvasObject, s fyne.Size) { put(o[0], 0, 0, s.Width, s.Height) }

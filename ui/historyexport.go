package ui

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

func (h *historyWindow) savedMenu(at fyne.CanvasObject) {
	u := h.u
	pos := u.app.Driver().AbsolutePositionForObject(at).AddXY(0, at.Size().Height)
	var items []*fyne.MenuItem
	list := u.prefs.savedFilters()
	for _, s := range list {
		items = append(items, item("pin", s.Name, func() {
			h.filter = s.Filter
			h.search.SetText(s.Filter.Text)
			h.filtered()
		}))
	}
	if len(list) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	save := item("plus", u.t("history.save"), func() { h.saveFilter() })
	save.Disabled = h.filter.Zero()
	items = append(items, save)
	if len(list) > 0 {
		forget := item("trash", u.t("history.forget"), nil)
		forget.ChildMenu = fyne.NewMenu("")
		for i, s := range list {
			forget.ChildMenu.Items = append(forget.ChildMenu.Items, item("", s.Name, func() {
				u.prefs.setSavedFilters(slices.Delete(slices.Clone(list), i, i+1))
			}))
		}
		items = append(items, forget)
	}
	popup(h.win, pos, items...)
}

func (h *historyWindow) saveFilter() {
	u := h.u
	name := newDialogEntry()
	name.SetPlaceHolder(u.t("history.name"))
	u.askFor(h.win, u.t("history.save"), name, name, widgets.NewButton(u.t("history.save"), widgets.Primary, nil), func() {
		u.prefs.setSavedFilters(vm.SaveFilter(u.prefs.savedFilters(), name.Text, h.filter))
		if text := strings.TrimSpace(name.Text); text != "" {
			h.say(u.tr(vm.MA("history.saved_as", text)))
		}
	})
}

// exportLimit bounds an export; the note says when there was more.
const exportLimit = 100_000

// exportAll writes the marked rows, or all that the filter selects, as JSON lines, into a new file that the owner
// names.
func (h *historyWindow) exportAll() {
	u := h.u
	path := newDialogEntry()
	path.SetText(filepath.Join(u.o.SaveDir, "signalbox-history-"+u.now().Format("2006-01-02")+".jsonl"))
	save := widgets.NewButton(u.t("history.export_do"), widgets.Primary, nil)
	col := widgets.NewColumn(8, body(h.exportSays()), path, caption(u.t("history.export_new")))
	u.askFor(h.win, u.t("history.export_title"), col, path, save, func() { h.exportTo(strings.TrimSpace(path.Text)) })
}

// exportSays is how much would be exported.
func (h *historyWindow) exportSays() string {
	switch n := len(h.marked); {
	case n > 0:
		return h.u.tr(vm.MN("history.export_count", n))
	case h.paging.Done:
		return h.u.tr(vm.MN("history.export_count", len(h.paging.Records)))
	}
	return h.u.tr(vm.MA("history.export_some", strconv.Itoa(len(h.paging.Records))))
}

// exported says where the export is, whole, and shows it there.
func (h *historyWindow) exported(n int, path string) {
	u := h.u
	text := u.tr(vm.MN("history.exported", n))
	if u.questionOver(h.win) != nil || !u.open["history"] {
		h.say(text + " · " + path)
		return
	}
	u.ask(h.win, text, widgets.Code(path), widgets.NewButton(u.t("history.export_folder"), widgets.Plain, nil), func() {
		if err := u.openURL(vm.FileAddress(filepath.Dir(path))); err != nil {
			h.say(u.t("open.failed"))
		}
	})
}

// exportTo writes the export.
func (h *historyWindow) exportTo(path string) {
	u := h.u
	var marked []*notify.Record
	for _, r := range h.paging.Records {
		if h.marked[r.ID] {
			marked = append(marked, r)
		}
	}
	f := h.filter.Filter(u.now())
	background(u, func(ctx context.Context) (int, error) {
		w, err := u.o.SaveFile(path)
		if err != nil {
			return 0, err
		}
		n, err := u.export(ctx, w, marked, f)
		if cerr := w.Close(); err == nil {
			err = cerr
		}
		return n, err
	}, func(n int, err error) {
		switch {
		case errors.Is(err, fs.ErrExist):
			h.say(u.t("history.export_exists"))
		case err != nil:
			fyne.LogError("export the history", err)
			h.say(u.t("history.export_failed"))
		default:
			h.exported(n, path)
		}
	})
}

func (u *UI) export(ctx context.Context, w io.Writer, marked []*notify.Record, f notify.Filter) (n int, err error) {
	write := func(list []*notify.Record) error {
		b, err := vm.Export(list)
		if err == nil {
			_, err = w.Write(b)
		}
		n += len(list)
		return err
	}
	if len(marked) > 0 {
		return n, write(marked)
	}
	var after notify.Cursor
	for n < exportLimit {
		page, err := u.port.Query(ctx, f, after, 500)
		if err != nil {
			return n, err
		}
		if err := write(page.Records); err != nil {
			return n, err
		}
		if after = page.Next; after == (notify.Cursor{}) {
			break
		}
	}
	return n, nil
}

// newDialogEntry is an entry for askFor: Escape closes the question from it as from its buttons.
func newDialogEntry() *searchEntry {
	e := &searchEntry{}
	e.ExtendBaseWidget(e)
	return e
}

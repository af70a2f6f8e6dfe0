package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// HistoryRow is a compact row of the history.
type HistoryRow struct {
	widget.BaseWidget
	env    *Env
	row    vm.HistoryRow
	has    bool
	chosen bool
	marked bool
	hot    bool
	mod    bool

	// OnTap opens the row; OnMark marks it (with Ctrl or Shift).
	OnTap, OnMark func(id string)

	bg     *box
	line   *box
	lamp   *Lamp
	title  *Text
	sub    *Text
	status *Text
	when   *Text
	chip   *Chip
	objs   []fyne.CanvasObject
}

var (
	_ fyne.Tappable     = (*HistoryRow)(nil)
	_ desktop.Hoverable = (*HistoryRow)(nil)
	_ desktop.Mouseable = (*HistoryRow)(nil)
)

// NewHistoryRow makes an empty row.
func NewHistoryRow(env *Env) *HistoryRow {
	h := &HistoryRow{env: env, bg: newBox("", 8), line: newBox(theme.ColorLine, 0), lamp: NewLamp(vm.Sign{}), title: NewText("", LookBody),
		sub: NewText("", LookCaption), status: NewText("", LookCaption), when: NewText("", LookCaption), chip: NewChip("", nil, "")}
	h.chip.max = 130
	h.ExtendBaseWidget(h)
	return h
}

// Set shows a row. What is as before is not drawn anew: a page of rows is bound at once.
func (h *HistoryRow) Set(row vm.HistoryRow, chosen, marked bool) {
	if h.has && h.row == row {
		h.Choose(chosen, marked)
		return
	}
	h.row, h.has, h.chosen, h.marked = row, true, chosen, marked
	h.light()
	h.title.Set(row.Title, Look{Size: theme.SizeBody, Color: theme.ColorInk, Bold: row.Active, Max: 1})
	sub := h.env.Tr(row.Sign.Word)
	if row.Session != "" {
		sub += " · " + row.Session
	}
	if row.Sub != "" {
		sub += " · " + row.Sub
	}
	h.sub.Set(sub, LookCaption)
	status := h.env.Tr(row.Status)
	if row.Answer != "" {
		status += ": " + row.Answer
	}
	tone := theme.ColorInkFaint
	if row.Active {
		tone = theme.Tone(string(row.Sign.Tone))
	}
	h.status.Set(status, Look{Size: theme.SizeCaption, Color: tone, Bold: row.Active, Max: 1, End: true})
	when := row.When
	if row.Changed != "" {
		when += " · " + h.env.Tr(vm.MA("history.changed", row.Changed))
	}
	h.when.Set(when, Look{Size: theme.SizeCaption, Color: theme.ColorInkFaint, Max: 1, End: true})
	h.chip.Set(row.Chip.Label, LineColour(row.Chip.Color, row.Chip.Label))
	h.Refresh()
}

// Choose draws the row as chosen or marked, and nothing else of it anew.
func (h *HistoryRow) Choose(chosen, marked bool) {
	if h.chosen == chosen && h.marked == marked {
		return
	}
	h.chosen, h.marked = chosen, marked
	h.light()
	h.paint()
}

// ID is the row's; empty before there is one.
func (h *HistoryRow) ID() string { return h.row.ID }

// light sets the lamp: that of the row, or a tick where it is marked.
func (h *HistoryRow) light() {
	if h.marked {
		h.lamp.Set(vm.Sign{Tone: vm.ToneInfo, Icon: "check"}, false)
		return
	}
	h.lamp.Set(h.row.Sign, !h.row.Active)
}

// Tapped is the toolkit's.
func (h *HistoryRow) Tapped(*fyne.PointEvent) {
	if h.mod {
		call(h.OnMark, h.row.ID)
		return
	}
	call(h.OnTap, h.row.ID)
}

// MouseDown is the toolkit's.
func (h *HistoryRow) MouseDown(e *desktop.MouseEvent) {
	h.mod = e.Modifier&(fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift) != 0
}

// MouseUp is the toolkit's.
func (h *HistoryRow) MouseUp(*desktop.MouseEvent) {}

// MouseIn is the toolkit's.
func (h *HistoryRow) MouseIn(*desktop.MouseEvent) { h.hot = true; h.paint() }

// MouseMoved is the toolkit's.
func (h *HistoryRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is the toolkit's.
func (h *HistoryRow) MouseOut() { h.hot = false; h.paint() }

func (h *HistoryRow) paint() {
	h.bg.fill = ""
	switch {
	case h.chosen || h.marked:
		h.bg.fill = theme.ColorChosen
	case h.hot:
		h.bg.fill = theme.ColorCardHover
	}
	h.bg.paint()
	h.line.paint()
}

// HistoryRowHeight is the height of every row.
func HistoryRowHeight() float32 {
	return LookBody.lineHeight() + LookCaption.lineHeight() + 2*gap(9) + 1
}

// CreateRenderer is the toolkit's.
func (h *HistoryRow) CreateRenderer() fyne.WidgetRenderer {
	h.ExtendBaseWidget(h)
	return &historyRenderer{h}
}

type historyRenderer struct{ h *HistoryRow }

func (r *historyRenderer) Destroy()                     {}
func (r *historyRenderer) Objects() []fyne.CanvasObject { return r.h.objs }
func (r *historyRenderer) MinSize() fyne.Size           { return fyne.NewSize(240, HistoryRowHeight()) }

func (r *historyRenderer) Layout(size fyne.Size) {
	h := r.h
	th, sh := h.title.lineHeight(), h.sub.lineHeight()
	h.bg.place(4, 1, size.Width-8, size.Height-2)
	h.line.place(52, size.Height-1, max(size.Width-64, 0), 1)
	place(h.lamp, 16, (size.Height-lampSize)/2, lampSize, lampSize)
	x, right := float32(52), size.Width-18
	y := gap(9)
	// At the right: when, and below it how it ended; the chip where there is room.
	rw := min(max(h.when.Width(), min(h.status.Width(), size.Width*0.3))+2, size.Width*0.4)
	if size.Width >= 460 { // columns: what is in them is of any width, and their edges are those of all rows
		rw = min(max(size.Width*0.24, 150), 240)
	}
	place(h.when, right-rw, y+(th-sh)/2, rw, sh)
	place(h.status, right-rw, y+th+1, rw, sh)
	right -= rw + 14
	h.objs = []fyne.CanvasObject{h.bg.Rectangle, h.line.Rectangle, h.lamp, h.title, h.sub, h.when, h.status}
	if size.Width >= 460 {
		cw := min(130, size.Width*0.22)
		place(h.chip, right-cw, (size.Height-chipHeight())/2, h.chip.WidthFor(cw), chipHeight())
		right -= cw + 12
		h.objs = append(h.objs, h.chip)
	}
	place(h.title, x, y, right-x, th)
	place(h.sub, x, y+th+1, right-x, sh)
}

func (r *historyRenderer) Refresh() {
	r.h.paint()
	r.Layout(r.h.Size())
	canvas.Refresh(r.h)
}

package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/widgets"
)

// asking reports whether a question is open over a window, which has its keys to itself; Escape closes it.
func (u *UI) asking(win fyne.Window, e *fyne.KeyEvent) bool {
	q := u.questionOver(win)
	if q == nil {
		return false
	}
	if e.Name == fyne.KeyEscape {
		q.Hide()
	}
	return true
}

// questionOver is the newest question over a window; nil: none.
func (u *UI) questionOver(win fyne.Window) *question {
	for q := u.dialog; q != nil; q = q.before {
		if q.win == win {
			return q
		}
	}
	return nil
}

// question is a question over a window, which has its keys to itself. Each window has its own.
type question struct {
	u      *UI
	win    fyne.Window
	pop    *widget.PopUp
	before *question // asked before it and still open, over any window
}

// Hide closes it, unanswered.
func (q *question) Hide() {
	q.pop.Hide()
	for at := &q.u.dialog; *at != nil; at = &(*at).before {
		if *at == q {
			*at = q.before
			return
		}
	}
}

// edged draws the edge of menus around what is in a dialog: the toolkit's own has none, and is lost on a dark window.
func edged(content fyne.CanvasObject) fyne.CanvasObject {
	edge := canvas.NewRectangle(nil)
	edge.StrokeColor, edge.StrokeWidth, edge.CornerRadius = theme.At(theme.ColorEdge), 1, base.Size(base.SizeNameInputRadius)
	return container.New(edgeLayout{}, content, edge)
}

// edgeLayout puts the edge where the toolkit's ground of a dialog ends.
type edgeLayout struct{}

func (edgeLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }
func (edgeLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	pad := base.Padding()
	put(o[0], 0, 0, s.Width, s.Height)
	put(o[1], -pad, -pad, s.Width+2*pad, s.Height+2*pad)
}

// ask shows a question over a window. ok nil: there is only something to read.
func (u *UI) ask(win fyne.Window, title string, text fyne.CanvasObject, ok *widgets.Button, do func()) *question {
	d := &question{u: u, win: win, before: u.dialog}
	closeText := u.t("dialog.close")
	row := widgets.NewRow(8)
	row.End = true
	if ok != nil {
		closeText = u.t("dialog.cancel")
	}
	cancel := widgets.NewButton(closeText, widgets.Plain, func() { d.Hide() })
	buttons := []fyne.CanvasObject{cancel}
	if ok != nil {
		ok.Env = u.env
		ok.Arm()
		ok.OnTap = func() {
			d.Hide()
			do()
		}
		buttons = append(buttons, ok)
	}
	row.Set(buttons...)
	content := widgets.NewColumn(14, widgets.NewText(title, widgets.LookHeading), text, row).Padded(20, 16)
	d.pop = widget.NewModalPopUp(edged(content), win.Canvas())
	u.dialog = d
	w, edge := min(win.Canvas().Size().Width-48, 480), 2*base.Padding()
	d.pop.Resize(fyne.NewSize(w, content.HeightFor(w-edge)+edge))
	d.pop.Show()
	win.Canvas().Focus(cancel) // the owner asked for it; the safe way out has the keyboard
	return d
}

// askFor shows a question whose answer is typed into a field of what: it has the keyboard at once, and Return is ok.
func (u *UI) askFor(win fyne.Window, title string, what fyne.CanvasObject, field *searchEntry, ok *widgets.Button, do func()) {
	d := u.ask(win, title, what, ok, do)
	field.OnSubmitted = func(string) { ok.Tapped(nil) }
	field.OnEscape = d.Hide
	win.Canvas().Focus(field)
	field.CursorColumn = len([]rune(field.Text))
	field.Refresh()
}

package widgets

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/theme"
)

// maxRows is how many choices of one are rows of their own; more are a menu.
const maxRows = 8

// choices are the choices of a field, a row each with what it means: one of them, or several.
func (f *AnswerForm) choices(field notify.Field, on map[string]bool, several bool, set func(string)) {
	var rows []*choiceRow
	tell := func() {
		var chosen []string
		for _, r := range rows {
			if r.on {
				chosen = append(chosen, r.choice)
			}
		}
		set(strings.Join(chosen, "\n"))
	}
	short := len(strings.Join(field.Choices, "")) < 34 && len(f.said.Notes[field.ID]) == 0
	row := NewRow(14)
	for i, choice := range field.Choices {
		c := newChoiceRow(choice, f.said.Notes[field.ID][choice], several)
		if i < 9 && !short {
			c.number.Set(strconv.Itoa(i+1), Look{Size: theme.SizeCaption, Color: theme.ColorInk, Bold: true})
		}
		c.on = on[choice]
		c.keys = f.formKey
		c.press = func() {
			was := c.on
			if !several {
				for _, o := range rows {
					o.turn(false)
				}
			}
			c.turn(!was)
			tell()
		}
		c.take = func() { f.focus(c) }
		c.step = func(by int) {
			if at := slices.Index(rows, c) + by; at >= 0 && at < len(rows) {
				rows[at].take()
			}
		}
		c.pick = func(i int) {
			if i >= len(rows) {
				return
			}
			if !rows[i].on || several {
				rows[i].press()
			}
			rows[i].take()
		}
		c.begin = func() *choiceRow {
			if at := slices.IndexFunc(rows, func(o *choiceRow) bool { return o.on }); at >= 0 {
				return rows[at]
			}
			return rows[0]
		}
		c.onKeys = func(has bool) {
			for _, o := range rows {
				o.keyed = has
				o.Refresh()
			}
		}
		c.enter = func() {
			switch {
			case f.spent:
				return
			case c.on:
				f.goOn(f.behind(field.ID, true))
			default:
				c.press()
			}
			f.spent = true
		}
		rows = append(rows, c)
		f.part(c)
		if short {
			row.objs = append(row.objs, c)
		} else {
			f.Add(c)
		}
	}
	if short {
		f.Add(row)
	}
}

// choiceRow is a choice with a mark, its number and what it means.
type choiceRow struct {
	widget.BaseWidget
	choice  string
	several bool
	on      bool
	press   func()
	enter   func()            // is Return: it chooses, and on what is chosen goes on behind its field
	take    func()            // takes the keyboard
	step    func(by int)      // gives the keyboard to another one
	pick    func(i int)       // presses another one, which takes the keyboard
	begin   func() *choiceRow // is the one of its field that the keyboard comes to
	onKeys  func(has bool)    // hears whether it has the keyboard
	keys    func(*fyne.KeyEvent) bool
	keyDowns

	hot, focused        bool
	keyed               bool // one of its field has the keyboard, so that numbers press
	bg                  *box
	ring                *canvas.Rectangle
	dot                 *canvas.Circle
	tick                *Symbol
	label, note, number *Text
}

var (
	_ fyne.Tappable     = (*choiceRow)(nil)
	_ fyne.Focusable    = (*choiceRow)(nil)
	_ fyne.Tabbable     = (*choiceRow)(nil)
	_ desktop.Hoverable = (*choiceRow)(nil)
)

func newChoiceRow(choice, note string, several bool) *choiceRow {
	c := &choiceRow{choice: choice, several: several, bg: newBox("", 6), ring: canvas.NewRectangle(nil), dot: canvas.NewCircle(nil),
		tick: NewSymbol("check", theme.ColorOnAccent, 12), number: NewText("", LookCaption)}
	label, about := LookBody, LookCaption
	label.Color, label.Max = theme.ColorInk, 3
	about.Max = 6
	c.label, c.note = NewText(choice, label), NewText(note, about)
	c.ExtendBaseWidget(c)
	return c
}

func (c *choiceRow) turn(on bool) {
	if c.on != on {
		c.on = on
		c.Refresh()
	}
}

const choiceMark = 16

func (c *choiceRow) numberX() float32 { return 8 + choiceMark + 9 }

func (c *choiceRow) textX() float32 {
	if c.number.text == "" {
		return c.numberX()
	}
	return c.numberX() + c.number.Width() + 9
}

func (c *choiceRow) room(width float32) float32 { return max(width-c.textX()-8, 20) }

// WidthFor is the width that it takes of what there is, where it stands beside others.
func (c *choiceRow) WidthFor(room float32) float32 { return min(c.textX()+c.label.Width()+9, room) }

// HeightFor is the height at a width.
func (c *choiceRow) HeightFor(width float32) float32 {
	h := c.label.HeightFor(c.room(width)) + 8
	if c.note.text != "" {
		h += c.note.HeightFor(c.room(width)) + 1
	}
	return h
}

// Tapped is the toolkit's.
func (c *choiceRow) Tapped(*fyne.PointEvent) {
	c.press()
	c.take()
}

// FocusGained is the toolkit's.
func (c *choiceRow) FocusGained() { c.focused = true; c.onKeys(true) }

// FocusLost is the toolkit's.
func (c *choiceRow) FocusLost() { c.focused = false; c.onKeys(false) }

// AcceptsTab is the toolkit's.
func (c *choiceRow) AcceptsTab() bool { return true }

// TypedRune is the toolkit's: a digit presses the choice of that number.
func (c *choiceRow) TypedRune(r rune) {
	if c.number.text != "" && r >= '1' && r <= '9' {
		c.pick(int(r - '1'))
	}
}

// TypedKey is the toolkit's.
func (c *choiceRow) TypedKey(e *fyne.KeyEvent) {
	if c.keys(e) {
		return
	}
	switch e.Name {
	case fyne.KeySpace:
		c.press()
	case fyne.KeyReturn, fyne.KeyEnter:
		c.enter()
	case fyne.KeyDown, fyne.KeyRight:
		c.step(1)
	case fyne.KeyUp, fyne.KeyLeft:
		c.step(-1)
	default:
		letGo(c, e)
	}
}

// MouseIn is the toolkit's.
func (c *choiceRow) MouseIn(*desktop.MouseEvent) { c.hot = true; c.Refresh() }

// MouseMoved is the toolkit's.
func (c *choiceRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is the toolkit's.
func (c *choiceRow) MouseOut() { c.hot = false; c.Refresh() }

// Cursor is the toolkit's.
func (c *choiceRow) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer is the toolkit's.
func (c *choiceRow) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &choiceRenderer{c}
	r.Refresh()
	return r
}

type choiceRenderer struct{ c *choiceRow }

func (r *choiceRenderer) Destroy() {}

func (r *choiceRenderer) Objects() []fyne.CanvasObject {
	c := r.c
	objs := []fyne.CanvasObject{c.bg.Rectangle, c.ring, c.label}
	switch {
	case c.on && c.several:
		objs = append(objs, c.tick)
	case c.on:
		objs = append(objs, c.dot)
	}
	if c.note.text != "" {
		objs = append(objs, c.note)
	}
	if c.number.text != "" && c.keyed {
		objs = append(objs, c.number)
	}
	return objs
}

func (r *choiceRenderer) MinSize() fyne.Size {
	c := r.c
	w := c.WidthFor(1e4)
	if at := c.Size().Width; at > 0 {
		w = min(w, at)
	}
	return fyne.NewSize(min(w, 200), c.HeightFor(max(c.Size().Width, min(w, 200))))
}

func (r *choiceRenderer) Layout(size fyne.Size) {
	c := r.c
	c.bg.place(0, 0, size.Width, size.Height)
	line := c.label.lineHeight()
	y := 4 + (line-choiceMark)/2
	place(c.ring, 8, y, choiceMark, choiceMark)
	place(c.dot, 8+4, y+4, choiceMark-8, choiceMark-8)
	place(c.tick, 8+2, y+2, 12, 12)
	room := c.room(size.Width)
	h := c.label.HeightFor(room)
	place(c.label, c.textX(), 4, room, h)
	place(c.note, c.textX(), 4+h+1, room, c.note.HeightFor(room))
	place(c.number, c.numberX(), 4+(line-c.number.lineHeight())/2, c.number.Width()+1, c.number.lineHeight())
}

func (r *choiceRenderer) Refresh() {
	c := r.c
	c.bg.fill, c.bg.stroke = "", ""
	switch {
	case c.on:
		c.bg.fill = theme.ColorChosen
	case c.hot:
		c.bg.fill = theme.ColorButtonHot
	}
	if c.focused {
		c.bg.stroke = theme.ColorFocus
	}
	c.bg.paint()
	c.ring.CornerRadius = choiceMark / 2
	if c.several {
		c.ring.CornerRadius = 4
	}
	c.ring.StrokeColor, c.ring.StrokeWidth, c.ring.FillColor = theme.At(theme.ColorInkSoft), 1.5, nil
	c.dot.FillColor = theme.At(theme.ColorOnAccent)
	if c.on {
		c.ring.FillColor, c.ring.StrokeColor = theme.At(theme.ColorAccent), theme.At(theme.ColorAccent)
	}
	r.Layout(c.Size())
	canvas.Refresh(c)
}

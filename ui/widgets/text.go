package widgets

import (
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Look is how a text is written.
type Look struct {
	Size   fyne.ThemeSizeName
	Color  fyne.ThemeColorName
	Bold   bool
	Italic bool
	Mono   bool
	// Max is the most lines; 0: as many as it takes.
	Max int
	// Center and End align; a text that reads from the right is aligned to the right without being told.
	Center, End bool
}

// The looks used most.
var (
	LookCaption = Look{Size: theme.SizeCaption, Color: theme.ColorInkFaint, Max: 1}
	LookBody    = Look{Size: theme.SizeBody, Color: theme.ColorInkSoft}
	LookTitle   = Look{Size: theme.SizeTitle, Color: theme.ColorInk, Bold: true, Max: 2}
	LookHeading = Look{Size: theme.SizeHeading, Color: theme.ColorInk, Bold: true}
	LookCode    = Look{Size: theme.SizeCode, Color: theme.ColorInk, Mono: true}
)

// LookArmed is what a second press of a key would do.
var LookArmed = Look{Size: theme.SizeBody, Color: theme.Tone("waiting"), Bold: true, Max: 2}

func (l Look) size() float32 { return base.Size(l.Size) }
func (l Look) style() fyne.TextStyle {
	return fyne.TextStyle{Bold: l.Bold, Italic: l.Italic, Monospace: l.Mono}
}

// Text is a text of one or more lines that knows its height for a width, so that rows can be measured
// before they are shown.
type Text struct {
	widget.BaseWidget
	text  string
	look  Look
	forms []vm.LineForm

	lines   []textLine
	cut     bool
	wrapped float32 // the width that lines are for; 0: none
	at      float32 // the text size that lines are for
}

// NewText makes a text.
func NewText(s string, look Look) *Text {
	t := &Text{text: drawable(s), look: look}
	t.ExtendBaseWidget(t)
	return t
}

// Set changes the text and its look; nothing happens when both are as before.
func (t *Text) Set(s string, look Look) { t.SetLines(s, nil, look) }

// SetLines is Set for a text whose lines have forms: headings are bold, items go on behind their bullets, lines of a diff
// have their tone. nil: all are plain.
func (t *Text) SetLines(s string, forms []vm.LineForm, look Look) {
	s = drawable(s)
	if t.text == s && t.look == look && slices.Equal(t.forms, forms) {
		return
	}
	t.text, t.forms, t.look, t.wrapped, t.cut = s, forms, look, 0, false
	t.Refresh()
}

// SetText changes the text alone; its lines are plain.
func (t *Text) SetText(s string) { t.Set(s, t.look) }

// Content is the whole text.
func (t *Text) Content() string { return t.text }

// HeightFor is the height at a width.
func (t *Text) HeightFor(width float32) float32 {
	t.wrap(width)
	return float32(len(t.lines)) * t.lineHeight()
}

// Width is the width of the text in one line.
func (t *Text) Width() float32 { return measure(t.text, t.look.size(), t.look.style()) }

// Cut reports whether some of the text did not fit when it was last measured.
func (t *Text) Cut() bool { return t.cut }

// WidthFor is the width that the text takes of what there is.
func (t *Text) WidthFor(room float32) float32 { return min(t.Width()+1, room) }

func (t *Text) lineHeight() float32 { return t.look.lineHeight() }

// lineHeight is a whole number, so that lines are equally far apart on every screen.
func (l Look) lineHeight() float32 {
	return float32(math.Ceil(float64(fyne.MeasureText("M", l.size(), l.style()).Height)))
}

func (t *Text) wrap(width float32) {
	size := t.look.size()
	if t.wrapped == width && t.at == size {
		return
	}
	t.lines, t.cut = wrap(t.text, t.forms, size, t.look.style(), width, t.look.Max)
	t.wrapped, t.at = width, size
}

// CreateRenderer is the toolkit's.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	r := &textRenderer{t: t}
	// The toolkit throws renderers away that were not drawn for a minute, and lays a new one out only
	// when the size changes: without this the text would come back blank.
	if t.Size().Width > 0 {
		r.Layout(t.Size())
	}
	return r
}

type textRenderer struct {
	t    *Text
	objs []fyne.CanvasObject
}

func (r *textRenderer) Destroy() {}

func (r *textRenderer) Objects() []fyne.CanvasObject { return r.objs }

func (r *textRenderer) MinSize() fyne.Size {
	w := r.t.Size().Width
	if w <= 0 {
		w = r.t.Width() + 1
	}
	return fyne.NewSize(16, r.t.HeightFor(w))
}

func (r *textRenderer) Layout(size fyne.Size) {
	r.t.wrap(size.Width)
	h := r.t.lineHeight()
	whole := vm.RightToLeft(r.t.text)
	several := strings.Contains(r.t.text, "\n") // each of several paragraphs has a direction of its own
	n := 0
	style, colour := r.t.look.style(), theme.At(r.t.look.Color)
	put := func(s string, x, y, width float32, align fyne.TextAlign) {
		if n == len(r.objs) {
			r.objs = append(r.objs, canvas.NewText("", nil))
		}
		o := r.objs[n].(*canvas.Text)
		n++
		o.Text, o.TextSize, o.TextStyle, o.Alignment, o.Color = s, r.t.look.size(), style, align, colour
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(width, h))
		o.Refresh()
	}
	for i := range r.t.lines {
		line, in := r.t.lines[i].text, r.t.lines[i].in
		style, colour = r.t.look.style(), theme.At(r.t.look.Color)
		if r.t.lines[i].heading {
			style.Bold, colour = true, theme.At(theme.ColorInk)
		}
		if tone := r.t.lines[i].tone; tone != "" {
			colour = theme.At(theme.Tone(string(tone)))
		}
		y := float32(i) * h
		rtl := whole
		if several {
			rtl = vm.RightToLeft(line)
		}
		align := fyne.TextAlignLeading
		switch {
		case r.t.look.Center:
			align = fyne.TextAlignCenter
		case r.t.look.End != rtl:
			align = fyne.TextAlignTrailing
		}
		runs := vm.VisualRuns(line, rtl)
		if len(runs) == 0 || len(runs) == 1 && !runs[0].RTL {
			put(line, in, y, size.Width-in, align)
			continue
		}
		var parts []string
		for _, run := range runs {
			if run.RTL {
				parts = append(parts, vm.RightPieces(line[run.Start:run.End])...)
			} else {
				parts = append(parts, line[run.Start:run.End])
			}
		}
		widths, sum := make([]float32, len(parts)), float32(0)
		for k, part := range parts {
			widths[k] = measure(part, r.t.look.size(), style)
			sum += widths[k]
		}
		x := in
		switch align {
		case fyne.TextAlignCenter:
			x = (size.Width - sum) / 2
		case fyne.TextAlignTrailing:
			x = size.Width - sum
		}
		for k, part := range parts {
			put(part, x, y, widths[k], fyne.TextAlignLeading)
			x += widths[k]
		}
	}
	r.objs = r.objs[:n]
}

func (r *textRenderer) Refresh() { r.Layout(r.t.Size()) }

package widgets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

func desk(t testing.TB) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Light, 1))
}

// Lines fit their width, say everything that was said, and a cut text ends in an ellipsis.
func TestWrapProperty(t *testing.T) {
	desk(t)
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "word", "longer-word", "日本語", "שלום", "🙂", "x/y/z", strings.Repeat("wide", 12), " ", "\n", "-rf", "é"}), 0, 25).Draw(t, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		width := float32(rapid.IntRange(30, 400).Draw(t, "width"))
		most := rapid.IntRange(0, 4).Draw(t, "most")
		form := rapid.Custom(func(t *rapid.T) vm.LineForm {
			return vm.LineForm{Heading: rapid.Bool().Draw(t, "heading"), Hang: rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "hang")}
		})
		var forms []vm.LineForm
		if !strings.ContainsAny(s, "日שé🙂") { // a bullet is so many bytes
			forms = rapid.SliceOfN(form, 0, 4).Draw(t, "forms")
		}
		broken, cut := wrap(s, forms, 13, fyne.TextStyle{}, width, most)
		var lines []string
		for _, l := range broken {
			if w := measure(l.text, 13, fyne.TextStyle{Bold: l.heading}); l.in > 0 && l.in+w > width+1.5 && utf8.RuneCountInString(strings.TrimSuffix(l.text, "…")) > 2 {
				t.Fatalf("%q begins at %v and is %v wide, the line %v", l.text, l.in, w, width)
			}
			lines = append(lines, l.text)
		}
		if most > 0 && len(lines) > most {
			t.Fatalf("%d lines, at most %d", len(lines), most)
		}
		for _, l := range lines {
			if w := measure(l, 13, fyne.TextStyle{}); w > width+1.5 && utf8.RuneCountInString(strings.TrimSuffix(l, "…")) > 2 {
				t.Fatalf("%q is %v wide, the line %v", l, w, width)
			}
		}
		squeeze := func(s string) string {
			return strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(s)
		}
		switch got := squeeze(strings.Join(lines, "")); {
		case !cut && got != squeeze(s):
			t.Fatalf("said %q, wrote %q", squeeze(s), got)
		case cut && !strings.HasPrefix(squeeze(s), strings.TrimSuffix(got, "…")):
			t.Fatalf("said %q, wrote the other text %q", squeeze(s), got)
		}
	})
}

func TestALeadingHyphenStaysWithItsWord(t *testing.T) {
	desk(t)
	for _, w := range []float32{60, 80, 100, 140} {
		lines, _ := wrap("rm -rf --force some-thing", nil, 13, fyne.TextStyle{}, w, 0)
		for _, l := range lines {
			if s := l.text; strings.HasSuffix(s, " -") || strings.HasSuffix(s, "--") || s == "-" {
				t.Errorf("at %v: %v", w, lines)
			}
		}
	}
}

// What goes on behind a bullet is seen to belong to it, and a heading not to be one of the lines.
func TestTheFormsOfLinesAreSeen(t *testing.T) {
	desk(t)
	x := NewText("", LookBody)
	x.SetLines("What I would do\n1. "+strings.Repeat("word ", 20)+"\nplain", []vm.LineForm{{Heading: true}, {Hang: 3}, {}}, LookBody)
	x.Resize(fyne.NewSize(200, x.HeightFor(200)))
	var texts []*canvas.Text
	for _, o := range test.WidgetRenderer(x).Objects() {
		texts = append(texts, o.(*canvas.Text))
	}
	n := len(texts)
	if n < 4 || !texts[0].TextStyle.Bold || texts[1].TextStyle.Bold || texts[n-1].TextStyle.Bold {
		t.Error("the heading alone is to be bold")
	}
	if texts[1].Position().X != 0 || texts[2].Position().X != measure("1. ", texts[2].TextSize, fyne.TextStyle{}) || texts[n-1].Position().X != 0 {
		t.Errorf("the lines begin at %v, %v and %v", texts[1].Position(), texts[2].Position(), texts[n-1].Position())
	}
}

// All of a text is one press away wherever some of it is not on the card.
func TestACutExcerptOffersAllOfIt(t *testing.T) {
	desk(t)
	long := strings.Repeat("A sentence of some length. ", 9)
	for _, step := range []struct {
		name string
		card vm.Card
		want bool
	}{
		{"short", vm.Card{Text: "Short."}, false},
		{"more lines than the card has", vm.Card{Text: long}, true},
		{"the text goes on elsewhere", vm.Card{Text: "Short.", More: true}, true},
		{"a long command", vm.Card{Code: strings.Repeat("line\n", 9)}, true},
		{"short again", vm.Card{Text: "Short."}, false},
	} {
		c := NewCard(env(t))
		var read []vm.ButtonKind
		c.OnPress = func(_ string, b vm.Button) { read = append(read, b.Kind) }
		step.card.ID, step.card.Title = "x", "Title"
		c.Set(step.card, false, false, false, nil)
		c.Resize(fyne.NewSize(480, c.HeightFor(480)))
		if got := slices.Contains(test.WidgetRenderer(c).Objects(), fyne.CanvasObject(c.all)); got != step.want {
			t.Errorf("%s: offered %v, want %v", step.name, got, step.want)
		}
		test.Tap(c.all)
		if len(read) != 1 || read[0] != vm.ButtonRead {
			t.Errorf("%s: pressed %v", step.name, read)
		}
	}
}

// A press in the first 700 ms after a button appeared was meant for what was there before.
func TestADecidingButtonIsInertAtFirst(t *testing.T) {
	desk(t)
	now := sample.Now
	e := &Env{Tr: func(m vm.Msg) string { return m.Key }, Now: func() time.Time { return now }}
	var pressed []string
	c := NewCard(e)
	c.OnPress = func(_ string, b vm.Button) { pressed = append(pressed, b.ID) }
	card := vm.CardOf(sample.Question(), vm.Context{Now: now})
	c.Set(card, false, false, false, nil)
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, 0}, {100 * time.Millisecond, 0}, {599 * time.Millisecond, 0}, {time.Millisecond, 1}, {time.Hour, 2}} {
		now = now.Add(step.after)
		test.Tap(c.Buttons()[0])
		if len(pressed) != step.want {
			t.Fatalf("after %v: pressed %d times, want %d", step.after, len(pressed), step.want)
		}
	}
	card.Buttons = append([]vm.Button{{Kind: vm.ButtonOption, ID: "new", Label: "New"}}, card.Buttons...)
	c.Set(card, false, false, false, nil)
	test.Tap(c.Buttons()[0])
	if len(pressed) != 2 {
		t.Error("a button that has only just come was pressed")
	}
}

func rows(n, from int) (out []vm.Row) {
	for i := range n {
		id := fmt.Sprintf("row-%05d", from+i)
		out = append(out, vm.Row{Kind: vm.RowCard, ID: id, Card: &vm.Card{ID: id, Title: "Title " + id, Sign: vm.Sign{Tone: vm.ToneInfo, Icon: "info", Word: vm.M("severity.info")}, Dismissible: true}})
	}
	return out
}

func feed(t testing.TB, n int) (*Feed, fyne.Window) {
	t.Helper()
	f := NewFeed(&Env{Tr: func(m vm.Msg) string { return m.Key }, Now: func() time.Time { return sample.Now }})
	w := test.NewTempWindow(t, f)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(480, 600))
	f.Set(rows(n, 0))
	return f, w
}

func TestOnlyRowsInViewHaveWidgets(t *testing.T) {
	desk(t)
	f, _ := feed(t, 10_000)
	if n := len(f.bound); n < 5 || n > 20 {
		t.Errorf("%d rows have widgets", n)
	}
	f.scroll.Offset.Y = 300_000
	f.settle(false)
	if n := len(f.bound) + len(f.pool[vm.RowCard]); n > 40 {
		t.Errorf("%d widgets are kept", n)
	}
	f.Set(rows(3, 0))
	if f.scroll.Offset.Y != 0 || len(f.bound) != 3 {
		t.Errorf("after shrinking: offset %v, %d rows", f.scroll.Offset.Y, len(f.bound))
	}
}

// What arrives above moves nothing under the pointer.
func TestThePositionIsKeptById(t *testing.T) {
	desk(t)
	f, _ := feed(t, 200)
	f.scroll.Offset.Y = 2000
	f.settle(false)
	id, off := f.anchor()
	y := f.topOf(id) - f.scroll.Offset.Y
	f.Set(append(rows(30, 900), rows(200, 0)...))
	if got, o := f.anchor(); got != id || o-off > 0.6 || off-o > 0.6 {
		t.Errorf("the first row in view is %s %+v, was %s %+v", got, o, id, off)
	}
	if d := f.topOf(id) - f.scroll.Offset.Y - y; d > 0.6 || d < -0.6 {
		t.Errorf("it moved by %v", d)
	}
}

func TestAtTheTopWhatArrivesIsSeen(t *testing.T) {
	desk(t)
	f, _ := feed(t, 50)
	f.Set(append(rows(1, 900), rows(50, 0)...))
	if f.scroll.Offset.Y != 0 || f.Card("row-00900") == nil {
		t.Errorf("offset %v", f.scroll.Offset.Y)
	}
}

// A card that moves without being scrolled is not what was under the pointer before.
func TestACardThatMovesIsInert(t *testing.T) {
	desk(t)
	now := sample.Now
	e := &Env{Tr: func(m vm.Msg) string { return m.Key }, Now: func() time.Time { return now }}
	f := NewFeed(e)
	w := test.NewTempWindow(t, f)
	w.Resize(fyne.NewSize(480, 600))
	q := vm.CardOf(sample.Question(), vm.Context{Now: now})
	row := vm.Row{Kind: vm.RowCard, ID: q.ID, Card: &q}
	pressed := 0
	f.OnPress = func(string, vm.Button) { pressed++ }
	f.Set([]vm.Row{row})
	now = now.Add(time.Second)
	f.Set(append(rows(1, 0), row))
	test.Tap(f.Card(q.ID).Buttons()[0])
	if pressed != 0 {
		t.Error("pressed what came under the pointer")
	}
	now = now.Add(time.Second)
	f.Set(append(rows(1, 0), row))
	test.Tap(f.Card(q.ID).Buttons()[0])
	if pressed != 1 {
		t.Error("it stays inert")
	}
}

// Where the pointer is, is told by the screen, not by the length of the list: what arrives above a card that stays
// where it is leaves it live, what goes away below one that slips down does not. The owner's own scrolling moves
// nothing unseen.
func TestACardThatStaysIsLive(t *testing.T) {
	desk(t)
	now := sample.Now
	e := &Env{Tr: func(m vm.Msg) string { return m.Key }, Now: func() time.Time { return now }}
	f := NewFeed(e)
	w := test.NewTempWindow(t, f)
	w.Resize(fyne.NewSize(480, 600))
	q := vm.CardOf(sample.Question(), vm.Context{Now: now})
	row := vm.Row{Kind: vm.RowCard, ID: q.ID, Card: &q}
	all := slices.Concat(rows(20, 0), []vm.Row{row}, rows(20, 100))
	f.Set(all)
	f.Reveal(q.ID)
	f.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -100)})
	now = now.Add(time.Second)
	on := func() float32 { return f.Card(q.ID).Position().Y - f.scroll.Offset.Y }
	was, offset := on(), f.scroll.Offset.Y
	all = slices.Concat(rows(3, 900), all)
	f.Set(all)
	if on() != was || f.scroll.Offset.Y == offset {
		t.Fatalf("it is at %v, was at %v", on(), was)
	}
	if f.Card(q.ID).Buttons()[0].Inert() {
		t.Error("inert, though it did not move")
	}
	f.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 40)})
	if on() == was || f.Card(q.ID).Buttons()[0].Inert() {
		t.Error("inert by being scrolled")
	}
	was = on()
	f.Set(all[:len(all)-20])
	if on() == was || !f.Card(q.ID).Buttons()[0].Inert() {
		t.Errorf("live, though it slipped from %v to %v", was, on())
	}
}

func TestTheKeyboardMovesTheSelection(t *testing.T) {
	desk(t)
	f, _ := feed(t, 100)
	for _, step := range []struct {
		by   int
		want string
	}{{1, "row-00000"}, {1, "row-00001"}, {-5, "row-00000"}, {1 << 20, "row-00099"}, {-1, "row-00098"}} {
		f.MoveSelection(step.by)
		if f.Selected != step.want {
			t.Fatalf("by %d: %s, want %s", step.by, f.Selected, step.want)
		}
		if f.Card(f.Selected) == nil {
			t.Errorf("%s is not in view", f.Selected)
		}
	}
}

func TestCardsReportWhatTheOwnerWants(t *testing.T) {
	desk(t)
	f, _ := feed(t, 3)
	var got []string
	f.OnSelect = func(id string) { got = append(got, "select "+id) }
	f.OnDismiss = func(id string) { got = append(got, "dismiss "+id) }
	f.OnMenu = func(id string, _ fyne.Position) { got = append(got, "menu "+id) }
	c := f.Card("row-00001")
	test.Tap(c)
	test.TapSecondary(c)
	test.Tap(c.dismiss)
	if want := "select row-00001,menu row-00001,dismiss row-00001"; strings.Join(got, ",") != want {
		t.Errorf("got %v", got)
	}
}

func TestFormsSayWhatIsWrong(t *testing.T) {
	desk(t)
	in := sample.Form().Interaction
	f := NewAnswerForm(env(t), in, vm.NewDraft(in), vm.FormText{})
	var sent []vm.Draft
	f.OnSend = func(d vm.Draft) { sent = append(sent, d) }
	if f.comment.Visible() {
		t.Error("it asks for a comment before there is one to make")
	}
	if f.options[0].Style != Primary || f.options[1].Style == Primary {
		t.Errorf("the answers are %s and %s; the main one is to stand out", f.options[0].Style, f.options[1].Style)
	}
	for _, b := range f.options {
		b.Env = nil // they are inert at first
	}
	test.Tap(f.options[1])
	if !f.comment.Visible() || len(sent) != 0 {
		t.Error("the choice did not open its comment, or was sent at once")
	}
	test.Tap(f.options[1])
	test.Tap(f.options[0])
	if len(sent) != 2 || sent[0].Option != "hold" || sent[1].Option != "go" {
		t.Errorf("sent %+v", sent)
	}
	test.Tap(f.options[1])
	before := f.HeightFor(400)
	f.Problems(map[string]string{"comment": "is required with this option"})
	if !f.problems["comment"].Visible() || f.HeightFor(400) <= before {
		t.Error("the problem is not shown")
	}
	f.Problems(nil)
	if f.problems["comment"].Visible() {
		t.Error("the problem stays")
	}
}

// A comment of more lines than it shows is scrolled by the wheel, as far as it goes; then what it stands in is.
func TestALongCommentScrollsBeforeItsPane(t *testing.T) {
	desk(t)
	e := newCommentEntry()
	e.key = func(*fyne.KeyEvent) bool { return false }
	e.SetText(strings.Repeat("line\n", 8))
	p := NewPane(NewColumn(4, e, NewText(strings.Repeat("word ", 900), LookBody)))
	w := test.NewTempWindow(t, p)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(300, 200))
	turn := func(by float32) {
		p.wheel.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{AbsolutePosition: fyne.NewPos(20, 20)}, Scrolled: fyne.NewDelta(0, by)})
	}
	turn(-10)
	if e.lines.Offset.Y != 0 || p.Offset() != 10 {
		t.Errorf("without the keyboard: the comment is at %v, the pane at %v", e.lines.Offset.Y, p.Offset())
	}
	turn(10)
	w.Canvas().Focus(e)
	e.lines.ScrollToTop()
	turn(-10)
	if e.lines.Offset.Y != 10 || p.Offset() != 0 {
		t.Errorf("the comment is at %v, the pane at %v", e.lines.Offset.Y, p.Offset())
	}
	turn(-1e4)
	turn(-10)
	if p.Offset() != 10 {
		t.Errorf("at the comment's end the pane is at %v", p.Offset())
	}
}

func TestButtonsTakeTheKeyboard(t *testing.T) {
	desk(t)
	n := 0
	b := NewButton("x", Plain, func() { n++ })
	for _, k := range []fyne.KeyName{fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyA} {
		b.TypedKey(&fyne.KeyEvent{Name: k})
	}
	if n != 3 {
		t.Errorf("pressed %d times", n)
	}
	b.Disabled = true
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if n != 3 {
		t.Error("a disabled button was pressed")
	}
}

func TestTheSidebarIsWalkedWithTheKeyboard(t *testing.T) {
	desk(t)
	s := NewSidebar(env(t))
	s.Set(vm.Sidebar(snapshot()))
	var chosen []notify.SessionRef
	s.OnChoose = func(r vm.SideRow) { chosen = append(chosen, r.Ref) }
	s.FocusGained()
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(chosen) != 1 || chosen[0] != sessionRef("claude", "s-docs") {
		t.Errorf("chose %v", chosen)
	}
}

func TestColours(t *testing.T) {
	for s, want := range map[string]bool{"#a1B2c3": true, "a1b2c3": false, "#abc": false, "#gggggg": false, "": false} {
		if _, ok := Hex(s); ok != want {
			t.Errorf("%q: got %v", s, ok)
		}
	}
	if LineColour("", "ci") != LineColour("nonsense", "ci") {
		t.Error("the same name has two colours")
	}
}

func TestTextFollowsTheThemesSize(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	x := NewText(strings.Repeat("word ", 40), LookBody)
	small := x.HeightFor(200)
	app.Settings().SetTheme(theme.New(theme.Light, 2))
	if large := x.HeightFor(200); large < 2*small {
		t.Errorf("%v, then %v", small, large)
	}
}

// With large text and little room nothing is cut that says what a line is about: its clock has a line of its own, and
// what clears all is written out.
func TestALineFitsWithLargeText(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 2))
	row := vm.Row{Kind: vm.RowJump, ID: "jump:x", Jump: &vm.Jump{Title: "Wants to change main.tf", Session: "infra", Chip: vm.ChipView{Label: "Claude Code"},
		Clock: vm.MA("clock.exact", "9:12"), Aside: vm.MN("aside.minutes", 5)}}
	l := newLineRow(env(t), vm.RowJump, nil)
	l.set(&row, false)
	wide := l.HeightFor(900)
	l.Resize(fyne.NewSize(420, l.HeightFor(420)))
	test.NewTempWindow(t, l).Resize(fyne.NewSize(420, 300))
	if !l.stacked(420) || l.stacked(900) || l.HeightFor(420) <= wide {
		t.Errorf("a line of its own: %v at 420, %v at 900", l.stacked(420), l.stacked(900))
	}
	if l.clock.Cut() || l.title.Size().Width < 250 || l.clock.Position().Y <= l.sub.Position().Y {
		t.Errorf("the clock has %v of %v at %v, the title %v", l.clock.Size().Width, l.clock.Width(), l.clock.Position(), l.title.Size())
	}
	head := vm.Row{Kind: vm.RowHead, ID: "head", Head: vm.M("head.latest"), Count: 8, Clear: 8}
	h := newLineRow(env(t), vm.RowHead, nil)
	h.set(&head, false)
	test.NewTempWindow(t, h).Resize(fyne.NewSize(420, 60))
	if want := h.clear.WidthFor(1e6); h.clear.Size().Width < want {
		t.Errorf("what clears all has %v of %v", h.clear.Size().Width, want)
	}
}

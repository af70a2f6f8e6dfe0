package widgets

import (
	"reflect"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Card is an item of the rail: a lamp on the track, and beside it what is said and what can be done.
type Card struct {
	widget.BaseWidget
	env  *Env
	card vm.Card
	has  bool

	// Open shows more of the text; Chosen is drawn as selected; Marked as one of several.
	open, chosen, marked, hot bool
	// form is what an open answer form puts into the card; nil: none.
	form fyne.CanvasObject

	// What the owner wants. All get the card's id.
	OnTap     func(id string)
	OnMark    func(id string) // with Ctrl
	OnMenu    func(id string, at fyne.Position)
	OnDismiss func(id string)
	OnPress   func(id string, b vm.Button)

	lamp                                       *Lamp
	bg                                         *box
	bar                                        *box
	word, clock, age, sender                   *Text
	title, text, prompt, code, edited, refused *Text
	armed                                      *Text
	meterText, percent                         *Text
	codeBox, refusedBox                        *box
	meter                                      *Meter
	chip, badge                                *Chip
	more, dismiss, all                         *Press
	unread                                     *canvas.Circle
	buttons                                    []*Press
	asked                                      []*Text
	objs                                       []fyne.CanvasObject
	shift                                      bool

	// seenAt is where on the screen the feed showed the card last; placed is false until it has.
	seenAt float32
	placed bool
}

var (
	_ fyne.Tappable          = (*Card)(nil)
	_ fyne.SecondaryTappable = (*Card)(nil)
	_ desktop.Hoverable      = (*Card)(nil)
	_ desktop.Mouseable      = (*Card)(nil)
)

// NewCard makes an empty card.
func NewCard(env *Env) *Card {
	c := &Card{env: env}
	c.lamp = NewLamp(vm.Sign{})
	c.bg, c.bar = newBox(theme.ColorCard, base.Size(theme.SizeRadius)), newBox("", 2)
	c.bg.stroke = theme.ColorLine
	c.codeBox = newBox(theme.ColorCode, 6)
	c.codeBox.stroke = theme.ColorLine
	c.word, c.clock, c.age, c.sender = NewText("", LookCaption), NewText("", LookCaption), NewText("", LookCaption), NewText("", LookCaption)
	c.title, c.text = NewText("", LookTitle), NewText("", LookBody)
	c.prompt = NewText("", LookBody)
	c.code = NewText("", LookCode)
	c.edited, c.armed = NewText("", LookCaption), NewText("", LookCaption)
	c.refused, c.refusedBox = NewText("", LookBody), newBox(theme.Tint("warning"), 6)
	c.meter, c.meterText, c.percent = NewMeter(), NewText("", LookCaption), NewText("", LookCaption)
	c.more = NewIconPress("more", func() {
		if c.OnMenu != nil {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(c.more)
			c.OnMenu(c.card.ID, at.AddXY(0, c.more.Size().Height))
		}
	})
	c.dismiss = NewIconPress("x", func() {
		if c.OnDismiss != nil {
			c.OnDismiss(c.card.ID)
		}
	})
	c.all = NewPress(env.T("card.read_all"), Quiet, func() {
		if c.OnPress != nil {
			c.OnPress(c.card.ID, vm.Button{Kind: vm.ButtonRead})
		}
	})
	c.all.Icon, c.all.Small = "expand", true
	c.unread = canvas.NewCircle(nil)
	c.ExtendBaseWidget(c)
	return c
}

// ID is the id of the card's item.
func (c *Card) ID() string { return c.card.ID }

// Cut reports whether the card shows less than all that is asked.
func (c *Card) Cut() bool { return c.card.More || c.text.Cut() || c.prompt.Cut() || c.code.Cut() }

// Buttons are the card's buttons, in the order of their keys.
func (c *Card) Buttons() []*Press { return c.buttons }

// Arm makes the buttons that decide inert for a moment: the card has just appeared or moved.
func (c *Card) Arm() {
	for i, b := range c.buttons {
		if c.card.Buttons[i].Decides() {
			b.Arm()
		}
	}
	c.dismiss.Env = c.env
}

// Set shows a card. It reports whether anything changed.
func (c *Card) Set(card vm.Card, chosen, marked, open bool, form fyne.CanvasObject) bool {
	if c.has && c.chosen == chosen && c.marked == marked && c.open == open && c.form == form && reflect.DeepEqual(c.card, card) {
		return false
	}
	fresh := !c.has || c.card.ID != card.ID
	// Another revision asks something else, under the same buttons: they must not be live under the pointer.
	rebuilt := fresh || card.Waiting && asksAnew(&c.card, &card) || !reflect.DeepEqual(c.card.Buttons, card.Buttons)
	if !fresh && c.card.Revision != card.Revision {
		c.meter.Step() // work of unknown length moves with what it says, not with time
	}
	c.card, c.has, c.chosen, c.marked, c.open, c.form = card, true, chosen, marked, open, form
	if rebuilt {
		c.makeButtons()
		c.Arm()
	}
	c.showKeys()
	if fresh {
		c.hot = false
	}
	c.fill()
	c.Refresh()
	return true
}

// asksAnew reports whether b is another revision than a; one without revisions is told by its token (L7).
func asksAnew(a, b *vm.Card) bool {
	return a.Revision != b.Revision || b.Revision == 0 && !a.Token.Equal(b.Token)
}

func (c *Card) makeButtons() {
	c.buttons = nil
	for _, b := range c.card.Buttons {
		style := Style(b.Style)
		label := b.Label
		if label == "" && b.Kind == vm.ButtonAnswer {
			label = c.env.T("card.answer")
		}
		if b.Comments() {
			label += "…" // it asks for a comment first
		}
		p := NewPress(label, style, func() {
			if c.OnPress != nil {
				c.OnPress(c.card.ID, b)
			}
		})
		if b.URL != "" {
			p.Icon = "external"
		}
		p.Env = c.env
		c.buttons = append(c.buttons, p)
	}
}

// showKeys draws the keys of the buttons on the chosen card alone: elsewhere they would press nothing.
func (c *Card) showKeys() {
	for i, b := range c.buttons {
		key := ""
		if n := c.card.Buttons[i].Key; n > 0 && c.chosen {
			key = strconv.Itoa(n)
		}
		if b.Key != key {
			b.Key = key
			b.Refresh()
		}
	}
}

func (c *Card) fill() {
	k := &c.card
	tone := string(k.Sign.Tone)
	c.lamp.Set(k.Sign, k.Aside || k.Muted)
	c.word.Set(c.env.Tr(k.Sign.Word), Look{Size: theme.SizeCaption, Color: theme.Tone(tone), Bold: true, Max: 1})
	clock := Look{Size: theme.SizeCaption, Color: theme.Tone(tone), Max: 1}
	if k.Ending {
		clock.Color, clock.Bold = theme.Tone("error"), true
	}
	c.clock.Set(c.clockText(), clock)
	meta, metaLook := []string{c.env.Tr(k.Age)}, LookCaption
	if !k.Stale.IsZero() {
		meta[0] = c.env.Tr(vm.MA("card.stale", c.env.Tr(k.Stale)))
		metaLook.Color, metaLook.Bold = theme.Tone("warning"), true
	}
	if !k.Snoozed.IsZero() {
		meta = append(meta, c.env.Tr(k.Snoozed))
	}
	if k.Muted {
		meta = append(meta, c.env.T("card.muted"))
	}
	if k.Attachments > 0 {
		meta = append(meta, c.env.Tr(vm.MN("card.attachments", k.Attachments)))
	}
	c.age.Set(strings.Join(meta, " · "), metaLook)
	c.sender.Set(k.Sender, LookCaption)
	title := LookTitle
	if dense() && !k.Waiting {
		title.Max = 1
	}
	if c.open {
		title.Max = 0
	}
	if !k.Unread && !k.Waiting {
		title.Bold = false
	}
	c.title.Set(k.Title, title)
	text := LookBody
	text.Max = 3
	if dense() && !k.Waiting {
		text.Max = 1
	}
	if c.open || k.Plan {
		text.Max = 8
	}
	if k.Choices {
		text.Max = 24
	}
	c.text.SetLines(k.Text, k.Lines, text)
	prompt := LookBody
	prompt.Color = theme.ColorInk
	prompt.Max = 6
	c.prompt.Set(k.Prompt, prompt)
	code := LookCode
	code.Max = 4
	if dense() {
		code.Max = 2
	}
	if k.Waiting {
		code.Max = 14 // a command that is asked permission for is shown in full; the detail has still longer ones
	}
	var diff []vm.LineForm
	if k.Diff {
		diff = vm.DiffForms(k.Code)
	}
	c.code.SetLines(k.Code, diff, code)
	edited := ""
	if !k.Edited.IsZero() {
		edited = c.env.Updated(k.Edited, k.Parts)
	}
	if k.PlusOnes > 0 { // in a line of its own: beside two chips there is no room to say it
		edited = strings.TrimPrefix(edited+" · "+c.env.Tr(vm.MN("card.plus_ones", k.PlusOnes)), " · ")
	}
	c.edited.Set(edited, LookCaption)
	c.armed.Set(c.env.Armed(k.Buttons, k.Armed), LookArmed)
	refused := ""
	if k.Refused != "" {
		refused = c.env.Tr(vm.MA("card.refused", k.Refused))
	}
	all := vm.M("card.read_all")
	if k.Whole > 1 {
		all = vm.MN("card.read_lines", k.Whole)
	}
	if label := c.env.Tr(all); c.all.Label != label {
		c.all.Label = label
		c.all.Refresh()
	}
	c.refused.Set(refused, Look{Size: theme.SizeBody, Color: theme.Tone("warning"), Max: 3})
	if k.Meter != nil {
		if !k.Stale.IsZero() {
			tone = string(vm.ToneQuiet)
		}
		c.meter.Set(k.Meter.Known, k.Meter.Fraction, tone)
		c.meterText.Set(k.Meter.Text, LookCaption)
		percent := ""
		if k.Meter.Known {
			percent = strconv.Itoa(k.Meter.Percent) + " %"
		}
		c.percent.Set(percent, Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 1, End: true})
	}
	c.chip, c.badge = nil, nil
	if k.Chip != nil {
		c.chip = NewChip(k.Chip.Label, LineColour(k.Chip.Color, k.Chip.Label), "")
	}
	if k.Badge != nil {
		label := strings.TrimSpace(k.Badge.Glyph + " " + k.Badge.Label)
		if dot, ok := Hex(k.Badge.Color); ok {
			c.badge = NewChip(label, dot, "")
		} else {
			c.badge = NewChip(label, nil, "")
		}
	}
	c.asked = nil
	for _, a := range k.Asked {
		c.asked = append(c.asked, NewText(a.Session+" — "+c.env.Tr(a.Result), Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Max: 1}))
	}
}

func (c *Card) clockText() string {
	if c.card.Clock.IsZero() {
		return ""
	}
	return c.env.Waits(c.card.AsideFor, c.card.Clock, c.card.Deadline)
}

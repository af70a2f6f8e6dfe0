package widgets

import (
	"math"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"signalbox/ui/theme"
)

// HeightFor is the height of the card at a width.
func (c *Card) HeightFor(width float32) float32 { return c.arrange(width, false) }

// gap is a space between rows, or in one, for those who like room and for those who like much on little space.
func gap(v float32) float32 { return float32(math.Round(float64(v * base.Size(theme.SizeTight)))) }

// dense reports whether the owner likes much on little space.
func dense() bool { return base.Size(theme.SizeTight) < 1 }

// maxCard is the widest card: longer lines are hard to read.
const maxCard = 920

// trackX is where the track runs, and cardX where cards begin, for a width.
func trackX(width float32) (track, card float32) {
	if width < 440 {
		return 20, 40
	}
	return 26, 52
}

// arrange puts everything in its place, or only measures.
func (c *Card) arrange(width float32, put bool) float32 {
	if put {
		c.objs = c.objs[:0]
	}
	add := func(o fyne.CanvasObject, x, y, w, h float32) {
		if put {
			place(o, x, y, w, h)
			c.objs = append(c.objs, o)
		}
	}
	k := &c.card
	tx, x0 := trackX(width)
	right := width - 12
	if width < 440 {
		right = width - 8
	}
	right = min(right, x0+maxCard)
	padX, padY := float32(14), base.Size(theme.SizeCardPad)
	if width < 440 {
		padX = 12
	}
	left, end := x0+padX, right-padX
	room := end - left
	addBox := func(b *box, x, y, w, h float32) { add(b.Rectangle, x, y, w, h) }

	if put { // the ground comes first; its height is known at the end
		c.objs = append(c.objs, c.bg.Rectangle, c.bar.Rectangle)
	}
	add(c.lamp, tx-lampSize/2, padY-1, lampSize, lampSize)

	// First row: sign, clock, age; at the right the chip and what can be done.
	y := padY
	capH := c.word.lineHeight()
	rowH := max(capH, chipHeight())
	rx := end + 4
	btn := c.dismiss.height()
	if k.Dismissible {
		add(c.dismiss, rx-btn, y+(rowH-btn)/2, btn, btn)
		rx -= btn + 2
	}
	add(c.more, rx-btn, y+(rowH-btn)/2, btn, btn)
	rx -= btn + 6
	wordW := c.word.Width()
	if c.chip != nil {
		w := c.chip.WidthFor(max(60, min(rx-left-wordW-16, room*0.42)))
		add(c.chip, rx-w, y+(rowH-chipHeight())/2, w, chipHeight())
		rx -= w + 6
	}
	if c.badge != nil && rx-left-wordW > 110 {
		w := c.badge.WidthFor(min(rx-left-wordW-60, 130))
		add(c.badge, rx-w, y+(rowH-chipHeight())/2, w, chipHeight())
		rx -= w + 6
	}
	cy := y + (rowH-capH)/2
	x := left
	if k.Unread {
		add(c.unread, x, cy+capH/2-3, 7, 7)
		x += 13
	}
	wordW = min(wordW, max(rx-x-4, 20))
	add(c.word, x, cy, wordW+1, capH)
	x += wordW + 8
	if c.clock.text != "" {
		if w := c.clock.Width(); x+w < rx {
			add(c.clock, x, cy, w+1, capH)
			x += w + 8
		} else { // no room beside: a line of its own, the clock is never left out
			y += rowH + 1
			add(c.clock, left, y, room, capH)
			rowH, x = capH, rx
		}
	}
	if k.Clock.IsZero() && rx-x > 40 {
		add(c.age, x, cy, rx-x, capH)
	}
	y += rowH + gap(4)

	line := func(t *Text, by float32) {
		if t.text == "" {
			return
		}
		y += gap(by)
		h := t.HeightFor(room)
		add(t, left, y, room, h)
		y += h
	}
	line(c.title, 0)
	line(c.sender, 1)
	offered := false
	readAll := func(cut bool) {
		if !cut || offered || dense() && !c.open && !k.Waiting { // in little room news ends in an ellipsis until it is chosen
			return
		}
		offered = true
		y += 3
		add(c.all, left-c.all.padX(), y, c.all.WidthFor(room), c.all.height())
		y += c.all.height()
	}
	if c.form == nil || !k.Repeats {
		line(c.text, 3)
		readAll(c.text.Cut() || k.More && c.prompt.text == "" && c.code.text == "")
	}
	line(c.prompt, 5)
	if c.code.text != "" {
		y += gap(8)
		h, pad := c.code.HeightFor(room-20), gap(7)
		addBox(c.codeBox, left, y, room, h+2*pad)
		add(c.code, left+10, y+pad, room-20, h)
		y += h + 2*pad
	}
	readAll(k.More || c.prompt.Cut() || c.code.Cut())
	if k.Meter != nil {
		y += 9
		pw := float32(0)
		if c.percent.text != "" {
			pw = c.percent.Width() + 14
			add(c.percent, end-pw, y-5, pw, capH)
		}
		add(c.meter, left, y, room-pw, meterHeight)
		y += meterHeight + 2
		line(c.meterText, 3)
	}
	if c.refused.text != "" {
		y += 8
		h := c.refused.HeightFor(room - 20)
		addBox(c.refusedBox, left, y, room, h+10)
		add(c.refused, left+10, y+5, room-20, h)
		y += h + 10
	}
	line(c.edited, 5)
	if len(c.asked) > 0 {
		y += 6
		for _, t := range c.asked {
			add(t, left, y, room, capH)
			y += capH + 2
		}
	}
	if c.form != nil {
		y += 10
		h := formHeight(c.form, room)
		add(c.form, left, y, room, h)
		y += h
	}
	if len(c.buttons) > 0 && c.form == nil {
		y += gap(11)
		bx, bh := left, c.buttons[0].height()
		for _, b := range c.buttons {
			w := b.WidthFor(room)
			if bx > left && bx+w > end {
				bx = left
				y += bh + 6
			}
			add(b, bx, y, w, bh)
			bx += w + 8
		}
		y += bh
		line(c.armed, 7)
	}
	total := max(y+padY, padY*2+lampSize)
	if put {
		c.bg.place(x0, 0, right-x0, total)
		c.bar.place(x0, 10, 3, total-20)
	}
	return total
}

// formHeight asks an answer form for its height at a width.
func formHeight(o fyne.CanvasObject, width float32) float32 {
	if f, ok := o.(interface{ HeightFor(float32) float32 }); ok {
		return f.HeightFor(width)
	}
	return o.MinSize().Height
}

package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// detailPane shows everything that one item has. In the history it is read-only, but for the actions
// that say they are valid there (P3).
type detailPane struct {
	u       *UI
	win     fyne.Window
	rail    *railWindow // nil in the history
	onClose func()

	id      string
	rec     *notify.Record
	extra   detailExtra
	err     error
	looking bool   // the record is being read once more
	looked  int64  // with which reading of the snapshot that was last
	full    bool   // it takes the place of the rail, where it would stand under it
	whole   string // the item that the owner asked to read at full height; empty: none
	col     *widgets.Column
	foot    *widgets.Column // what can be done, always in view
	view    *widgets.Footed
	shownAt time.Time         // when this item came
	next    func()            // shows the newest item that was asked for since, once the selection rests
	pressed []*widgets.Button // of the foot, in the order of their keys
	drawn   footKey
	armed   *widgets.Text // under the buttons: what a second press of a key would do
}

// footKey is what the foot depends on: it is not made anew while that stays, so that its buttons are inert once.
type footKey struct {
	id     string
	seen   notify.Expectation
	status notify.Status
	form   *widgets.AnswerForm
	above  bool // the form is open on the card
	state  notify.InteractionState
}

func newDetailPane(r *railWindow) *detailPane {
	d := &detailPane{u: r.u, win: r.win, rail: r}
	d.init()
	return d
}

func (d *detailPane) init() {
	d.col = widgets.NewColumn(10).Padded(20, 16)
	d.col.MaxWidth = 720
	d.foot = widgets.NewColumn(8).Padded(20, 12)
	d.foot.MaxWidth = 720
	d.armed = widgets.NewText("", widgets.LookArmed)
	d.view = widgets.NewFooted(d.col, d.foot)
}

func (d *detailPane) open() bool              { return d.id != "" }
func (d *detailPane) pane() fyne.CanvasObject { return d.view }

func (d *detailPane) close() {
	d.id, d.rec, d.full, d.next = "", nil, false, nil
	d.drawn = footKey{} // opened again, its buttons come under the pointer as new
	if d.rail != nil {
		d.rail.layout.again()
	}
	if d.onClose != nil {
		d.onClose()
	}
}

// replace shows what another pane shows, which it takes the place of.
func (d *detailPane) replace(was *detailPane) {
	d.id, d.full, d.extra, d.shownAt = was.id, was.full, was.extra, was.shownAt
	d.load(was.id, was.rec)
}

func (r *railWindow) openDetail(id string) {
	if id == "" {
		r.detail.close()
		return
	}
	r.detail.load(id, r.record(id))
}

// restFor is how long the selection must rest before another item is read in the detail: while somebody runs through
// a list, what flies past is not laid out. fetchAfter is how long until what is not in a record is fetched.
const (
	restFor    = 120 * time.Millisecond
	fetchAfter = 150 * time.Millisecond
)

// load shows a record, and fetches what is not in it. Of several in a short time it shows the first and the last.
func (d *detailPane) load(id string, rec *notify.Record) {
	if d.open() && d.id != id && d.u.now().Sub(d.shownAt) < restFor {
		if d.next == nil {
			d.u.after(restFor, func() {
				if next := d.next; next != nil {
					d.next = nil
					next()
				}
			})
		}
		d.next = func() { d.load(id, rec) }
		d.shownAt = d.u.now()
		return
	}
	d.next = nil
	if d.id != id {
		d.shownAt = d.u.now()
		d.view.Pane.Top()
		// A plan is there to be read: it gets the whole height.
		d.full = rec != nil && rec.Waiting() && rec.Interaction.Plans()
	}
	d.full, d.whole = d.full || d.whole == id, ""
	d.id, d.err = id, nil
	if rec != nil {
		d.rec = rec
		d.draw()
		d.fetch(rec)
		if d.rail != nil {
			d.rail.layout.follow()
		}
		return
	}
	u := d.u
	background(u, func(ctx context.Context) (*notify.Record, error) { return u.port.Record(ctx, id) }, func(x *notify.Record, err error) {
		if d.id != id {
			return
		}
		d.rec, d.err = x, err
		d.draw()
		if x != nil {
			d.fetch(x)
		}
	})
}

// follow keeps up with the snapshot; an item that left the rail is read again until it is known how it ended, and that its
// answer was fetched.
func (d *detailPane) follow() {
	if d.id == "" || d.rail == nil {
		return
	}
	x := d.u.snap.Record(d.id)
	switch {
	case x != nil && (d.rec == nil || x.Change != d.rec.Change):
		d.load(d.id, x)
	case x == nil && d.rec != nil && (d.rec.Status == notify.Pending || kept(d.rec) && d.looked != d.u.snap.Reading) && !d.looking && d.u.fresh:
		d.lookAgain()
	}
}

// kept reports whether an answer has not been fetched yet.
func kept(r *notify.Record) bool {
	return r.Outcome != nil && r.Outcome.Kind == notify.OutcomeAnswered && !r.AnswerDelivered
}

// draw makes the content anew.
func (d *detailPane) draw() {
	u := d.u
	if d.rec == nil {
		text := u.t("state.loading")
		if d.err != nil {
			text = u.tr(vm.Trouble(d.err))
		}
		d.foot.Set()
		d.drawn = footKey{}
		d.col.Set(d.header(nil), widgets.NewText(text, widgets.LookBody))
		d.view.Relayout()
		return
	}
	x := d.rec
	d.col.MaxWidth, d.foot.MaxWidth = 720*textScale(), 720*textScale()
	in := vm.DetailInput{Snapshot: u.snap, Now: u.now(), Schemes: u.o.Schemes}
	if u.snap == nil {
		in.Snapshot = &vm.Snapshot{At: u.now()}
	}
	if d.extra.id == x.ID {
		in.Deliveries, in.Changes, in.More = d.extra.deliveries, d.extra.changes, d.extra.more
		in.Live, in.LiveErr = d.extra.live, d.extra.liveErr
	}
	in.Mark, in.HasMark = u.memory.Revisions.MarkOf(x)
	v := vm.DetailOf(x, in)
	d.col.Set(d.objects(&v)...)
	d.setFoot(v.Buttons)
	d.view.Relayout()
}

func (d *detailPane) header(v *vm.Detail) fyne.CanvasObject {
	u := d.u
	closeBtn := widgets.NewIconButton("x", "", d.close)
	closeBtn.Small = true
	right := widgets.NewRow(2, closeBtn)
	if d.rail != nil && d.rail.layout.under() {
		icon := "expand"
		if d.full {
			icon = "collapse"
		}
		grow := widgets.NewIconButton(icon, "", func() {
			d.full = !d.full
			d.draw()
			d.rail.layout.again()
		})
		grow.Small = true
		right.Set(grow, closeBtn)
	}
	if v == nil {
		return widgets.NewSplitRow(widgets.NewText("", widgets.LookCaption), right)
	}
	word := u.tr(v.Sign.Word)
	if v.Record.Status.Terminal() {
		word += " · " + u.tr(v.Status)
	}
	look := widgets.Look{Size: theme.SizeCaption, Color: theme.Tone(string(v.Sign.Tone)), Bold: true, Max: 1}
	row := []fyne.CanvasObject{widgets.NewLamp(v.Sign), widgets.NewText(word, look),
		widgets.NewChip(v.Chip.Label, widgets.LineColour(v.Chip.Color, v.Chip.Label), "")}
	if v.Session != "" {
		row = append(row, widgets.NewChip(v.Session, nil, ""))
	}
	return widgets.NewSplitRow(widgets.NewRow(8, row...), right)
}

func (d *detailPane) objects(v *vm.Detail) []fyne.CanvasObject {
	u := d.u
	objs := []fyne.CanvasObject{d.header(v), widgets.NewText(v.Record.Title, widgets.LookHeading)}
	add := func(o ...fyne.CanvasObject) { objs = append(objs, o...) }
	section := func(key string) {
		add(widgets.NewGap(2), widgets.NewText(u.t(key), widgets.Look{Size: theme.SizeCaption, Color: theme.ColorInkFaint, Bold: true, Max: 1}))
	}
	if !v.Edited.IsZero() {
		add(widgets.NewText(u.env.Updated(v.Edited, v.Parts), widgets.LookCaption))
	}
	if o := v.Outcome; o != nil {
		add(d.outcome(o))
	}
	if len(v.Body) > 0 {
		add(widgets.Markdown(v.Body, d.link))
	}
	for _, l := range v.Record.Lines {
		add(widgets.NewText(l, widgets.LookBody))
	}
	if v.Meter != nil {
		m := widgets.NewMeter()
		m.Set(v.Meter.Known, v.Meter.Fraction, string(v.Sign.Tone))
		add(m)
		if v.Meter.Text != "" {
			add(widgets.NewText(v.Meter.Text, widgets.LookCaption))
		}
	}
	if len(v.Prompt) > 0 {
		section("detail.question")
		add(widgets.Markdown(v.Prompt, d.link))
	}
	if len(v.Options) > 0 {
		section("detail.options")
		for _, o := range v.Options {
			add(widgets.NewText("•  "+o, widgets.LookBody))
		}
	}
	if len(v.Fields) > 0 && v.Record.Outcome != nil {
		for _, f := range v.Fields {
			add(widgets.NewPair(f.Label, f.Value))
		}
	}
	if v.Report.There {
		d.report(v, add)
	}
	if len(v.Files) > 0 || len(v.Links) > 0 {
		section("detail.attachments")
		for _, f := range slices.Concat(v.Files, v.Links) {
			add(d.file(f))
		}
	}
	if len(v.PlusOnes) > 0 {
		section("detail.plus_ones")
		for _, p := range v.PlusOnes {
			add(widgets.NewPair(p.When+"  "+p.Who, p.Text))
		}
		if v.Dropped > 0 {
			add(widgets.NewText(u.tr(vm.MN("detail.dropped", v.Dropped)), widgets.LookCaption))
		}
	}
	if len(v.Trace) > 0 {
		section("detail.trace")
		for _, t := range v.Trace {
			parts := []string{u.tr(t.State), u.tr(t.Why)}
			if !t.Name.IsZero() {
				parts[1] += ": " + u.tr(t.Name)
			}
			if t.Together {
				parts = append(parts, u.t("why.together"))
			}
			if t.Error != "" {
				said := t.Error
				if known := vm.TellError(t.Error); !known.IsZero() {
					said = u.tr(known)
				}
				parts = append(parts, said)
			}
			if t.Retry != "" {
				parts = append(parts, u.tr(vm.MA("detail.retry", t.Retry)))
			}
			add(widgets.NewPair(u.tr(t.Way), strings.Join(append(parts, t.When), " · ")))
		}
	}
	if len(v.History) > 0 {
		section("detail.history")
		for _, h := range v.History {
			text := u.env.With(h.What, h.Parts)
			if !h.By.IsZero() {
				text += " · " + u.tr(h.By)
			}
			add(widgets.NewPair(h.When, text))
		}
		if v.Older {
			add(widgets.NewText(u.t("detail.older"), widgets.LookCaption))
		}
	}
	section("detail.facts")
	facts := widgets.NewColumn(0)
	for _, f := range v.Facts {
		value := u.env.List(f.Words)
		if f.Value != "" && value != "" {
			value += " · "
		}
		facts.Add(widgets.NewPair(u.tr(f.Name), value+f.Value))
	}
	add(facts)
	if v.Data != "" {
		section("detail.data")
		add(widgets.Code(v.Data))
	}
	add(widgets.NewRow(8, widgets.NewButton(u.t("menu.copy"), widgets.Plain, func() { u.app.Clipboard().SetContent(vm.CopyText(v.Record)) })))
	return objs
}

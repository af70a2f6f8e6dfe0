package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// What was cut is read at full height, also where the detail would stand under the rail.
func TestReadAllOpensTheDetailAtFullHeight(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		id := d.do(notify.Publish{Connection: "claude", Content: notify.Content{Title: "Log", Body: strings.Repeat("A sentence of some length. ", 40)}}).Record.ID
		d.notice("Another")
		r := d.show()
		r.press(id, vm.Button{Kind: vm.ButtonRead})
		d.settle()
		if r.detail.id != id || !r.layout.railHidden() || r.selected != id || !d.record(id).Read {
			t.Errorf("the detail shows %q, full %v; selected %q", r.detail.id, r.layout.railHidden(), r.selected)
		}
		r.escape()
		r.selectItem(id)
		d.settle()
		if r.layout.railHidden() {
			t.Error("chosen again, it takes the place of the rail unasked")
		}
	})
}

// Symptom: the wheel did nothing while the pointer was over a field of a form.
func TestTheWheelOverAFormScrollsWhatItStandsIn(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		id := d.question("Deploy?", func(in *notify.Interaction) {
			for _, f := range []string{"a", "b", "c", "d", "e", "f"} {
				in.Fields = append(in.Fields, notify.Field{ID: f, Label: f, Type: notify.FieldText})
			}
		})
		for i := range 20 {
			d.notice(strings.Repeat("n", i+1))
		}
		r := d.show()
		r.askForm(r.record(id), "deny", 0)
		d.settle()
		r.win.Canvas().Capture()
		type typed interface { // what text is typed into
			fyne.CanvasObject
			SelectedText() string
		}
		comment := r.win.Canvas().Focused().(fyne.CanvasObject)
		over := func(o fyne.CanvasObject) fyne.Position {
			return d.app.Driver().AbsolutePositionForObject(o).AddXY(20, 12)
		}
		turn := func(by float32) {
			test.Scroll(r.win.Canvas(), over(comment), 0, by)
			r.win.Canvas().Capture()
		}
		was := r.feed.Offset()
		turn(-30)
		if r.feed.Offset() != was+30 {
			t.Errorf("over the comment: from %v to %v", was, r.feed.Offset())
		}
		if n := len(within[typed](r.form)); n != 7 {
			t.Fatalf("%d entries", n)
		}
		for _, e := range within[typed](r.form) {
			was = r.feed.Offset()
			test.Scroll(r.win.Canvas(), over(e), 0, -5)
			if r.feed.Offset() != was+5 {
				t.Errorf("over a field: from %v to %v", was, r.feed.Offset())
			}
		}
	})
}

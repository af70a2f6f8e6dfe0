package ui

import (
	"strings"
	"testing"

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

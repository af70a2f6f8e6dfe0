package ui

import (
	"strings"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// isFold reports whether an id is that of the row that stands for a sender's plain items; foldOf is the sender's key.
func isFold(id string) bool { return foldOf(id) != "" }

func foldOf(id string) string {
	if key, ok := strings.CutPrefix(id, vm.FoldID("")); ok {
		return key
	}
	return ""
}

// fold gives all plain items of a sender a card, or only the newest.
func (r *railWindow) fold(key string) {
	m := &r.u.memory
	if m.Unfolded[key] {
		delete(m.Unfolded, key)
	} else {
		if m.Unfolded == nil {
			m.Unfolded = map[string]bool{}
		}
		m.Unfolded[key] = true
	}
	r.choose(vm.FoldID(key))
	r.render()
}

// sweep dismisses what stands folded of a sender.
func (r *railWindow) sweep(key string) {
	r.dismissAll(vm.FoldedOf(r.view.Shown, key), 0, 0)
	if r.selected == vm.FoldID(key) && !r.view.Has(r.selected) {
		r.choose("")
	}
}

// unfoldFor gives an item a card that is to be chosen.
func (r *railWindow) unfoldFor(x *notify.Record) {
	if key := vm.FoldKey(x); key != "" && !r.view.Has(x.ID) && r.view.Has(vm.FoldID(key)) {
		r.fold(key)
	}
}

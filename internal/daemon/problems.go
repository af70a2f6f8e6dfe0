package daemon

import (
	"slices"
	"strings"
	"sync"
)

// The keys of problems.
const (
	ProblemSettings = "settings"
	ProblemStore    = "store"
)

// Problem is something that the owner must know of, in plain words.
type Problem struct{ Key, Text string }

// problems is what is wrong now, at most one text for each key.
type problems struct {
	changed func() // nil: nobody is told

	mu  sync.Mutex // protects all
	all []Problem
}

// set replaces the text of a key; empty: the problem is gone.
func (p *problems) set(key, text string) {
	p.mu.Lock()
	i := slices.IndexFunc(p.all, func(q Problem) bool { return q.Key == key })
	changed := true
	switch {
	case i < 0 && text == "":
		changed = false
	case i < 0:
		p.all = append(p.all, Problem{key, text})
		slices.SortFunc(p.all, func(a, b Problem) int { return strings.Compare(a.Key, b.Key) })
	case text == "":
		p.all = slices.Delete(p.all, i, i+1)
	case p.all[i].Text == text:
		changed = false
	default:
		p.all[i].Text = text
	}
	p.mu.Unlock()
	if changed && p.changed != nil {
		p.changed()
	}
}

// Problems lists what is wrong now.
func (d *Daemon) Problems() []Problem {
	d.problems.mu.Lock()
	defer d.problems.mu.Unlock()
	return slices.Clone(d.problems.all)
}

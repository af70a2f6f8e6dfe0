package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/internal/private"
)

// Bounds of what is kept of sessions between their hooks.
const (
	maxTurns = 300            // files; the oldest make room
	longTurn = 24 * time.Hour // a turn that began earlier was left, not finished
	// aloneWait is how long a hook lets another of its session go first.
	aloneWait  = 300 * time.Millisecond
	lockSuffix = ".lock"
)

// turn is what is kept of a session's newest turn.
type turn struct {
	Began time.Time `json:"began"`
	// Prompted is when the newest prompt came, also one that was put in while it worked.
	Prompted time.Time `json:"prompted,omitzero"`
	// Ended names the turn that ended, and Seconds is how long it took: an agent may tell one end twice.
	Ended   string  `json:"ended,omitzero"`
	Seconds float64 `json:"seconds,omitzero"`
}

// turnPath is a file of a session's own. Its name tells nothing of the session.
func (h *hooker) turnPath(session string) string {
	return filepath.Join(h.app.home(), turnsDir, digest([]byte(h.who.id + "\x00" + session))[:24]+".json")
}

// timeTurn notes when a turn begins, and tells the plan of its end how long it took, and that of a notice when the newest
// prompt came. It is a help only: what goes wrong here is not told.
func (h *hooker) timeTurn(p *agents.Plan) {
	ended, again, ends := p.EndsTurn()
	over := !ends && (p.State == agents.StateEnded || p.State == agents.StateIdle) // stopped by the owner, or long ago
	if p.Session == "" || !p.Begins && !ends && !over && !p.NeedsPrompted() {
		return
	}
	path := h.turnPath(p.Session)
	if over {
		os.Remove(path)
		return
	}
	var t turn
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		if _, err := readJSON(path, &t); err != nil {
			t = turn{}
		}
	}
	p.Prompted = t.Prompted
	runs := !t.Began.IsZero() && (t.Ended == "" || again && t.Ended == ended) && !p.At.Before(t.Began) && p.At.Sub(t.Began) < longTurn
	switch {
	case p.Begins && runs:
		t.Prompted = p.At // it was put in while it works
	case p.Begins:
		t = turn{Began: p.At, Prompted: p.At}
	case !ends:
		return
	case runs:
		t.Ended, t.Seconds = ended, p.At.Sub(t.Began).Seconds()
		p.Took(p.At.Sub(t.Began))
	case t.Ended == ended:
		p.Took(time.Duration(t.Seconds * float64(time.Second)))
		return
	default:
		return
	}
	if replaceJSON(path, t) == nil && p.Begins {
		trimTurns(filepath.Dir(path))
	}
}

// replaceJSON replaces a file in one step, making its folder. Not synced: its loss harms nothing.
func replaceJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return private.ReplaceUnsynced(path, b)
}

// trimTurns forgets the sessions that nothing was heard of for longest, and the locks that killed hooks left.
func trimTurns(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxTurns {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasSuffix(e.Name(), lockSuffix) {
			if unlock, err := private.Lock(path); err == nil { // nobody has it
				unlock()
			}
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files[:max(0, len(files)-maxTurns)] {
		os.Remove(filepath.Join(dir, f.Name()))
	}
}

// alone has the hooks of one session decide one after the other, so that they seldom have to decide anew, and the end of
// a session comes last. It waits a little only: a hook that is held up must not hold up the agent.
func (h *hooker) alone(ctx context.Context, session string) (done func()) {
	lock := h.turnPath(session) + lockSuffix
	if os.MkdirAll(filepath.Dir(lock), 0o700) != nil {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(ctx, aloneWait)
	defer cancel()
	unlock, err := private.LockWait(ctx, lock)
	if err != nil {
		return func() {}
	}
	return unlock
}

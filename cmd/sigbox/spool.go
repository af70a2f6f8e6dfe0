package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/internal/private"
)

// Bounds of the spool, for each connection.
const (
	spoolCalls = 500
	spoolBytes = 8 << 20
	spoolCall  = 256 << 10
	// replayBudget is what one call may spend on the calls before it.
	replayBudget = 450 * time.Millisecond
)

func (a *app) spoolPath(w who) string { return filepath.Join(a.home(), spoolDir, fileName(w.id)) }

// spool keeps a plan until the center is there again. The oldest make room for the newest.
func (a *app) spool(w who, p *agents.Plan) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if len(b) > spoolCall {
		return fmt.Errorf("the call is too large to be kept")
	}
	dir := a.spoolPath(w)
	random := make([]byte, 4)
	rand.Read(random)
	name := fmt.Sprintf("%020d-%s.json", p.At.UnixNano()/int64(time.Millisecond), hex.EncodeToString(random))
	if err := writePrivate(filepath.Join(dir, name), b); err != nil {
		return err
	}
	return trimSpool(dir)
}

// spooled are the kept calls of a folder, oldest first.
func spooled(dir string) []fs.FileInfo {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, info)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name() < out[j].Name() })
	return out
}

func trimSpool(dir string) error {
	list := spooled(dir)
	var size int64
	for _, f := range list {
		size += f.Size()
	}
	var err error
	for len(list) > spoolCalls || size > spoolBytes {
		err = errors.Join(err, os.Remove(filepath.Join(dir, list[0].Name())))
		size -= list[0].Size()
		list = list[1:]
	}
	return err
}

// replay delivers the kept calls in order, with their original times. It reports whether none is left: then the
// caller's own call is the next.
func (h *hooker) replay(ctx context.Context) bool {
	dir := h.app.spoolPath(h.who)
	ctx, cancel := context.WithTimeout(ctx, replayBudget)
	defer cancel()
	// A call that came meanwhile found the lock taken and kept its own: look again once it is free.
	for len(spooled(dir)) > 0 {
		if ctx.Err() != nil || !h.replayKept(ctx, dir) {
			return false
		}
	}
	return true
}

// replayKept delivers the kept calls of a folder, and reports whether all of them went.
func (h *hooker) replayKept(ctx context.Context, dir string) bool {
	unlock, ok := lockSpool(dir)
	if !ok {
		return false // another call is at it
	}
	defer unlock()
	for _, f := range spooled(dir) {
		path := filepath.Join(dir, f.Name())
		b, err := os.ReadFile(path)
		if err != nil {
			return false
		}
		var p agents.Plan
		if json.Unmarshal(b, &p) == nil {
			_, err := h.do(ctx, &p, false, true)
			var problem *wire.Problem
			if err != nil && (!errors.As(err, &problem) || passing(err)) {
				return false // later; a call that is refused for good is given up
			}
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// lockSpool makes this call the only one that replays a folder.
func lockSpool(dir string) (unlock func(), ok bool) {
	unlock, err := private.Lock(filepath.Join(dir, "replay.lock"))
	return unlock, err == nil
}

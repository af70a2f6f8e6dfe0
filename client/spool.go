package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/internal/private"
)

// entry is one thing to tell: exactly one of Publish, Resolve and Request.
type entry struct {
	// Key is the idempotency key: however often it is sent, it happens once.
	Key     string        `json:"key"`
	At      wire.Time     `json:"at"`
	Publish *wire.Publish `json:"publish,omitzero"`
	Resolve *keyEnd       `json:"resolve,omitzero"`
	Request string        `json:"request,omitzero"`
}

type keyEnd struct {
	Session string `json:"session,omitzero"`
	Key     string `json:"key"`
	Reason  string `json:"reason,omitzero"`
}

// send sends the entry.
func (e entry) send(ctx context.Context, c *Client, connection string) (*wire.Notification, error) {
	switch {
	case e.Publish != nil:
		p := *e.Publish
		if p.OccurredAt.IsZero() {
			// Always, so that a repeat has the same body.
			p.OccurredAt = e.At
		}
		out, err := c.PublishOnce(ctx, connection, e.Key, p)
		return &out.Notification, err
	case e.Resolve != nil:
		n, err := c.ResolveKey(ctx, connection, e.Resolve.Session, e.Resolve.Key, wire.Ending{Reason: e.Resolve.Reason})
		if code := Code(err); code == wire.CodeNotFound || code == wire.CodeTerminal {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return &n, nil
	}
	_, err := c.CompleteRequest(ctx, connection, e.Request)
	return nil, err
}

const (
	spoolSuffix = ".json"
	lockName    = "lock"
)

// spool is a folder of entries, a file each, named in the order in which they
// were added. Several processes may use it.
type spool struct {
	dir      string
	maxCount int
	maxBytes int64
	now      func() time.Time
}

// names are the files of the entries, oldest first; none when there is no folder.
func (s *spool) names() []string {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range files {
		if f.Type().IsRegular() && strings.HasSuffix(f.Name(), spoolSuffix) && !strings.HasPrefix(f.Name(), ".") {
			out = append(out, f.Name())
		}
	}
	slices.Sort(out)
	return out
}

func (s *spool) count() int { return len(s.names()) }

// add keeps an entry; the oldest make room for it.
func (s *spool) add(e entry) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if int64(len(b)) > s.maxBytes {
		return fmt.Errorf("too large to be kept")
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if err := s.makeRoom(int64(len(b))); err != nil {
		return err
	}
	// After the newest that is there, whatever the clock did meanwhile.
	at := s.now().UnixNano()
	if names := s.names(); len(names) > 0 {
		var newest int64
		if _, err := fmt.Sscanf(names[len(names)-1], "%d-", &newest); err == nil && newest >= at {
			at = newest + 1
		}
	}
	name := fmt.Sprintf("%020d-%.8s%s", at, e.Key, spoolSuffix)
	return private.ReplaceUnsynced(filepath.Join(s.dir, name), b)
}

// makeRoom removes the oldest until one more of that size fits.
func (s *spool) makeRoom(size int64) error {
	names := s.names()
	sizes := make([]int64, len(names))
	total := size
	for i, name := range names {
		if info, err := os.Stat(filepath.Join(s.dir, name)); err == nil {
			sizes[i] = info.Size()
			total += info.Size()
		}
	}
	for i := 0; i < len(names) && (len(names)-i+1 > s.maxCount || total > s.maxBytes); i++ {
		if err := s.remove(names[i]); err != nil {
			return err
		}
		total -= sizes[i]
	}
	return nil
}

// read returns an entry. A file that is none, cut short by a full disk perhaps,
// is an error.
func (s *spool) read(name string) (entry, error) {
	var e entry
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err == nil {
		err = json.Unmarshal(b, &e)
	}
	if err == nil && e.Publish == nil && e.Resolve == nil && e.Request == "" {
		err = errors.New("an empty entry")
	}
	return e, err
}

// remove forgets an entry. One that another process took is forgotten already.
func (s *spool) remove(name string) error {
	err := os.Remove(filepath.Join(s.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// lock makes this the only process that delivers, until unlock or ctx ends. One
// that died holds nobody up.
func (s *spool) lock(ctx context.Context) (unlock func(), ok bool) {
	unlock, err := private.LockWait(ctx, filepath.Join(s.dir, lockName))
	return unlock, err == nil
}

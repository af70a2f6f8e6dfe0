package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/ristretto/v2/z"
)

// A restore that is given up leaves what was there, whenever that is; after one that is killed, the next start makes it
// again.
func TestARestoreInTheMiddle(t *testing.T) {
	from := filepath.Join(t.TempDir(), "s")
	snappedStore(t, from)
	snap, ok := newestSnapshot(from)
	if !ok {
		t.Fatal("no snapshot")
	}
	for _, at := range []string{"open", "loading", "restored"} {
		dir, killed := filepath.Join(t.TempDir(), "s"), filepath.Join(t.TempDir(), "s")
		if err := copyTree(from, dir); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := newStore(Options{Dir: dir})
		Watch(s, func(name string) {
			if name == at && ctx.Err() == nil {
				copyLive(t, dir, killed)
				cancel()
			}
		})
		if _, err := s.restore(ctx, snap.Path); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled at %q: %v", at, err)
		}
		if got, _ := undisturbed(t, dir); got != (outcome{Records: 150, Pending: 150, Condition: Healthy}) {
			t.Errorf("canceled at %q: the next start comes to %+v", at, got)
		}
		if got, _ := undisturbed(t, killed); got != (outcome{Records: 150, Pending: 150, Condition: Recovered, Salvaged: 50, Asides: 1}) {
			t.Errorf("killed at %q: the next start comes to %+v", at, got)
		}
	}
}

// Rows come in runs, in whatever order; where two have keys in between each other, the snapshot is not put back, and
// Badger, which would end the process, does not get to see them as one level.
func TestRunsOfASnapshot(t *testing.T) {
	for _, c := range []struct {
		runs string // a letter for each key
		good bool
	}{
		{"abcdefgh", true}, {"efghabcd", true}, {"ghefcdab", true}, {"a", true}, {"", true},
		{"abdc", false}, {"acbd", false}, {"aba", false}, {"bcad", false},
	} {
		t.Run(c.runs, func(t *testing.T) {
			db, err := badger.Open(badgerOptions(t.TempDir(), newStore(Options{}).log, nil))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			o := &opening{s: newStore(Options{}), dir: t.TempDir()}
			w := db.NewStreamWriter()
			if err := w.Prepare(); err != nil {
				t.Fatal(err)
			}
			l := loader{o: o, w: w, buf: z.NewBuffer(1<<10, "test")}
			defer l.buf.Release()
			for n, key := range c.runs {
				if err := l.add(&pb.KV{Key: []byte(string(key)), Value: fmt.Append(nil, n), Version: 7}); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(l.hand(), l.apart()); (err == nil) != c.good {
				t.Errorf("error %v", err)
			}
			if !c.good {
				w.Cancel()
				return
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			found := ""
			err = db.View(func(txn *badger.Txn) error {
				return each(txn, nil, nil, false, true, func(key, value []byte) (bool, error) {
					if at := strings.Index(c.runs, string(key)); string(value) != fmt.Sprint(at) {
						t.Errorf("%s is %s", key, value)
					}
					found += string(key)
					return true, nil
				})
			})
			if err != nil || len(found) != len(c.runs) {
				t.Errorf("found %q, %v", found, err)
			}
		})
	}
}

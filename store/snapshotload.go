package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/ristretto/v2/z"
)

var errNoRoom = errors.New("there is no room for it")

// A snapshot becomes tables of the last level, which Badger writes as they are. (As transactions its rows would go
// through a log, and stay in level 0, which holds no more than so many tables while nothing merges them.)
const (
	// loadTable is how long such a table is, about. Badger holds several in memory, twice, while it makes them.
	loadTable = 8 << 20
	// loadPart is how many bytes of rows are handed to Badger at once.
	loadPart = 1 << 20
)

// loadSnapshot fills an empty database. An incomplete snapshot is an error, after which the database is of no use.
func (o *opening) loadSnapshot(ctx context.Context, db *badger.DB, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !o.room(2 * info.Size()) { // tables are compressed by less
		return errNoRoom
	}
	w := db.NewStreamWriter()
	if err := w.Prepare(); err != nil {
		w.Cancel()
		return err
	}
	l := loader{o: o, w: w, buf: z.NewBuffer(2*loadPart, "snapshot")}
	defer func() { _ = l.buf.Release() }()
	_, err = readSnapshot(ctx, f, l.add)
	if err == nil {
		err = l.hand()
	}
	if err == nil {
		err = l.apart()
	}
	if err != nil {
		w.Cancel()
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("load snapshot: %w", err)
	}
	return db.Sync()
}

// loader hands the rows of a snapshot to Badger. They come in runs, each in the order of keys, as Badger wrote them:
// each is a stream for it. It panics, in a goroutine of its own, when a key of a stream does not follow the one before.
type loader struct {
	o    *opening
	w    *badger.StreamWriter
	buf  *z.Buffer
	runs []run
	all  int64 // bytes that were handed over
}

type run struct{ first, last []byte }

func (l *loader) add(kv *pb.KV) error {
	n := len(l.runs)
	if n == 0 || bytes.Compare(kv.Key, l.runs[n-1].last) <= 0 {
		if n > 0 {
			badger.KVToBuffer(&pb.KV{StreamId: uint32(n), StreamDone: true}, l.buf)
		}
		l.runs = append(l.runs, run{first: bytes.Clone(kv.Key)})
		n++
	}
	r := &l.runs[n-1]
	r.last = append(r.last[:0], kv.Key...)
	badger.KVToBuffer(&pb.KV{Key: kv.Key, Value: kv.Value, Version: kv.Version, StreamId: uint32(n)}, l.buf)
	if l.buf.LenNoPadding() < loadPart {
		return nil
	}
	return l.hand()
}

// hand hands over what was gathered.
func (l *loader) hand() error {
	l.all += int64(l.buf.LenNoPadding())
	if !l.o.room(min(l.all, 8*loadTable)) {
		return errNoRoom
	}
	err := l.w.Write(l.buf)
	l.buf.Reset()
	l.o.s.step("loading")
	return err
}

// apart reports an error where two runs have keys in between each other: no level holds such tables.
func (l *loader) apart() error {
	slices.SortFunc(l.runs, func(a, b run) int { return bytes.Compare(a.first, b.first) })
	for i := 1; i < len(l.runs); i++ {
		if bytes.Compare(l.runs[i-1].last, l.runs[i].first) >= 0 {
			return errors.New("the rows of the snapshot are in no order")
		}
	}
	return nil
}

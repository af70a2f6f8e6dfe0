package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"

	"signalbox/notify"
)

// After a snapshot was put in the place of a damaged folder, the changes that came after it are looked
// for in what is left of the folder: in every block of a table whose checksum is right, and in the logs. Those
// that follow the snapshot without a hole are made again, as commits are, so that all indexes are
// right. A hole ends it: what comes after might need what was in it.

// salvagedRow is a logged change as it was found.
type salvagedRow struct {
	version uint64 // of Badger: rows of one commit have one
	value   []byte // nil: removed
}

// salvageMost is how many bytes of what was found are held in memory at once; the folder is read again for what
// comes after.
const salvageMost = 32 << 20

// finds are the logged changes after one that were found, the lowest ones if they are too many.
type finds struct {
	after, until int64 // what is looked for: until is lowered when there is too much
	most, bytes  int   // of values: at most, and so far
	rows         map[int64]salvagedRow
}

// add takes in a row of the folder; one that is no logged change, or none that is looked for, is left.
func (f *finds) add(key, value []byte, deleted bool, version uint64) {
	seq, err := parseChangeKey(key)
	if err != nil || seq <= f.after || seq > f.until {
		return
	}
	old, ok := f.rows[seq]
	if ok && old.version >= version {
		return
	}
	row := salvagedRow{version: version}
	if !deleted {
		row.value = append([]byte{}, value...)
	}
	f.rows[seq] = row
	if f.bytes += len(row.value) - len(old.value); f.bytes > f.most {
		f.drop()
	}
}

// drop lets the highest go, about half of them.
func (f *finds) drop() {
	seqs := slices.Sorted(maps.Keys(f.rows))
	for n := len(seqs) - 1; n > 0 && f.bytes > f.most/2; n-- {
		f.bytes -= len(f.rows[seqs[n]].value)
		delete(f.rows, seqs[n])
		f.until = seqs[n-1]
	}
}

// salvage makes the changes after the state again that the folder dir still holds. No failure of it is
// one of the opening: what could not be salvaged is counted as missing. A start that died of it is not followed by
// one that tries it again.
func (o *opening) salvage(ctx context.Context, db *badger.DB, dir string) {
	if dir == "" || o.hadHW && o.s.state.seq >= o.hw.seq {
		return
	}
	if o.found.salvage {
		o.s.log.Warn("nothing is salvaged: the last start died of it")
		return
	}
	o.trace.salvage = true
	if err := o.note(); err != nil {
		o.s.log.Warn("nothing is salvaged", "err", err)
		return
	}
	o.s.step("salvage")
	o.salvageFrom(ctx, db, dir, salvageMost)
	o.trace.salvage = false
	if err := o.note(); err != nil {
		o.s.log.Warn("the end of the salvage was not noted", "err", err)
	}
}

func (o *opening) salvageFrom(ctx context.Context, db *badger.DB, dir string, most int) {
	for ctx.Err() == nil {
		found := &finds{after: o.s.state.seq, until: math.MaxInt64, most: most, rows: map[int64]salvagedRow{}}
		o.find(ctx, dir, found)
		changes, more := o.follow(found)
		if more && len(changes) == 0 {
			most *= 2 // a commit is bigger than that
		}
		for len(changes) > 0 && ctx.Err() == nil {
			n := min(len(changes), trimSlice)
			if !o.room(int64(found.bytes)) {
				o.s.log.Warn("no room to make changes again")
				return
			}
			if err := o.s.replay(db, changes[:n]); err != nil {
				o.s.log.Error("changes were not made again", "err", err)
				return
			}
			o.report.Salvaged += int64(n)
			changes = changes[n:]
		}
		if !more {
			return
		}
	}
}

// room reports whether so many bytes can be written. A page that the disk has no room for would end the process.
func (o *opening) room(bytes int64) bool {
	sp, err := o.s.o.Space(o.dir)
	return err == nil && sp.Free >= o.s.o.MinFree+bytes
}

// find reads what there is in a folder.
func (o *opening) find(ctx context.Context, dir string, found *finds) {
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	for _, path := range tables {
		if ctx.Err() != nil {
			return
		}
		if e := salvageTable(path, found); e != nil {
			o.s.log.Warn("a table was left out", "table", filepath.Base(path), "err", e)
		}
	}
	if err = errors.Join(err, o.salvageLogs(dir, found)); err != nil {
		o.s.log.Warn("not all of the damaged folder was read", "err", err)
	}
}

// follow is what follows the state without a hole. Where it does not come to the last that was
// acknowledged, the last commit may be there in part, and is left out. more: it ends where no more was held.
func (o *opening) follow(found *finds) (changes []notify.Change, more bool) {
	var versions []uint64
	for seq := found.after + 1; ; seq++ {
		row, ok := found.rows[seq]
		if !ok || row.value == nil {
			break
		}
		c, _, err := decodeChange(seq, row.value)
		if err != nil {
			break
		}
		changes, versions = append(changes, c), append(versions, row.version)
	}
	n := len(changes)
	if n == 0 {
		return nil, false
	}
	last := n - 1
	more = changes[last].Seq == found.until
	if !more && o.hadHW && changes[last].Seq >= o.hw.seq {
		return changes, false
	}
	for n > 0 && (versions[n-1] == versions[last] || changes[n-1].At.Equal(changes[last].At)) {
		n--
	}
	return changes[:n], more
}

// salvageTable reads the logged changes of a table, up to the first block that is not good.
func salvageTable(path string, found *finds) (err error) {
	if err := inspectEnd(path); err != nil {
		return err
	}
	defer caught(&err)
	t, err := openTable(path, badgeroptions.OnBlockRead)
	if err != nil {
		return err
	}
	it := t.NewIterator(table.NOCACHE)
	for it.Seek(y.KeyWithTs([]byte{pfxChange}, ^uint64(0))); it.Valid(); it.Next() {
		key := y.ParseKey(it.Key())
		if key[0] != pfxChange {
			break
		}
		const deleted = 1 // Badger's bit
		v := it.Value()
		found.add(key, v.Value, v.Meta&deleted != 0, y.ParseTs(it.Key()))
	}
	return errors.Join(it.Close(), t.Close(-1))
}

// logCopies is the folder of salvageLogs; it is there while that is at work.
func (o *opening) logCopies() string { return filepath.Join(o.dir, "db.salvage") }

// salvageLogs reads the logged changes of the logs of a folder: they are copied to one of their own, where
// Badger finds nothing else and takes them for its newest.
func (o *opening) salvageLogs(dir string, found *finds) error {
	logs, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil || len(logs) == 0 {
		return err
	}
	tmp := o.logCopies()
	if err := errors.Join(os.RemoveAll(tmp), os.Mkdir(tmp, 0o700)); err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if !o.room(int64(len(logs)+1) * 2 * memTable) { // a log takes as much at most, and Badger begins another
		return errors.New("no room for its logs")
	}
	for _, path := range logs {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			continue
		}
		if err := copyFile(path, filepath.Join(tmp, filepath.Base(path))); err != nil {
			return err
		}
	}
	db, err := badger.Open(badgerOptions(tmp, o.s.log, nil))
	if err != nil {
		return fmt.Errorf("open logs: %w", err)
	}
	err = db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{pfxChange}})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			item := it.Item()
			err := item.Value(func(v []byte) error {
				found.add(item.Key(), v, false, item.Version())
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, db.Close())
}

// replay commits changes again.
func (s *Store) replay(db *badger.DB, changes []notify.Change) error {
	b, err := s.rows(db, changes)
	if err != nil {
		return err
	}
	if err := s.apply(db, b.rows, b.state.seq); err != nil {
		return err
	}
	s.state = b.state
	return nil
}

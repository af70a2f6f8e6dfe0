package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/go-json-experiment/json"
	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/proto"

	"signalbox/notify"
)

// A snapshot is a line that says what it is, a header as a line of JSON, and Badger's backup
// stream, compressed with zstd, whose frames carry checksums.
const snapshotMagic = "signalbox snapshot 1\n"

// SnapshotInfo is the header of a snapshot.
type SnapshotInfo struct {
	Schema   int       `json:"schema"`
	Sequence int64     `json:"sequence"` // the snapshot holds at least the changes up to it
	Records  int64     `json:"records"`
	At       time.Time `json:"at"` // when it was made
}

type snapshotFile struct {
	SnapshotInfo
	Path string
}

const (
	snapshotExt      = ".snapshot"
	snapshotTimeForm = "20060102T150405.000Z"
)

func snapshotDir(dir string) string { return filepath.Join(dir, "snapshots") }

// Backup streams a snapshot of everything. Writes go on meanwhile; the snapshot is of one moment.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	_, err := s.backup(ctx, w)
	return wrap("backup", err)
}

func (s *Store) backup(ctx context.Context, w io.Writer) (info SnapshotInfo, err error) {
	err = s.use(func(db *badger.DB) error {
		st := s.readState()
		info = SnapshotInfo{Schema: Schema, Sequence: st.seq, Records: st.records, At: s.o.Now().UTC()}
		head, err := json.Marshal(info)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, snapshotMagic+string(head)+"\n"); err != nil {
			return err
		}
		z, err := zstd.NewWriter(ctxWriter{ctx, w}, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		stream := db.NewStream()
		stream.NumGo = 1 // a backup is never in a hurry, publishes are
		if _, err := stream.Backup(z, 0); err != nil {
			return errors.Join(err, z.Close())
		}
		return z.Close()
	})
	return info, err
}

// ctxWriter ends a copy when its context does.
type ctxWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c ctxWriter) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(b)
}

// readHeader reads what is in front of the stream.
func readHeader(r *bufio.Reader) (info SnapshotInfo, err error) {
	magic := make([]byte, len(snapshotMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != snapshotMagic {
		return info, errors.New("this is no snapshot of Signalbox")
	}
	line, err := r.ReadSlice('\n')
	if err != nil {
		return info, fmt.Errorf("read snapshot header: %w", err)
	}
	if err := json.Unmarshal(line, &info); err != nil {
		return info, fmt.Errorf("read snapshot header: %w", err)
	}
	if info.Schema > Schema {
		return info, errNewer
	}
	return info, nil
}

// VerifySnapshot reads a snapshot whole and compares what is in it with what it says of itself.
func VerifySnapshot(ctx context.Context, r io.Reader) (SnapshotInfo, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	info, err := readHeader(br)
	if err != nil {
		return info, err
	}
	z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return info, err
	}
	defer z.Close()
	var records int64
	var st stateRow
	found := false
	if err := eachBackupRow(ctx, z, func(key, value []byte) error {
		switch {
		case key[0] == pfxRecord:
			records++
		case string(key) == string(keyState):
			st, err = decodeState(value)
			found = true
		}
		return err
	}); err != nil {
		return info, fmt.Errorf("read snapshot: %w", err)
	}
	if !found || st.seq < info.Sequence || st.records != records {
		return info, fmt.Errorf("the snapshot is incomplete: %d records of %d, change %d of %d", records, st.records, st.seq, info.Sequence)
	}
	return info, nil
}

// eachBackupRow reads Badger's backup stream: lists of rows, each with its length in front. Of a key's
// versions the newest comes first.
func eachBackupRow(ctx context.Context, r io.Reader, f func(key, value []byte) error) error {
	const bitDelete = 1
	var last []byte
	var buf bytes.Buffer
	for {
		var n uint64
		if err := binary.Read(r, binary.LittleEndian, &n); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if n > 1<<30 {
			return errors.New("a list of rows is too long")
		}
		buf.Reset()
		// As much memory as there is to read, whatever was said.
		if _, err := io.CopyN(&buf, r, int64(n)); errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
		var list pb.KVList
		if err := proto.Unmarshal(buf.Bytes(), &list); err != nil {
			return err
		}
		for _, kv := range list.Kv {
			if len(kv.Key) == 0 || string(kv.Key) == string(last) {
				continue
			}
			last = append(last[:0], kv.Key...)
			if len(kv.Meta) > 0 && kv.Meta[0]&bitDelete != 0 {
				continue
			}
			if err := f(kv.Key, kv.Value); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// Snapshot writes a snapshot into the store's own folder, verifies it, and removes those that are
// too many. It returns the path.
func (s *Store) Snapshot(ctx context.Context) (string, error) {
	path, err := s.snapshot(ctx)
	return path, wrap("snapshot", err)
}

func (s *Store) snapshot(ctx context.Context) (string, error) {
	s.snapMu.Lock()
	defer s.snapMu.Unlock()
	dir := snapshotDir(s.o.Dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	// Tables are compressed by less than a snapshot is, so this is enough, and it leaves what writes need.
	err := s.use(func(db *badger.DB) error {
		if sp, err := s.o.Space(s.o.Dir); err == nil && sp.Free < s.o.MinFree+memTable+2*tablesSize(db) {
			return notify.Errorf(notify.CodeStorageFull, "There is not enough space for a snapshot.")
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(dir, "new-*.tmp")
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp.Name())
	buf := bufio.NewWriterSize(tmp, 256<<10)
	info, err := s.backup(ctx, buf)
	if err := errors.Join(err, buf.Flush(), tmp.Sync(), tmp.Close()); err != nil {
		return "", fmt.Errorf("write snapshot: %w", err)
	}
	if err := verifyFile(ctx, tmp.Name()); err != nil {
		return "", fmt.Errorf("verify snapshot: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d%s", info.At.Format(snapshotTimeForm), info.Sequence, snapshotExt))
	if err := errors.Join(os.Rename(tmp.Name(), path), syncDir(dir)); err != nil {
		return "", err
	}
	s.log.Info("snapshot written", "sequence", info.Sequence, "records", info.Records)
	for i, old := range snapshots(s.o.Dir) {
		if i >= s.o.SnapshotKeep {
			if err := os.Remove(old.Path); err != nil {
				return path, err
			}
		}
	}
	return path, nil
}

func verifyFile(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = VerifySnapshot(ctx, f)
	return err
}

// snapshots lists the snapshots in a store's folder, newest first; what cannot be read is left out.
func snapshots(dir string) (out []snapshotFile) {
	paths, err := filepath.Glob(filepath.Join(snapshotDir(dir), "*"+snapshotExt))
	if err != nil {
		return nil
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		info, err := readHeader(bufio.NewReader(f))
		_ = f.Close()
		if err == nil {
			out = append(out, snapshotFile{info, path})
		}
	}
	slices.SortFunc(out, func(a, b snapshotFile) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(b.Path, a.Path)
	})
	return out
}

func newestSnapshot(dir string) (snapshotFile, bool) {
	all := snapshots(dir)
	if len(all) == 0 {
		return snapshotFile{}, false
	}
	return all[0], true
}

// loadSnapshot fills an empty database.
func loadSnapshot(ctx context.Context, db *badger.DB, path string) error {
	if err := verifyFile(ctx, path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return load(db, f)
}

func load(db *badger.DB, r io.Reader) error {
	br := bufio.NewReaderSize(r, 64<<10)
	if _, err := readHeader(br); err != nil {
		return err
	}
	z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	if err := db.Load(z, 16); err != nil {
		return fmt.Errorf("load snapshot: %w", err)
	}
	return db.Sync()
}

// Restore puts the snapshot at path in the place of the store in o.Dir. What was there is moved
// aside and kept. It is refused while a center has the store open, and when the snapshot is
// incomplete or written by a newer version. Numbers of changes go on where the old store was, so
// that no reader takes a new change for one it has seen.
func Restore(ctx context.Context, o Options, path string) (SnapshotInfo, error) {
	s := newStore(o)
	f, err := os.Open(path)
	if err != nil {
		return SnapshotInfo{}, fmt.Errorf("open snapshot: %w", err)
	}
	defer f.Close()
	info, err := VerifySnapshot(ctx, f)
	if err != nil {
		return info, err
	}
	op := &opening{s: s, dir: s.o.Dir, db: filepath.Join(s.o.Dir, "db"), report: Report{Condition: Healthy}}
	if r, ok := op.prepare(); !ok {
		return info, r.refusal()
	}
	defer op.lock.Close()
	if op.hw, op.hadHW, err = readHighWater(s.o.Dir); err != nil {
		return info, err
	}
	if fileExists(op.db) {
		if _, err := moveAside(s.o.Dir, op.db, s.o.Now()); err != nil {
			return info, err
		}
	}
	if err := os.RemoveAll(filepath.Join(s.o.Dir, "index")); err != nil {
		return info, err
	}
	db, err := op.restore(ctx, snapshotFile{info, path})
	if err != nil {
		return info, err
	}
	err = s.jump(db, s.state, op.hw.seq)
	if err := errors.Join(err, db.Close(), removeFile(op.sentinel())); err != nil {
		return info, err
	}
	st := s.state
	hw, err := openHighWater(s.o.Dir, mark{seq: st.seq, at: st.at, records: st.records})
	if err != nil {
		return info, err
	}
	return info, hw.close(true)
}

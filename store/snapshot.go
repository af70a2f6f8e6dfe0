package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/go-json-experiment/json"
	"github.com/klauspost/compress/zstd"

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

// backupList is how many bytes of rows are in one list of a backup, about: several times as much is held in memory.
const backupList = 4 << 20

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
		stream.MaxSize = backupList
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

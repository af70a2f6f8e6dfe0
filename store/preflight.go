package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
	"google.golang.org/protobuf/proto"
)

// preflight is what can be told of Badger's folder without opening it.
type preflight struct {
	data bool // there are files that hold data
	// damage is why it must not be opened: Badger would wipe it, refuse it, or die in a goroutine of its own.
	damage error
	// torn: the list of tables ends in the middle of an entry. A crash can do that without a loss, so
	// it is opened, and what is there is counted.
	torn bool
}

const manifestName = "MANIFEST"

// inspect looks at Badger's folder. deep reads every table whole.
func inspect(ctx context.Context, dir string, o badger.Options, deep bool) (p preflight, err error) {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return preflight{data: true, damage: errors.New("a file is where the database folder should be")}, nil
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("look into the database folder: %w", err)
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".sst", ".vlog", ".mem":
			p.data = true
		}
	}
	f, err := os.Open(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		if p.data {
			p.damage = errors.New("the list of tables is missing")
		}
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("look at the list of tables: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return p, fmt.Errorf("look at the list of tables: %w", err)
	}
	p.data = true
	manifest, end, err := badger.ReplayManifestFile(f, 0, o)
	if err != nil {
		p.damage = fmt.Errorf("the list of tables cannot be read: %w", err)
		return p, nil
	}
	p.torn = end < info.Size()
	for id := range manifest.Tables {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		if err := inspectTable(table.NewFilename(id, dir), deep); err != nil {
			p.damage = fmt.Errorf("table %d: %w", id, err)
			return p, nil
		}
	}
	return p, nil
}

// inspectTable looks at the end of a table, where Badger begins to read: lengths that lead out of the file
// are what it dies of, everything else it finds wrong is an error of its open. With deep, the table is
// opened as Badger would, here, where a panic can be caught, and every block compared with its checksum.
func inspectTable(path string, deep bool) (err error) {
	if !deep {
		return inspectEnd(path)
	}
	defer caught(&err)
	t, err := openTable(path, badgeroptions.OnTableRead)
	if err != nil {
		return err
	}
	return t.Close(-1)
}

// openTable opens a table as Badger would, without the rest of the folder. It may panic, and so may reading: see caught.
func openTable(path string, check badgeroptions.ChecksumVerificationMode) (*table.Table, error) {
	f, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return table.OpenTable(f, table.Options{ReadOnly: true, BlockSize: 4 << 10, Compression: badgeroptions.Snappy, ChkMode: check})
}

// caught, deferred, makes an error of the panic with which Badger meets a table that is not good.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("cannot be read: %s", firstLine(fmt.Sprint(r)))
	}
}

// inspectEnd checks the lengths at the end of a table: the index, its length, its checksum, and the
// checksum's length.
func inspectEnd(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	tail := make([]byte, min(size, 256))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	// takes a length from the end of what is left
	length := func() (int64, error) {
		if len(tail) < 4 {
			return 0, errors.New("is cut short")
		}
		n := binary.BigEndian.Uint32(tail[len(tail)-4:])
		tail = tail[:len(tail)-4]
		return int64(n), nil
	}
	n, err := length()
	if err != nil {
		return err
	}
	if n == 0 || n > int64(len(tail)) {
		return errors.New("has no checksum at its end")
	}
	var sum pb.Checksum
	if err := proto.Unmarshal(tail[int64(len(tail))-n:], &sum); err != nil {
		return fmt.Errorf("checksum of the index: %w", err)
	}
	tail = tail[:int64(len(tail))-n]
	index, err := length()
	if err != nil {
		return err
	}
	if index == 0 || index > size-n-8 {
		return errors.New("has no index at its end")
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
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
func inspect(dir string, o badger.Options, deep bool) (p preflight, err error) {
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
		if err := inspectTable(table.NewFilename(id, dir), deep); err != nil {
			p.damage = fmt.Errorf("table %d: %w", id, err)
			return p, nil
		}
	}
	return p, nil
}

// inspectTable opens a table as Badger would, here, where a panic can be caught. The index of a
// table, and with deep every block, is compared with its checksum.
func inspectTable(path string, deep bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot be read: %s", firstLine(fmt.Sprint(r)))
		}
	}()
	mf, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	o := table.Options{ReadOnly: true, BlockSize: 4 << 10, Compression: badgeroptions.Snappy}
	if deep {
		o.ChkMode = badgeroptions.OnTableRead
	}
	t, err := table.OpenTable(mf, o)
	if err != nil {
		return err
	}
	return t.Close(-1)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

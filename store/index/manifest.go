package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	manifestName  = "manifest"
	segmentExt    = ".seg"
	formatVersion = 1
)

// manifest names the files that make up the index, and what is deleted in each.
type manifest struct {
	Version  int
	Seq      int64
	Next     int
	Segments []manifestLine
}

type manifestLine struct {
	Name    string
	Deleted []byte `json:",omitempty"`
}

// manifest describes the index as it is; mu is held.
func (ix *Index) manifest() manifest {
	m := manifest{Version: formatVersion, Seq: ix.flushed, Next: ix.next}
	for _, s := range ix.segments {
		line := manifestLine{Name: s.name}
		if !s.deleted.IsEmpty() {
			b, err := s.deleted.ToBytes()
			if err != nil { // it writes to memory: it can't
				panic(err)
			}
			line.Deleted = b
		}
		m.Segments = append(m.Segments, line)
	}
	return m
}

func writeManifest(dir string, m manifest, synced bool) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	b = fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(b, castagnoli), b)
	tmp := filepath.Join(dir, manifestName+".tmp")
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write index manifest: %w", err)
	}
	_, err = f.Write(b)
	if synced {
		err = errors.Join(err, f.Sync())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(tmp, filepath.Join(dir, manifestName))
	}
	if err == nil && synced {
		err = syncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("write index manifest: %w", err)
	}
	return nil
}

func readManifest(dir string) (m manifest, err error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, damaged("%v", err)
	}
	sum, body, ok := strings.Cut(strings.TrimSuffix(string(b), "\n"), " ")
	if !ok || sum != fmt.Sprintf("%08x", crc32.Checksum([]byte(body), castagnoli)) || json.Unmarshal([]byte(body), &m) != nil {
		return m, damaged("manifest")
	}
	if m.Version != formatVersion {
		return m, damaged("manifest of version %d", m.Version)
	}
	return m, nil
}

func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

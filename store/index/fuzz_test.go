package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A file that is no segment of ours is damaged, or is read to its end.
func FuzzSegment(f *testing.F) {
	dir := f.TempDir()
	ix, err := Open(dir, Options{})
	if err != nil {
		f.Fatal(err)
	}
	for i := range 40 {
		d := &Doc{Place: Place{int64(i), fmt.Sprint(i)}, Terms: []string{"a", fmt.Sprintf("b%d", i%7)}}
		if err := ix.Apply(int64(i), []Op{{Add: d}}); err != nil {
			f.Fatal(err)
		}
	}
	if err := errors.Join(ix.Flush(), ix.Close()); err != nil {
		f.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"+segmentExt))
	if err != nil || len(names) == 0 {
		f.Fatalf("segments: %v, %v", names, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x"+segmentExt), b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := openSegment(dir, "x"+segmentExt)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		defer s.f.Close()
		for i := range s.blocks {
			if err := s.readBlock(i, func(*entry, []byte) bool { return true }); err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
		}
	})
}

// A manifest is read whole or is damaged.
func FuzzManifest(f *testing.F) {
	f.Add([]byte("00000000 {}\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, manifestName), b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readManifest(dir); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
	})
}

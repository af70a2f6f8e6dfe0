package store

import (
	"bytes"
	"context"
	"testing"

	"github.com/dgraph-io/badger/v4/pb"
)

// What is no snapshot is refused, and takes no more memory than it has bytes.
func FuzzSnapshot(f *testing.F) {
	f.Add([]byte(snapshotMagic + "{\"schema\":1}\n"))
	f.Add([]byte(snapshotMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := VerifySnapshot(t.Context(), bytes.NewReader(b)); err == nil {
			t.Fatal("a snapshot without records and state is taken for a whole one")
		}
	})
}

// The rows of a backup are read as far as they are whole.
func FuzzBackupRows(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0, 10, 0})
	f.Add([]byte{0, 0, 0, 63, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = eachBackupRow(context.Background(), bytes.NewReader(b), func(kv *pb.KV) error {
			if len(kv.Key) == 0 {
				t.Error("a row without a key")
			}
			return nil
		})
	})
}

// A mark that is read is the one that was written.
func FuzzMark(f *testing.F) {
	f.Add(mark{seq: 7, at: 8, records: 9, clean: true}.encode())
	f.Add([]byte(markMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, ok := decodeMark(b); ok && !bytes.Equal(m.encode()[:32], b[:32]) {
			t.Errorf("%+v was read from %x", m, b)
		}
	})
}

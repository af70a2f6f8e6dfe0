package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// highWater remembers, outside of Badger's folder, the newest change that was acknowledged. Badger
// drops what it cannot read and says nothing; comparing tells.
//
// It is written after every commit, which costs a microsecond because it is not synced: a killed
// process loses none of it. It is synced every ten seconds while there are commits, and when the
// store is closed. As a commit is on the disk before it is noted here, the file never claims more
// than was durable.
//
// The file is two slots that are written in turns, so that one survives a torn write.
type highWater struct {
	mu    sync.Mutex // protects all below
	f     *os.File
	turn  int
	mark  mark
	dirty bool
	timer *time.Timer
}

// mark is what a slot holds.
type mark struct {
	seq     int64
	at      int64 // instant of the newest change
	records int64
	clean   bool // the store was closed in good order, and nothing was written since
}

const (
	slotSize  = 512
	markSize  = 8 + 8 + 8 + 8 + 1 + 4
	markMagic = "SBHIGH1\n"
	syncEvery = 10 * time.Second
)

func highWaterPath(dir string) string { return filepath.Join(dir, "highwater") }

func (m mark) encode() []byte {
	b := append(make([]byte, 0, markSize), markMagic...)
	b = binary.BigEndian.AppendUint64(b, uint64(m.seq))
	b = binary.BigEndian.AppendUint64(b, uint64(m.at))
	b = binary.BigEndian.AppendUint64(b, uint64(m.records))
	b = append(b, bit(m.clean))
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func decodeMark(b []byte) (m mark, ok bool) {
	if len(b) < markSize || string(b[:8]) != markMagic {
		return m, false
	}
	if crc32.ChecksumIEEE(b[:markSize-4]) != binary.BigEndian.Uint32(b[markSize-4:]) {
		return m, false
	}
	m.seq = int64(binary.BigEndian.Uint64(b[8:]))
	m.at = int64(binary.BigEndian.Uint64(b[16:]))
	m.records = int64(binary.BigEndian.Uint64(b[24:]))
	m.clean = b[32] == 1
	return m, true
}

// readHighWater reads the mark; ok is false when there is none to be had.
func readHighWater(dir string) (m mark, ok bool, err error) {
	b, err := os.ReadFile(highWaterPath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err != nil {
		return m, false, fmt.Errorf("read high-water mark: %w", err)
	}
	for at := 0; at < len(b); at += slotSize {
		if got, good := decodeMark(b[at:]); good && (!ok || got.seq > m.seq || got.seq == m.seq && !got.clean) {
			m, ok = got, true
		}
	}
	return m, ok, nil
}

// openHighWater starts to note, from m on, and makes sure that m is on the disk.
func openHighWater(dir string, m mark) (*highWater, error) {
	f, err := os.OpenFile(highWaterPath(dir), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open high-water mark: %w", err)
	}
	h := &highWater{f: f}
	// Both slots: an old one of a higher number must not win over a store that was put back.
	for range 2 {
		if err := h.write(m); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	if err := errors.Join(f.Sync(), syncDir(dir)); err != nil {
		return nil, errors.Join(fmt.Errorf("sync high-water mark: %w", err), f.Close())
	}
	return h, nil
}

func (h *highWater) write(m mark) error {
	h.mark = m
	h.turn = 1 - h.turn
	_, err := h.f.WriteAt(m.encode(), int64(h.turn)*slotSize)
	return err
}

// note records a commit. A failure is not the commit's: the mark is behind then, which is safe.
func (h *highWater) note(st stateRow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.f == nil || h.write(mark{seq: st.seq, at: st.at, records: st.records}) != nil {
		return
	}
	if !h.dirty {
		h.dirty = true
		h.timer = time.AfterFunc(syncEvery, h.sync)
	}
}

func (h *highWater) sync() {
	h.mu.Lock()
	f := h.f
	h.dirty = false
	h.mu.Unlock()
	if f != nil {
		_ = f.Sync() // again with the next commit
	}
}

// close notes that the store was closed in good order, unless clean is false.
func (h *highWater) close(clean bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.f == nil {
		return nil
	}
	if h.timer != nil {
		h.timer.Stop()
	}
	var err error
	if clean {
		m := h.mark
		m.clean = true
		err = errors.Join(h.write(m), h.write(m))
	}
	err = errors.Join(err, h.f.Sync(), h.f.Close())
	h.f = nil
	return err
}

//go:build linux

package rig

import (
	bin "encoding/binary"
	"hash/maphash"
	"image"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Framebuffer is the memory of the screen, as the X server keeps it: looking at it costs next to nothing and no
// round trip, so that single frames can be timed.
type Framebuffer struct {
	data          []byte
	offset, width int // of the pixels in the file, and bytes in a line
	pixel         int // bytes
	seed          maphash.Seed
}

// Framebuffer opens the screen's memory; it is closed with the test.
func (r *Rig) Framebuffer() *Framebuffer {
	r.t.Helper()
	f, err := os.Open(filepath.Join(r.dir, "fb", "Xvfb_screen0"))
	if err != nil {
		r.fail(err.Error())
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		r.fail(err.Error())
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		r.fail(err.Error())
	}
	r.t.Cleanup(func() { _ = syscall.Munmap(data) })
	// It is an X window dump: numbers of four bytes, the most significant first.
	field := func(i int) int { return int(bin.BigEndian.Uint32(data[4*i:])) }
	return &Framebuffer{data: data, offset: field(0) + 12*field(19), width: field(12), pixel: field(11) / 8, seed: maphash.MakeSeed()}
}

// Sum is a number that changes when the picture in an area does. Every third line is looked at.
func (f *Framebuffer) Sum(area image.Rectangle) uint64 {
	var h maphash.Hash
	h.SetSeed(f.seed)
	for y := area.Min.Y; y < area.Max.Y; y += 3 {
		line := f.offset + y*f.width
		_, _ = h.Write(f.data[line+area.Min.X*f.pixel : line+area.Max.X*f.pixel]) // never fails
	}
	return h.Sum64()
}

// Change waits for the next change of an area and returns when it was seen; false: there was none in time.
func (f *Framebuffer) Change(area image.Rectangle, within time.Duration) (time.Time, bool) {
	was := f.Sum(area)
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(time.Millisecond / 2) {
		if f.Sum(area) != was {
			return time.Now(), true
		}
	}
	return time.Time{}, false
}

// Still waits until an area has not changed for a while.
func (f *Framebuffer) Still(area image.Rectangle, quiet, within time.Duration) {
	for end := time.Now().Add(within); time.Now().Before(end); {
		if _, moved := f.Change(area, quiet); !moved {
			return
		}
	}
}

// Package sound plays the small sounds of announcements.
//
// It owns reading a WAV and one way to the loudspeaker for each system: PulseAudio's protocol (which
// PipeWire speaks too) on Linux, the system's own interface elsewhere; neither needs cgo. It promises
// that one sound plays at a time, that a call returns within its limit, and that a machine without a
// sound server is a failed delivery and nothing more. It never decides whether to play.
package sound

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"
)

// What can go wrong.
var (
	ErrNone = errors.New("no sound server answers")
	ErrBusy = errors.New("another sound is playing")
	ErrHung = errors.New("the sound server does not answer")
	errWAV  = errors.New("not a 16-bit PCM WAV")
)

// Clip is a sound, decoded.
type Clip struct {
	Rate     int // frames a second
	Channels int
	Samples  []int16 // interleaved
}

// Duration is how long c plays.
func (c Clip) Duration() time.Duration {
	if c.Rate <= 0 || c.Channels <= 0 {
		return 0
	}
	return time.Duration(len(c.Samples)/c.Channels) * time.Second / time.Duration(c.Rate)
}

// Decode reads a WAV of 16-bit PCM.
func Decode(b []byte) (Clip, error) {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return Clip{}, errWAV
	}
	var c Clip
	for b = b[12:]; len(b) >= 8; {
		id, size := string(b[:4]), uint64(binary.LittleEndian.Uint32(b[4:]))
		b = b[8:]
		if size > uint64(len(b)) {
			return Clip{}, errWAV
		}
		chunk := b[:size]
		b = b[min(uint64(len(b)), size+size%2):]
		switch id {
		case "fmt ":
			if len(chunk) < 16 || binary.LittleEndian.Uint16(chunk) != 1 || binary.LittleEndian.Uint16(chunk[14:]) != 16 {
				return Clip{}, errWAV
			}
			c.Channels = int(binary.LittleEndian.Uint16(chunk[2:]))
			c.Rate = int(binary.LittleEndian.Uint32(chunk[4:]))
		case "data":
			c.Samples = make([]int16, len(chunk)/2)
			for i := range c.Samples {
				c.Samples[i] = int16(binary.LittleEndian.Uint16(chunk[2*i:]))
			}
		}
	}
	if c.Channels < 1 || c.Channels > 2 || c.Rate < 8000 || c.Rate > 192_000 || len(c.Samples) == 0 {
		return Clip{}, errWAV
	}
	return c, nil
}

// Player plays one sound at a time. It is safe for concurrent use.
type Player struct {
	// Source returns a sound as WAV by its name; nil for an unknown one.
	Source func(name string) []byte
	// Out plays a clip to its end, or until ctx ends; nil: the system's.
	Out func(ctx context.Context, c Clip) error
	// Limit bounds one sound, starting included; 0: 5 s.
	Limit time.Duration

	mu   sync.Mutex // protects busy
	busy bool
}

// Play plays the sound called name and returns when it has ended. While another one plays it returns
// ErrBusy at once: what was missed is not made up for.
func (p *Player) Play(ctx context.Context, name string) error {
	clip, err := Decode(p.Source(name))
	if err != nil {
		return err
	}
	p.mu.Lock()
	if p.busy {
		p.mu.Unlock()
		return ErrBusy
	}
	p.busy = true
	p.mu.Unlock()

	limit := p.Limit
	if limit <= 0 {
		limit = 5 * time.Second
	}
	out := p.Out
	if out == nil {
		out = play
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	done := make(chan error, 1)
	go func() {
		defer cancel()
		err := out(ctx, clip)
		p.mu.Lock()
		p.busy = false
		p.mu.Unlock()
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	// An output that does not let go keeps the player busy; no second call joins it.
	select {
	case err := <-done:
		return err
	default:
		return ErrHung
	}
}

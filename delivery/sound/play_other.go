//go:build !unix || darwin

package sound

import (
	"bytes"
	"context"
	"encoding/binary"
	"sync"
	"time"

	"github.com/ebitengine/oto/v3"
)

var device struct {
	sync.Mutex
	*oto.Context // one for a process, as the library demands
	rate         int
}

// play goes through the system's own interface.
func play(ctx context.Context, c Clip) error {
	device.Lock()
	if device.Context == nil {
		d, ready, err := oto.NewContext(&oto.NewContextOptions{SampleRate: c.Rate, ChannelCount: 2, Format: oto.FormatSignedInt16LE})
		if err != nil {
			device.Unlock()
			return ErrNone
		}
		select {
		case <-ready:
		case <-ctx.Done():
			device.Unlock()
			return ErrHung
		}
		device.Context, device.rate = d, c.Rate
	}
	d, rate := device.Context, device.rate
	device.Unlock()
	if d.Err() != nil || rate != c.Rate {
		return ErrNone
	}
	var b bytes.Buffer
	for i := range len(c.Samples) / c.Channels {
		l := c.Samples[i*c.Channels]
		r := c.Samples[i*c.Channels+c.Channels-1]
		_ = binary.Write(&b, binary.LittleEndian, [2]int16{l, r}) // a bytes.Buffer does not fail
	}
	p := d.NewPlayer(bytes.NewReader(b.Bytes()))
	p.Play()
	end := time.NewTimer(c.Duration() + 200*time.Millisecond)
	defer end.Stop()
	select {
	case <-end.C:
	case <-ctx.Done():
		p.Pause()
	}
	return p.Close()
}

//go:build unix && !darwin

package sound

import (
	"context"
	"sync"

	"github.com/jfreymuth/pulse"
)

// play speaks PulseAudio's protocol. The library waits without a limit for a server that is gone; the
// connection is closed when ctx ends, and the wait is left to its goroutine.
func play(ctx context.Context, c Clip) error {
	client, err := pulse.NewClient(pulse.ClientApplicationName("Signalbox"))
	if err != nil {
		return ErrNone
	}
	closed := sync.OnceFunc(client.Close)
	defer closed()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if recover() != nil { // on a connection that ends meanwhile the library panics
				done <- ErrNone
			}
		}()
		at := 0
		read := pulse.Int16Reader(func(buf []int16) (int, error) {
			n := copy(buf, c.Samples[at:])
			at += n
			if at == len(c.Samples) {
				return n, pulse.EndOfData
			}
			return n, nil
		})
		channels := pulse.PlaybackMono
		if c.Channels == 2 {
			channels = pulse.PlaybackStereo
		}
		s, err := client.NewPlayback(read, channels, pulse.PlaybackSampleRate(c.Rate), pulse.PlaybackMediaName("notification"))
		if err != nil {
			done <- ErrNone
			return
		}
		s.Start()
		s.Drain()
		s.Close()
		done <- nil
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ErrHung
	}
}

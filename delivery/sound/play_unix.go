//go:build unix && !darwin

package sound

import (
	"context"
	"sync"
	"time"

	"github.com/jfreymuth/pulse"
)

// latency is how far ahead the server is fed, in seconds. Without it the server waits for more data than
// a short sound has, and never begins.
const latency = 0.1

// play speaks PulseAudio's protocol. The library waits without a limit for a server that is gone; the
// connection is closed when ctx ends, and the wait is left to its goroutine.
func play(ctx context.Context, c Clip) error {
	client, err := pulse.NewClient(pulse.ClientApplicationName("Signalbox"))
	if err != nil {
		return ErrNone
	}
	defer sync.OnceFunc(client.Close)()
	started := make(chan error, 1)
	go func() {
		defer func() {
			if recover() != nil { // on a connection that ends meanwhile the library panics
				started <- ErrNone
			}
		}()
		channels := pulse.PlaybackMono
		if c.Channels == 2 {
			channels = pulse.PlaybackStereo
		}
		s, err := client.NewPlayback(pulse.Int16Reader(feed(c)), channels, pulse.PlaybackSampleRate(c.Rate),
			pulse.PlaybackLatency(latency), pulse.PlaybackMediaName("notification"))
		if err != nil {
			started <- ErrNone
			return
		}
		s.Start()
		started <- nil
	}()
	select {
	case err := <-started:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return ErrHung
	}
	// The library's own waiting for the end returns at once when the reader has ended.
	end := time.NewTimer(c.Duration() + 2*latency*1e9)
	defer end.Stop()
	select {
	case <-end.C:
	case <-ctx.Done():
	}
	return nil
}

// feed hands the samples out, and after them silence, so that the stream does not run dry before it is
// closed.
func feed(c Clip) func([]int16) (int, error) {
	at := 0
	return func(buf []int16) (int, error) {
		n := copy(buf, c.Samples[min(at, len(c.Samples)):])
		at += n
		clear(buf[n:])
		return len(buf), nil
	}
}

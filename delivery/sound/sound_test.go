package sound

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/assets"
)

func TestEverySound(t *testing.T) {
	for _, name := range assets.SoundNames() {
		c, err := Decode(assets.Sound(name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := c.Duration(); d < 50*time.Millisecond || d > 2*time.Second {
			t.Errorf("%s takes %v", name, d)
		}
	}
}

func TestOneAtATime(t *testing.T) {
	// Proves: A12
	synctest.Test(t, func(t *testing.T) {
		playing, most := 0, 0
		p := &Player{Source: assets.Sound, Out: func(ctx context.Context, c Clip) error {
			playing++
			most = max(most, playing)
			time.Sleep(c.Duration()) // the bubble's clock
			playing--
			return nil
		}}
		results := make(chan error, 5)
		for range 5 {
			go func() { results <- p.Play(t.Context(), "question") }()
		}
		played := 0
		for range 5 {
			switch err := <-results; {
			case err == nil:
				played++
			case !errors.Is(err, ErrBusy):
				t.Errorf("got %v", err)
			}
		}
		if played != 1 || most != 1 {
			t.Errorf("%d played, %d at once", played, most)
		}
		if err := p.Play(t.Context(), "failure"); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

func TestHungServer(t *testing.T) {
	// Proves: A12
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p := &Player{Source: assets.Sound, Limit: time.Second, Out: func(context.Context, Clip) error { <-release; return nil }}
		if err := p.Play(t.Context(), "question"); !errors.Is(err, ErrHung) {
			t.Errorf("got %v", err)
		}
		if err := p.Play(t.Context(), "question"); !errors.Is(err, ErrBusy) {
			t.Errorf("a second call joined the hung one: %v", err)
		}
		close(release)
		synctest.Wait()
		if err := p.Play(t.Context(), "question"); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

func TestNoServer(t *testing.T) {
	t.Setenv("PULSE_SERVER", "unix:/nonexistent/pulse")
	p := &Player{Source: assets.Sound}
	if err := p.Play(t.Context(), "question"); err == nil {
		t.Error("a sound without a server was played")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x44\xac\x00\x00\x88\x58\x01\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x01\x00"))
	f.Add([]byte("RIFF\x00\x00\x00\x00WAVEdata\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := Decode(b); err == nil && c.Duration() < 0 {
			t.Errorf("%+v", c)
		}
	})
}

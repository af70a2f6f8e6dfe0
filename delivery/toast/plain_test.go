package toast

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPlain(t *testing.T) {
	// Proves: A12
	synctest.Test(t, func(t *testing.T) {
		var got []string
		release := make(chan struct{})
		p := NewPlain(func(title, body string) error {
			got = append(got, title+"|"+body)
			switch title {
			case "fails":
				return errors.New("no permission")
			case "hangs":
				<-release
			}
			return nil
		}, time.Second, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); _ = p.Serve(ctx) }()
		for _, c := range []struct {
			title string
			want  error
		}{{"works", nil}, {"fails", ErrRefused}, {"hangs", ErrHung}, {"behind a hung call", ErrHung}} {
			begin := time.Now()
			if err := p.Show(t.Context(), Toast{Title: c.title, Body: "b"}); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", c.title, err, c.want)
			}
			if took := time.Since(begin); took > time.Second {
				t.Errorf("%s took %v", c.title, took)
			}
			if got, want := p.Status().Available, c.want == nil; got != want {
				t.Errorf("%s: available %v", c.title, got)
			}
		}
		close(release)
		synctest.Wait()
		if err := p.Show(t.Context(), Toast{Title: "works"}); err != nil {
			t.Errorf("after the hung call returned: %v", err)
		}
		if len(got) != 4 {
			t.Errorf("calls %q", got)
		}
		cancel()
		<-done
		if err := p.Show(t.Context(), Toast{Title: "works"}); !errors.Is(err, ErrStopped) {
			t.Errorf("after the end: %v", err)
		}
	})
}

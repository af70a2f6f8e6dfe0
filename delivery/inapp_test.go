package delivery

import (
	"errors"
	"testing"
)

func TestInApp(t *testing.T) {
	// Proves: A12
	var a InApp
	if err := a.Tell(t.Context(), Message{}); !errors.Is(err, ErrNobody) {
		t.Errorf("got %v", err)
	}
	began := false
	a.OnListening = func() { began = true }
	c, end := a.Listen()
	if !began {
		t.Error("nobody heard that somebody listens")
	}
	if err := a.Tell(t.Context(), Message{Title: "x"}); err != nil || (<-c).Title != "x" {
		t.Errorf("got %v", err)
	}
	for range 16 {
		if err := a.Tell(t.Context(), Message{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Tell(t.Context(), Message{}); !errors.Is(err, ErrNobody) {
		t.Errorf("a listener that sleeps: %v", err)
	}
	end()
	end()
	if err := a.Tell(t.Context(), Message{}); !errors.Is(err, ErrNobody) {
		t.Errorf("got %v", err)
	}
}

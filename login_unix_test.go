//go:build unix && !darwin

package main

import (
	"strings"
	"testing"
)

func TestStartAtLogin(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, on := range []bool{false, true, true, false, false} {
		if err := setStartsAtLogin(on); err != nil {
			t.Fatal(err)
		}
		if got, err := startsAtLogin(); err != nil || got != on {
			t.Errorf("got %v %v, want %v", got, err, on)
		}
	}
	if e := loginEntry(`/opt/my "app" 100%/signalbox`); !strings.Contains(e, `Exec="/opt/my \\"app\\" 100%%/signalbox" --hidden`) {
		t.Error(e)
	}
}

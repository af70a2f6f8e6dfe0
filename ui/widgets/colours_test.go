package widgets

import (
	"fmt"
	"testing"
	"time"

	"signalbox/notify"
)

// Eight connections have eight colours, and one that comes later changes nobody else's.
func TestEveryConnectionHasItsOwnColour(t *testing.T) {
	// Proves: P1
	var list []notify.ConnectionView
	before := map[string]string{}
	for i := range 12 {
		c := notify.ConnectionView{Connection: &notify.Connection{ID: fmt.Sprint("c", i), Label: fmt.Sprint("Agent ", i), CreatedAt: time.Unix(int64(i), 0)}}
		list = append([]notify.ConnectionView{c}, list...)
		used := map[string]int{}
		for _, v := range Coloured(list) {
			used[v.Color]++
			if had := before[v.ID]; had != "" && had != v.Color {
				t.Errorf("%s was %s and is %s", v.ID, had, v.Color)
			}
			before[v.ID] = v.Color
		}
		for color, n := range used {
			if n > (i+8)/8 {
				t.Errorf("%d of %d have %s", n, i+1, color)
			}
		}
	}
	if list[0].Color != "" {
		t.Error("what is shared was changed")
	}
	like := []notify.ConnectionView{{Connection: &notify.Connection{ID: "a", Color: "#35a063"}}, {Connection: &notify.Connection{ID: "ci", Label: "CI"}}}
	if got := Coloured(like)[1].Color; got == "#2c9a6b" {
		t.Errorf("beside a green one it is %s", got)
	}
	own := notify.ConnectionView{Connection: &notify.Connection{ID: "own", Color: "#123456"}}
	if got := Coloured([]notify.ConnectionView{own})[0].Color; got != "#123456" {
		t.Errorf("its own colour became %s", got)
	}
}

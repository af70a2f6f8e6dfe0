package delivery

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/notify"
)

// However much ends while a provider is slow, nothing of it stays on the screen.
//
// Proves: A9
func TestManyEndedWhileTheProviderIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(nil, toast)
		var told []*notify.Record
		for i := range laneQueue + 50 {
			told = append(told, w.publish(question(strconv.Itoa(i)), "s"))
			time.Sleep(2 * time.Second)
		}
		toast.took = 10 * time.Second
		w.publish(question("slow"), "s")
		for _, r := range told {
			w.answer(r)
		}
		toast.took = 0
		time.Sleep(time.Minute)
		gone := map[string]bool{}
		for _, id := range toast.withdrawn() {
			gone[id] = true
		}
		left := 0
		for _, r := range told {
			if !gone[r.ID] {
				left++
			}
		}
		if left > 0 {
			t.Errorf("%d of %d stay on the screen", left, len(told))
		}
	})
}

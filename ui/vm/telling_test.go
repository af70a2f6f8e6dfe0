package vm_test

import (
	"testing"
	"time"

	"signalbox/ui/vm"
)

func TestHowTheOwnerIsToldInWords(t *testing.T) {
	for got, want := range map[vm.Msg]vm.Msg{
		vm.RemindWord(nil): vm.M("told.remind_never"),
		vm.RemindWord([]time.Duration{40 * time.Second, 3 * time.Minute, time.Hour}): vm.MA("told.remind_after", "0:40 · 3 · 60"),
		vm.StormWord(0, time.Second):                vm.M("told.storms_never"),
		vm.StormWord(5, 1500*time.Millisecond):      {Key: "told.storms_after", N: 5, A: "1.5"},
		vm.HoldWord(0):                              vm.M("told.hold_not"),
		vm.HoldWord(9*time.Minute + 50*time.Second): vm.MA("told.hold_minutes", "9:50"),
		vm.HoldWord(5 * time.Minute):                vm.MA("told.hold_minutes", "5"),
	} {
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

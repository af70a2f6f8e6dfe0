package vm

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// RemindWord says after how long what waits is told again.
func RemindWord(waits []time.Duration) Msg {
	if len(waits) == 0 {
		return M("told.remind_never")
	}
	var minutes []string
	for _, d := range waits {
		minutes = append(minutes, minutesText(d))
	}
	return MA("told.remind_after", strings.Join(minutes, " · "))
}

// StormWord says after how many toasts, and within what time, the rest become one; 0: never.
func StormWord(count int, window time.Duration) Msg {
	if count == 0 {
		return M("told.storms_never")
	}
	return Msg{Key: "told.storms_after", N: count, A: strconv.FormatFloat(window.Seconds(), 'f', -1, 64)}
}

// HoldWord says how long a question may hold an agent.
func HoldWord(d time.Duration) Msg {
	if d == 0 {
		return M("told.hold_not")
	}
	return MA("told.hold_minutes", minutesText(d))
}

// minutesText is a length in minutes: 3, or 9:50.
func minutesText(d time.Duration) string {
	s := int(d / time.Second)
	if s%60 == 0 {
		return strconv.Itoa(s / 60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

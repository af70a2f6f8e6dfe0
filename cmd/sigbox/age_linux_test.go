package main

import (
	"testing"
	"time"
)

// Proves: S1
func TestBudgetCountsFromTheStartOfTheProcess(t *testing.T) {
	t.Parallel()
	if age := processAge(); age < 0 || age > time.Hour {
		t.Errorf("this process is %v old", age)
	}
	for _, c := range []struct{ age, want time.Duration }{
		{0, hookBudget}, {hookWhole - hookBudget, hookBudget}, {hookWhole - 300*time.Millisecond, 300 * time.Millisecond},
		{hookWhole, hookLeast}, {time.Hour, hookLeast},
	} {
		if got := budget(c.age); got != c.want {
			t.Errorf("budget after %v = %v, want %v", c.age, got, c.want)
		}
	}
}

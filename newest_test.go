package main

import (
	"slices"
	"testing"
	"testing/synctest"
)

// What was told last is what is said last, however long saying takes.
func TestTheNewestIsSaidLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []int
		speaking := make(chan struct{})
		n := &newest[int]{say: func(v int) { said = append(said, v); <-speaking }}
		n.tell(1)
		synctest.Wait()
		for v := 2; v <= 100; v++ {
			n.tell(v)
		}
		synctest.Wait()
		close(speaking)
		synctest.Wait()
		if !slices.Equal(said, []int{1, 100}) {
			t.Errorf("said %v", said)
		}
		n.tell(101)
		synctest.Wait()
		if said[len(said)-1] != 101 {
			t.Errorf("said %v", said)
		}
	})
}

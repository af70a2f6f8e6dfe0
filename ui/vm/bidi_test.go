package vm_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/bidi"
	"pgregory.net/rapid"

	"signalbox/ui/vm"
)

// A line of both directions is cut into runs in the order in which they are seen.
func TestVisualRuns(t *testing.T) {
	for _, c := range []struct {
		name, line string
		rtl        bool
		want       []string
	}{
		{"left alone", "a plain line, 42 long", false, []string{"a plain line, 42 long"}},
		{"a word from the right", "the label שלום stands", false, []string{"the label ", "שלום", " stands"}},
		{"two words stay one run", "say שלום עולם now", false, []string{"say ", "שלום עולם", " now"}},
		{"a number within", "say שלום 42 עולם now", false, []string{"say ", " עולם", "42", "שלום ", " now"}},
		{"a price", "שלום 1.50$ עולם", true, []string{" עולם", "1.50$", "שלום "}},
		{"English within", "שלום code עולם", true, []string{" עולם", "code", "שלום "}},
		{"a bracket at the end", "ok (שלום)", false, []string{"ok (", "שלום", ")"}},
		{"a number in brackets", "label שלום (42) ends", false, []string{"label ", ")", "42", "שלום (", " ends"}},
		{"nothing", "", true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range vm.VisualRuns(c.line, c.rtl) {
				got = append(got, c.line[r.Start:r.End])
			}
			if strings.Join(got, "|") != strings.Join(c.want, "|") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The ends of a text that reads from the right are turned around, brackets with them.
func TestRightPieces(t *testing.T) {
	for in, want := range map[string]string{"שלום": "שלום", "שלום (": ") |שלום", "(שלום) ": " (|שלום|)", ", ": " ,", "": ""} {
		if got := strings.Join(vm.RightPieces(in), "|"); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// Nothing is lost or doubled, and each letter has the direction that the standard gives it.
func TestVisualRunsAgreeWithTheStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOfN(rapid.SampledFrom([]rune("abc אבג عرب 12 .,()")), 1, 24, -1).Draw(t, "line")
		rtl := rapid.Bool().Draw(t, "rtl")
		seen := make([]int, len(line))
		dir := make([]bool, len(line))
		for _, r := range vm.VisualRuns(line, rtl) {
			for i := r.Start; i < r.End; i++ {
				seen[i]++
				dir[i] = r.RTL
			}
		}
		for i, n := range seen {
			if n != 1 {
				t.Fatalf("byte %d of %q is in %d runs", i, line, n)
			}
		}
		want := bidi.LeftToRight
		if rtl {
			want = bidi.RightToLeft
		}
		// The standard takes the direction of a line from its first letter; here the line's own is given.
		if vm.RightToLeft(line) != rtl || !strings.ContainsAny(line, "abcאבגعرب") {
			return
		}
		var p bidi.Paragraph
		if _, err := p.SetString(line, bidi.DefaultDirection(want)); err != nil {
			t.Fatal(err)
		}
		o, err := p.Order()
		if err != nil {
			t.Fatal(err)
		}
		for i := range o.NumRuns() {
			run := o.Run(i)
			from, to := run.Pos()
			runes := []rune(line)
			for k := from; k <= to; k++ {
				if !strings.ContainsRune("abcאבגعرب", runes[k]) {
					continue
				}
				at := len(string(runes[:k]))
				if got := dir[at]; got != (run.Direction() == bidi.RightToLeft) {
					t.Fatalf("%q: the letter at %d reads from the right: %v", line, k, got)
				}
			}
		}
	})
}

package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFind looks for what a segment holds and for what it does not, in every order that the places read ahead may
// be come upon in.
func TestFind(t *testing.T) {
	const n = 3*readAhead + 7
	docs := make([]*Doc, n)
	for i := range docs {
		// Three at a time have the same instant; between two there is room for one that is not there.
		docs[i] = &Doc{Place: Place{At: int64(i/3) * 10, ID: fmt.Sprintf("%06d", 2*i)}}
	}
	dir := t.TempDir()
	if err := writeDocs(dir, "a"+segmentExt, docs, false); err != nil {
		t.Fatal(err)
	}
	up := make([]int, n)
	for i := range up {
		up[i] = i
	}
	down := slices.Clone(up)
	slices.Reverse(down)
	for name, order := range map[string][]int{"up": up, "down": down, "anyhow": rand.New(rand.NewPCG(1, 2)).Perm(n)} {
		t.Run(name, func(t *testing.T) {
			s, err := openSegment(dir, "a"+segmentExt)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for _, i := range order {
				p := docs[i].Place
				if doc, ok, err := s.find(p); doc != uint32(i) || !ok || err != nil {
					t.Fatalf("document %d: found %d, %v, %v", i, doc, ok, err)
				}
				if _, ok, err := s.find(Place{At: p.At, ID: p.ID + "x"}); ok || err != nil {
					t.Fatalf("behind document %d: found what is not there, %v", i, err)
				}
				if q, err := s.place(uint32(i)); q != p || err != nil {
					t.Fatalf("document %d is at %v, want %v; %v", i, q, p, err)
				}
			}
		})
	}
}

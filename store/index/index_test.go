package index

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func everything() Query { return Query{Since: math.MinInt64, Until: math.MaxInt64} }

// model is the naive index.
type model map[Place]*Doc

func (m model) search(q Query, before Place, n int) (out []Place) {
	for p, d := range m {
		if p.Compare(before) < 0 && d.matches(&q) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b Place) int { return b.Compare(a) })
	return out[:min(n, len(out))]
}

var words = []string{"wa", "wab", "wabc", "wb", "wbad", "wc", "xpending", "xdone", "ccodex", "cclaude", "z", "r", "gci", "gdeploy"}

func genDoc(t *rapid.T) *Doc {
	d := &Doc{Place: Place{
		At: int64(rapid.IntRange(0, 40).Draw(t, "at")),
		ID: fmt.Sprintf("%02d", rapid.IntRange(0, 30).Draw(t, "id")),
	}}
	d.Terms = rapid.SliceOfDistinct(rapid.SampledFrom(words), func(s string) string { return s }).Draw(t, "terms")
	slices.Sort(d.Terms)
	return d
}

func genQuery(t *rapid.T) Query {
	q := everything()
	word := rapid.SampledFrom(append([]string{"none"}, words...))
	q.All = rapid.SliceOfN(rapid.SliceOfN(word, 1, 3), 0, 3).Draw(t, "all")
	q.Prefixes = rapid.SliceOfN(rapid.SampledFrom([]string{"w", "wa", "wab", "wba", "wz", "c"}), 0, 2).Draw(t, "prefixes")
	q.None = rapid.SliceOfN(word, 0, 2).Draw(t, "none")
	if rapid.Bool().Draw(t, "bounded") {
		q.Since = int64(rapid.IntRange(-1, 41).Draw(t, "since"))
		q.Until = int64(rapid.IntRange(-1, 41).Draw(t, "until"))
	}
	return q
}

// TestAgreesWithNaive lets an index and a map go through the same steps, with flushes, merges and
// new starts in between.
func TestAgreesWithNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "index")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		open := func() *Index {
			ix, err := Open(dir, Options{Fresh: 4, Unsynced: true})
			if err != nil {
				t.Fatal(err)
			}
			return ix
		}
		ix := open()
		defer func() { _ = ix.Close() }()
		m := model{}
		seq := int64(0)
		t.Repeat(map[string]func(t *rapid.T){
			"apply": func(t *rapid.T) {
				var ops []Op
				for range rapid.IntRange(1, 6).Draw(t, "ops") {
					op := Op{}
					if len(m) > 0 && rapid.Bool().Draw(t, "remove") {
						all := m.search(everything(), End, len(m))
						p := rapid.SampledFrom(all).Draw(t, "which")
						op.Remove = &p
						delete(m, p)
					}
					if rapid.IntRange(0, 3).Draw(t, "add") > 0 {
						d := genDoc(t)
						if _, taken := m[d.Place]; !taken {
							op.Add = d
							m[d.Place] = d
						}
					}
					ops = append(ops, op)
				}
				seq++
				if err := ix.Apply(seq, ops); err != nil {
					t.Fatal(err)
				}
			},
			"flush": func(t *rapid.T) {
				if err := ix.Flush(); err != nil {
					t.Fatal(err)
				}
				if ix.Durable() != seq {
					t.Fatalf("Durable = %d after a flush at %d", ix.Durable(), seq)
				}
			},
			"reopen": func(t *rapid.T) {
				if err := errors.Join(ix.Flush(), ix.Close()); err != nil {
					t.Fatal(err)
				}
				ix = open()
				if ix.Seq() != seq {
					t.Fatalf("Seq = %d after closing at %d", ix.Seq(), seq)
				}
			},
			"verify": func(t *rapid.T) {
				if err := ix.Verify(); err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) {
				if ix.Len() != len(m) {
					t.Fatalf("Len = %d, want %d", ix.Len(), len(m))
				}
				q := genQuery(t)
				before := End
				if rapid.Bool().Draw(t, "cursor") {
					before = genDoc(t).Place
				}
				n := rapid.IntRange(1, 50).Draw(t, "n")
				got, err := ix.Search(q, before, n)
				if err != nil {
					t.Fatal(err)
				}
				if want := m.search(q, before, n); !slices.Equal(got, want) {
					t.Fatalf("Search(%+v, %v) = %v\nwant %v", q, before, got, want)
				}
			},
		})
	})
}

// TestMany goes to sizes where sets become bitmaps and runs, and merges have several levels.
func TestMany(t *testing.T) {
	dir := t.TempDir()
	ix, err := Open(dir, Options{Fresh: 512, Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	m := model{}
	const n = 40_000
	for i := range n {
		d := &Doc{Place: Place{At: int64(i / 2), ID: fmt.Sprint(i)}}
		for _, w := range words {
			if rnd.IntN(3) > 0 {
				d.Terms = append(d.Terms, w)
			}
		}
		d.Terms = append(d.Terms, fmt.Sprintf("w%d", rnd.IntN(5000)), fmt.Sprintf("u%d", i))
		slices.Sort(d.Terms)
		op := Op{Add: d}
		m[d.Place] = d
		if i%3 == 0 {
			gone := Place{At: int64(rnd.IntN(i+1) / 2)}
			gone.ID = fmt.Sprint(gone.At * 2)
			op.Remove = &gone
			delete(m, gone)
			if gone == d.Place {
				m[gone] = d
			}
		}
		if err := ix.Apply(int64(i+1), []Op{op}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(t *testing.T) {
		for i, q := range []Query{
			everything(),
			{All: [][]string{{"xpending"}}, Since: math.MinInt64, Until: math.MaxInt64},
			{All: [][]string{{"xpending", "xdone"}, {"gci"}, {"ccodex"}}, None: []string{"z", "r"}, Since: 100, Until: 19_000},
			{Prefixes: []string{"w1", "w12"}, Since: math.MinInt64, Until: math.MaxInt64},
			{Prefixes: []string{"w"}, None: []string{"gci"}, Since: math.MinInt64, Until: math.MaxInt64},
			{All: [][]string{{"u77"}}, Since: math.MinInt64, Until: math.MaxInt64},
			{All: [][]string{{"nothing"}}, Since: math.MinInt64, Until: math.MaxInt64},
		} {
			for _, before := range []Place{End, {At: 5000, ID: "x"}, {At: 1}} {
				got, err := ix.Search(q, before, 300)
				if err != nil {
					t.Fatal(err)
				}
				if want := m.search(q, before, 300); !slices.Equal(got, want) {
					t.Errorf("query %d before %v: %d places, want %d, or they differ", i, before, len(got), len(want))
				}
			}
		}
	}
	t.Run("grown", check)
	if err := ix.Verify(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(ix.Flush(), ix.Close()); err != nil {
		t.Fatal(err)
	}
	if ix, err = Open(dir, Options{Fresh: 512, Unsynced: true}); err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	t.Run("reopened", check)
	if len(ix.segments) > 3*fanIn {
		t.Errorf("%d segments are left unmerged", len(ix.segments))
	}
}

// TestReplay kills an index after every number of steps, by copying its files, and lets the copy do
// the steps again.
func TestReplay(t *testing.T) {
	doc := func(at int64, id string) *Doc { return &Doc{Place: Place{at, id}, Terms: []string{"a"}} }
	steps := []Op{
		{Add: doc(1, "x")}, {Add: doc(2, "y")}, {Add: doc(3, "z")},
		{Remove: &Place{1, "x"}, Add: doc(4, "x")},
		{Remove: &Place{4, "x"}, Add: doc(4, "x")}, // changed within one instant
		{Remove: &Place{2, "y"}},
		{Remove: &Place{4, "x"}},
		{Add: doc(9, "w")},
	}
	for n := range len(steps) + 1 {
		dir, copied := t.TempDir(), t.TempDir()
		ix, err := Open(dir, Options{Fresh: 2, Unsynced: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, op := range steps[:n] {
			if err := ix.Apply(int64(i+1), []Op{op}); err != nil {
				t.Fatal(err)
			}
		}
		ix.stop() // a merge would take files away from under the copy
		ix.merge.Wait()
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		if ix, err = Open(copied, Options{Fresh: 2, Unsynced: true}); err != nil {
			t.Fatal(err)
		}
		for i, op := range steps {
			if err := ix.Apply(int64(i+1), []Op{op}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := ix.Search(everything(), End, 10)
		if want := []Place{{9, "w"}, {3, "z"}}; err != nil || !slices.Equal(got, want) {
			t.Errorf("killed after %d steps: Search = %v, %v; want %v", n, got, err, want)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDamage(t *testing.T) {
	for name, hurt := range map[string]func(b []byte) []byte{
		"cut":        func(b []byte) []byte { return b[:len(b)-5] },
		"half":       func(b []byte) []byte { return b[:len(b)/2] },
		"empty":      func(b []byte) []byte { return nil },
		"zeroed":     func(b []byte) []byte { return make([]byte, len(b)) },
		"flipped 10": func(b []byte) []byte { b[len(b)/10] ^= 0x40; return b },
		"flipped 50": func(b []byte) []byte { b[len(b)/2] ^= 0x40; return b },
		"flipped 90": func(b []byte) []byte { b[len(b)*9/10] ^= 0x40; return b },
	} {
		for _, file := range []string{manifestName, segmentExt} {
			t.Run(file+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				ix, err := Open(dir, Options{})
				if err != nil {
					t.Fatal(err)
				}
				for i := range 3000 {
					d := &Doc{Place: Place{int64(i), fmt.Sprint(i)}, Terms: []string{"a", fmt.Sprintf("b%d", i%7), fmt.Sprintf("c%d", i)}}
					if err := ix.Apply(int64(i), []Op{{Add: d}}); err != nil {
						t.Fatal(err)
					}
				}
				if err := errors.Join(ix.Flush(), ix.Close()); err != nil {
					t.Fatal(err)
				}
				entries, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					if !strings.HasSuffix(e.Name(), file) {
						continue
					}
					path := filepath.Join(dir, e.Name())
					b, err := os.ReadFile(path)
					if err == nil {
						err = os.WriteFile(path, hurt(b), 0o600)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				ix, err = Open(dir, Options{})
				if err == nil {
					err = ix.Verify()
					ix.stop()
					ix.merge.Wait()
					_ = ix.closeFiles()
				}
				if !errors.Is(err, ErrDamaged) {
					t.Errorf("after damage: %v, want ErrDamaged", err)
				}
			})
		}
	}
}

// A disk without room costs a few tries, not one with each document: who reads waits for them.
func TestFlushThatFailsIsTriedSeldom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	ix, err := Open(dir, Options{Fresh: 16, Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	const docs = 1000
	add := func(i int) error {
		return ix.Apply(int64(i), []Op{{Add: &Doc{Place: Place{At: int64(i), ID: "d"}, Terms: []string{"w"}}}})
	}
	failed := 0
	for i := range docs {
		if add(i+1) != nil {
			failed++
		}
	}
	if failed == 0 || failed > 10 {
		t.Errorf("%d of %d documents tried to write", failed, docs)
	}
	if ix.Seq() != docs || ix.Len() != docs {
		t.Errorf("change %d, %d documents", ix.Seq(), ix.Len())
	}
	// With room again, the next try writes all.
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(); err != nil || ix.Durable() != docs {
		t.Errorf("%v, durable %d", err, ix.Durable())
	}
}

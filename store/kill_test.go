package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/store"
	"signalbox/store/storetest"
)

// The environment of a child of this test binary: what it is to do, and where.
const (
	envChild = "SIGNALBOX_STORE_CHILD"
	envDir   = "SIGNALBOX_STORE_DIR"
	// envRounds is how many rounds the kill loop has; 20 without it, and 200 on demand.
	envRounds = "SIGNALBOX_KILL_ROUNDS"
)

// children are what a child of this test binary can do.
var children = map[string]func(dir string){}

func init() {
	children["write"] = func(dir string) { writeIn(store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1}) }
}

func TestMain(m *testing.M) {
	if f := children[os.Getenv(envChild)]; f != nil {
		f(os.Getenv(envDir))
		return
	}
	code := m.Run()
	for _, dir := range made.dirs {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// killChange is change n of the kill loop: every fifth changes the record made two changes before.
func killChange(n int64) notify.Change {
	if n%5 == 0 && n > 2 {
		r := storetest.With(storetest.New(int(n-2)), func(r *notify.Record) {
			r.Revision, r.Title, r.UpdatedAt, r.Change = 2, fmt.Sprintf("Item %d changed", n-2), storetest.At(int(n)), n
		})
		return notify.Change{Seq: n, Name: notify.EvUpdated, At: r.UpdatedAt, Record: r}
	}
	r := storetest.With(storetest.New(int(n)), func(r *notify.Record) {
		r.Change, r.Key = n, fmt.Sprint("key ", n)
		r.Body = strings.Repeat("x", int(n%7)*200)
		if n%500 < 100 { // now and then, so much that it needs the journal
			r.Body = strings.Repeat("y", notify.MaxBody)
		}
	})
	return notify.Change{Seq: n, Name: notify.EvCreated, At: r.UpdatedAt, Record: r,
		Receipt: &notify.Receipt{Connection: "claude", Key: fmt.Sprint(n), RecordID: r.ID, At: r.UpdatedAt}}
}

// writeIn commits to a store until it is killed. It says what it begins and what was acknowledged.
func writeIn(o store.Options) {
	ctx := context.Background()
	s, report := store.Open(ctx, o)
	fmt.Println("open", report.Condition)
	snap, err := s.Load(ctx)
	if err != nil {
		panic(err)
	}
	for seq := snap.Sequence; ; {
		n := 1 + rand.IntN(8)
		if rand.IntN(20) == 0 {
			n = 150
		}
		var changes []notify.Change
		for range n {
			seq++
			changes = append(changes, killChange(seq))
		}
		fmt.Println("begin", seq)
		if err := s.Commit(ctx, changes); err != nil {
			panic(err)
		}
		fmt.Println("acknowledged", seq)
		if rand.IntN(30) == 0 {
			if err := s.Trim(ctx, seq-1000, time.Time{}); err != nil {
				panic(err)
			}
		}
	}
}

func child(t *testing.T, what, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), envChild+"="+what, envDir+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestKill kills a process that writes, again and again, and looks at what it left: every acknowledged
// change, whole commits only, and no report of a loss.
// Proves: L8, L9, T44
func TestKill(t *testing.T) {
	rounds := 20
	if v, err := strconv.Atoi(os.Getenv(envRounds)); err == nil {
		rounds = v
	}
	dir := t.TempDir()
	var total, looked int64
	for round := range rounds {
		cmd := child(t, "write", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		begun, acknowledged := int64(0), total
		lines := bufio.NewScanner(out)
		first := true
		for lines.Scan() {
			word, rest, _ := strings.Cut(lines.Text(), " ")
			n, _ := strconv.ParseInt(rest, 10, 64)
			switch word {
			case "open":
				if rest != string(store.Healthy) {
					t.Fatalf("round %d: the child opened a store that is %s", round, rest)
				}
			case "begin":
				begun = n
				if first {
					first = false
					time.AfterFunc(time.Duration(20+rand.IntN(300))*time.Millisecond, func() { _ = cmd.Process.Kill() })
				}
			case "acknowledged":
				acknowledged = n
			}
		}
		_ = cmd.Wait() // it was killed
		if begun == 0 {
			t.Fatalf("round %d: the child did nothing", round)
		}

		s, report := store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
		if report.Condition != store.Healthy {
			t.Fatalf("round %d: %+v", round, report)
		}
		snap, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := snap.Sequence
		if got < acknowledged {
			t.Fatalf("round %d: change %d is the last, %d was acknowledged", round, got, acknowledged)
		}
		if got != acknowledged && got != begun {
			t.Errorf("round %d: change %d is the last, in the middle of a commit from %d to %d", round, got, acknowledged, begun)
		}
		if got > 0 { // the first child may have been killed before anything was acknowledged
			looked += lookAt(t, s, max(total-2000, 0), got)
		}
		total = got
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s, _ := store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	lookAt(t, s, 0, total)
	t.Logf("%d rounds, %d changes", rounds, total)
}

// lookAt compares what changes after from up to to left with what they should have.
func lookAt(t *testing.T, s *store.Store, from, to int64) (n int64) {
	t.Helper()
	for seq := from + 1; seq <= to; seq++ {
		c := killChange(seq)
		if c.Name == notify.EvUpdated {
			continue
		}
		want := c.Record
		if changed := seq + 2; changed <= to && changed%5 == 0 {
			want = killChange(changed).Record
		}
		got, ok, err := s.Record(want.ID)
		if err != nil || !ok || got.Title != want.Title || got.Revision != want.Revision || got.Change != want.Change {
			t.Fatalf("record of change %d of %d = %+v, %v, %v", seq, to, got, ok, err)
		}
		if slot, ok := c.Record.Slot(); ok {
			if newest, ok, err := s.Slot(slot); !ok || err != nil || newest.RecordID != want.ID {
				t.Fatalf("slot of change %d = %v, %v, %v", seq, newest, ok, err)
			}
		}
		if _, ok, err := s.Receipt("claude", fmt.Sprint(seq)); !ok || err != nil {
			t.Fatalf("receipt of change %d: %v, %v", seq, ok, err)
		}
		n++
	}
	if _, ok, err := s.Record(storetest.ID(int(to + 1))); ok || err != nil {
		t.Fatalf("there is a record of change %d, which never was: %v", to+1, err)
	}
	page, err := s.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 1)
	if err != nil || len(page.Records) != 1 || page.Records[0].Change != to {
		t.Fatalf("the newest record is not of change %d: %v, %v", to, page.Records, err)
	}
	return n
}

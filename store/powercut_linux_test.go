//go:build powercut

// Power cuts need a file system of their own, and so root: `make powercut` runs them.

package store_test

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/store"
)

// envCuts is how many times the power is cut; 20 without it.
const envCuts = "SIGNALBOX_POWER_CUTS"

const cutReserve = 16 << 20

func init() {
	children["write on a disk"] = func(dir string) {
		writeIn(store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, MinFree: cutReserve})
	}
	children["write unsynced"] = func(dir string) {
		writeIn(store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, MinFree: cutReserve, Unsynced: true})
	}
}

// cutDisk is an ext4 file system in a file. What is not synced is in the memory of the system and not in the
// file: a copy of the file is what a power cut would leave.
type cutDisk struct {
	t          *testing.T
	image, dir string
	mounted    bool
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

func newCutDisk(t *testing.T) *cutDisk {
	t.Helper()
	d := &cutDisk{t: t, image: filepath.Join(t.TempDir(), "disk"), dir: t.TempDir()}
	mustDo(t, os.WriteFile(d.image, nil, 0o600))
	mustDo(t, os.Truncate(d.image, 400<<20))
	run(t, "mkfs.ext4", "-q", "-F", d.image)
	d.mount()
	t.Cleanup(d.unmount)
	return d
}

// mount leaves the journal to itself for as long as there is nothing that must be durable.
func (d *cutDisk) mount() {
	d.t.Helper()
	run(d.t, "mount", "-o", "loop,commit=300", d.image, d.dir)
	d.mounted = true
}

func (d *cutDisk) unmount() {
	if d.mounted {
		d.mounted = false
		run(d.t, "umount", d.dir)
	}
}

// cut stops a process, keeps what is on the disk now, ends the process, and lets the disk be what was kept.
func (d *cutDisk) cut(p *os.Process) {
	d.t.Helper()
	mustDo(d.t, p.Signal(syscall.SIGSTOP))
	// It is told when the last thread has stopped: calls that are under way come to their end, and nobody writes after.
	var status syscall.WaitStatus
	_, err := syscall.Wait4(p.Pid, &status, syscall.WUNTRACED, nil)
	mustDo(d.t, err)
	if !status.Stopped() {
		d.t.Fatalf("the child did not stop: %v", status)
	}
	kept := d.image + ".cut"
	run(d.t, "cp", "--sparse=always", d.image, kept)
	mustDo(d.t, p.Kill())
	_, err = p.Wait()
	mustDo(d.t, err)
	d.unmount()
	mustDo(d.t, os.Rename(kept, d.image))
	d.mount()
}

// writes lets a child write on the disk until the power is cut, and says what it began and what was
// acknowledged.
func (d *cutDisk) writes(what string) (begun, acknowledged int64) {
	d.t.Helper()
	cmd := child(d.t, what, filepath.Join(d.dir, "store"))
	out, err := cmd.StdoutPipe()
	mustDo(d.t, err)
	mustDo(d.t, cmd.Start())
	lines := make(chan string, 1<<16)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
	take := func(line string) {
		word, rest, _ := strings.Cut(line, " ")
		n, _ := strconv.ParseInt(rest, 10, 64)
		switch word {
		case "open":
			if rest != string(store.Healthy) {
				d.t.Fatalf("the child opened a store that is %s", rest)
			}
		case "begin":
			begun = n
		case "acknowledged":
			acknowledged = n
		}
	}
	for acknowledged == 0 {
		line, ok := <-lines
		if !ok {
			d.t.Fatal("the child did nothing")
		}
		take(line)
	}
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Duration(100+rand.IntN(1500))*time.Millisecond)
	defer cancel()
	for more := true; more; {
		select {
		case line, ok := <-lines:
			if !ok {
				d.t.Fatal("the child ended by itself")
			}
			take(line)
		case <-ctx.Done():
			more = false
		}
	}
	d.cut(cmd.Process)
	for line := range lines {
		take(line)
	}
	return begun, acknowledged
}

// TestPowerCut cuts the power of a store that is being written to, again and again, and looks at what is
// on the disk after: every acknowledged change, whole commits only, and no report of a loss.
// Proves: L8, L9
func TestPowerCut(t *testing.T) {
	rounds := 20
	if v, err := strconv.Atoi(os.Getenv(envCuts)); err == nil {
		rounds = v
	}
	d := newCutDisk(t)
	var total int64
	for round := range rounds {
		begun, acknowledged := d.writes("write on a disk")
		acknowledged = max(acknowledged, total)
		s, report := store.Open(t.Context(), store.Options{Dir: filepath.Join(d.dir, "store"), SnapshotEvery: -1, OpenWithin: -1, MinFree: cutReserve})
		if report.Condition != store.Healthy {
			t.Fatalf("cut %d: %+v", round, report)
		}
		snap, err := s.Load(t.Context())
		mustDo(t, err)
		if got := snap.Sequence; got < acknowledged || got != acknowledged && got != begun {
			t.Fatalf("cut %d: change %d is the last, %d was acknowledged, %d begun", round, got, acknowledged, begun)
		}
		from := max(total-2000, 0)
		if total = snap.Sequence; total > 0 {
			lookAt(t, s, from, total)
		}
		mustDo(t, s.Close())
	}
	t.Logf("%d power cuts, %d changes", rounds, total)
}

// TestPowerCutTakes proves that these cuts lose something: what a store does not sync is gone, and told.
func TestPowerCutTakes(t *testing.T) {
	d := newCutDisk(t)
	var acknowledged, found int64
	for range 3 {
		_, acknowledged = d.writes("write unsynced")
		s, _ := store.Open(t.Context(), store.Options{Dir: filepath.Join(d.dir, "store"), SnapshotEvery: -1, OpenWithin: -1, MinFree: cutReserve})
		snap, err := s.Load(t.Context())
		mustDo(t, err)
		mustDo(t, s.Close())
		if found = snap.Sequence; found < acknowledged {
			return
		}
		mustDo(t, os.RemoveAll(filepath.Join(d.dir, "store")))
	}
	t.Errorf("nothing of %d changes was lost, %d are there", acknowledged, found)
}

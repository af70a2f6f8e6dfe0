//go:build linux && e2e && frames

package journey

import (
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"signalbox/internal/e2e/rig"
)

// The goals: no frame of a scroll over slowFrame, and a row on the screen within onScreen of the publish's answer.
// On a busy machine they are figures to compare, not limits: make frames prints them.
const (
	slowFrame = 33 * time.Millisecond
	onScreen  = 100 * time.Millisecond
)

// figures are times, sorted.
type figures []time.Duration

func (f figures) at(q float64) time.Duration { return f[min(int(q*float64(len(f))), len(f)-1)] }

func (f figures) String() string {
	slices.Sort(f)
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond)) }
	return fmt.Sprintf("n %d, p50 %s, p90 %s, p99 %s, slowest %s ms", len(f), ms(f.at(0.5)), ms(f.at(0.9)), ms(f.at(0.99)), ms(f[len(f)-1]))
}

func (f figures) over(d time.Duration) (n int) {
	for _, x := range f {
		if x > d {
			n++
		}
	}
	return n
}

// scroller times the frames of an area of a window while something scrolls it: from one change of the picture to the
// next, as the screen's memory shows it. What scrolls must ask for more than a frame can show, or pauses count as frames.
type scroller struct {
	t    *testing.T
	r    *rig.Rig
	app  *rig.App
	w    *rig.Window
	area image.Rectangle
}

func (s scroller) run(name string, args ...string) {
	t := s.t
	t.Helper()
	fb := s.r.Framebuffer()
	fb.Still(s.area, time.Second, 60*time.Second)
	pid := child(t, s.app.Pid())
	all, main := processor(t, fmt.Sprintf("/proc/%d/stat", pid)), processor(t, fmt.Sprintf("/proc/%d/task/%d/stat", pid, pid))
	cmd := exec.Command("xdotool", args...)
	cmd.Env = s.r.Env()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var frames figures
	last, seen := time.Now(), false
	for over := false; !over; {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			over = true
		default:
			at, moved := fb.Change(s.area, 500*time.Millisecond)
			if !moved {
				seen = false
				continue
			}
			if seen {
				frames = append(frames, at.Sub(last))
			}
			last, seen = at, true
		}
	}
	if len(frames) == 0 {
		s.w.Screenshot("no-frames")
		t.Fatal("nothing moved")
	}
	all = processor(t, fmt.Sprintf("/proc/%d/stat", pid)) - all
	main = processor(t, fmt.Sprintf("/proc/%d/task/%d/stat", pid, pid)) - main
	n := time.Duration(len(frames))
	t.Logf("%s: %v; %d over %v; of a processor %v a frame, %v of it one after the other, the rest beside it", name, frames, frames.over(slowFrame), slowFrame,
		(all / n).Round(100*time.Microsecond), (main / n).Round(100*time.Microsecond))
}

func (s scroller) wheel(x, y int) {
	s.w.Focus()
	s.w.Pointer(x, y)
	s.run("wheel, 500 clicks", "click", "--repeat", "500", "--delay", "12", "5")
	s.run("wheel back, 500 clicks", "click", "--repeat", "500", "--delay", "12", "4")
}

func (s scroller) key(name string, times, every int) {
	s.run(fmt.Sprintf("%s, %d times", name, times), "key", "--repeat", strconv.Itoa(times), "--delay", strconv.Itoa(every), name)
}

// freely starts an app that takes as many notifications as there are.
func freely(t *testing.T) (*rig.Rig, *rig.App) {
	r := rig.Start(t, rig.Options{Theme: "light", NoPanel: true, NoDaemon: true})
	if err := os.WriteFile(filepath.Join(r.Home, "config.toml"), []byte("rate_limit = 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return r, r.App()
}

// How long frames take while the history of a hundred thousand rows is scrolled.
func TestFramesOfTheHistory(t *testing.T) {
	rows, err := strconv.Atoi(os.Getenv("SIGNALBOX_ROWS"))
	if err != nil {
		rows = 100_000
	}
	r, app := freely(t)
	fill(app.Bridge(), rows)
	r.Window(railTitle).Key("ctrl+h")
	h := r.Window(historyTitle)
	h.Move(60, 40)
	h.Resize(1000, 680)
	b := h.Bounds()
	// Beside the detail, which has frames of its own.
	s := scroller{t, r, app, h, image.Rect(b.Min.X+20, b.Min.Y+220, b.Min.X+500, b.Max.Y-20)}
	s.wheel(400, 400)
	s.key("Next", 100, 60) // a page takes some frames, so it is asked for before it has come
	s.key("Down", 300, 12)
	h.Screenshot("scrolled")
	if !app.Running() {
		t.Error("the app has ended")
	}
}

// How long frames take while a rail of some hundreds of cards is scrolled.
func TestFramesOfTheRail(t *testing.T) {
	r, app := freely(t)
	agent := connect(app.Bridge(), "Build robot")
	for i := range 300 {
		agent.publish(map[string]any{"title": fmt.Sprintf("Build %d is green", i), "severity": []string{"info", "success", "warning", "error"}[i%4], "key": strconv.Itoa(i),
			"body": "Some of what was done, in **words** of `Markdown` that are read for each card, and so many that they take two lines of it where the window is not a wide one."})
	}
	w := r.Window(railTitle)
	w.Move(60, 40)
	w.Resize(1000, 680)
	b := w.Bounds()
	// Above the detail, once there is one.
	s := scroller{t, r, app, w, image.Rect(b.Min.X+300, b.Min.Y+80, b.Max.X-40, b.Min.Y+360)}
	s.wheel(600, 300)
	s.key("Down", 200, 12)
	w.Screenshot("scrolled")
	if !app.Running() {
		t.Error("the app has ended")
	}
}

// How long it takes from the answer of a publish to the row on the rail: of one that comes when all is quiet, and of one
// that comes while another is being shown.
func TestPublishToScreen(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light", NoPanel: true, NoDaemon: true})
	app := r.App()
	api := app.Bridge()
	agent := connect(api, "Build robot")
	w := r.Window(railTitle)
	w.Move(60, 40)
	w.Resize(1000, 680)
	b := w.Bounds()
	rail := image.Rect(b.Min.X+300, b.Min.Y+180, b.Max.X-40, b.Max.Y-20)
	fb := r.Framebuffer()
	n := 0
	publish := func() {
		n++
		agent.publish(map[string]any{"title": fmt.Sprintf("Build %d is green", n), "severity": "success"})
	}
	row := func(after func()) time.Duration {
		fb.Still(rail, 300*time.Millisecond, 10*time.Second)
		done := make(chan time.Time, 1)
		go func() {
			after()
			publish()
			done <- time.Now()
		}()
		seen, ok := fb.Change(rail, 5*time.Second)
		for last := ok; last; { // the last change is that of the last row
			var at time.Time
			if at, last = fb.Change(rail, 200*time.Millisecond); last {
				seen = at
			}
		}
		if !ok {
			w.Screenshot("no-row")
			t.Fatal("what is published is not on the screen")
		}
		return max(seen.Sub(<-done), 0)
	}
	for name, after := range map[string]func(){
		"in quiet": func() {},
		"10 ms after another": func() {
			publish()
			time.Sleep(10 * time.Millisecond)
		},
	} {
		var all figures
		for range 60 {
			all = append(all, row(after))
		}
		t.Logf("publish's answer to the row on the screen, %s: %v; %d over %v", name, all, all.over(onScreen), onScreen)
	}
	w.Screenshot("published")
}

// fill publishes and ends so many notifications.
func fill(api *rig.Bridge, rows int) {
	var agents []script
	for i := range 10 {
		agents = append(agents, connect(api, fmt.Sprintf("Agent %d", i)))
	}
	for n := 0; n < rows; n += 500 {
		agent := agents[n/500%len(agents)]
		var ops []map[string]any
		for i := range 250 {
			key := fmt.Sprintf("k%d", i)
			severity := []string{"info", "success", "warning", "error"}[i%4]
			ops = append(ops, map[string]any{"op": "publish", "notification": map[string]any{"title": fmt.Sprintf("Turn %d is finished", n+i), "key": key, "severity": severity,
				"body": "Some of what was done, in **words** of `Markdown` that are read for each row."}},
				map[string]any{"op": "resolve", "key": key})
		}
		agent.JSON("POST", "/v1/connections/"+agent.id+"/batch", map[string]any{"operations": ops}, nil)
	}
}

// child is the process of the windows.
func child(t *testing.T, of int) int {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		b, err := os.ReadFile(p)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(of) {
			pid, err := strconv.Atoi(strings.Fields(string(b))[0])
			if err == nil {
				return pid
			}
		}
	}
	t.Fatal("the windows have no process")
	return 0
}

// processor is the time of a processor that a process, or a thread, has had.
func processor(t *testing.T, stat string) time.Duration {
	t.Helper()
	b, err := os.ReadFile(stat)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	user, err := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return time.Duration(user+system) * 10 * time.Millisecond // ticks of a hundredth
}

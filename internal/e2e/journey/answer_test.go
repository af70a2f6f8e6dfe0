//go:build linux && e2e

package journey

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/internal/e2e/rig"
)

// A refusal offers its comment before it goes; what is typed then is the comment, letters and digits that are
// shortcuts otherwise among them.
//
// Proves: I1
func TestACommentBeforeADenial(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light", NoDaemon: true})
	api := r.App().Bridge()
	agent := connect(api, "Claude Code")
	w := r.Window(railTitle)
	asked, second := agent.publish(permission), agent.publish(permission)
	waits(r, w)
	w.Key("Down")
	r.Never("an answer nobody gave", time.Second, func() bool { return get(api, asked.ID).Status != "pending" })
	w.Key("3")
	w.Screenshot("comment-offered")
	r.Never("a denial before its comment", time.Second, func() bool { return get(api, asked.ID).Status != "pending" })
	const comment = "1 dump first, then ask me"
	w.Type(comment)
	w.Screenshot("comment-typed")
	w.Key("Return")
	var n wire.Notification
	r.Eventually("the denial", func() bool { n = get(api, asked.ID); return n.Status != "pending" })
	if n.Outcome == nil || n.Outcome.Answer == nil || n.Outcome.Answer.Option != "deny" || n.Outcome.Answer.Comment != comment {
		t.Errorf("the agent got %+v", n.Outcome)
	}
	// The same key again says it without one.
	w.Key("Down")
	r.Never("an answer nobody gave", time.Second, func() bool { return get(api, second.ID).Status != "pending" })
	w.Key("3")
	r.Never("a denial before its comment", time.Second, func() bool { return get(api, second.ID).Status != "pending" })
	w.Key("3")
	r.Eventually("the second denial", func() bool { n = get(api, second.ID); return n.Status != "pending" })
	if n.Outcome == nil || n.Outcome.Answer == nil || n.Outcome.Answer.Option != "deny" || n.Outcome.Answer.Comment != "" {
		t.Errorf("the agent got %+v", n.Outcome)
	}
}

// A long plan is read with the keys that page, its answers in view all the while, and answered without a click; in
// a wide window beside the rail, in another in its place.
func TestALongPlanIsReadByKeys(t *testing.T) {
	for _, width := range []int{1240, 900} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			r := rig.Start(t, rig.Options{Theme: "light", Size: "1320x900", NoDaemon: true})
			api := r.App().Bridge()
			agent := connect(api, "Claude Code")
			w := r.Window(railTitle)
			w.Move(20, 30)
			w.Resize(width, 780)
			var body strings.Builder
			for i := range 40 {
				fmt.Fprintf(&body, "## Step %d\n\nChange `pkg/file_%d.go` and run `go test ./pkg`.\n\n", i, i)
			}
			plan := agent.publish(map[string]any{"title": "Plan: split the payment service", "kind": "interaction", "body": body.String(),
				"interaction": map[string]any{"kind": "plan_approval", "prompt": "Is this the plan to follow?", "options": []any{
					map[string]any{"id": "yes", "label": "Approve", "style": "primary"}, map[string]any{"id": "keep", "label": "Keep planning", "comment": "optional"}}}})
			other := agent.publish(permission)
			waits(r, w)
			w.Key("Down", "Return")
			w.Screenshot("plan-top")
			b := w.Bounds()
			text := 300 // from the right, a place that the plan's lines reach
			if width < 1000 {
				text = 640
			}
			right := image.Rect(b.Max.X-text, b.Min.Y+140, b.Max.X-40, b.Max.Y-160)
			foot := image.Rect(b.Max.X-400, b.Max.Y-60, b.Max.X-40, b.Max.Y-6)
			fb := r.Framebuffer()
			fb.Still(right.Union(foot), 1500*time.Millisecond, 10*time.Second)
			answers := fb.Sum(foot)
			for _, key := range []string{"Next", "space", "End", "Prior", "Home"} {
				was := fb.Sum(right)
				w.Key(key)
				r.Eventually("the plan to move with "+key, func() bool { return fb.Sum(right) != was })
				fb.Still(right, 300*time.Millisecond, 5*time.Second)
				if fb.Sum(foot) != answers {
					w.Screenshot("plan-" + key)
					t.Errorf("the answers moved with %s", key)
				}
				if key == "Next" {
					w.Screenshot("plan-next")
				}
			}
			w.Key("2")
			w.Screenshot("plan-comment")
			w.Type("smaller steps")
			w.Key("Return")
			var n wire.Notification
			r.Eventually("the answer", func() bool { n = get(api, plan.ID); return n.Status != "pending" })
			if n.Outcome == nil || n.Outcome.Answer == nil || n.Outcome.Answer.Option != "keep" || n.Outcome.Answer.Comment != "smaller steps" {
				t.Errorf("the agent got %+v", n.Outcome)
			}
			if get(api, other.ID).Status != "pending" {
				t.Error("the keys answered what was not being read")
			}
		})
	}
}

// waits waits until the rail shows the orange of what waits, and has come to rest.
func waits(r *rig.Rig, w *rig.Window) {
	r.Eventually("the orange of what waits", func() bool {
		m, n := w.Image(), 0
		for i := 0; i+3 < len(m.Pix); i += 4 {
			if m.Pix[i] > 220 && m.Pix[i+1] > 110 && m.Pix[i+1] < 185 && m.Pix[i+2] < 90 {
				n++
			}
		}
		return n > 1000
	})
	w.Focus()
	w.Screenshot("waits")
}

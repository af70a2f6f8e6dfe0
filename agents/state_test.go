package agents

import (
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

// A notice of a prompt either makes its item, and the session waits, or it says again what was told, and the session does what
// it did. A tool that runs has a session work again that only seems to wait.
//
// Proves: A4, A9, A10
func TestStateFollowsItsItems(t *testing.T) {
	const (
		ask    = `"hook_event_name":"PermissionRequest",` + flash
		ran    = `"hook_event_name":"PostToolUse",` + flash
		other  = `"hook_event_name":"PostToolUse",` + build
		prompt = `"hook_event_name":"UserPromptSubmit","prompt":"go"`
		notice = `"hook_event_name":"Notification","notification_type":"permission_prompt","message":"m"`
		idle   = `"hook_event_name":"Notification","notification_type":"idle_prompt","message":"m"`
		stop   = `"hook_event_name":"Stop"`
		// What the owner and time do.
		dismiss, later = "dismiss", "later"
	)
	for name, c := range map[string]struct {
		steps   []string
		state   string
		pending []string
	}{
		"a notice that comes late":               {[]string{prompt, ask, ran, notice}, StateWorking, nil},
		"a notice of the next prompt":            {[]string{prompt, ask, ran, prompt, notice}, StateWaiting, []string{"permission"}},
		"a prompt that ended the request":        {[]string{prompt, ask, prompt, notice}, StateWaiting, []string{"permission"}},
		"a notice long after the request":        {[]string{prompt, ask, ran, later, notice}, StateWaiting, []string{"permission"}},
		"a notice of a dismissed request":        {[]string{prompt, ask, dismiss, notice}, StateWaiting, nil},
		"a notice long after a dismissed one":    {[]string{prompt, ask, dismiss, later, notice}, StateWaiting, []string{"permission"}},
		"another tool, the request dismissed":    {[]string{prompt, ask, dismiss, other}, StateWorking, nil},
		"another tool, the request pending":      {[]string{prompt, ask, other}, StateWaiting, []string{"permission"}},
		"another tool, the notice dismissed":     {[]string{prompt, notice, dismiss, other}, StateWorking, nil},
		"a tool that is told of late":            {[]string{prompt, ask, ran, stop, other}, StateIdle, []string{"turn"}},
		"a late request, its tool ran before it": {[]string{prompt, ask, ran, "early " + ask}, StateWorking, nil},
		"idle while it asks":                     {[]string{prompt, ask, idle}, StateWaiting, []string{"permission"}},
		"idle after it was interrupted":          {[]string{prompt, ask, ran, idle}, StateIdle, nil},
	} {
		for kind, id := range map[string]string{"": "", ", with ids of turns": `"prompt_id":"p-%",`} {
			t.Run(name+kind, func(t *testing.T) {
				d, turn := newDesk(t), "0"
				for _, step := range c.steps {
					at := d.now
					switch step {
					case dismiss:
						d.end(&d.items[0], wire.StatusDismissed, wire.Outcome{Kind: wire.OutcomeDismissed})
						continue
					case later:
						d.now = d.now.Add(time.Hour)
						continue
					case prompt:
						turn += "0"
					case "early " + ask:
						step, at = ask, at.Add(-3*time.Second)
					}
					d.callAt(at, "claude", `{"session_id":"s",`+strings.ReplaceAll(id, "%", turn)+step+`}`, 0)
				}
				d.want(c.pending...)
				if d.state != c.state {
					t.Errorf("it is %s, want %s", d.state, c.state)
				}
			})
		}
	}
}

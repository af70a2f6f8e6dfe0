package agents

import (
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

// A command is told once, in full, and none of the ways to allow it is put forward.
func TestACommandIsToldOnce(t *testing.T) {
	// Proves: I1, S4
	const command = "docker compose run --rm migrator && rm -rf /srv/cache"
	for _, c := range []struct{ name, description, want string }{
		{"with words of its own", `,"description":"Run the migration"`, "Run the migration"},
		{"without", "", "Run a command in payments-api"},
		{"with blank ones", `,"description":" \t"`, "Run a command in payments-api"},
	} {
		p := Translate(Input{Agent: "claude", Event: "PermissionRequest", At: noon, Wait: time.Minute, Place: Place{Cwd: "/src/payments-api", Project: "payments-api"},
			Payload: []byte(`{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"` + command + `"` + c.description + `}}`)})
		pub := p.Ask.Item.Publish
		text := strings.Join(append([]string{pub.Title, pub.Body, pub.Interaction.Prompt}, pub.Lines...), "\n")
		if pub.Title != c.want || strings.Count(text, command) != 1 || strings.Count(strings.Join(append([]string{pub.Title}, pub.Lines...), "\n"), pub.Title) != 1 {
			t.Errorf("%s: %q", c.name, text)
		}
		for _, o := range pub.Interaction.Options {
			if o.Style == wire.StylePrimary {
				t.Errorf("%s: %s is put forward", c.name, o.Label)
			}
		}
	}
}

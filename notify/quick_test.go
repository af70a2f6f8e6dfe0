package notify_test

import (
	"slices"
	"testing"

	"signalbox/notify"
)

// What may be chosen in passing gives no leave that lasts, and none for what was not seen; a no is always there, once.
//
// Proves: P4
func TestQuickOptions(t *testing.T) {
	permission := []notify.Option{
		{ID: "once", Label: "Allow once"}, {ID: "session", Label: "Allow for this session"}, {ID: "wipe", Label: "Wipe it", Style: "danger"},
		{ID: "why", Label: "Say why", Comment: "required"}, {ID: "deny", Label: "Deny", Style: "danger"}, {ID: "deny-stop", Label: "Deny and stop", Style: "danger"},
	}
	for name, c := range map[string]struct {
		in    notify.Interaction
		whole bool
		want  []string
	}{
		"all that is asked is in view": {notify.Interaction{Kind: "permission", Options: permission}, true, []string{"once", "deny"}},
		"not all is in view":           {notify.Interaction{Kind: "permission", Options: permission}, false, []string{"deny"}},
		"a plan":                       {notify.Interaction{Kind: "plan_approval", Options: permission}, true, nil},
		"a field that is required":     {notify.Interaction{Kind: "question", Options: permission, Fields: []notify.Field{{ID: "a", Required: true}}}, true, nil},
		"no options":                   {notify.Interaction{Kind: "question"}, true, nil},
	} {
		var got []string
		for _, o := range c.in.Quick(c.whole) {
			got = append(got, o.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// Proves: P4
func TestWhatLetsTheAgentGoAhead(t *testing.T) {
	for _, test := range []struct {
		kind, option string
		want         bool
	}{
		{"permission", "allow", true}, {"permission", "deny", false}, {"plan_approval", "approve", true}, {"plan_approval", "reject", false},
		{"question", "yes", false}, {"", "v2", false},
	} {
		in := notify.Interaction{Kind: test.kind, Prompt: "?"}
		if got := in.Lets(notify.Option{ID: test.option}); got != test.want {
			t.Errorf("%s of %q: %v", test.option, test.kind, got)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		o    notify.Option
		want bool
	}{
		{notify.Option{ID: "deny"}, true},
		{notify.Option{ID: "Reject", Style: "danger"}, true},
		{notify.Option{ID: "deny-stop", Label: "Deny and stop", Style: "danger"}, true},
		{notify.Option{ID: "2", Label: "No, wait"}, true},
		{notify.Option{ID: "2", Label: "  No ", Style: "danger"}, true},
		{notify.Option{ID: "2", Label: "Nein"}, true},
		{notify.Option{ID: "no-backup", Label: "No backup: deploy now", Style: "danger"}, false},
		{notify.Option{ID: "no-backup", Label: "No backup: deploy now"}, false},
		{notify.Option{ID: "2", Label: "Don't ask again"}, false},
		{notify.Option{ID: "cancel-all", Label: "Cancel all jobs", Style: "danger"}, false},
		{notify.Option{ID: "allow", Label: "Allow"}, false},
	} {
		if got := c.o.Refuses(); got != c.want {
			t.Errorf("%+v: got %v", c.o, got)
		}
	}
}

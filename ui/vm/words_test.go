package vm_test

import (
	"regexp"
	"slices"
	"testing"

	"signalbox/assets"
	"signalbox/notify"
	"signalbox/ui/vm"
)

// A detail speaks the owner's language: no name that is meant for machines is left in it.
func TestNoWordOfTheDetailIsForMachines(t *testing.T) {
	machine := regexp.MustCompile(`[a-z]_[a-z]|^/|[a-z]\.[a-z]`)
	for _, lang := range vm.Languages {
		c, err := vm.LoadCatalog(assets.Translations, lang.Code)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, m vm.Msg) {
			t.Helper()
			if got := c.Text(m); got == "" || machine.MatchString(got) {
				t.Errorf("%s: %s says %q", lang.Code, what, got)
			}
		}
		for _, r := range []notify.Reason{notify.ReasonDefault, notify.ReasonSubscription, notify.ReasonRule, notify.ReasonNoNews, notify.ReasonEnded,
			notify.ReasonReplay, notify.ReasonSilent, notify.ReasonMuted, notify.ReasonSnoozed, notify.ReasonSetAside, notify.ReasonLapsed,
			notify.ReasonDuplicate, notify.ReasonSubagent, notify.ReasonShortTurn, notify.ReasonQuiet, notify.ReasonFocus, notify.ReasonClosed,
			notify.ReasonStorm, notify.ReasonDigest, notify.ReasonError} {
			why, _, _ := vm.WhyWord(string(r) + ": something")
			check(string(r), why)
			if why.Key == "why.other" {
				t.Errorf("%s has no words", r)
			}
		}
		for _, p := range []string{"in_app", "toast", "sound", "webhook:phone", "command:blink"} {
			check(p, vm.WayWord(p))
		}
		for _, p := range []notify.Policy{notify.UntilResolved, notify.TTL, notify.RequestBound, notify.ServerLifetime} {
			check(string(p), vm.EndWord(p))
		}
		for _, e := range vm.KnownEvents {
			check(e.Type, vm.EventWord(e.Type))
		}
		for _, f := range []string{"/title", "/body", "/lines/3", "/interaction/prompt", "/data", "/links/0/url"} {
			check(f, vm.PartWord(f))
		}
	}
}

// The rule is named, and what was told in a summary says so.
func TestWhyWord(t *testing.T) {
	for _, c := range []struct {
		reason, key, name string
		together          bool
	}{
		{"rule: nights", "why.rule", "nights", false},
		{"default: it waits for an answer (told in a summary)", "why.waits", "", true},
		{"subscription: session.*", "why.subscribed", "session.*", false},
		{"subscription", "why.subscription", "", false},
		{"quiet_hours", "why.quiet_hours", "", false},
		{"something new", "why.other", "", false},
	} {
		why, name, together := vm.WhyWord(c.reason)
		if why.Key != c.key || name != c.name || together != c.together {
			t.Errorf("%q: got %v, %q, %v", c.reason, why, name, together)
		}
	}
}

func german(t *testing.T) *vm.Catalog {
	t.Helper()
	c, err := vm.LoadCatalog(assets.Translations, "de")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A key is named as it is on the keyboard that is there.
func TestShortcutsAreNamedAsOnTheSystem(t *testing.T) {
	for system, want := range map[string]string{"linux": "Strg W", "windows": "Strg W", "darwin": "⌘ W"} {
		list := vm.Shortcuts(system, german(t).Text)
		if !slices.ContainsFunc(list, func(s vm.Shortcut) bool { return s.Keys == want && s.Does == vm.M("key.close") }) {
			t.Errorf("%s: %+v", system, list)
		}
	}
}

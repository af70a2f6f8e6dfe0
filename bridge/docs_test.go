package bridge

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"signalbox/bridge/wire"
)

// members are the names of a struct's members in JSON.
func members(t reflect.Type) map[string]bool {
	all := map[string]bool{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && f.Anonymous:
			for n := range members(f.Type) {
				all[n] = true
			}
		default:
			all[name] = true
		}
	}
	return all
}

// The table of docs/bridge.md lists what a publication may have, all of it and nothing else: another name is
// refused.
func TestTheTableOfPublishingIsWhatIsTaken(t *testing.T) {
	b, err := os.ReadFile("../docs/bridge.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(b), "\n## Publishing\n")
	if !ok {
		t.Fatal("there is no section Publishing")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	taken, listed := members(reflect.TypeFor[wire.Publish]()), map[string]bool{}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cell, _, _ := strings.Cut(line[2:], "|")
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			if listed[m[1]] = true; !taken[m[1]] {
				t.Errorf("%s is listed, and refused", m[1])
			}
		}
	}
	for name := range taken {
		if !listed[name] && !strings.Contains(section, `"`+name+`"`) {
			t.Errorf("%s is taken, and not listed", name)
		}
	}
}

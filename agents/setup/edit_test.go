package setup

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var layouts = map[string]string{
	"absent":              "",
	"blank":               "\n",
	"empty object":        "{}",
	"empty object, lines": "{\n}\n",
	"one line":            `{"model":"m","hooks":{"Stop":[{"hooks":[]}]}}`,
	"other settings":      "{\n  \"model\": \"m\",\n  \"env\": {\"A\": \"1\"}\n}\n",
	"tabs":                "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [{\"type\": \"command\", \"command\": \"mine.sh\"}]\n\t\t\t}\n\t\t]\n\t}\n}\n",
	"windows":             "{\r\n    \"hooks\": {\r\n        \"Stop\": []\r\n    },\r\n    \"x\": 1\r\n}\r\n",
	"comments":            "{\n  // mine\n  \"hooks\": {\n    /* none yet */\n  },\n  \"last\": true,\n}\n",
	"trailing commas":     "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []},\n    ],\n  },\n}\n",
	"a comma in comment":  "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []} /* mine, keep */,\n    ] // a, b\n    ,\n  },\n}\n",
	"empty hooks":         "{\n  \"hooks\": {}\n}",
	"byte order mark":     "\xef\xbb\xbf{\n  \"a\": [1, 2, {\"b\": null}]\n}\n",
	"escapes":             "{\n  \"h\\u006foks\": {\"Stop\": [ ]}, \"t\": \"a } ] , \\\" b\"\n}\n",
	"no last newline":     "{\n  \"a\": 1\n}",
}

func entries() []entry {
	group := func(event string) entry {
		return entry{[]string{"hooks", event}, map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "/opt/sigbox", "args": []string{"hook", "--tag=" + Tag}}}}}
	}
	return []entry{group("SessionStart"), group("Stop"), group("Stop")}
}

// What is taken out again leaves the file byte for byte as it was; also when it was changed beside it meanwhile.
func TestUndoGivesBackTheBytes(t *testing.T) { // T64
	for name, text := range layouts {
		t.Run(name, func(t *testing.T) {
			e, err := appendAll([]byte(text), entries()[:2])
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(e.Text, []byte(Tag)); n != 2 {
				t.Fatalf("%d entries in\n%s", n, e.Text)
			}
			back, ok := Undo(e.Text, e.Inserted)
			if !ok || string(back) != text {
				t.Errorf("ok %v, got back\n%q, want\n%q", ok, back, text)
			}
			if strings.TrimSpace(strings.TrimPrefix(text, "\xef\xbb\xbf")) == "" {
				return
			}
			changed := append([]byte(nil), e.Text...)
			changed = append(changed, []byte(" \n")...)
			back, ok = Undo(changed, e.Inserted)
			if !ok || string(back) != text+" \n" {
				t.Errorf("after a change: ok %v, got back %q", ok, back)
			}
		})
	}
}

// Without the pieces, the entries go and everything of others stays.
func TestStrip(t *testing.T) {
	for name, text := range layouts {
		t.Run(name, func(t *testing.T) {
			e, err := appendAll([]byte(text), entries())
			if err != nil {
				t.Fatal(err)
			}
			back, err := Strip(e.Text, Ours)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(back, []byte(Tag)) {
				t.Errorf("left behind:\n%s", back)
			}
			if _, err := parse(back); err != nil {
				t.Errorf("broken: %v\n%s", err, back)
			}
			for _, kept := range []string{"mine.sh", "model", "// mine", `"t": "a } ] , \" b"`, `{"b": null}`} {
				if strings.Contains(text, kept) && !bytes.Contains(back, []byte(kept)) {
					t.Errorf("lost %q:\n%s", kept, back)
				}
			}
		})
	}
}

// A group that held nothing but ours goes as a whole: one without its hooks would spoil the file for its agent.
func TestStripLeavesNoGroupWithoutHooks(t *testing.T) {
	const ours = `{"matcher": "Bash", "hooks": [{"type": "command", "command": "sigbox hook claude --tag=` + Tag + `"}]}`
	const theirs = `{"hooks": [{"type": "command", "command": "mine.sh"}]}`
	for list, want := range map[string]string{
		theirs + ", " + ours:                 theirs,
		ours + ", " + theirs:                 theirs,
		theirs + ", " + ours + ", " + theirs: theirs + ", " + theirs,
	} {
		back, err := Strip([]byte(`{"hooks": {"Stop": [`+list+`]}}`), Ours)
		if err != nil || string(back) != `{"hooks": {"Stop": [`+want+`]}}` {
			t.Errorf("of %s is left %s, %v", list, back, err)
		}
	}
}

func TestBrokenFilesAreLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"cut": `{"hooks": {`, "no object": `[1]`, "hooks no object": `{"hooks": 1}`, "event no array": `{"hooks": {"Stop": {}}}`,
		"two values": `{} {}`, "deep": strings.Repeat("[", 200), "text": "hello", "cut text": `{"a": "b`,
	} {
		t.Run(name, func(t *testing.T) {
			if e, err := appendAll([]byte(text), entries()); err == nil {
				t.Errorf("edited to %s", e.Text)
			}
		})
	}
}

// An entry is in its array when the edit is done, not beside it.
func TestEntriesAreWhereTheyBelong(t *testing.T) {
	for name, text := range layouts {
		e, err := appendAll([]byte(text), entries())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		root, err := parse(e.Text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for event, want := range map[string]int{"SessionStart": 1, "Stop": 2} {
			found := 0
			if hooks := root.get("hooks"); hooks != nil && hooks.get(event) != nil {
				for _, el := range hooks.get(event).elements {
					if bytes.Contains(e.Text[el.start:el.end], []byte(Tag)) {
						found++
					}
				}
			}
			if found != want {
				t.Errorf("%s: %d of %d entries in %s of\n%s", name, found, want, event, e.Text)
			}
		}
	}
	// Of a name that is there twice, agents read the last.
	e, err := appendAll([]byte(`{"hooks": {"Stop": []}, "hooks": {"Stop": []}}`), entries()[1:2])
	if err != nil || !strings.HasPrefix(string(e.Text), `{"hooks": {"Stop": []}, `) {
		t.Errorf("%s, %v", e.Text, err)
	}
}

func TestUndoAnyLayout(t *testing.T) {
	names := make([]string, 0, len(layouts))
	for n := range layouts {
		names = append(names, n)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := layouts[rapid.SampledFrom(names).Draw(t, "layout")]
		var list []entry
		for i := range rapid.IntRange(1, 5).Draw(t, "entries") {
			event := rapid.SampledFrom([]string{"Stop", "SessionStart", "a\"b", "ü"}).Draw(t, "event")
			list = append(list, entry{[]string{"hooks", event}, map[string]any{"n": i, "args": []string{"--tag=" + Tag}}})
		}
		e, err := appendAll([]byte(text), list)
		if err != nil {
			t.Fatal(err)
		}
		back, ok := Undo(e.Text, e.Inserted)
		if !ok || string(back) != text {
			t.Fatalf("ok %v, got back %q, want %q, edited %s", ok, back, text, e.Text)
		}
	})
}

func FuzzEdit(f *testing.F) {
	for _, text := range layouts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := appendAll(text, entries()[:2])
		if err != nil {
			return
		}
		if back, ok := Undo(e.Text, e.Inserted); ok && !bytes.Equal(back, text) {
			t.Errorf("got back %q, want %q", back, text)
		}
		if back, err := Strip(e.Text, Ours); err != nil || bytes.Contains(back, []byte("--tag="+Tag)) && !bytes.Contains(text, []byte("--tag="+Tag)) {
			t.Errorf("strip: %v %q", err, back)
		}
	})
}

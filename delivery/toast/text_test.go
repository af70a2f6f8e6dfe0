package toast

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// hostile are titles and bodies that break out of one or another way of showing a toast.
var hostile = []string{
	`$(calc)`, "`calc`", `"; rm -rf ~`, `' + calc + '`, "“;calc;”", "‘calc’", `]]>`, `]]></text><text>`, `-e`, `--help`,
	`</text><actions><action content="x" arguments="calc" activationType="protocol"/></actions>`,
	`" & (do shell script "calc") & "`, `\" & (do shell script \"calc\") & \"`, "\"@\ncalc\n@\"", "$env:PATH", "%PATH%",
	"a\x00b\x07c\x1b[31mred\x1b]0;title\x07", "evil\u202etxt.exe", "\ufffe\uffff", "👩‍👩‍👧‍👦", strings.Repeat("x", 200_000),
}

func TestWindowsXML(t *testing.T) {
	// T54, S4: whatever the text is, the document has two texts and nothing else of it.
	for _, s := range hostile {
		title, body := clean(s, MaxTitle, false), clean(s, MaxBody, true)
		doc := windowsXML(title, body)
		dec := xml.NewDecoder(strings.NewReader(doc))
		var texts []string
		for {
			tok, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%.40q: %v in %s", s, err, doc)
			}
			switch tok := tok.(type) {
			case xml.StartElement:
				switch tok.Name.Local {
				case "toast", "visual", "binding", "audio":
				case "text":
					var in string
					if err := dec.DecodeElement(&in, &tok); err != nil {
						t.Fatal(err)
					}
					texts = append(texts, in)
				default:
					t.Fatalf("%.40q put an element %s into the document", s, tok.Name.Local)
				}
			}
		}
		var want []string
		for _, s := range []string{title, body} {
			if s != "" {
				want = append(want, s)
			}
		}
		if strings.Join(texts, "|") != strings.Join(want, "|") {
			t.Errorf("%.40q became %q", s, texts)
		}
	}
}

func TestAppleScript(t *testing.T) {
	// T54, S4: the script is the same for every text; the text is an argument after "--".
	fixed := strings.Join(appleScript("", "")[:8], "|")
	for _, s := range hostile {
		title := clean(s, MaxTitle, false)
		argv := appleScript(title, s)
		if strings.Join(argv[:8], "|") != fixed || argv[7] != "--" || argv[8] != title || argv[9] != s || len(argv) != 10 {
			t.Errorf("%.40q: %q", s, argv)
		}
		if plainQuoted(title) && strings.ContainsAny(title, `"\`) {
			t.Errorf("%q would come near a script", title)
		}
	}
}

func TestCleanProperties(t *testing.T) {
	// Proves: S6
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s") + rapid.SampledFrom(hostile).Draw(t, "hostile")
		limit := rapid.IntRange(2, 300).Draw(t, "limit")
		got := clean(s, limit, false)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > limit {
			t.Fatalf("%q", got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q keeps %U", got, r)
			}
		}
		if clean(got, limit, false) != got {
			t.Fatalf("not stable: %q", got)
		}
	})
}

func TestClean(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		lines          bool
	}{
		{"colour", "\x1b[1;31mred\x1b[0m", "red", false},
		{"window title", "\x1b]0;owned\x07after", "after", false},
		{"one line", "a\nb\tc", "a b c", false},
		{"lines stay", "a\nb", "a\nb", true},
		{"family", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧", false},
		{"bad bytes", "a\xffb", "a\uFFFDb", false},
		{"direction", "a\u202eb", "ab", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := clean(c.in, 100, c.lines); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range hostile[:len(hostile)-1] {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := clean(s, MaxTitle, false); !utf8.ValidString(got) || utf8.RuneCountInString(got) > MaxTitle {
			t.Errorf("%q", got)
		}
	})
}

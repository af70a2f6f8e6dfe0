package mask

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"signalbox/notify"
)

func leaky() notify.Content {
	leak := "x " + githubToken
	return notify.Content{
		Title: leak, Body: leak, Lines: []string{"fine", leak}, Sender: leak, Panel: leak,
		Chip: &notify.Chip{Label: leak}, Progress: &notify.Progress{Text: leak},
		Attachments: []notify.Attachment{{Path: "/a"}, {URL: "https://h/" + githubToken, Name: leak}},
		Links:       []notify.Link{{Title: leak, URL: "https://u:hunter2@h/", Status: "ok"}},
		Actions:     []notify.Action{{ID: "a", Label: leak, Confirm: leak}},
		Interaction: &notify.Interaction{Prompt: leak,
			Options: []notify.Option{{ID: "o", Label: leak, Description: leak}},
			Fields:  []notify.Field{{ID: "f", Label: leak, Choices: []string{leak}, Default: notify.RawJSON(`"` + leak + `"`)}},
			Auto:    &notify.Answer{Comment: leak, Fields: map[string]notify.RawJSON{"f": notify.RawJSON(`"` + leak + `"`)}}},
		Report: &notify.Report{Title: leak, Blocks: notify.RawJSON(`[{"text":"` + leak + `"}]`), Path: "/r/" + githubToken},
		Data:   notify.RawJSON(`{ "n" : 1, "a~/b" : ["fine", "` + leak + `"], "password":"hunter2horse" }`),
	}
}

// Proves: S2
func TestContentMasksEveryTextAndNamesIt(t *testing.T) {
	c, shared := leaky(), leaky()
	kept := shared
	got := Content(&kept)
	want := []string{"/title", "/body", "/lines/1", "/sender", "/panel", "/chip/label", "/progress/text",
		"/attachments/1/url", "/attachments/1/name", "/links/0/title", "/links/0/url", "/actions/0/label", "/actions/0/confirm",
		"/interaction/prompt", "/interaction/options/0/label", "/interaction/options/0/description",
		"/interaction/fields/0/label", "/interaction/fields/0/choices/0", "/interaction/fields/0/default",
		"/interaction/auto/comment", "/interaction/auto/fields/f",
		"/report/title", "/report/path", "/report/blocks/0/text", "/data/a~0~1b/1", "/data/password"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("masked %q\nwant %q", got, want)
	}
	if !reflect.DeepEqual(c, shared) {
		t.Error("what the content points to was written to")
	}
	if s := string(kept.Data); s != `{ "n" : 1, "a~/b" : ["fine", "x `+Mark+`"], "password":"`+Mark+`" }` {
		t.Errorf("data is %s", s)
	}
	if strings.Contains(string(kept.Report.Blocks), githubToken) {
		t.Error("the report still holds the token")
	}
	if again := Content(&kept); again != nil {
		t.Errorf("masking again finds %q", again)
	}
}

// What one text has of a credential that another has whole is masked too: a title that quotes the text and is cut.
//
// Proves: S2
func TestContentMasksWhatWasCut(t *testing.T) {
	for _, c := range []struct {
		title, want string
		masked      bool
	}{
		{"Run login " + githubToken[:24] + " …", "Run login " + Mark + " …", true},
		{"Run login " + githubToken[:24] + "…", "Run login " + Mark + "…", true},
		{"Run login " + githubToken[:24], "Run login " + Mark, true},
		{"Allow login " + githubToken[:24] + " … for this session", "Allow login " + Mark + " … for this session", true},
		{githubToken[:20] + " … and " + githubToken[:30] + " …", Mark + " … and " + Mark + " …", true},
		{githubToken + " and " + githubToken[:30] + " …", Mark + " and " + Mark + " …", true},
		{"Run login " + githubToken[:5] + " …", "", false},
		{"Run login " + githubToken[:24] + " and go on", "", false},
		{"Run login", "", false},
	} {
		option := notify.Option{ID: "o", Label: c.title}
		given := notify.Content{Title: c.title, Body: "login " + githubToken, Interaction: &notify.Interaction{Options: []notify.Option{option}}}
		got := given
		fields := Content(&got)
		want, all := c.want, []string{"/body", "/title", "/interaction/options/0/label"}
		if !c.masked {
			want, all = c.title, all[:1]
		}
		slices.Sort(fields)
		slices.Sort(all)
		if got.Title != want || got.Interaction.Options[0].Label != want || !slices.Equal(fields, all) {
			t.Errorf("%q: %q, %q, in %q", c.title, got.Title, got.Interaction.Options[0].Label, fields)
		}
		if given.Interaction.Options[0] != option {
			t.Errorf("%q: what the content points to was written to", c.title)
		}
	}
}

// Proves: S2
func TestContentWithoutCredentialsIsUntouched(t *testing.T) {
	c := notify.Content{Title: "Tests passed", Lines: clean, Data: notify.RawJSON(`{"request_key": "3f2504e0-4f89-11d3-9a0c-0305e82c3301" }`),
		Interaction: &notify.Interaction{Prompt: "Go on?"}}
	before := c
	if got := Content(&c); got != nil || !reflect.DeepEqual(c, before) || c.Interaction != before.Interaction {
		t.Errorf("masked %q", got)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range append(slices.Clone(clean), "k="+githubToken, pemKey, "curl -u a:b", "\xff://:@ bearer") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := Text(s)
		if ok == (got == s) {
			t.Errorf("Text(%q) = %q, %v", s, got, ok)
		}
		raw := notify.RawJSON(s)
		m := masker{}
		m.json("", &raw)
	})
}

package main

import (
	"reflect"
	"regexp"
	"testing"

	"signalbox/assets"
	"signalbox/tray"
	"signalbox/ui/vm"
)

// verbs are the places in a text that are filled in, in order.
var verbs = regexp.MustCompile(`%[ds]`)

func TestTexts(t *testing.T) {
	english := fields(reflect.ValueOf(*mustTexts(t, "en")))
	for _, l := range vm.Languages {
		got := fields(reflect.ValueOf(*mustTexts(t, l.Code)))
		for name, text := range got {
			if name == "tray.Indent" {
				continue
			}
			if text == "" {
				t.Errorf("%s has no text for %s", l.Code, name)
			}
			if !reflect.DeepEqual(verbs.FindAllString(text, -1), verbs.FindAllString(english[name], -1)) {
				t.Errorf("%s fills in %q, English %q", l.Code, text, english[name])
			}
		}
	}
	own := fields(reflect.ValueOf(texts{tray: tray.English}))
	for name, text := range english {
		if own[name] != "" && text != own[name] && name != "tray.Indent" {
			t.Errorf("%s is %q in the translations and %q in the room", name, text, own[name])
		}
	}
}

func mustTexts(t *testing.T, language string) *texts {
	t.Helper()
	c, err := vm.LoadCatalog(assets.Translations, language)
	if err != nil {
		t.Fatal(err)
	}
	return textsOf(c)
}

// fields are the strings of a struct of structs, by name.
func fields(v reflect.Value) map[string]string {
	out := map[string]string{}
	for i := range v.NumField() {
		part := v.Field(i)
		for j := range part.NumField() {
			out[v.Type().Field(i).Name+"."+part.Type().Field(j).Name] = part.Field(j).String()
		}
	}
	return out
}

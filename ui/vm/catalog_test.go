package vm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"signalbox/assets"
	"signalbox/ui/vm"
)

var keyForm = regexp.MustCompile(`^[a-z_]+(\.[a-z0-9_]+){1,2}$`)

// usedKeys are the keys in the source of the windows: every string that looks like one and begins as one does.
func usedKeys(t *testing.T, known []string) []string {
	t.Helper()
	first := map[string]bool{}
	for _, k := range known {
		head, _, _ := strings.Cut(k, ".")
		first[head] = true
	}
	used := map[string]bool{}
	// The windows, and the program itself, which fills their doctor page.
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, e fs.DirEntry, err error) error {
		if depth := strings.Count(filepath.ToSlash(path), "/"); err == nil && e.IsDir() && depth == 2 && e.Name() != "ui" {
			return filepath.SkipDir
		}
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil && keyForm.MatchString(s) {
					if head, _, _ := strings.Cut(s, "."); first[head] {
						used[s] = true
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for k := range used {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Every text that is used is there in every language, with the same places to fill, and no text is there
// for nothing. Those of the tray and of toasts are used elsewhere.
func TestTranslationsAreComplete(t *testing.T) {
	en, err := vm.LoadCatalog(assets.Translations, "en")
	if err != nil {
		t.Fatal(err)
	}
	used := usedKeys(t, en.Keys())
	if len(used) < 200 {
		t.Fatalf("only %d keys were found in the source", len(used))
	}
	for _, l := range vm.Languages {
		c, err := vm.LoadCatalog(assets.Translations, l.Code)
		if err != nil {
			t.Fatal(err)
		}
		keys := c.Keys()
		for _, k := range used {
			if !slices.Contains(keys, k) {
				t.Errorf("%s lacks %s", l.Code, k)
			}
		}
		for _, k := range keys {
			if !slices.Contains(used, k) && !strings.HasPrefix(k, "tray.") && !strings.HasPrefix(k, "toast.") {
				t.Errorf("%s has %s, which nothing uses", l.Code, k)
			}
			for n := range 3 {
				m := vm.Msg{Key: k, N: n, A: "<a>", B: "<b>"}
				got, want := c.Text(m), en.Text(m)
				if got == "" || strings.Contains(got, "{") {
					t.Errorf("%s %s is %q", l.Code, k, got)
				}
				for _, place := range []string{"<a>", "<b>", "%d", "%s"} {
					if strings.Count(got, place) != strings.Count(want, place) {
						t.Errorf("%s %s fills %q otherwise than English: %q", l.Code, k, place, got)
					}
				}
			}
		}
	}
}

// A thing has one name in a language: what a text tells to press is what stands on the sheet of the keys.
func TestThingsHaveOneName(t *testing.T) {
	for code, others := range map[string][]string{
		"en": {"Return"}, "de": {"Enter", "Eingabetaste", "Meldungsdienst", "Schreibtisch"}, "ja": {"Return", "リターン"}, "zh-Hans": {"Return", "回车"},
	} {
		c, err := vm.LoadCatalog(assets.Translations, code)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range c.Keys() {
			text := c.Text(vm.M(k))
			for _, other := range others {
				if strings.Contains(text, other) {
					t.Errorf("%s %s calls something %s: %q", code, k, other, text)
				}
			}
		}
	}
}

func TestCatalogs(t *testing.T) {
	fsys := fstest.MapFS{
		"translations/en.json": {Data: []byte(`{"a":"A {a} {b}","n":{"one":"one","other":"{n} many"},"only":"English"}`)},
		"translations/de.json": {Data: []byte(`{"a":"Ä {b} {a}"}`)},
		"translations/ja.json": {Data: []byte(`{"a":1,`)},
	}
	de, err := vm.LoadCatalog(fsys, "de_AT.UTF-8")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		m    vm.Msg
		want string
	}{
		{vm.Msg{Key: "a", A: "1", B: "2"}, "Ä 2 1"}, {vm.Msg{Key: "a", A: "{b}", B: "2"}, "Ä 2 {b}"}, {vm.MN("n", 1), "one"}, {vm.MN("n", 0), "0 many"},
		{vm.M("only"), "English"}, {vm.M("nowhere"), "nowhere"}, {vm.Msg{}, ""},
	} {
		if got := de.Text(test.m); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.m, got, test.want)
		}
	}
	if _, err := vm.LoadCatalog(fsys, "ja"); err == nil {
		t.Error("broken texts are taken")
	}
	var none *vm.Catalog
	if none.Text(vm.M("x")) != "x" {
		t.Error("a catalog that is not there does not answer")
	}
	for locale, want := range map[string]string{"": "en", "C": "en", "fr_FR": "en", "de": "de", "ja_JP.UTF-8": "ja", "zh_CN": "zh-Hans", "zh-Hans-CN": "zh-Hans"} {
		if got := vm.MatchLanguage(locale); got != want {
			t.Errorf("%q: got %s", locale, got)
		}
	}
}

package arch

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestPinnedVersions(t *testing.T) {
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Module  struct{ Path string }
		Require []struct{ Path, Version string }
		Replace []any
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if mod.Module.Path != module || len(mod.Replace) != 0 {
		t.Errorf("module %s with %d replacements, want %s with none", mod.Module.Path, len(mod.Replace), module)
	}
	have := map[string]string{}
	for _, r := range mod.Require {
		have[r.Path] = r.Version
	}
	for _, p := range pins {
		got := have[p.module]
		if got != p.version && (p.rule != "at least" || !newer(got, p.version)) {
			t.Errorf("go.mod requires %s %q, want %s %s", p.module, got, p.rule, p.version)
		}
	}
}

// newer compares releases; a pre-release is never newer.
func newer(a, b string) bool {
	num := func(v string) (n [3]int, ok bool) {
		parts := strings.Split(strings.TrimPrefix(v, "v"), ".")
		if len(parts) != 3 {
			return n, false
		}
		for i, s := range parts {
			x, err := strconv.Atoi(s)
			if err != nil {
				return n, false
			}
			n[i] = x
		}
		return n, true
	}
	x, okx := num(a)
	y, oky := num(b)
	if !okx || !oky {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return x[i] > y[i]
		}
	}
	return false
}

func TestNewer(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"v1.12.3", "v1.12.2", true}, {"v1.13.0", "v1.12.2", true}, {"v2.0.0", "v1.12.2", true},
		{"v1.12.2", "v1.12.2", false}, {"v1.9.9", "v1.12.2", false}, {"v1.13.0-rc1", "v1.12.2", false}, {"", "v1.12.2", false},
	} {
		if got := newer(tc.a, tc.b); got != tc.want {
			t.Errorf("newer(%q, %q) = %v", tc.a, tc.b, got)
		}
	}
}

// The id that the packaging names is the one that the app gives itself, or the
// desktop would not connect its window with its entry.
func TestAppID(t *testing.T) {
	var app struct {
		Details    struct{ ID, Name, Icon, Version string }
		Migrations map[string]bool
	}
	if _, err := toml.DecodeFile("../../FyneApp.toml", &app); err != nil {
		t.Fatal(err)
	}
	if got := constant(t, "../..", "appID"); app.Details.ID != got {
		t.Errorf("FyneApp.toml has the id %q, main has %q", app.Details.ID, got)
	}
	if !app.Migrations["fyneDo"] {
		t.Error("FyneApp.toml must declare the fyneDo migration: the app is built with -tags migrated_fynedo")
	}
	if _, err := os.Stat(filepath.Join("../..", app.Details.Icon)); err != nil {
		t.Error(err)
	}
	for _, f := range []string{"packaging/" + app.Details.ID + ".desktop", "packaging/" + app.Details.ID + ".metainfo.xml"} {
		b, err := os.ReadFile(filepath.Join("../..", f))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(b), app.Details.Name) {
			t.Errorf("%s does not name the app %q", f, app.Details.Name)
		}
	}
}

// constant is the value of a string constant of the package in dir.
func constant(t *testing.T, dir, name string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range names {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, n := range v.Names {
					if n.Name != name || i >= len(v.Values) {
						continue
					}
					if lit, ok := v.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
						val, err := strconv.Unquote(lit.Value)
						if err != nil {
							t.Fatal(err)
						}
						return val
					}
				}
			}
		}
	}
	t.Fatalf("main declares no string constant %s", name)
	return ""
}

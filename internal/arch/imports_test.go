package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "signalbox"

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Dir        string
	Standard   bool
	Imports    []string
	Deps       []string
	ImportMap  map[string]string
}

// short is the package's place in the module, "." for its root.
func short(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// The table must hold on every system, since a file may be built on one only.
var systems = []string{"linux", "windows", "darwin"}

var listed = map[string]func() (map[string]*pkg, error){}

func init() {
	for _, goos := range systems {
		listed[goos] = sync.OnceValues(func() (map[string]*pkg, error) { return list(goos) })
	}
}

// list asks for all packages and their dependencies as they are built for a system, journeys included.
func list(goos string) (map[string]*pkg, error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-tags=e2e", "-json=ImportPath,Dir,Standard,Imports,Deps,ImportMap", "./...")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=1")
	out, err := cmd.Output()
	if err != nil {
		var ee *exec.ExitError
		if errors.As(err, &ee) {
			err = errors.New(string(ee.Stderr))
		}
		return nil, err
	}
	pkgs := map[string]*pkg{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &pkg{}
		if err := dec.Decode(p); err == io.EOF {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs[p.ImportPath] = p
	}
}

// forEachSystem runs f with our packages and with all, for every system.
func forEachSystem(t *testing.T, f func(t *testing.T, ours []*pkg, all map[string]*pkg)) {
	for _, goos := range systems {
		t.Run(goos, func(t *testing.T) {
			all, err := listed[goos]()
			if err != nil {
				t.Fatal(err)
			}
			var ours []*pkg
			for _, p := range all {
				if _, ok := short(p.ImportPath); ok {
					ours = append(ours, p)
				}
			}
			slices.SortFunc(ours, func(a, b *pkg) int { return strings.Compare(a.ImportPath, b.ImportPath) })
			f(t, ours, all)
		})
	}
}

// covers tells whether a pattern of the table is about a package.
func covers(pattern, path string) bool {
	if pattern == "*" || pattern == path {
		return true
	}
	base, below := strings.CutSuffix(pattern, "/...")
	return below && (path == base || strings.HasPrefix(path, base+"/"))
}

// roomOf is the most particular line of the table for a package.
func roomOf(path string) (best room, found bool) {
	for _, r := range rooms {
		if r.path == path {
			return r, true
		}
		if covers(r.path, path) && len(r.path) > len(best.path) {
			best, found = r, true
		}
	}
	return best, found
}

// within tells whether a package belongs to one of the rooms named, those below a named one included.
func within(path string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return covers(n, path) || n != "." && n != "ui" && strings.HasPrefix(path, n+"/")
	})
}

func isOf(path, prefix string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }

func TestEveryPackageHasARoom(t *testing.T) {
	forEachSystem(t, func(t *testing.T, ours []*pkg, _ map[string]*pkg) {
		for _, p := range ours {
			at, _ := short(p.ImportPath)
			if _, ok := roomOf(at); !ok {
				t.Errorf("%s is in no room. If it has a reason of its own, add a line for it to `rooms` in "+
					"internal/arch/table_test.go: {%q, []string{…what it may import of ours…}}, with the reason as its comment", at, at)
			}
		}
	})
}

func TestImportTable(t *testing.T) {
	forEachSystem(t, func(t *testing.T, ours []*pkg, _ map[string]*pkg) {
		for _, p := range ours {
			at, _ := short(p.ImportPath)
			r, ok := roomOf(at)
			if !ok {
				continue // said by TestEveryPackageHasARoom
			}
			for _, imp := range p.Imports {
				to, ok := short(imp)
				if ok && !slices.ContainsFunc(r.may, func(m string) bool { return covers(m, to) }) {
					t.Errorf("%s imports %s; the table allows it %v", at, to, r.may)
				}
			}
		}
	})
}

// The table that people read has a row for every room, or for one above it, and says what the places that it names may
// import beyond each other.
func TestTheTableOfTheDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("`([^`]+)`")
	names := func(cell string) (out []string) {
		for _, m := range code.FindAllStringSubmatch(cell, -1) {
			out = append(out, strings.TrimSuffix(m[1], "/"))
		}
		return out
	}
	base := func(pattern string) string { return strings.TrimSuffix(pattern, "/...") }
	var all []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.NewReplacer("main.go", ".", "everything", "`*`").Replace(line), "|")
		if len(cells) != 5 || !strings.HasPrefix(line, "| `") {
			continue
		}
		places, says := names(cells[1]), names(cells[3])
		all = append(all, places...)
		own := func(path string) bool {
			return slices.ContainsFunc(places, func(p string) bool { return isOf(path, p) })
		}
		var may []string
		for _, r := range rooms {
			for _, m := range r.may {
				if slices.Contains(places, base(r.path)) && !own(base(m)) {
					may = append(may, base(m))
				}
			}
		}
		slices.Sort(may)
		slices.Sort(says)
		if may = slices.Compact(may); !slices.Equal(may, says) {
			t.Errorf("docs/architecture.md says that %v may import %v; the table here says %v", places, says, may)
		}
	}
	for _, r := range rooms {
		if !slices.ContainsFunc(all, func(p string) bool { return isOf(base(r.path), p) }) {
			t.Errorf("docs/architecture.md has no row for %s", r.path)
		}
	}
}

func TestTrayAndWindowsDoNotKnowEachOther(t *testing.T) {
	forEachSystem(t, func(t *testing.T, ours []*pkg, _ map[string]*pkg) {
		for _, p := range ours {
			at, _ := short(p.ImportPath)
			for _, d := range p.Deps {
				to, ok := short(d)
				if ok && (isOf(at, "tray") && isOf(to, "ui") || isOf(at, "ui") && isOf(to, "tray")) {
					t.Errorf("%s reaches %s", at, to)
				}
			}
		}
	})
}

func TestOwnersOfLibraries(t *testing.T) {
	forEachSystem(t, func(t *testing.T, ours []*pkg, _ map[string]*pkg) {
		for _, p := range ours {
			at, _ := short(p.ImportPath)
			for _, imp := range p.Imports {
				for lib, who := range owners {
					if isOf(imp, lib) && !within(at, who) {
						t.Errorf("%s imports %s, which is for %v", at, imp, who)
					}
				}
			}
		}
	})
}

func TestReachOfLibraries(t *testing.T) {
	forEachSystem(t, func(t *testing.T, ours []*pkg, _ map[string]*pkg) {
		for _, p := range ours {
			at, _ := short(p.ImportPath)
			for lib, who := range reach {
				if slices.Contains(p.Deps, lib) && !within(at, who) {
					t.Errorf("%s reaches %s, which is for %v; through %v", at, lib, who, p.Imports)
				}
			}
		}
	})
}

func TestPureRooms(t *testing.T) {
	forEachSystem(t, func(t *testing.T, ours []*pkg, all map[string]*pkg) {
		for _, p := range ours {
			at, _ := short(p.ImportPath)
			for _, rule := range pure {
				if at != rule.room {
					continue
				}
				for _, imp := range p.Imports {
					if slices.Contains(rule.direct, imp) {
						t.Errorf("%s imports %s", at, imp)
					}
				}
				for _, d := range p.Deps {
					if slices.Contains(rule.reaches, d) {
						t.Errorf("%s reaches %s", at, d)
					}
					if q := all[d]; rule.std && (q == nil || !q.Standard) {
						t.Errorf("%s reaches %s, which is not of the standard library", at, d)
					}
				}
			}
		}
	})
}

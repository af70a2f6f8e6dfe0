package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxLines is where a file must have been split by noun; about 400 is where it should. Generated files aside.
const maxLines = 650

// ambient is what only wiring may call: everything else is given its clock,
// its chance, its surroundings and its connections.
var ambient = map[string][]string{
	"time":      {"Now"},
	"os":        {"Getenv", "LookupEnv", "Environ"},
	"net/http":  {"DefaultClient", "DefaultTransport", "DefaultServeMux", "Get", "Post", "PostForm", "Head", "Handle", "HandleFunc"},
	"math/rand": {"Int", "Intn", "Float64", "Shuffle", "Perm"},
}

// wiring may.
var wiring = []string{".", "cmd", "internal/daemon", "internal/e2e", "internal/bench", "internal/arch", "scripts", "assets/gen", "mask/gen",
	"delivery/toast/bustest"}

// defaults are the places that stand in where a caller gives nothing.
var defaults = map[string]string{
	"center/clock.go":    "the system's clock itself",
	"client/discover.go": "a producer's environment, when it gives none",
}

// source is a Go file of ours.
type source struct {
	path string // relative to the module, with slashes
	text []byte
	file *ast.File
	fset *token.FileSet
}

func (s source) room() string { return filepath.ToSlash(filepath.Dir(s.path)) }
func (s source) test() bool   { return strings.HasSuffix(s.path, "_test.go") }

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := "../.."
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			n := d.Name()
			if p != root && (strings.HasPrefix(n, ".") || n == "testdata" || n == "bin" || n == "dist") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		s := source{fset: token.NewFileSet()}
		if s.text, err = os.ReadFile(p); err != nil {
			return err
		}
		if s.file, err = parser.ParseFile(s.fset, p, s.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		s.path = filepath.ToSlash(rel)
		out = append(out, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var (
	generated  = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
	skipping   = regexp.MustCompile(`\b[tbf]\.(Skip|Skipf|SkipNow)\(`)
)

func TestFilesAreShortAndFinished(t *testing.T) {
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > maxLines && !generated.Match(s.text) {
			t.Errorf("%s has %d lines: split it by noun (at most %d)", s.path, n, maxLines)
		}
		if s.path == "internal/arch/house_test.go" {
			continue
		}
		for i, line := range strings.Split(string(s.text), "\n") {
			if _, comment, ok := strings.Cut(line, "//"); ok && unfinished.MatchString(comment) {
				t.Errorf("%s:%d: unfinished: %s", s.path, i+1, strings.TrimSpace(line))
			}
			if s.test() && skipping.MatchString(line) {
				t.Errorf("%s:%d: a test that can be skipped proves nothing: %s", s.path, i+1, strings.TrimSpace(line))
			}
		}
	}
}

func TestEveryPackageSaysWhatItOwns(t *testing.T) {
	said := map[string]bool{}
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		said[s.room()] = said[s.room()] || s.file.Doc != nil && len(s.file.Doc.Text()) > 40
	}
	for room, ok := range said {
		if !ok {
			t.Errorf("%s has no package comment that says what it owns, promises and never does", room)
		}
	}
}

func TestOnlyWiringTouchesTheWorld(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || defaults[s.path] != "" || slices.ContainsFunc(wiring, func(w string) bool { return s.room() == w || w != "." && isOf(s.room(), w) }) {
			continue
		}
		names := map[string]string{} // the file's names of the packages in ambient
		for _, imp := range s.file.Imports {
			path := strings.Trim(imp.Path.Value, `"`)
			if _, ok := ambient[path]; !ok {
				continue
			}
			name := path[strings.LastIndex(path, "/")+1:]
			if imp.Name != nil {
				name = imp.Name.Name
			}
			names[name] = path
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			// To name a function as a default is fine, to call it is not: `o.Now = time.Now`.
			if call, ok := n.(*ast.CallExpr); ok {
				n = call.Fun
			} else if sel, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Default") {
				n = sel
			} else {
				return true
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); ok && slices.Contains(ambient[names[id.Name]], sel.Sel.Name) {
				pos := s.fset.Position(sel.Pos())
				t.Errorf("%s:%d: %s.%s outside wiring: have it given", s.path, pos.Line, id.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

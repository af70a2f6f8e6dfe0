// Command xcheck type-checks packages and all that they depend on for another
// system with cgo on, without a C compiler: go/types is told to take the C
// parts on trust. It shows that our code fits the real libraries there; it
// says nothing about linking.
//
//	go run ./scripts/xcheck -os darwin -arch arm64 ./...
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type pkg struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	ImportMap         map[string]string
	Standard          bool
	Module            *struct{ Main bool }
	Error             *struct{ Err string }
}

// known resolves imports among the packages that were checked before: go list names dependencies first.
type known struct {
	pkgs map[string]*types.Package
	of   *pkg
}

func (k known) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if q, ok := k.of.ImportMap[path]; ok {
		path = q
	}
	if p := k.pkgs[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("not loaded: %s", path)
}

type checker struct {
	arch   string
	fset   *token.FileSet
	pkgs   map[string]*types.Package
	n, cgo int
	bad    int
}

func main() {
	log.SetFlags(0)
	goos, goarch := flag.String("os", "darwin", "the system"), flag.String("arch", "arm64", "the processor")
	tags := flag.String("tags", "", "build tags, with commas between")
	flag.Parse()
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", "-tags=" + *tags,
		"-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Standard,Module,Error"}, flag.Args()...)...)
	cmd.Env = append(os.Environ(), "GOOS="+*goos, "GOARCH="+*goarch, "CGO_ENABLED=1", "CC=false")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	c := &checker{arch: *goarch, fset: token.NewFileSet(), pkgs: map[string]*types.Package{}}
	for dec := json.NewDecoder(out); ; {
		p := &pkg{}
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		c.check(p)
	}
	if err := cmd.Wait(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("xcheck: %s/%s: %d packages (%d with cgo), %d errors\n", *goos, *goarch, c.n, c.cgo, c.bad)
	if c.bad > 0 || c.n == 0 {
		os.Exit(1)
	}
}

func (c *checker) check(p *pkg) {
	if p.ImportPath == "unsafe" {
		return
	}
	ours := p.Module != nil && p.Module.Main
	if p.Error != nil && ours && !strings.Contains(p.Error.Err, "no non-test Go files") && !strings.Contains(p.Error.Err, "build constraints exclude all Go files") {
		fmt.Println(p.ImportPath, p.Error.Err)
		c.bad++
	}
	var files []*ast.File
	for _, names := range [][]string{p.GoFiles, p.CgoFiles} {
		for _, f := range names {
			af, err := parser.ParseFile(c.fset, filepath.Join(p.Dir, f), nil, parser.SkipObjectResolution)
			if err != nil {
				fmt.Println(err)
				c.bad++
				continue
			}
			files = append(files, af)
		}
	}
	if len(p.CgoFiles) > 0 {
		c.cgo++
	}
	cfg := &types.Config{
		Importer: known{c.pkgs, p}, FakeImportC: true, IgnoreFuncBodies: !ours, Sizes: types.SizesFor("gc", c.arch),
		Error: func(err error) {
			if ours || !strings.Contains(err.Error(), "C.") {
				fmt.Println(err)
				c.bad++
			}
		},
	}
	// The errors went to cfg.Error; what was understood of the package serves those that import it.
	c.pkgs[p.ImportPath], _ = cfg.Check(p.ImportPath, c.fset, files, nil)
	c.n++
}

//go:build linux

package rig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// App starts the desktop app with the rig's data directory and a free port.
// Further arguments are handed on: "--hidden". A second App on the same rig is a second start.
func (r *Rig) App(args ...string) *App {
	r.t.Helper()
	r.apps++
	name := fmt.Sprintf("signalbox-%d", r.apps)
	args = append([]string{"--home", r.Home, "--listen", "127.0.0.1:0"}, args...)
	return &App{r.Run(name, nil, r.Binary("signalbox"), args...)}
}

// Serve starts the center without a desktop in the same way.
func (r *Rig) Serve(args ...string) *App {
	r.t.Helper()
	r.apps++
	name := fmt.Sprintf("sigbox-serve-%d", r.apps)
	args = append([]string{"serve", "--home", r.Home, "--listen", "127.0.0.1:0"}, args...)
	return &App{r.Run(name, nil, r.Binary("sigbox"), args...)}
}

// Sigbox runs the command line against the rig's data directory to its end.
func (r *Rig) Sigbox(args ...string) Result {
	r.t.Helper()
	return r.Command("", r.Binary("sigbox"), args...)
}

// SigboxIn is Sigbox with standard input, as hooks are called.
func (r *Rig) SigboxIn(stdin string, args ...string) Result {
	r.t.Helper()
	return r.Command(stdin, r.Binary("sigbox"), args...)
}

// App is a running center.
type App struct{ *Process }

// Bridge waits until the center has written bridge.json and answers.
func (a *App) Bridge() *Bridge {
	r := a.r
	r.t.Helper()
	b := &Bridge{r: r}
	r.EventuallyErr("the bridge of "+a.name, func() error {
		if !a.Running() {
			return fmt.Errorf("%s has ended (%v): %s", a.name, a.err, a.Log())
		}
		data, err := os.ReadFile(filepath.Join(r.Home, "bridge.json"))
		if err != nil {
			return err
		}
		var f struct {
			URL, Token string
			PID        int
		}
		if err := json.Unmarshal(data, &f); err != nil {
			return err
		}
		if f.PID != a.Pid() {
			return fmt.Errorf("bridge.json is of process %d, not %d", f.PID, a.Pid())
		}
		b.URL, b.Token = f.URL, f.Token
		code, _, err := b.do("GET", "/v1/health", nil)
		if err == nil && code != http.StatusOK {
			err = fmt.Errorf("health: status %d", code)
		}
		return err
	})
	return b
}

// Bridge is the HTTP side of a running center, entered with the owner's token.
type Bridge struct {
	r          *Rig
	URL, Token string
}

var plain = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil}}

func (b *Bridge) do(method, path string, body any) (int, []byte, error) {
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		in = bytes.NewReader(data)
	}
	req, err := http.NewRequest(method, b.URL+path, in)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+b.Token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := plain.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return res.StatusCode, data, err
}

// With is the same bridge entered with another token, such as a connection's.
func (b *Bridge) With(token string) *Bridge { return &Bridge{b.r, b.URL, token} }

// Do makes a request with a JSON body (nil is none) and returns status and body.
func (b *Bridge) Do(method, path string, body any) (int, []byte) {
	b.r.t.Helper()
	code, data, err := b.do(method, path, body)
	if err != nil {
		b.r.fail(fmt.Sprintf("%s %s: %v", method, path, err))
	}
	return code, data
}

// JSON makes a request that must succeed and decodes its answer into out (nil throws it away).
func (b *Bridge) JSON(method, path string, body, out any) {
	b.r.t.Helper()
	code, data := b.Do(method, path, body)
	if code < 200 || code > 299 {
		b.r.fail(fmt.Sprintf("%s %s: status %d: %s", method, path, code, data))
	}
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil {
			b.r.fail(fmt.Sprintf("%s %s: %v in %s", method, path, err, data))
		}
	}
}

var binaries = map[string]func() (string, error){
	"signalbox": sync.OnceValues(func() (string, error) { return binary("SIGNALBOX_BIN", "signalbox", ".", "1") }),
	"sigbox":    sync.OnceValues(func() (string, error) { return binary("SIGBOX_BIN", "sigbox", "./cmd/sigbox", "0") }),
}

// Binary is the path of a program, "signalbox" or "sigbox": the one that the
// environment names, else it is built into bin once.
func (r *Rig) Binary(name string) string {
	r.t.Helper()
	p, err := binaries[name]()
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

func binary(env, name, pkg, cgo string) (string, error) {
	if p := os.Getenv(env); p != "" {
		return p, nil
	}
	p, err := filepath.Abs(filepath.Join(moduleRoot(), "bin", name))
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-tags", "migrated_fynedo,no_animations", "-o", p, pkg)
	cmd.Dir = moduleRoot()
	cmd.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
	if os.Getenv("CC") == "" {
		cmd.Env = append(cmd.Env, "CC=clang")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return p, nil
}

func decodePNG(b []byte) (*image.NRGBA, error) {
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if n, ok := img.(*image.NRGBA); ok {
		return n, nil
	}
	n := image.NewNRGBA(img.Bounds())
	draw.Draw(n, n.Rect, img, img.Bounds().Min, draw.Src)
	return n, nil
}

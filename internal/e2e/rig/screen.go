//go:build linux

package rig

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// output runs a small tool to its end in the rig's surroundings and returns what it printed.
func (r *Rig) output(path string, args ...string) (string, error) {
	cmd := exec.Command(path, args...)
	// Titles are not all ASCII, and en_US.UTF-8 is rarely generated where tests run; C.UTF-8 is always there.
	cmd.Env, cmd.Dir = append(r.Env(), "LC_ALL=C.UTF-8"), r.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := startCmd(cmd); err != nil {
		return "", err
	}
	stop := time.AfterFunc(r.opts.Timeout, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	if err := cmd.Wait(); err != nil {
		return out.String(), fmt.Errorf("%s: %w: %s", path, err, errs.String())
	}
	return out.String(), nil
}

// must is output where failing ends the test.
func (r *Rig) must(path string, args ...string) string {
	r.t.Helper()
	out, err := r.output(path, args...)
	if err != nil {
		r.fail(err.Error())
	}
	return out
}

// capture writes a picture of a window ("root" is the screen) to NAME.png of the artefacts.
func (r *Rig) capture(name, window string) (string, error) {
	p := filepath.Join(r.Artefacts, unsafeName.ReplaceAllString(name, "_")+".png")
	_, err := r.output("import", "-silent", "-window", window, "png:"+p)
	return p, err
}

// Screenshot writes the whole screen to NAME.png of the artefacts, once the
// picture has come to rest, and returns the path.
func (r *Rig) Screenshot(name string) string {
	r.t.Helper()
	return r.shoot(name, "root")
}

// shoot waits at most two seconds for a picture that does not move: something may well move for ever.
func (r *Rig) shoot(name, window string) string {
	r.t.Helper()
	var last []byte
	_ = r.poll(min(2*time.Second, r.opts.Timeout), func() error {
		img := r.pixels(window)
		if last != nil && bytes.Equal(last, img.Pix) {
			return nil
		}
		last = img.Pix
		return errNotYet
	})
	p, err := r.capture(name, window)
	if err != nil {
		r.fail(err.Error())
	}
	return p
}

// Image is the screen as it is now.
func (r *Rig) Image() *image.NRGBA {
	r.t.Helper()
	return r.pixels("root")
}

func (r *Rig) pixels(window string) *image.NRGBA {
	r.t.Helper()
	// Level 0: the picture is decoded at once and thrown away.
	out := r.must("import", "-silent", "-window", window, "-quality", "0", "png:-")
	img, err := decodePNG([]byte(out))
	if err != nil {
		r.fail(fmt.Sprintf("decode a picture of %s: %v", window, err))
	}
	return img
}

// FindColour is the middle of the pixels in area that have a colour, with so
// much tolerance for each channel, and how many there are. An empty area is the whole screen.
func (r *Rig) FindColour(c color.NRGBA, tolerance int, area image.Rectangle) (at image.Point, n int) {
	r.t.Helper()
	img := r.Image()
	if area.Empty() {
		area = img.Rect
	}
	near := func(a, b uint8) bool { return int(a)-int(b) <= tolerance && int(b)-int(a) <= tolerance }
	var x, y int
	for py := area.Min.Y; py < area.Max.Y; py++ {
		for px := area.Min.X; px < area.Max.X; px++ {
			if p := img.NRGBAAt(px, py); near(p.R, c.R) && near(p.G, c.G) && near(p.B, c.B) {
				x, y, n = x+px, y+py, n+1
			}
		}
	}
	if n == 0 {
		return image.Point{}, 0
	}
	return image.Pt(x/n, y/n), n
}

// Pointer moves the mouse to a place on the screen.
func (r *Rig) Pointer(x, y int) {
	r.t.Helper()
	r.must("xdotool", "mousemove", "--sync", fmt.Sprint(x), fmt.Sprint(y))
}

// Click presses a mouse button (1 left, 2 middle, 3 right) at a place on the screen.
func (r *Rig) Click(button, x, y int) {
	r.t.Helper()
	r.must("xdotool", "mousemove", fmt.Sprint(x), fmt.Sprint(y), "click", fmt.Sprint(button))
}

// Key presses keys in whatever has the focus, by their X names: "Return", "ctrl+f", "Down".
func (r *Rig) Key(keys ...string) {
	r.t.Helper()
	r.must("xdotool", append([]string{"key", "--clearmodifiers", "--delay", "20"}, keys...)...)
}

// Type types a text into whatever has the focus.
func (r *Rig) Type(text string) {
	r.t.Helper()
	r.must("xdotool", "type", "--clearmodifiers", "--delay", "10", "--", text)
}

// CopyArtefact copies a picture to a place in the module, for documentation.
func (r *Rig) CopyArtefact(from, to string) {
	r.t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		r.fail(err.Error())
	}
	p := filepath.Join(moduleRoot(), filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		r.fail(err.Error())
	}
	if err := os.WriteFile(p, b, 0o644); err != nil {
		r.fail(err.Error())
	}
}

package widgets

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"signalbox/assets"
	"signalbox/ui/internal/sample"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// env is what widgets get in tests: English, and a clock that stands still.
func env(t testing.TB) *Env {
	t.Helper()
	c, err := vm.LoadCatalog(assets.Translations, "en")
	if err != nil {
		t.Fatal(err)
	}
	return &Env{Tr: c.Text, Now: func() time.Time { return sample.Now }}
}

// golden compares an object, drawn at a size in both themes, with testdata/NAME-light.png and -dark.png.
func golden(t *testing.T, name string, w, h float32, make func() fyne.CanvasObject) {
	t.Helper()
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		goldenImage(t, name+"-"+string(mode)+".png", draw(t, mode, 1, 1, w, h, make))
	}
}

func goldenImage(t *testing.T, path string, img image.Image) {
	t.Helper()
	if *update {
		save(t, filepath.Join("testdata", path), img)
		return
	}
	test.AssertImageMatches(t, path, img)
}

func draw(t testing.TB, mode theme.Mode, textScale, scale float32, w, h float32, make func() fyne.CanvasObject) image.Image {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(mode, textScale))
	win := test.NewTempWindow(t, nil)
	if c, ok := win.Canvas().(test.WindowlessCanvas); ok {
		c.SetScale(scale)
	}
	o := make()
	win.SetPadded(false)
	win.SetContent(container.NewStack(o))
	win.Resize(fyne.NewSize(w, h))
	return win.Canvas().Capture()
}

func save(t testing.TB, path string, img image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// snapshot is a busy afternoon.
func snapshot() *vm.Snapshot {
	return &vm.Snapshot{Rail: sample.Rail(), Elsewhere: sample.Elsewhere(), Connections: sample.Connections(), Sessions: sample.Sessions(),
		Focus: sessionRef("claude", "s-checkout"), Attention: sample.Attention(), At: sample.Now}
}

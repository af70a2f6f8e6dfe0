package assets

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTrayIconsOfEveryStateAndSystem(t *testing.T) {
	for _, state := range TrayStates() {
		for _, size := range traySizes["linux"] {
			img := decode(t, TrayIcon(state, "linux", size))
			if got := img.Bounds().Dx(); got != size {
				t.Errorf("%s at %d is %d wide", state, size, got)
			}
			hardEdges(t, state, img)
		}
		if img := decode(t, TrayIcon(state, "darwin", 44)); !template(img) {
			t.Errorf("%s for macOS is not black and alpha", state)
		}
		ico := TrayIcon(state, "windows", 0)
		if len(ico) < 6 || !bytes.Equal(ico[:4], []byte{0, 0, 1, 0}) || binary.LittleEndian.Uint16(ico[4:]) < 4 {
			t.Errorf("%s for Windows is no icon of several sizes", state)
		}
	}
}

// The states are told apart by outline or mark, not by colour alone: in grey they still differ.
func TestTrayStatesDifferWithoutColour(t *testing.T) {
	seen := map[string]string{}
	for _, state := range TrayStates() {
		img := decode(t, TrayIcon(state, "darwin", 22))
		var b strings.Builder
		for y := range 22 {
			for x := range 22 {
				_, _, _, a := img.At(x, y).RGBA()
				b.WriteByte(byte('0' + a>>15))
			}
		}
		if other, dup := seen[b.String()]; dup {
			t.Errorf("%s looks like %s", state, other)
		}
		seen[b.String()] = state
	}
}

// A tray icon is seen on dark and light panels: its ground has 3:1 against both.
func TestTrayGroundsStandOffBothPanels(t *testing.T) {
	for _, state := range TrayStates() {
		img := decode(t, TrayIcon(state, "linux", 22))
		ground := commonest(img)
		for _, panel := range []color.NRGBA{{0x22, 0x22, 0x22, 255}, {0xf2, 0xf2, 0xf2, 255}} {
			if c := contrast(ground, panel); c < 3 {
				t.Errorf("%s: %v on %v has %.2f:1", state, ground, panel, c)
			}
		}
	}
}

func TestIconsAreOnePathThatAThemeCanColour(t *testing.T) {
	need := strings.Fields(`bell check x clock snooze mute pause setaside undo question plan permission error warning info
		success critical progress report link attachment search filter settings history terminal connection dot session
		expand collapse external more calendar play copy download sound keyboard`)
	for _, name := range need {
		if !slices.Contains(IconNames(), name) {
			t.Errorf("no icon %q", name)
		}
	}
	for _, name := range IconNames() {
		var doc struct {
			ViewBox string `xml:"viewBox,attr"`
			Path    []struct {
				D    string `xml:"d,attr"`
				Fill string `xml:"fill,attr"`
			} `xml:"path"`
		}
		if err := xml.Unmarshal(Icon(name), &doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if doc.ViewBox != "0 0 24 24" || len(doc.Path) != 1 || doc.Path[0].D == "" || doc.Path[0].Fill == "none" {
			t.Errorf("%s is not one filled path on a grid of 24", name)
		}
	}
}

func TestSoundsAreShortAndSmall(t *testing.T) {
	want := []string{"failure", "finished", "permission", "question", "reminder"}
	if !slices.Equal(SoundNames(), want) {
		t.Fatalf("sounds %v, want %v", SoundNames(), want)
	}
	for _, name := range want {
		b := Sound(name)
		if len(b) < 44 || len(b) > 30<<10 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
			t.Errorf("%s: %d bytes, want a WAV file of at most 30 KiB", name, len(b))
			continue
		}
		var peak int16
		for i := 44; i+1 < len(b); i += 2 {
			v := int16(binary.LittleEndian.Uint16(b[i:]))
			peak = max(peak, v, -v)
		}
		if peak < 6000 || peak > 32000 {
			t.Errorf("%s peaks at %d: silent or clipped", name, peak)
		}
		if last := int16(binary.LittleEndian.Uint16(b[len(b)-2:])); last > 200 || last < -200 {
			t.Errorf("%s ends with a click (%d)", name, last)
		}
	}
}

func TestAppIconSizes(t *testing.T) {
	for _, tc := range []struct{ ask, get int }{{1, 16}, {16, 16}, {20, 24}, {48, 48}, {500, 512}, {4096, 512}} {
		if got := decode(t, AppIconSize(tc.ask)).Bounds().Dx(); got != tc.get {
			t.Errorf("asked for %d, got %d, want %d", tc.ask, got, tc.get)
		}
	}
	if len(AppIconICO()) == 0 || len(AppIconSVG()) == 0 || len(AppIcon()) == 0 {
		t.Error("a form of the app icon is missing")
	}
}

func TestUnknownNamesAreNil(t *testing.T) {
	for _, b := range [][]byte{Icon("nosuch"), Icon(""), Icon("../app/icon"), Sound("nosuch"), TrayIcon("10", "linux", 22),
		TrayIcon("../linux/idle", "linux", 22), TrayIcon("", "windows", 0)} {
		if b != nil {
			t.Errorf("%d bytes for a name that does not exist", len(b))
		}
	}
}

func TestTrayCount(t *testing.T) {
	for n, want := range map[int]string{-1: "idle", 0: "idle", 1: "1", 9: "9", 10: "9plus", 1 << 30: "9plus"} {
		if got := TrayCount(n); got != want {
			t.Errorf("TrayCount(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestTranslationsAreJSON(t *testing.T) {
	entries, err := Translations.ReadDir("translations")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no translations: %v", err)
	}
	for _, e := range entries {
		b, err := Translations.ReadFile("translations/" + e.Name())
		if err != nil || !json.Valid(b) {
			t.Errorf("%s is no JSON (%v)", e.Name(), err)
		}
	}
}

func decode(t *testing.T, b []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%d bytes: %v", len(b), err)
	}
	return img
}

func hardEdges(t *testing.T, name string, img image.Image) {
	t.Helper()
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			if _, _, _, a := img.At(x, y).RGBA(); a != 0 && a != 0xffff {
				t.Errorf("%s: half-transparent pixel at %d,%d", name, x, y)
				return
			}
		}
	}
}

func template(img image.Image) bool {
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			if r, g, bl, _ := img.At(x, y).RGBA(); r|g|bl != 0 {
				return false
			}
		}
	}
	return true
}

func commonest(img image.Image) color.NRGBA {
	count := map[color.NRGBA]int{}
	var best color.NRGBA
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if c.A == 0 {
				continue
			}
			if count[c]++; count[c] > count[best] {
				best = c
			}
		}
	}
	return best
}

// contrast is the ratio that the accessibility guidelines define.
func contrast(a, b color.NRGBA) float64 {
	lum := func(c color.NRGBA) float64 {
		lin := func(v uint8) float64 {
			x := float64(v) / 255
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
	}
	x, y := lum(a), lum(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

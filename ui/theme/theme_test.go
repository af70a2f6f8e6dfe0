package theme_test

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"signalbox/assets"
	"signalbox/ui/theme"
)

var modes = []theme.Mode{theme.Light, theme.Dark}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.03928 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

func contrast(a, b color.Color) float64 {
	l, m := luminance(a), luminance(b)
	if l < m {
		l, m = m, l
	}
	return (l + 0.05) / (m + 0.05)
}

func TestEveryOwnColourIsDefinedInBothVariants(t *testing.T) {
	for _, mode := range modes {
		th := theme.New(mode, 1)
		for _, n := range theme.Names() {
			if _, _, _, a := th.Color(n, 0).RGBA(); a == 0 {
				t.Errorf("%s: %s is not defined", mode, n)
			}
		}
		test.AssertAllColorNamesDefined(t, th, string(mode))
	}
}

// Text keeps 4.5 to 1 on every ground it is drawn on; lamps and rings, which are no text, 3 to 1 or,
// for lamps that always come with a word, 1.8 to 1.
func TestContrast(t *testing.T) {
	grounds := []fyne.ThemeColorName{theme.ColorGround, theme.ColorSide, theme.ColorCard, theme.ColorCardHover, theme.ColorChosen}
	for _, mode := range modes {
		th := theme.New(mode, 1)
		at := func(n fyne.ThemeColorName) color.Color { return th.Color(n, 0) }
		check := func(fg, bg fyne.ThemeColorName, least float64) {
			t.Helper()
			if got := contrast(at(fg), at(bg)); got < least {
				t.Errorf("%s: %s on %s is %.2f to 1, want %.1f", mode, fg, bg, got, least)
			}
		}
		for _, bg := range grounds {
			for _, fg := range []fyne.ThemeColorName{theme.ColorInk, theme.ColorInkSoft, theme.ColorInkFaint, theme.ColorAccent, theme.ColorDanger} {
				check(fg, bg, 4.5)
			}
			for _, tone := range theme.Tones {
				check(theme.Tone(tone), bg, 4.5)
				check(theme.Lamp(tone), bg, 1.7)
			}
			check(theme.ColorFocus, bg, 3)
		}
		for _, tone := range theme.Tones {
			check(theme.Tone(tone), theme.Tint(tone), 4.5)
			check(theme.ColorInk, theme.Tint(tone), 7)
			check(theme.ColorInkSoft, theme.Tint(tone), 4.5)
		}
		check(theme.ColorEdge, theme.ColorCard, 3)
		check(theme.ColorInk, theme.ColorField, 7)
		check(theme.ColorInkFaint, theme.ColorField, 4.5)
		check(theme.ColorOnLamp, theme.Lamp("waiting"), 4.5)
		check(theme.ColorOnLamp, theme.Lamp("critical"), 3)
		check(theme.ColorOnAccent, theme.ColorAccent, 4.5)
		check(theme.ColorOnAccent, theme.ColorAccentHot, 4.5)
		check(theme.ColorOnDanger, theme.ColorDanger, 4.5)
		check(theme.ColorOnDanger, theme.ColorDangerHot, 4.5)
		check(theme.ColorInk, theme.ColorButton, 4.5)
		check(theme.ColorInk, theme.ColorButtonHot, 4.5)
		check(theme.ColorAccent, theme.ColorButton, 4.5)
		check(theme.ColorInk, theme.ColorCode, 7)
		check(theme.Tone("success"), theme.ColorCode, 4.5)
		check(theme.Tone("error"), theme.ColorCode, 4.5)
		check(theme.ColorOnSnack, theme.ColorSnack, 7)
	}
}

func TestTextFollowsTheOwnersTextSize(t *testing.T) {
	for _, c := range []struct {
		name        string
		scale, want float32
	}{
		{"nothing said", 0, 13}, {"as drawn", 1, 13}, {"larger", 1.5, 19.5}, {"too large is the largest", 9, 26}, {"too small is the smallest", 0.1, 9.75},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := theme.New(theme.Light, c.scale).Size(theme.SizeBody); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if got := theme.New(theme.Light, 2).Size(theme.SizeRowGap); got != 8 {
		t.Errorf("gaps follow the text size: got %v", got)
	}
}

func TestSystemFollowsTheVariant(t *testing.T) {
	th := theme.New(theme.System, 1)
	if th.Color(theme.ColorGround, base.VariantLight) == th.Color(theme.ColorGround, base.VariantDark) {
		t.Error("light and dark look the same")
	}
}

func TestAnUnknownSymbolIsTheDot(t *testing.T) {
	if theme.Symbol("no-such", theme.ColorInk) == nil || assets.Icon("dot") == nil {
		t.Error("no symbol")
	}
}

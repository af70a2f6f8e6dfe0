// Package theme owns the look of the windows: colours, sizes and symbols, by name, for light and dark.
//
// It promises that every name below has a colour in both variants and that text colours keep a
// contrast of at least 4.5 to 1 on every ground that they are drawn on, which a test holds. It reads
// no settings: the caller says which variant and which text size.
package theme

import (
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"signalbox/assets"
)

// Mode says which variant is shown.
type Mode string

// The modes. System follows the desktop.
const (
	System Mode = "system"
	Light  Mode = "light"
	Dark   Mode = "dark"
)

// Theme is the look of Signalbox. It is immutable; a change of appearance makes a new one.
type Theme struct {
	fyne.Theme
	mode  Mode
	scale float32
	dense bool
}

var _ fyne.Theme = (*Theme)(nil)

// New makes a theme. textScale multiplies the sizes of text; below 0.75 or above 2 it is brought there,
// and 0 means 1.
func New(mode Mode, textScale float32) *Theme {
	if textScale == 0 {
		textScale = 1
	}
	return &Theme{Theme: base.DefaultTheme(), mode: mode, scale: min(max(textScale, 0.75), 2)}
}

// Dense returns the theme with less room around rows, for those who like much on little space.
func (t *Theme) Dense() *Theme {
	c := *t
	c.dense = true
	return &c
}

// Color answers for our own names and for Fyne's.
func (t *Theme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	p := lightPalette
	switch t.mode {
	case Light:
	case Dark:
		p = darkPalette
	default:
		if v != base.VariantLight {
			p = darkPalette
		}
	}
	if c, ok := p[name]; ok {
		return c
	}
	if t.mode == Light {
		v = base.VariantLight
	} else if t.mode == Dark {
		v = base.VariantDark
	}
	return t.Theme.Color(name, v)
}

// Size answers for our own names and for Fyne's, in units that the driver scales.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := textSizes[name]; ok {
		if name == SizeCode {
			return codeSize(s * t.scale)
		}
		return s * t.scale
	}
	if s, ok := spaces[name]; ok {
		if d, ok := denseSpaces[name]; t.dense && ok {
			return d
		}
		return s
	}
	return t.Theme.Size(name)
}

// denseSpaces are the spaces that Dense makes smaller.
var denseSpaces = map[fyne.ThemeSizeName]float32{SizeRowGap: 3, SizeCardPad: 5, SizeTight: 0.4}

// codeSize is the next size from s on at which the toolkit's painter, which rounds a line's ascent up
// and its height to the nearest, leaves the underscore of the monospaced font within the line.
func codeSize(s float32) float32 {
	for t := s; t < s+2; t += 0.1 {
		n := math.Ceil(float64(t))
		if math.Round(1.164*n)-math.Ceil(0.928*n) >= 0.236*float64(t)-0.15 {
			return t
		}
	}
	return s
}

// menuIcon opens the drawer of a narrow window, on the grid of the assets.
const menuIcon = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path fill="#000000" d="M4.2 5.8h15.6a1.2 1.2 0 0 1 0 2.4H4.2a1.2 1.2 0 0 1 0-2.4zM4.2 10.8h15.6a1.2 1.2 0 0 1 0 2.4H4.2a1.2 1.2 0 0 1 0-2.4zM4.2 15.8h15.6a1.2 1.2 0 0 1 0 2.4H4.2a1.2 1.2 0 0 1 0-2.4z"/></svg>`

// Symbol is a symbol of the assets in a theme colour. An unknown name is the dot.
func Symbol(name string, colour fyne.ThemeColorName) fyne.Resource {
	b := assets.Icon(name)
	if name == "menu" {
		b = []byte(menuIcon)
	}
	if b == nil {
		name, b = "dot", assets.Icon("dot")
	}
	return base.NewColoredResource(fyne.NewStaticResource(name+".svg", b), colour)
}

// At finds a colour of the current theme.
func At(name fyne.ThemeColorName) color.Color {
	app := fyne.CurrentApp()
	return app.Settings().Theme().Color(name, app.Settings().ThemeVariant())
}

// Tone is the colour of a tone ("info", "waiting", …) for text and symbols.
func Tone(tone string) fyne.ThemeColorName { return fyne.ThemeColorName("signalTone" + title(tone)) }

// Tint is the ground of a tone: pale in the light, deep in the dark.
func Tint(tone string) fyne.ThemeColorName { return fyne.ThemeColorName("signalTint" + title(tone)) }

// Lamp is the lit colour of a tone, for the lamps and bars, which carry no text.
func Lamp(tone string) fyne.ThemeColorName { return fyne.ThemeColorName("signalLamp" + title(tone)) }

func title(s string) string {
	if s == "" {
		return "Quiet"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// Our own colours.
const (
	ColorGround    fyne.ThemeColorName = "signalGround"    // behind everything
	ColorSide      fyne.ThemeColorName = "signalSide"      // behind the sidebar
	ColorCard      fyne.ThemeColorName = "signalCard"      // cards, rows
	ColorCardHover fyne.ThemeColorName = "signalCardHover" // under the pointer
	ColorChosen    fyne.ThemeColorName = "signalChosen"    // selected
	ColorLine      fyne.ThemeColorName = "signalLine"      // hairlines
	ColorField     fyne.ThemeColorName = "signalField"     // ground of entries and choices, on cards and beside them
	ColorEdge      fyne.ThemeColorName = "signalEdge"      // around entries and boxes to tick
	ColorTrack     fyne.ThemeColorName = "signalTrack"     // the track that cards hang on
	ColorInk       fyne.ThemeColorName = "signalInk"       // text
	ColorInkSoft   fyne.ThemeColorName = "signalInkSoft"   // second text
	ColorInkFaint  fyne.ThemeColorName = "signalInkFaint"  // captions
	ColorAccent    fyne.ThemeColorName = "signalAccent"    // what can be pressed
	ColorOnAccent  fyne.ThemeColorName = "signalOnAccent"  // text on it
	ColorAccentHot fyne.ThemeColorName = "signalAccentHot" // under the pointer
	ColorDanger    fyne.ThemeColorName = "signalDanger"
	ColorOnDanger  fyne.ThemeColorName = "signalOnDanger"
	ColorDangerHot fyne.ThemeColorName = "signalDangerHot"
	ColorButton    fyne.ThemeColorName = "signalButton" // ground of a plain button
	ColorButtonHot fyne.ThemeColorName = "signalButtonHot"
	ColorFocus     fyne.ThemeColorName = "signalFocus" // the ring around what has the keyboard
	ColorCode      fyne.ThemeColorName = "signalCode"  // ground of commands and code
	ColorShade     fyne.ThemeColorName = "signalShade" // over what lies behind a drawer
	ColorSnack     fyne.ThemeColorName = "signalSnack"
	ColorOnSnack   fyne.ThemeColorName = "signalOnSnack"
	ColorOnLamp    fyne.ThemeColorName = "signalOnLamp" // the symbol in a lit lamp
)

// Tones are the colour families; each has a Tone, a Tint and a Lamp.
var Tones = []string{"quiet", "info", "success", "warning", "error", "critical", "waiting"}

func hex(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func alpha(v uint32, a uint8) color.NRGBA {
	c := hex(v)
	c.A = a
	return c
}

// The light variant is paper and enamel, the dark one a signal box at night.
var lightPalette = fill(map[fyne.ThemeColorName]color.Color{
	ColorGround: hex(0xf3f4f1), ColorSide: hex(0xe9ebe6), ColorCard: hex(0xffffff), ColorCardHover: hex(0xfafbf9),
	ColorChosen: hex(0xe9f0f7), ColorLine: hex(0xdcdfd8), ColorTrack: hex(0xcdd2ca), ColorEdge: hex(0x8a938c), ColorField: hex(0xebeee9),
	ColorInk: hex(0x1a2027), ColorInkSoft: hex(0x4a535c), ColorInkFaint: hex(0x5f6870),
	ColorAccent: hex(0x1f5383), ColorOnAccent: hex(0xffffff), ColorAccentHot: hex(0x184470),
	ColorDanger: hex(0xb3332b), ColorOnDanger: hex(0xffffff), ColorDangerHot: hex(0x992720),
	ColorButton: hex(0xeceee9), ColorButtonHot: hex(0xe0e3dc), ColorFocus: hex(0x2f74b5), ColorCode: hex(0xf1f2ee),
	ColorShade: alpha(0x14191d, 0x66), ColorSnack: hex(0x22292f), ColorOnSnack: hex(0xf2f4f5), ColorOnLamp: hex(0x1f1206),

	Tone("quiet"): hex(0x5a636b), Tint("quiet"): hex(0xeff0ed), Lamp("quiet"): hex(0xa9b0b0),
	Tone("info"): hex(0x215f98), Tint("info"): hex(0xe6eff8), Lamp("info"): hex(0x3f86c6),
	Tone("success"): hex(0x22693f), Tint("success"): hex(0xe4f3e8), Lamp("success"): hex(0x35a063),
	Tone("warning"): hex(0x785600), Tint("warning"): hex(0xfaf1d6), Lamp("warning"): hex(0xd9a514),
	Tone("error"): hex(0xae2f27), Tint("error"): hex(0xfcebe9), Lamp("error"): hex(0xd9483e),
	Tone("critical"): hex(0x9c1244), Tint("critical"): hex(0xfbe5ee), Lamp("critical"): hex(0xc71559),
	Tone("waiting"): hex(0x95480a), Tint("waiting"): hex(0xfdeedd), Lamp("waiting"): hex(0xf08c1e),
})

var darkPalette = fill(map[fyne.ThemeColorName]color.Color{
	ColorGround: hex(0x15191c), ColorSide: hex(0x101316), ColorCard: hex(0x1e2327), ColorCardHover: hex(0x23292e),
	ColorChosen: hex(0x203040), ColorLine: hex(0x2f363c), ColorTrack: hex(0x353d44), ColorEdge: hex(0x78828a), ColorField: hex(0x2a3137),
	ColorInk: hex(0xe9edef), ColorInkSoft: hex(0xb4bdc4), ColorInkFaint: hex(0x97a1a9),
	ColorAccent: hex(0x86b9ea), ColorOnAccent: hex(0x0d1a26), ColorAccentHot: hex(0x9fcaf4),
	ColorDanger: hex(0xf08c82), ColorOnDanger: hex(0x2a0a07), ColorDangerHot: hex(0xf6a39b),
	ColorButton: hex(0x2b3238), ColorButtonHot: hex(0x363e45), ColorFocus: hex(0x86b9ea), ColorCode: hex(0x16191c),
	ColorShade: alpha(0x000000, 0x99), ColorSnack: hex(0xe6eaec), ColorOnSnack: hex(0x1a2026), ColorOnLamp: hex(0x1f1206),

	Tone("quiet"): hex(0xa3acb3), Tint("quiet"): hex(0x23282c), Lamp("quiet"): hex(0x626c74),
	Tone("info"): hex(0x8fc0ee), Tint("info"): hex(0x1b2b3a), Lamp("info"): hex(0x5a9fdc),
	Tone("success"): hex(0x80cf9d), Tint("success"): hex(0x1a2f23), Lamp("success"): hex(0x4db57a),
	Tone("warning"): hex(0xe6c766), Tint("warning"): hex(0x332b14), Lamp("warning"): hex(0xdbb02e),
	Tone("error"): hex(0xf49a91), Tint("error"): hex(0x381f1d), Lamp("error"): hex(0xe8635a),
	Tone("critical"): hex(0xff93b5), Tint("critical"): hex(0x3a1826), Lamp("critical"): hex(0xec3f7f),
	Tone("waiting"): hex(0xffb868), Tint("waiting"): hex(0x382714), Lamp("waiting"): hex(0xff9f38),
})

// fill gives Fyne's own names the colours of ours, so that its entries, menus and dialogs belong.
func fill(p map[fyne.ThemeColorName]color.Color) map[fyne.ThemeColorName]color.Color {
	for from, to := range map[fyne.ThemeColorName]fyne.ThemeColorName{
		base.ColorNameBackground:          ColorGround, // a window is cleared with it and needs no ground of its own
		base.ColorNameForeground:          ColorInk,
		base.ColorNamePlaceHolder:         ColorInkFaint,
		base.ColorNameButton:              ColorButton,
		base.ColorNamePrimary:             ColorAccent,
		base.ColorNameForegroundOnPrimary: ColorOnAccent,
		base.ColorNameHyperlink:           ColorAccent,
		base.ColorNameInputBackground:     ColorField,
		base.ColorNameInputBorder:         ColorEdge,
		base.ColorNameMenuBackground:      ColorCard,
		base.ColorNameOverlayBackground:   ColorGround,
		base.ColorNameHeaderBackground:    ColorSide,
		base.ColorNameSeparator:           ColorLine,
		base.ColorNameError:               ColorDanger,
		base.ColorNameForegroundOnError:   ColorOnDanger,
		base.ColorNameSuccess:             Tone("success"),
		base.ColorNameWarning:             Tone("warning"),
	} {
		p[from] = p[to]
	}
	ink := p[ColorInk].(color.NRGBA)
	accent := p[ColorAccent].(color.NRGBA)
	with := func(c color.NRGBA, a uint8) color.NRGBA { c.A = a; return c }
	p[base.ColorNameHover] = with(ink, 0x12)
	p[base.ColorNamePressed] = with(ink, 0x22)
	p[base.ColorNameFocus] = with(accent, 0x44)
	p[base.ColorNameSelection] = with(accent, 0x40)
	p[base.ColorNameScrollBar] = with(ink, 0x44)
	p[base.ColorNameScrollBarBackground] = color.NRGBA{}
	p[base.ColorNameShadow] = color.NRGBA{A: 0x30}
	p[base.ColorNameDisabled] = with(ink, 0x70)
	p[base.ColorNameDisabledButton] = with(ink, 0x12)
	return p
}

// Our own sizes. Text sizes follow the owner's text size; the others are on a grid of 8.
const (
	SizeCaption fyne.ThemeSizeName = "signalCaption"
	SizeBody    fyne.ThemeSizeName = "signalBody"
	SizeTitle   fyne.ThemeSizeName = "signalTitle"
	SizeHeading fyne.ThemeSizeName = "signalHeading"
	SizeHero    fyne.ThemeSizeName = "signalHero"
	SizeCode    fyne.ThemeSizeName = "signalCodeText"

	SizeRowGap  fyne.ThemeSizeName = "signalRowGap"  // between cards
	SizeCardPad fyne.ThemeSizeName = "signalCardPad" // inside a card, above and below
	SizeTight   fyne.ThemeSizeName = "signalTight"   // what all other gaps between rows, and in them, are multiplied with
	SizeGutter  fyne.ThemeSizeName = "signalGutter"  // at the sides of a pane
	SizeRadius  fyne.ThemeSizeName = "signalRadius"  // of cards
)

var textSizes = map[fyne.ThemeSizeName]float32{
	SizeCaption: 11.5, SizeBody: 13, SizeTitle: 14.5, SizeHeading: 18, SizeHero: 22, SizeCode: 13,
	base.SizeNameText: 13, base.SizeNameHeadingText: 20, base.SizeNameSubHeadingText: 15.5, base.SizeNameCaptionText: 11.5,
	base.SizeNameInlineIcon: 18,
}

var spaces = map[fyne.ThemeSizeName]float32{
	SizeRowGap: 8, SizeCardPad: 12, SizeTight: 1, SizeGutter: 16, SizeRadius: 10,
	base.SizeNamePadding: 4, base.SizeNameInnerPadding: 7, base.SizeNameInputRadius: 7, base.SizeNameSelectionRadius: 5,
	base.SizeNameScrollBar: 10, base.SizeNameScrollBarSmall: 4, base.SizeNameInputBorder: 1,
}

// Names are all of our own colour names.
func Names() []fyne.ThemeColorName {
	names := []fyne.ThemeColorName{
		ColorGround, ColorSide, ColorCard, ColorCardHover, ColorChosen, ColorLine, ColorTrack, ColorEdge, ColorField, ColorInk, ColorInkSoft,
		ColorInkFaint, ColorAccent, ColorOnAccent, ColorAccentHot, ColorDanger, ColorOnDanger, ColorDangerHot,
		ColorButton, ColorButtonHot, ColorFocus, ColorCode, ColorShade, ColorSnack, ColorOnSnack, ColorOnLamp,
	}
	for _, t := range Tones {
		names = append(names, Tone(t), Tint(t), Lamp(t))
	}
	return names
}

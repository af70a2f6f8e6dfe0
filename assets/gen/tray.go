package main

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Every ground stands off a dark and a light panel by at least 3:1, and every mark off its ground.
// The states differ by outline and mark as well as by colour.
var (
	grey  = color.NRGBA{0x7f, 0x88, 0x98, 0xff}
	blue  = color.NRGBA{0x2d, 0x6c, 0xdf, 0xff}
	amber = color.NRGBA{0xc8, 0x73, 0x04, 0xff}
	red   = color.NRGBA{0xd9, 0x2f, 0x2f, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	ink   = color.NRGBA{0x1a, 0x12, 0x00, 0xff}
)

// trayStates is the fixed set, in the order of the contact sheet.
var trayStates = []string{
	"idle", "1", "2", "3", "4", "5", "6", "7", "8", "9", "9plus", "waiting", "error", "muted", "offline",
}

// sign is one state on a grid of 22 units: a ground and, on it, a mark from
// the glyphs or a shape. On macOS the mark is cut out of a black ground.
type sign struct {
	ground     func(*shape)
	fill, mark color.NRGBA
	glyph      string
	shape      func(*shape)
}

func signOf(state string) sign {
	switch state {
	case "idle":
		return sign{ground: badge, fill: grey, mark: white, shape: semaphore}
	case "waiting":
		return sign{ground: func(s *shape) { s.disc(11, 11, 11) }, fill: amber, mark: ink, glyph: "?"}
	case "error":
		return sign{ground: func(s *shape) { s.area(6.5, 0, 15.5, 0, 22, 6.5, 22, 15.5, 15.5, 22, 6.5, 22, 0, 15.5, 0, 6.5) },
			fill: red, mark: white, glyph: "!"}
	case "muted":
		return sign{ground: func(s *shape) { s.disc(11, 11, 10) }, fill: grey, mark: white,
			shape: func(s *shape) { s.box(5, 9, 12, 4, 0) }}
	case "offline":
		return sign{ground: func(s *shape) {
			s.ring(11, 11, 8.5, 3)
			s.stroke(5.5, 16.5, 16.5, 5.5, 3)
		}, fill: grey}
	}
	return sign{ground: badge, fill: blue, mark: white, glyph: state}
}

func badge(s *shape) { s.box(1, 1, 20, 20, 4) }

// semaphore is the product's mark with few parts: a post on its foot and an arm with a notched end.
func semaphore(s *shape) {
	s.box(12, 4, 3, 13, 0)
	s.box(10, 16, 7, 2, 0)
	s.area(4, 5, 12, 5, 12, 11, 4, 11, 7, 8)
}

// trayIcon draws a state. The outline has no half-transparent pixel, since
// nobody knows what it will lie on; only marks on an opaque ground are smoothed.
func trayIcon(state string, px int) *image.NRGBA {
	g := signOf(state)
	img := image.NewNRGBA(image.Rect(0, 0, px, px))
	stamp(img, mask(px, g.ground), g.fill, true)
	if m := markMask(g, px); m != nil {
		stamp(img, m, g.mark, px < 32)
	}
	return img
}

// templateIcon is the same in black and alpha, for the macOS menu bar, which colours it itself.
func templateIcon(state string, px int) *image.NRGBA {
	g := signOf(state)
	ground := mask(px, g.ground)
	m := markMask(g, px)
	img := image.NewNRGBA(ground.Rect)
	for i, a := range ground.Pix {
		if m != nil {
			a = uint8(int(a) * (255 - int(m.Pix[i])) / 255)
		}
		img.Pix[4*i+3] = a
	}
	return img
}

func markMask(g sign, px int) *image.Alpha {
	switch {
	case g.shape != nil:
		return mask(px, g.shape)
	case g.glyph == "":
		return nil
	case px < 32:
		return artMask(g.glyph, px)
	default:
		return fontMask(map[string]string{"9plus": "9+"}[g.glyph], g.glyph, px)
	}
}

// mask is the coverage of a shape of the 22-unit grid.
func mask(px int, f func(*shape)) *image.Alpha {
	s := &shape{}
	f(s)
	img := image.NewAlpha(image.Rect(0, 0, px, px))
	s.paint(img, float64(px)/22, 0, 0, color.Alpha{255})
	return img
}

func artMask(name string, px int) *image.Alpha {
	img := image.NewAlpha(image.Rect(0, 0, px, px))
	rows, w := art(name, px)
	x0, y0 := (px-w)/2, (px-len(rows))/2
	for y, r := range rows {
		for x, c := range r {
			if c == '#' {
				img.SetAlpha(x0+x, y0+y, color.Alpha{255})
			}
		}
	}
	return img
}

// fontMask centres a text by its ink, 0.6 of the icon high.
func fontMask(text, otherwise string, px int) *image.Alpha {
	if text == "" {
		text = otherwise
	}
	f, err := opentype.Parse(gobold.TTF)
	check(err)
	size := float64(px) * 0.84
	if len(text) > 1 {
		size = float64(px) * 0.66
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	check(err)
	b, _ := font.BoundString(face, text)
	w, h := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y
	p := fixed.I(px)
	img := image.NewAlpha(image.Rect(0, 0, px, px))
	d := font.Drawer{Dst: img, Src: image.Opaque, Face: face, Dot: fixed.Point26_6{X: (p-w)/2 - b.Min.X, Y: (p-h)/2 - b.Min.Y}}
	d.Dot.X, d.Dot.Y = fixed.I(d.Dot.X.Round()), fixed.I(d.Dot.Y.Round())
	d.DrawString(text)
	return img
}

// stamp lays a colour on the picture through a mask; hard says that a pixel is in or out.
func stamp(dst *image.NRGBA, m *image.Alpha, c color.NRGBA, hard bool) {
	for i, a := range m.Pix {
		if hard {
			if a < 128 {
				continue
			}
			a = 255
		}
		p := dst.Pix[4*i : 4*i+4]
		for k, v := range []uint8{c.R, c.G, c.B} {
			p[k] = uint8(math.Round((float64(p[k])*float64(255-a) + float64(v)*float64(a)) / 255))
		}
		p[3] = max(p[3], a)
	}
}

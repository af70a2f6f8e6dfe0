package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"

	"golang.org/x/image/vector"
)

// shape collects closed outlines that are filled with the nonzero rule. Every
// primitive winds the same way, so that overlapping ones unite, and holes wind
// the other way. Only moves, lines and cubic curves are used: the theme's
// recolouring keeps the path and replaces its fill, and drops strokes and fill rules.
type shape struct {
	segs []seg
}

type seg struct {
	op rune // M, L, C or Z
	p  [6]float64
}

func (s *shape) move(x, y float64) { s.segs = append(s.segs, seg{'M', [6]float64{x, y}}) }
func (s *shape) line(x, y float64) { s.segs = append(s.segs, seg{'L', [6]float64{x, y}}) }
func (s *shape) end()              { s.segs = append(s.segs, seg{op: 'Z'}) }
func (s *shape) curve(a, b, c, d, e, f float64) {
	s.segs = append(s.segs, seg{'C', [6]float64{a, b, c, d, e, f}})
}

// arcTo continues from the point at angle a0 of a circle to the one at a1
// (radians, y downwards, positive is clockwise on the screen).
func (s *shape) arcTo(cx, cy, r, a0, a1 float64) {
	n := int(math.Ceil(math.Abs(a1-a0)/(math.Pi/2) - 1e-9))
	if n < 1 {
		return
	}
	step := (a1 - a0) / float64(n)
	k := 4.0 / 3 * math.Tan(step/4) * r
	for i := 0; i < n; i++ {
		b0 := a0 + float64(i)*step
		b1 := b0 + step
		c0, s0, c1, s1 := math.Cos(b0), math.Sin(b0), math.Cos(b1), math.Sin(b1)
		s.curve(cx+r*c0-k*s0, cy+r*s0+k*c0, cx+r*c1+k*s1, cy+r*s1-k*c1, cx+r*c1, cy+r*s1)
	}
}

func rad(deg float64) float64 { return deg * math.Pi / 180 }

// stroke is a straight line of width w with round ends.
func (s *shape) stroke(x0, y0, x1, y1, w float64) {
	a, r := math.Atan2(y1-y0, x1-x0), w/2
	s.move(x0+r*math.Cos(a+math.Pi/2), y0+r*math.Sin(a+math.Pi/2))
	s.arcTo(x0, y0, r, a+math.Pi/2, a+3*math.Pi/2)
	s.line(x1+r*math.Cos(a-math.Pi/2), y1+r*math.Sin(a-math.Pi/2))
	s.arcTo(x1, y1, r, a-math.Pi/2, a+math.Pi/2)
	s.end()
}

// poly strokes an open line through points given as x, y, x, y, …
func (s *shape) poly(w float64, pts ...float64) {
	for i := 0; i+3 < len(pts); i += 2 {
		s.stroke(pts[i], pts[i+1], pts[i+2], pts[i+3], w)
	}
}

// loop strokes a closed line.
func (s *shape) loop(w float64, pts ...float64) {
	s.poly(w, append(pts, pts[0], pts[1])...)
}

// area fills the polygon; its points go clockwise on the screen.
func (s *shape) area(pts ...float64) {
	s.move(pts[0], pts[1])
	for i := 2; i < len(pts); i += 2 {
		s.line(pts[i], pts[i+1])
	}
	s.end()
}

// disc is a filled circle.
func (s *shape) disc(cx, cy, r float64) {
	s.move(cx+r, cy)
	s.arcTo(cx, cy, r, 0, 2*math.Pi)
	s.end()
}

// ring is a circle line of width w whose middle has radius r.
func (s *shape) ring(cx, cy, r, w float64) {
	s.disc(cx, cy, r+w/2)
	s.move(cx+r-w/2, cy)
	s.arcTo(cx, cy, r-w/2, 0, -2*math.Pi)
	s.end()
}

// arc strokes a piece of a circle between two angles in degrees, clockwise, with round ends.
func (s *shape) arc(cx, cy, r, from, to, w float64) {
	a0, a1, h := rad(from), rad(to), w/2
	s.move(cx+(r+h)*math.Cos(a0), cy+(r+h)*math.Sin(a0))
	s.arcTo(cx, cy, r+h, a0, a1)
	s.arcTo(cx+r*math.Cos(a1), cy+r*math.Sin(a1), h, a1, a1+math.Pi)
	s.arcTo(cx, cy, r-h, a1, a0)
	s.arcTo(cx+r*math.Cos(a0), cy+r*math.Sin(a0), h, a0+math.Pi, a0+2*math.Pi)
	s.end()
}

// box fills a rectangle with rounded corners.
func (s *shape) box(x, y, w, h, r float64) { s.boxPath(x, y, w, h, r, false) }

// frame strokes one: x, y, w and h are those of the line's middle.
func (s *shape) frame(x, y, w, h, r, lw float64) {
	d := lw / 2
	s.boxPath(x-d, y-d, w+lw, h+lw, r+d, false)
	s.boxPath(x+d, y+d, w-lw, h-lw, math.Max(r-d, 0), true)
}

func (s *shape) boxPath(x, y, w, h, r float64, hole bool) {
	q := math.Pi / 2
	if hole {
		s.move(x+r, y)
		s.arcTo(x+r, y+r, r, -q, -2*q)
		s.line(x, y+h-r)
		s.arcTo(x+r, y+h-r, r, 2*q, q)
		s.line(x+w-r, y+h)
		s.arcTo(x+w-r, y+h-r, r, q, 0)
		s.line(x+w, y+r)
		s.arcTo(x+w-r, y+r, r, 0, -q)
		s.end()
		return
	}
	s.move(x+r, y)
	s.line(x+w-r, y)
	s.arcTo(x+w-r, y+r, r, -q, 0)
	s.line(x+w, y+h-r)
	s.arcTo(x+w-r, y+h-r, r, 0, q)
	s.line(x+r, y+h)
	s.arcTo(x+r, y+h-r, r, q, 2*q)
	s.line(x, y+r)
	s.arcTo(x+r, y+r, r, 2*q, 3*q)
	s.end()
}

// d is the shape as the data of an SVG path, to a hundredth of a unit.
func (s *shape) d() string {
	var b strings.Builder
	num := func(v float64) string {
		t := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
		if t == "-0" {
			t = "0"
		}
		return t
	}
	for _, g := range s.segs {
		n := map[rune]int{'M': 2, 'L': 2, 'C': 6}[g.op]
		b.WriteRune(g.op)
		for i := 0; i < n; i++ {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(num(g.p[i]))
		}
	}
	return b.String()
}

// paint draws the shape scaled by k and moved by (dx, dy) after scaling.
func (s *shape) paint(dst draw.Image, k, dx, dy float64, c color.Color) {
	r := vector.NewRasterizer(dst.Bounds().Dx(), dst.Bounds().Dy())
	f := func(v, d float64) float32 { return float32(v*k + d) }
	for _, g := range s.segs {
		p := g.p
		switch g.op {
		case 'M':
			r.MoveTo(f(p[0], dx), f(p[1], dy))
		case 'L':
			r.LineTo(f(p[0], dx), f(p[1], dy))
		case 'C':
			r.CubeTo(f(p[0], dx), f(p[1], dy), f(p[2], dx), f(p[3], dy), f(p[4], dx), f(p[5], dy))
		case 'Z':
			r.ClosePath()
		}
	}
	r.Draw(dst, dst.Bounds(), image.NewUniform(c), image.Point{})
}

// layer is a shape of one colour; a picture is layers from back to front.
type layer struct {
	shape *shape
	fill  color.NRGBA
}

func layerOf(hex string, f func(*shape)) layer {
	var c color.NRGBA
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		panic(err)
	}
	c.A = 255
	s := &shape{}
	f(s)
	return layer{s, c}
}

func svg(size float64, layers ...layer) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]g" height="%[1]g" viewBox="0 0 %[1]g %[1]g">`, size)
	for _, l := range layers {
		fmt.Fprintf(&b, `<path fill="#%02x%02x%02x" d="%s"/>`, l.fill.R, l.fill.G, l.fill.B, l.shape.d())
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// raster draws layers of a size × size grid into a px × px picture.
func raster(px int, size float64, layers ...layer) *image.NRGBA {
	// The rasteriser has its quick path for RGBA; blending once in RGBA and converting is exact enough for 8 bits.
	img := image.NewRGBA(image.Rect(0, 0, px, px))
	for _, l := range layers {
		l.shape.paint(img, float64(px)/size, 0, 0, l.fill)
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, image.Point{}, draw.Src)
	return out
}

package main

import "math"

func polar(cx, cy, r, deg float64) (x, y float64) {
	return cx + r*math.Cos(rad(deg)), cy + r*math.Sin(rad(deg))
}

// capsule is one half of a chain link: a U of width two around (cx, cy), open towards deg.
func (s *shape) capsule(cx, cy, deg float64) {
	const half, r = 2.6, 3.4
	ux, uy := math.Cos(rad(deg)), math.Sin(rad(deg))
	nx, ny := -uy, ux
	for _, k := range []float64{-1, 1} {
		s.stroke(cx+k*nx*r, cy+k*ny*r, cx+k*nx*r+ux*half, cy+k*ny*r+uy*half, 2)
	}
	s.arc(cx, cy, r, deg+90, deg+270, 2)
}

// appIcon is a semaphore signal before the night sky of a signal box: the arm is up, one lamp is lit.
// It is drawn on a grid of 64 units, for 48 pixels and more.
func appIcon() []layer {
	return []layer{
		layerOf("#16263f", func(s *shape) { s.box(2, 2, 60, 60, 14) }),
		layerOf("#22395c", func(s *shape) { s.area(2, 50, 62, 50, 62, 51, 2, 51); s.boxBottom(2, 50, 60, 12, 14) }),
		// the post, its foot and its cap
		layerOf("#e8edf5", func(s *shape) {
			s.box(39, 14, 6, 38, 1)
			s.box(33, 50, 18, 4, 1.5)
			s.area(38, 14, 42, 8, 46, 14)
		}),
		// the arm, raised, with its stripe
		layerOf("#ff5a4e", func(s *shape) { rotated(s, 42, 21, 20, -31, 4, -5, 10) }),
		layerOf("#ffffff", func(s *shape) { rotated(s, 42, 21, 20, -25, -20, -5, 10) }),
		layerOf("#e8edf5", func(s *shape) { s.disc(42, 21, 3.6) }),
		// the lamp
		layerOf("#e8edf5", func(s *shape) { s.box(18, 34, 16, 12, 3); s.box(32, 38, 8, 4, 0) }),
		layerOf("#ffc53d", func(s *shape) { s.disc(26, 40, 4.4) }),
	}
}

// appIconSmall is the same with fewer and thicker parts, on a grid of 16 units, for 16 to 32 pixels.
func appIconSmall() []layer {
	return []layer{
		layerOf("#16263f", func(s *shape) { s.box(0, 0, 16, 16, 3.5) }),
		layerOf("#e8edf5", func(s *shape) { s.box(10, 3, 2, 11, 0.3); s.box(8, 12.6, 6, 1.4, 0.4) }),
		layerOf("#ff5a4e", func(s *shape) { rotated(s, 11, 5, 15, -9, 1.4, -1.6, 3.2) }),
		layerOf("#ffc53d", func(s *shape) { s.disc(5.5, 10.6, 1.9) }),
	}
}

// rotated fills the rectangle from x0 to x1, y to y+h, turned by deg clockwise about (cx, cy).
func rotated(s *shape, cx, cy, deg, x0, x1, y, h float64) {
	c, n := math.Cos(rad(deg)), math.Sin(rad(deg))
	at := func(x, y float64) []float64 { return []float64{cx + x*c - y*n, cy + x*n + y*c} }
	var pts []float64
	for _, p := range [][2]float64{{x0, y}, {x1, y}, {x1, y + h}, {x0, y + h}} {
		pts = append(pts, at(p[0], p[1])...)
	}
	s.area(pts...)
}

// boxBottom fills a rectangle of which only the lower corners are round.
func (s *shape) boxBottom(x, y, w, h, r float64) {
	r = math.Min(r, h)
	s.move(x, y)
	s.line(x+w, y)
	s.line(x+w, y+h-r)
	s.arcTo(x+w-r, y+h-r, r, 0, math.Pi/2)
	s.line(x+r, y+h)
	s.arcTo(x+r, y+h-r, r, math.Pi/2, math.Pi)
	s.end()
}

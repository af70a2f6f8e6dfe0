package main

import (
	"image"
	"image/color"
	"image/draw"
	"maps"
	"slices"
)

// contactSheet shows everything at its own size on a dark and a light ground,
// and the smallest tray icons once more four times as large.
func contactSheet() image.Image {
	dark, light := color.NRGBA{0x20, 0x22, 0x26, 0xff}, color.NRGBA{0xf2, 0xf2, 0xf0, 0xff}
	img := image.NewNRGBA(image.Rect(0, 0, 1400, 1040))
	draw.Draw(img, img.Rect, image.NewUniform(dark), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 520, 1400, 1040), image.NewUniform(light), image.Point{}, draw.Src)
	for half, fg := range []color.NRGBA{white, {0, 0, 0, 255}} {
		y := 8 + half*520
		x := 8
		for _, px := range appSizes[:6] {
			over(img, appPNG(px), x, y)
			x += px + 8
		}
		y += 136
		for _, px := range []int{16, 22, 24, 32, 48} {
			for i, s := range trayStates {
				over(img, trayIcon(s, px), 8+i*(px+10), y)
			}
			if px == 22 {
				for i, s := range trayStates {
					over(img, zoom(trayIcon(s, px), 3), 400+i*66, y-160)
				}
			}
			y += px + 8
		}
		for i, name := range slices.Sorted(maps.Keys(symbols)) {
			l := layer{&shape{}, fg}
			symbols[name](l.shape)
			over(img, raster(24, 24, l), 8+i%44*31, y+i/44*31)
			over(img, raster(48, 24, l), 8+i%22*60, y+40+i/22*56)
		}
	}
	return img
}

func over(dst draw.Image, src image.Image, x, y int) {
	draw.Draw(dst, src.Bounds().Add(image.Pt(x, y)), src, image.Point{}, draw.Over)
}

func zoom(src *image.NRGBA, k int) *image.NRGBA {
	b := src.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx()*k, b.Dy()*k))
	for y := range b.Dy() * k {
		for x := range b.Dx() * k {
			out.Set(x, y, src.At(x/k, y/k))
		}
	}
	return out
}

package toast

import (
	"bytes"
	"image"
	"image/draw"
	_ "image/png" // the icon is a PNG
)

// imageData is the hint of that name: (iiibiiay).
type imageData struct {
	Width, Height, Stride int32
	Alpha                 bool
	Bits, Channels        int32
	Pixels                []byte
}

func decodeIcon(png []byte) (imageData, bool) {
	src, _, err := image.Decode(bytes.NewReader(png))
	if err != nil {
		return imageData{}, false
	}
	img := image.NewNRGBA(image.Rect(0, 0, src.Bounds().Dx(), src.Bounds().Dy()))
	draw.Draw(img, img.Bounds(), src, src.Bounds().Min, draw.Src)
	return imageData{int32(img.Rect.Dx()), int32(img.Rect.Dy()), int32(img.Stride), true, 8, 4, img.Pix}, true
}

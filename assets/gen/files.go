package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
)

func pngBytes(img image.Image) []byte {
	var b bytes.Buffer
	check((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img))
	return b.Bytes()
}

// ico packs pictures as 32-bit bitmaps: the oldest form, which every version of Windows loads at every size.
func ico(imgs ...*image.NRGBA) []byte {
	var head, body bytes.Buffer
	w := func(b *bytes.Buffer, vs ...any) {
		for _, v := range vs {
			check(binary.Write(b, binary.LittleEndian, v))
		}
	}
	w(&head, uint16(0), uint16(1), uint16(len(imgs)))
	at := 6 + 16*len(imgs)
	for _, img := range imgs {
		n := img.Rect.Dx()
		var b bytes.Buffer
		w(&b, uint32(40), int32(n), int32(2*n), uint16(1), uint16(32), uint32(0), uint32(0), int32(0), int32(0), uint32(0), uint32(0))
		row := (n + 31) / 32 * 4
		and := make([]byte, row*n)
		for y := n - 1; y >= 0; y-- {
			for x := 0; x < n; x++ {
				c := img.NRGBAAt(x, y)
				b.Write([]byte{c.B, c.G, c.R, c.A})
				if c.A < 128 {
					and[(n-1-y)*row+x/8] |= 0x80 >> (x % 8)
				}
			}
		}
		b.Write(and)
		w(&head, uint8(n), uint8(n), uint8(0), uint8(0), uint16(1), uint16(32), uint32(b.Len()), uint32(at))
		at += b.Len()
		body.Write(b.Bytes())
	}
	return append(head.Bytes(), body.Bytes()...)
}

// wav is 16-bit mono PCM.
func wav(rate int, samples []float64) []byte {
	var b bytes.Buffer
	w := func(vs ...any) {
		for _, v := range vs {
			check(binary.Write(&b, binary.LittleEndian, v))
		}
	}
	n := 2 * len(samples)
	w([]byte("RIFF"), uint32(36+n), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1),
		uint32(rate), uint32(2*rate), uint16(2), uint16(16), []byte("data"), uint32(n))
	for _, s := range samples {
		w(int16(max(-1, min(1, s)) * 32767))
	}
	return b.Bytes()
}

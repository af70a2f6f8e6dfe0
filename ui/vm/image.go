package vm

import (
	"image"
	_ "image/gif"  // the forms that a preview may have
	_ "image/jpeg" //
	_ "image/png"  //
	"io"

	"signalbox/notify"
)

// PreviewOf reports whether an attachment is a local image that may be previewed.
func PreviewOf(a notify.Attachment) bool { return a.Path != "" && isImage(a.Path, a.MediaType) }

// maxPixels bounds the image that is decoded for a preview: a small file can claim to be a huge one.
const maxPixels = 24 << 20

// SmallImage reports whether r begins an image that is fit to be decoded.
func SmallImage(r io.Reader) bool {
	c, _, err := image.DecodeConfig(r)
	return err == nil && c.Width > 0 && c.Height > 0 && c.Width <= 1<<15 && c.Height <= 1<<15 && c.Width*c.Height <= maxPixels
}

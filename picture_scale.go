package nebula

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
)

// Bounds of what is made smaller: a file of more bytes is not read, and one of more pixels not unpacked.
const (
	PictureRead   = 64 << 20
	picturePixels = 100 << 20
	pictureEdge   = 2000 // of what had to be made smaller
)

// Within is the picture with no edge of more pixels than given, as it is where it has none, or is of a form that is shown as it is.
func (i Image) Within(edge int) Image {
	c, _, err := image.DecodeConfig(bytes.NewReader(i.Data))
	if err != nil || max(c.Width, c.Height) <= edge || i.Type == "image/gif" {
		return i
	}
	full, _, err := image.Decode(bytes.NewReader(i.Data))
	if err != nil {
		return i
	}
	if small, err := packed(scaled(full, edge), i.Type == "image/png"); err == nil {
		return small
	}
	return i
}

// packed writes a picture down: as PNG where it was one and stays small enough, else as JPEG.
func packed(m image.Image, exact bool) (Image, error) {
	var b bytes.Buffer
	if exact {
		if err := png.Encode(&b, m); err != nil {
			return Image{}, err
		}
		if b.Len() <= PictureMax {
			return Image{Type: "image/png", Data: b.Bytes()}, nil
		}
		b.Reset()
	}
	err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 85})
	return Image{Type: "image/jpeg", Data: b.Bytes()}, err
}

// scaled makes a picture smaller until no edge is longer: each pixel is the mean of those that it stands for.
func scaled(m image.Image, edge int) image.Image {
	from := m.Bounds()
	width, height := from.Dx(), from.Dy()
	long := max(width, height)
	if long <= edge {
		return m
	}
	w, h := max(1, width*edge/long), max(1, height*edge/long)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		top, bottom := y*height/h, max((y+1)*height/h, y*height/h+1)
		for x := range w {
			left, right := x*width/w, max((x+1)*width/w, x*width/w+1)
			var r, g, b, a, n uint64
			for sy := top; sy < bottom; sy++ {
				for sx := left; sx < right; sx++ {
					c := color.NRGBA64Model.Convert(m.At(from.Min.X+sx, from.Min.Y+sy)).(color.NRGBA64)
					r, g, b, a, n = r+uint64(c.R), g+uint64(c.G), b+uint64(c.B), a+uint64(c.A), n+1
				}
			}
			out.SetNRGBA(x, y, color.NRGBA{R: uint8(r / n >> 8), G: uint8(g / n >> 8), B: uint8(b / n >> 8), A: uint8(a / n >> 8)})
		}
	}
	return out
}

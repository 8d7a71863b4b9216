package nebula_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"nebula"
)

func TestPicturesAreKnownByTheirBytes(t *testing.T) {
	made := func(w, h int) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	web := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00"), 99, 0, 0, 49, 0, 0)
	for name, c := range map[string]struct {
		data   []byte
		kind   string
		tokens int
	}{
		"png": {made(1000, 750), "image/png", 1000}, "webp": {web, "image/webp", 260}, "large": {made(8000, 1), "image/png", 260},
		"too large": {made(8001, 1), "", 0}, "cut": {made(9, 9)[:20], "", 0}, "text": {[]byte("a picture"), "", 0}, "none": {nil, "", 0},
		"too much": {append(made(9, 9), make([]byte, nebula.PictureMax)...), "", 0},
	} {
		img, err := nebula.Picture(c.data)
		if img.Type != c.kind || (err == nil) != (c.kind != "") || err == nil && img.Tokens() != c.tokens {
			t.Errorf("%s: %s, %d tokens, %v", name, img.Type, img.Tokens(), err)
		}
	}
}

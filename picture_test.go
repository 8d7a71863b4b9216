package nebula_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
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
	bomb := made(9, 9)
	copy(bomb[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // 65536 × 65536
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	for name, c := range map[string]struct {
		data   []byte
		kind   string
		tokens int
	}{
		"png": {made(1000, 750), "image/png", 1000}, "webp": {web, "image/webp", 260}, "large": {made(8000, 1), "image/png", 260},
		"too large": {made(8001, 9), "image/png", 260}, "cut": {made(9, 9)[:20], "", 0}, "damaged": {made(900, 900)[:300], "", 0}, "a bomb": {bomb, "", 0}, "text": {[]byte("a picture"), "", 0}, "none": {nil, "", 0},
		"too much": {append(made(9000, 6000), make([]byte, nebula.PictureMax)...), "image/png", 1600},
	} {
		img, err := nebula.Picture(c.data)
		if img.Type != c.kind || (err == nil) != (c.kind != "") || err == nil && img.Tokens() != c.tokens {
			t.Errorf("%s: %s, %d tokens, %v", name, img.Type, img.Tokens(), err)
		}
	}
}

// What is made smaller shows the same, and what fits is not touched.
func TestPicturesAreMadeSmaller(t *testing.T) {
	full := image.NewNRGBA(image.Rect(0, 0, 3000, 1500))
	for y := range 1500 {
		for x := range 3000 {
			full.Set(x, y, color.NRGBA{R: uint8(x / 12), G: uint8(y / 6), B: 77, A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, full); err != nil {
		t.Fatal(err)
	}
	img := nebula.Image{Type: "image/png", Data: b.Bytes()}
	if same := img.Within(3000); !bytes.Equal(same.Data, img.Data) {
		t.Error("what fits was touched")
	}
	small, err := png.Decode(bytes.NewReader(img.Within(1568).Data))
	if err != nil || small.Bounds().Dx() != 1568 || small.Bounds().Dy() != 784 {
		t.Fatalf("%v, %v", small.Bounds(), err)
	}
	for _, at := range []image.Point{{0, 0}, {784, 392}, {1567, 783}} {
		was := full.NRGBAAt(at.X*3000/1568, at.Y*1500/784)
		is := color.NRGBAModel.Convert(small.At(at.X, at.Y)).(color.NRGBA)
		if max(was.R, is.R)-min(was.R, is.R) > 2 || max(was.G, is.G)-min(was.G, is.G) > 2 || is.B != 77 {
			t.Errorf("%v: %v became %v", at, was, is)
		}
	}
}

package nebula

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif"  // forms of pictures
	_ "image/jpeg" // that models
	_ "image/png"  // are shown
	"path"
	"strings"
)

// PictureMax is how many bytes a picture may have: every provider takes one so large.
const PictureMax = 5 << 20

// Picture takes bytes for a picture of a form that models are shown: PNG, JPEG, GIF or WebP; or for a document. A picture that is larger than servers
// take is made smaller; one that is damaged is refused here, since a server would refuse the whole conversation for it.
func Picture(data []byte) (Image, error) {
	if IsPDF(data) {
		return Document(data)
	}
	width, height, kind := webp(data)
	web := kind != ""
	if !web {
		c, form, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return Image{}, Errorf("it is no PNG, JPEG, GIF or WebP that can be read")
		}
		width, height, kind = c.Width, c.Height, form
	}
	fits := max(width, height) <= 8000 && len(data) <= PictureMax
	switch {
	case width <= 0 || height <= 0:
		return Image{}, Errorf("it is no PNG, JPEG, GIF or WebP that can be read")
	case !fits && (web || width*height > picturePixels):
		return Image{}, Errorf("it is %d×%d and has %d MB, which is too large to be made smaller here; make it smaller", width, height, len(data)>>20)
	case web:
		return Image{Type: "image/webp", Data: data}, nil
	case width*height > picturePixels:
		return Image{}, Errorf("it is %d×%d and has %d MB, which is too large to be made smaller here; make it smaller", width, height, len(data)>>20)
	}
	full, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return Image{}, Errorf("the picture is damaged: it ends too early or holds something else (%w)", err)
	}
	if fits {
		return Image{Type: "image/" + kind, Data: data}, nil
	}
	return packed(scaled(full, pictureEdge), kind == "png")
}

// Pictured reports whether a file is a picture or a document by its name.
func Pictured(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf":
		return true
	}
	return false
}

// webp reads the size of a WebP: in the first of its chunks, which has one of three forms (RFC 9649).
func webp(data []byte) (width, height int, kind string) {
	if len(data) < 30 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WEBP" {
		return 0, 0, ""
	}
	switch string(data[12:16]) {
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(data[26:]) & 0x3fff), int(binary.LittleEndian.Uint16(data[28:]) & 0x3fff), "webp"
	case "VP8L":
		bits := binary.LittleEndian.Uint32(data[21:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, "webp"
	case "VP8X":
		three := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		return three(data[24:]) + 1, three(data[27:]) + 1, "webp"
	}
	return 0, 0, ""
}

// Size is how many pixels a picture is wide and high; zero where it cannot be read.
func (i Image) Size() (width, height int) {
	width, height, kind := webp(i.Data)
	if c, _, err := image.DecodeConfig(bytes.NewReader(i.Data)); kind == "" && err == nil {
		width, height = c.Width, c.Height
	}
	return width, height
}

// Tokens is about how many tokens a picture is read as, rather too many than too few: providers make large ones smaller first.
func (i Image) Tokens() int {
	if i.Type == PDF {
		return max(i.Pages, 1) * pageTokens
	}
	width, height := i.Size()
	if width <= 0 || height <= 0 {
		return 1600
	}
	return min(max(width*height/750, 260), 1600)
}

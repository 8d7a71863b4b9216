package record

import (
	"bytes"
	"compress/flate"
	"io"

	"nebula"
)

// Below packFrom bytes, packing saves less than a database page.
const packFrom = 512

// Pack compresses data when that saves at least a tenth; codec says how, empty where it did not.
func Pack(data []byte) (codec string, packed []byte) {
	if len(data) < packFrom {
		return "", data
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // the level is a valid one
	_, err := w.Write(data)
	if err != nil || w.Close() != nil || b.Len() > len(data)/10*9 {
		return "", data
	}
	return "deflate", b.Bytes()
}

// Unpack gives back what Pack packed, of so many bytes: one more shows that it is not that.
func Unpack(codec string, packed []byte, size int64) ([]byte, error) {
	switch codec {
	case "":
		return packed, nil
	case "deflate":
		return io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), size+1))
	}
	return nil, nebula.Errorf("unknown codec %q: written by a newer nebula?", codec)
}

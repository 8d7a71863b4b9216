package web

import (
	"golang.org/x/text/encoding"
	japan "golang.org/x/text/encoding/japanese"
)

// sets are the character sets of old pages that people still read.
func sets() map[string]encoding.Encoding {
	return map[string]encoding.Encoding{"shift_jis": japan.ShiftJIS, "shift-jis": japan.ShiftJIS, "x-sjis": japan.ShiftJIS, "windows-31j": japan.ShiftJIS, "euc-jp": japan.EUCJP, "iso-2022-jp": japan.ISO2022JP}
}

func japanese(data []byte, charset string) (string, bool) {
	set, known := sets()[charset]
	if !known {
		return "", false
	}
	text, err := set.NewDecoder().Bytes(data)
	return string(text), err == nil
}

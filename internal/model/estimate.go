package model

import "unicode/utf8"

// Estimate says about how many tokens a text has, rather too many than too few, in one pass and without tables. The
// package token counts exactly.
//
// It follows how o200k splits text: words end where a capital follows a small letter and take one token for every
// six letters, numbers one for three digits, signs mostly one for two; one space belongs to the word or sign after it.
func Estimate(text string) int {
	quarters := 0 // of tokens
	for i := 0; i < len(text); {
		from := i
		c := text[i]
		switch kind := kindOf(c); kind {
		case letter:
			for i++; i < len(text) && kindOf(text[i]) == letter && !(small(text[i-1]) && !small(text[i])); i++ {
			}
			quarters += 4 * ((i - from + 5) / 6)
		case number:
			for i++; i < len(text) && kindOf(text[i]) == number; i++ {
			}
			quarters += 4 * ((i - from + 2) / 3)
		case blank:
			for i++; i < len(text) && kindOf(text[i]) == blank; i++ {
			}
			if i-from > 1 || c != ' ' || i < len(text) && kindOf(text[i]) == number {
				quarters += 4
			}
		case sign:
			for i++; i < len(text) && kindOf(text[i]) == sign; i++ {
			}
			quarters += 2 * (i - from + 1)
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			quarters += wide(r, size)
		}
	}
	return (quarters + 3) / 4
}

// wide is what a character outside ASCII costs, in quarters of a token.
func wide(r rune, size int) int {
	switch {
	case size == 2:
		return 2
	case r >= 0x3040 && r < 0x3100, r >= 0xAC00 && r < 0xD7B0: // kana and Hangul mostly come in pairs
		return 3
	case r >= 0x4E00 && r < 0xA000:
		return 4
	case size == 3:
		return 5
	case size == 4:
		return 9
	}
	return 8 // broken
}

type charKind uint8

const (
	other charKind = iota
	letter
	number
	blank
	sign
)

//go:noinline
func kindOf(c byte) charKind {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return letter
	case c >= '0' && c <= '9':
		return number
	case c == ' ', c == '\n', c == '\t', c == '\r':
		return blank
	case c < utf8.RuneSelf:
		return sign
	}
	return other
}

func small(c byte) bool { return c >= 'a' }

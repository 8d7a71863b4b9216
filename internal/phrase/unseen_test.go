package phrase_test

import (
	"testing"

	"nebula/internal/phrase"
)

// Every character is in its own classes and in no other; who asks for several is told of each.
func TestCharactersThatAreNotWhatOneSees(t *testing.T) {
	all := []phrase.Unseen{phrase.Control, phrase.Turning, phrase.Parting, phrase.Empty, phrase.Blank, phrase.Private, phrase.Accent, phrase.Skipped}
	for r, want := range map[rune]phrase.Unseen{
		'\n': phrase.Control, 0x7f: phrase.Control, 0x9f: phrase.Control,
		0x61c: phrase.Turning | phrase.Empty, 0x202e: phrase.Turning | phrase.Empty | phrase.Skipped, 0x2029: phrase.Parting,
		0xad: phrase.Empty, 0x2060: phrase.Empty, 0x200c: phrase.Empty | phrase.Skipped, 0xe0041: phrase.Empty, 0xe0002: phrase.Empty,
		0xfe0f: phrase.Empty | phrase.Accent, 0x3164: phrase.Empty | phrase.Blank, 0x2800: phrase.Blank, 0xa0: phrase.Blank, 0x2009: phrase.Blank,
		0xe000: phrase.Private, 0x301: phrase.Accent, 0x3099: phrase.Accent, 0xfeff: phrase.Empty | phrase.Skipped,
		' ': 0, 'a': 0, '~': 0, 'é': 0, '猫': 0, 'が': 0, 0x3000: 0, 0x2010: 0, '😀': 0,
	} {
		var got phrase.Unseen
		for _, class := range all {
			if phrase.Is(r, class) {
				got |= class
			}
		}
		if got != want || phrase.Is(r, phrase.Hidden) != (want&phrase.Hidden != 0) {
			t.Errorf("%U is in %b, want %b", r, got, want)
		}
	}
}

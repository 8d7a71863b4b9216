package phrase

import (
	"slices"
	"unicode"
)

// Unseen is how a character may be other than what a person sees of a text: a set of the classes below.
type Unseen uint16

// The classes.
const (
	Control Unseen = 1 << iota // a terminal acts on it: C0, DEL and C1, tab and line breaks among them
	Turning                    // turns the direction of writing
	Parting                    // ends a line for some programs, and for others not
	Empty                      // takes no room of its own, and is no accent
	Blank                      // takes room, and looks like a space that it is not
	Private                    // nobody agreed on what it shows
	Accent                     // joins the character before it
	Skipped                    // left out by file systems that compare names (Apple's TN1150)
)

// Hidden is what a person does not see, or sees as something else.
const Hidden = Control | Turning | Parting | Empty | Blank | Private

// unseen has the ranges of every class.
var unseen = []struct {
	class Unseen
	in    []*unicode.RangeTable
}{
	{Control, []*unicode.RangeTable{unicode.Cc}},
	{Turning, []*unicode.RangeTable{unicode.Bidi_Control}},
	{Parting, []*unicode.RangeTable{unicode.Zl, unicode.Zp}},
	{Empty, []*unicode.RangeTable{unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point}},
	{Empty, ranges(0xe0000, 0xe01ef)}, // tags, and what lies between them
	{Blank, ranges(0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f)},
	{Blank, ranges(0x115f, 0x1160, 0x2800, 0x2800, 0x3164, 0x3164, 0xffa0, 0xffa0)}, // letters without a shape
	{Private, []*unicode.RangeTable{unicode.Co}},
	{Accent, []*unicode.RangeTable{unicode.Mn, unicode.Me}},
	{Skipped, ranges(0x200c, 0x200f, 0x202a, 0x202e, 0x206a, 0x206f, 0xfeff, 0xfeff)},
}

// ranges is a table of first and last characters, in order.
func ranges(ends ...uint32) []*unicode.RangeTable {
	var table unicode.RangeTable
	for pair := range slices.Chunk(ends, 2) {
		table.R32 = append(table.R32, unicode.Range32{Lo: pair[0], Hi: pair[1], Stride: 1})
	}
	return []*unicode.RangeTable{&table}
}

// Is reports whether a character is in any of some classes.
func Is(r rune, classes Unseen) bool {
	if ' ' <= r && r < 0x7f || 0x3400 <= r && r < 0xa000 { // letters, and ideographs
		return false
	}
	for _, row := range unseen {
		if classes&row.class != 0 && unicode.In(r, row.in...) {
			return true
		}
	}
	return false
}

package protocol

import (
	"slices"
	"strings"
	"unicode"

	"nebula/internal/lists"
)

// struck are marks around a block by which it is quoted, struck out or a cell of a table.
var struck = strings.Fields("~~ <del> <s> <strike> </del> </s> </strike> \" “ ” ' ‘ ’ 「 」 『 』 |")

// besideFence reports whether the lines of the fences that a unit stands between say more than that: that the block is quoted or struck out,
// or words behind its end, which take it back as often as not.
func besideFence(text string, u unit) bool {
	above, below := text[:u.Start], text[u.End:]
	inside := strings.TrimSpace(text[u.Start:u.End])
	if opening := strings.TrimRight(above, " \t"); !strings.HasSuffix(opening, "\n") || fenceAt(inside) == 0 {
		above = strings.TrimRight(above, " \t\r\n")
	}
	above = strings.TrimSpace(above[strings.LastIndexByte(above, '\n')+1:])
	if at := max(strings.Index(above, "```"), strings.Index(above, "~~~")); at >= 0 && fenceAt(inside) == 0 {
		above = strings.TrimSpace(above[:at])
	} else if fenceAt(inside) == 0 {
		return false
	}
	if lists.Has(struck, above) {
		return true
	}
	below = strings.TrimLeft(below, " \t\r\n")
	if n := fenceAt(below); n > 0 {
		below = below[n:]
	} else if !strings.HasSuffix(inside, "```") && !strings.HasSuffix(inside, "~~~") {
		return false
	}
	line, rest, _ := strings.Cut(below, "\n")
	line, rest = strings.TrimSpace(line), strings.TrimSpace(rest)
	next, _, _ := strings.Cut(rest, "\n")
	return strings.IndexFunc(line, unicode.IsLetter) >= 0 || slices.ContainsFunc(struck, func(m string) bool { return strings.HasPrefix(line, m) }) || line == "" && len(next) > 4 && strings.HasPrefix(next, "~~") && strings.HasSuffix(next, "~~") && fenceAt(next) == 0
}

// fenceAt is how long the fence is that a text begins with.
func fenceAt(text string) int {
	for _, mark := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, mark)); n >= 3 {
			return n
		}
	}
	return 0
}

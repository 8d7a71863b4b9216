package protocol

import (
	"slices"
	"strings"
	"unicode"

	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// struck are marks around a block by which it is quoted, struck out or a cell of a table.
var struck = []string{"~~", "<del>", "<s>", "<strike>", "</del>", "</s>", "</strike>", `"`, "“", "”", "'", "‘", "’", "「", "」", "『", "』", "|"}

// besideFence reports whether the lines of the fences that a unit stands between say more than that: that the block is quoted or struck out,
// or words behind its end, which take it back as often as not.
func besideFence(text string, u unit) bool {
	inside := strings.TrimSpace(text[u.Start:u.End])
	front := text[strings.LastIndexByte(text[:u.Start], '\n')+1 : u.Start]
	if fenceAt(inside) == 0 { // it opens on the line above
		front = phrase.LastLine(text[:u.Start])
		at := max(strings.Index(front, "```"), strings.Index(front, "~~~"))
		if at < 0 {
			return false
		}
		front = front[:at]
	}
	if lists.Has(struck, strings.TrimSpace(front)) {
		return true
	}
	below := strings.TrimLeft(text[u.End:], " \t\r\n")
	closes := fenceAt(below)
	if closes == 0 && !strings.HasSuffix(inside, "```") && !strings.HasSuffix(inside, "~~~") {
		return false
	}
	behind, rest, _ := strings.Cut(below[closes:], "\n")
	behind = strings.TrimSpace(behind)
	return strings.IndexFunc(behind, unicode.IsLetter) >= 0 || slices.ContainsFunc(struck, func(m string) bool { return strings.HasPrefix(behind, m) }) ||
		behind == "" && struckOut(rest)
}

// struckOut reports whether a text begins with a line that is struck out as a whole.
func struckOut(text string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return len(line) > 4 && strings.HasPrefix(line, "~~") && strings.HasSuffix(line, "~~") && fenceAt(line) == 0
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

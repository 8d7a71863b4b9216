package tool

import (
	"slices"
	"strings"

	"nebula/internal/index"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What ends before its file does: a model that stops writing between two blocks leaves a file that is whole by its shape, without its end.

// Bounds of it.
const (
	endLines = 2        // lines with words that are missing, at least, where none of them hands on what the file has
	endCells = 16 << 20 // lines of the one times lines of the other that are compared
)

// handsOn is a line that other files, or whoever starts this one, see it by.
var handsOn = &lazy.Pattern{X: `^\s*(?:export\b|module\.exports|exports\.|__all__\b|if __name__\b|(?:CMD|ENTRYPOINT)\b)`}

// parts is how the words beside a change say in so many words that something goes, or goes elsewhere: words for tidying say no such thing of the end.
var parts = &lazy.Pattern{X: `(?i)\b(?:remov|delet|drop|unused|dead|obsolete|strip|trim|shorten|shrink|reduc|extract|get rid|no longer|start over|from scratch)|\b(?:mov|split|merg|cut|inlin|consolidat)\w*\b.*\b(?:into|out of|elsewhere|to \S*[./]\w)` +
	`|削除|除去|消し|消す|取り除|不要|短く|切り出|減ら|へ移|に移`}

// ended is the first line of what a content has not any more of the file's end; empty where it goes on to the end, where it ends with
// something new, or where the words beside it say that something goes.
func (c *content) ended() string {
	if l := c.halfLine(); l != "" {
		return l
	}
	given, was := filledRaw(c.lines()), filledRaw(c.file.lines)
	from, to, ok := lastCommon(given, was)
	if !ok || from == 0 || to == len(was) {
		return ""
	}
	rest, tail := given[from:], was[to:]
	for len(rest) > 0 && len(tail) > 0 && near(strings.TrimSpace(rest[0]), strings.TrimSpace(tail[0])) {
		rest, tail = rest[1:], tail[1:]
	}
	if len(rest) > 0 { // the block at the end was written anew: what is behind that block counts
		at := slices.IndexFunc(tail, func(l string) bool { return len(lead(l)) < len(lead(rest[0])) && words(l) > 0 })
		if at < 0 {
			return ""
		}
		tail = tail[at:]
	}
	missing, hands := 0, false
	for _, l := range tail {
		if words(l) > 0 && !lists.Has(given, l) {
			missing, hands = missing+1, hands || handsOn.In(l)
		}
	}
	if missing < endLines && !hands || parts.In(c.said) || c.spokenOf(tail) {
		return ""
	}
	return strings.TrimSpace(tail[0])
}

// halfLine is the line of the file of which a content has only a beginning as its last line, without a line break: below the same line, or in a
// program up to the middle of a word.
func (c *content) halfLine() string {
	given := full(c.lines())
	if len(given) == 0 || strings.HasSuffix(c.text, "\n") || c.was[strings.TrimSpace(given[len(given)-1])] {
		return ""
	}
	end := given[len(given)-1]
	for i, l := range c.file.lines {
		if len(l) <= len(end) || !strings.HasPrefix(l, end) || words(end) == 0 {
			continue
		}
		if program.In(c.path) && wordByte(end[len(end)-1]) && wordByte(l[len(end)]) || i > 0 && len(given) > 1 && given[len(given)-2] == c.file.lines[i-1] && strings.HasSuffix(c.file.text, "\n") {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

// cutShort reports whether the content ends in the middle of a line: the file has it whole, below the same line and with more behind it, or
// brackets are open at the end that are not in the file.
func (c *content) cutShort() bool {
	given := full(c.lines())
	if len(given) == 0 || c.was[strings.TrimSpace(given[len(given)-1])] {
		return false
	}
	end := given[len(given)-1]
	for i, l := range c.file.lines {
		if len(l) <= len(end) || !strings.HasPrefix(l, end) || words(end) == 0 || len(given) > 1 && (i == 0 || given[len(given)-2] != c.file.lines[i-1]) {
			continue
		}
		if slices.ContainsFunc(c.file.lines[i+1:], func(l string) bool { return words(l) > 0 && !lists.Has(given, l) }) || open(end) > 0 || strings.Count(end, `"`)%2 == 1 {
			return true
		}
	}
	if !program.In(c.path) || len(c.file.text) == 0 || open(c.file.text) != 0 || open(c.text) <= 0 || lead(end) == "" && open(end) <= 0 {
		return false
	}
	s := structureOf(c.path)
	return s == nil || !s.offside || unnested(c.path, c.text) > 0 // where strings can be told, a bracket in one is none
}

// open is how many brackets a text opens more than it closes.
//
//go:noinline
func open(text string) (n int) {
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

// endWords are files of languages in which a word ends a block.
var endWords = &lazy.Pattern{X: `(?i)\.(?:rb|lua|exs?|jl)$`}

// unclosed reports whether the content ends inside of a block of the file: what the file has behind its last line closes just the brackets
// that are open there, or the file ends at its margin and the content does not, where words end blocks.
func (c *content) unclosed() bool {
	if !program.In(c.path) || open(c.file.text) != 0 {
		return false
	}
	given, was := filledRaw(c.lines()), filledRaw(c.file.lines)
	if n := open(c.text); n > 0 {
		_, to, ok := lastCommon(given, was)
		return ok && to < len(was) && open(strings.Join(was[to:], "\n")) == -n
	}
	return endWords.In(c.path) && len(given) > 0 && len(was) > 0 && lead(given[len(given)-1]) != "" && lead(was[len(was)-1]) == ""
}

// spokenOf reports whether the words beside the change name something that lines define.
func (c *content) spokenOf(lines []string) bool {
	return slices.ContainsFunc(index.Definitions(c.path, []byte(strings.Join(lines, "\n"))), func(s index.Symbol) bool {
		return len(s.Name) > 2 && hasWord(c.said, s.Name)
	})
}

// filledRaw are lines with something on them, without the white space behind it.
//
//go:noinline
func filledRaw(lines []string) (out []string) {
	for _, l := range lines {
		if l = strings.TrimRight(l, " \t\r"); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// lastCommon is where the longest common run of lines, others between them, ends in two texts: behind its last line in each, as early as can be.
func lastCommon(a, b []string) (inA, inB int, ok bool) {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > endCells {
		return 0, 0, false
	}
	ids := map[string]int32{}
	number := func(lines []string) []int32 {
		out := make([]int32, len(lines))
		for i, l := range lines {
			if _, known := ids[l]; !known {
				ids[l] = int32(len(ids))
			}
			out[i] = ids[l]
		}
		return out
	}
	x, y := number(a), number(b)
	row := make([]int32, len(y)+1) // of the lines of x so far, the longest run in each beginning of y
	for i, l := range x {
		before, corner := row[len(y)], int32(0)
		for j, o := range y {
			above := row[j+1]
			if l == o {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			corner = above
		}
		if row[len(y)] > before {
			inA = i + 1
		}
	}
	return inA, slices.Index(row, row[len(y)]), true
}

// hasWord reports whether a text has a name as a word.
func hasWord(text, name string) bool {
	return lists.Has(strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) }), name)
}

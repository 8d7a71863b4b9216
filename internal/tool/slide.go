package tool

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// slid moves what is only added or only removed to where a person would say that it begins: the same change can often be
// drawn in several places, as where a function that is added ends with the brace that the one before it ends with.
func slid(old string, edits []udiff.Edit) []udiff.Edit {
	floor := 0
	for i, e := range edits {
		ceiling := len(old)
		if i+1 < len(edits) {
			ceiling = edits[i+1].Start
		}
		free := [2]bool{i == 0, i+1 == len(edits)}
		switch {
		case e.New == "":
			at := best(old[floor:e.Start], old[e.Start:e.End], old[e.End:ceiling], free)
			edits[i].Start, edits[i].End = e.Start+at.moved, e.End+at.moved
		case e.Start == e.End:
			at := best(old[floor:e.Start], e.New, old[e.Start:ceiling], free)
			edits[i] = udiff.Edit{Start: e.Start + at.moved, End: e.Start + at.moved, New: at.block}
		}
		floor = edits[i].End
	}
	return edits
}

// A spot is where a block of lines can stand.
type spot struct {
	block string
	moved int // bytes from where it was
	rank  int
}

// slides bounds how many lines a block is moved.
const slides = 100

// best finds the best spot for a block between the lines before and after it. Their ends are those of the file where they
// are free; else it stops short of them, as another change is there.
func best(before, block, after string, free [2]bool) spot {
	top := spot{block: block}
	if !strings.HasSuffix(block, "\n") {
		return top
	}
	for range slides { // all the way up
		line := lastLine(before[:len(before)+top.moved])
		if line == "" || len(before)+top.moved == len(line) && !free[0] || lastLine(top.block) != line {
			break
		}
		top = spot{block: line + top.block[:len(top.block)-len(line)], moved: top.moved - len(line)}
	}
	chosen, now, text := top, top, before+block+after
	for n := 0; n < 2*slides; n++ { // and down again
		now.rank = rank(lastLine(text[:len(before)+now.moved]), now.block)
		if n == 0 || now.rank >= chosen.rank {
			chosen = now
		}
		line := firstLine(now.block)
		rest := text[len(before)+now.moved+len(block):]
		if !strings.HasPrefix(rest, line) || len(rest) == len(line) && !free[1] {
			break
		}
		now = spot{block: now.block[len(line):] + line, moved: now.moved + len(line)}
	}
	return chosen
}

// rank says how well a block begins behind a line: behind an empty one, or with one, and with little indentation.
func rank(before, block string) int {
	first := firstLine(block)
	n := 0
	switch {
	case empty(first):
		n = 2
	case empty(before):
		n = 3
	}
	for empty(first) && block != "" {
		block = block[len(first):]
		first = firstLine(block)
	}
	return n<<16 - (len(first) - len(strings.TrimLeft(first, " \t")))
}

//go:noinline
func empty(line string) bool { return strings.TrimSpace(line) == "" }

//go:noinline
func firstLine(s string) string { return s[:strings.IndexByte(s, '\n')+1] }

// lastLine is the last line of a text that ends with a line's end; none of another.
//
//go:noinline
func lastLine(s string) string {
	if !strings.HasSuffix(s, "\n") {
		return ""
	}
	return s[strings.LastIndexByte(s[:len(s)-1], '\n')+1:]
}

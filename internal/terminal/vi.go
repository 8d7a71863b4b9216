package terminal

import (
	"slices"

	"nebula/internal/lists"
)

// A Vi is the keys of vi over an [Editor], for who chose them. It begins where text is typed; esc leads to where letters are
// commands.
type Vi struct {
	normal  bool
	pending string // what waits for the key behind it: d, c, y, r or g
}

// Normal reports whether letters are commands.
func (v *Vi) Normal() bool { return v.normal }

// Insert goes back to where text is typed.
func (v *Vi) Insert() { *v = Vi{} }

// Key takes a key, and gives the one that goes on to others; empty for none.
func (v *Vi) Key(e *Editor, name, text string) string {
	switch {
	case !v.normal && name == "esc" && !e.Empty():
		v.normal = true
		e.at = max(e.at-1, e.home())
		return ""
	case !v.normal || e.Empty() && name == "esc":
		return name
	case name == "esc" && v.pending != "":
		v.pending = ""
		return ""
	case name == "ctrl+r":
		e.redo()
		return ""
	case len(text) == 0 || text == " ":
		v.pending = ""
		return name
	}
	before := v.pending
	v.pending = ""
	return v.command(e, before, text)
}

// command carries out a letter, behind the one that waited for it.
func (v *Vi) command(e *Editor, before, text string) string {
	switch {
	case before == "r":
		if e.at < len(e.cells) && e.cells[e.at].text != "\n" {
			e.change(e.at, e.at+1, cells(text))
			e.at--
		}
	case before == "" && lists.Has([]string{"d", "c", "y", "r", "g"}, text), len(before) == 1 && before != "g" && text == "g":
		v.pending = before + text
	case before == "d" || before == "c" || before == "y" || len(before) == 2:
		v.operate(e, before[:1], before[1:]+text)
	default:
		if to, _, ok := e.motion(before + text); ok {
			e.at = min(to, e.last())
			return ""
		}
		return v.single(e, text)
	}
	return ""
}

// last is the last place of the line that a command can stand on.
//
//go:noinline
func (e *Editor) last() int { return max(e.end()-1, e.home()) }

// motion is where a command leads, and how many cells behind that an operator takes along.
func (e *Editor) motion(text string) (to, more int, ok bool) {
	switch text {
	case "h":
		return max(e.at-1, e.home()), 0, true
	case "l":
		return min(e.at+1, e.end()), 0, true
	case "0":
		return e.home(), 0, true
	case "^":
		at := e.home()
		for at < e.end() && e.cells[at].text == " " {
			at++
		}
		return at, 0, true
	case "$":
		return e.end(), 0, true
	case "b":
		return e.back(), 0, true
	case "w":
		return e.word(), 0, true
	case "e":
		was := e.at
		e.at = min(e.at+1, len(e.cells))
		to = e.forth() - 1
		e.at = was
		return max(to, was), 1, true
	case "gg":
		return 0, 0, true
	case "G":
		return len(e.cells), 0, true
	}
	return 0, 0, false
}

// word is where the next word begins.
func (e *Editor) word() int {
	i := e.at
	for k := e.at; i < len(e.cells) && kind(e.cells[i]) != 0 && kind(e.cells[i]) == kind(e.cells[k]); {
		i++
	}
	for i < len(e.cells) && kind(e.cells[i]) == 0 {
		i++
	}
	return i
}

// operate deletes, changes or copies as far as a motion leads, or the line where the operator stands twice.
func (v *Vi) operate(e *Editor, operator, text string) {
	from := e.at
	var to int
	switch goal, more, ok := e.motion(text); {
	case text == operator:
		from, to = e.home(), min(e.end()+1, len(e.cells))
		if operator == "c" {
			to = e.end()
		}
	case operator == "c" && text == "w": // the word, without what stands behind it
		to = e.forth()
	case !ok:
		return
	default:
		from, to = min(e.at, goal), min(max(e.at, goal)+more, len(e.cells))
	}
	if operator == "y" {
		e.cut, e.at = slices.Clone(e.cells[from:to]), from
		return
	}
	e.at = from
	e.kill(to)
	if v.normal = operator != "c"; v.normal {
		e.at = min(e.at, e.last())
	}
}

// single carries out the commands of one letter. What is none goes on to nobody: it is no text.
func (v *Vi) single(e *Editor, text string) string {
	switch text {
	case "j":
		return "down"
	case "k":
		return "up"
	case "x", "s":
		e.kill(min(e.at+1, e.end()))
		if e.at = min(e.at, e.end()); text == "x" {
			e.at = min(e.at, e.last())
		}
	case "X":
		e.kill(max(e.at-1, e.home()))
	case "D", "C":
		e.kill(e.end())
		if text == "D" {
			e.at = e.last()
		}
	case "u":
		e.undo()
	case "p", "P":
		if text == "p" {
			e.at = min(e.at+1, len(e.cells))
		}
		e.put(slices.Clone(e.cut))
		e.at = max(e.at-1, 0)
	case "I":
		e.at, _, _ = e.motion("^")
	case "a":
		e.at = min(e.at+1, e.end())
	case "A":
		e.at = e.end()
	case "o":
		e.at = e.end()
		e.Insert("\n")
	case "O":
		e.at = e.home()
		e.Insert("\n")
		e.at--
	}
	v.normal = !lists.Has([]string{"i", "I", "a", "A", "o", "O", "C", "s"}, text)
	return ""
}

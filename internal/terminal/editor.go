package terminal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// An Editor is the text that is being typed: clusters as a person sees them, so that one key moves over one character
// however many bytes it has, and pasted blocks, each of which is one cluster that stands for its exact text.
type Editor struct {
	cells []cell
	at    int    // the cursor stands before cells[at]
	cut   []cell // what was last cut, for yank
	kills bool   // the last key cut something: what the next one cuts comes to it
	held  bool   // it is a choice that stands there for the person: a word that is typed takes its place
	edits edits
	own   *Editor // whose cells they are: one that was copied does not add to those of the other
}

// A cell is one thing that the cursor moves over: a cluster, "\n", or a pasted block.
type cell struct {
	text  string
	show  string // shown instead of text, when not empty
	block bool   // a pasted block
}

// pasteRows and pasteBytes are the most of a paste that is shown as it is; more stands there as one block.
const (
	pasteRows  = 6
	pasteBytes = 600
)

// Cleared is an empty editor that can still give back what was last cut.
func (e *Editor) Cleared() Editor { return Editor{cut: e.cut} }

// Clear empties the editor as a key does: undo brings back what stood there.
//
//go:noinline
func (e *Editor) Clear() {
	e.change(0, len(e.cells), nil)
	e.held = false
}

// AtEnd reports whether the cursor stands behind everything.
func (e *Editor) AtEnd() bool { return e.at == len(e.cells) }

// Text is what was typed, with pasted blocks in full.
//
//go:noinline
func (e *Editor) Text() string {
	var b strings.Builder
	for _, c := range e.cells {
		b.WriteString(c.text)
	}
	return b.String()
}

// Empty reports whether nothing was typed.
func (e *Editor) Empty() bool { return len(e.cells) == 0 }

// Set replaces everything; the cursor goes to the end.
func (e *Editor) Set(text string) {
	e.change(0, len(e.cells), cells(text))
	e.held = false
}

// Choose puts a choice there. What is typed then stands in its place, unless it goes on with it as ", and why" does.
//
//go:noinline
func (e *Editor) Choose(text string) {
	e.Set(text)
	e.held = true
}

// Insert types text at the cursor.
func (e *Editor) Insert(text string) {
	e.put(cells(text))
	if len(text) <= utf8.UTFMax { // a combining mark may join what stands before it
		e.join()
	}
	e.hide()
}

// hide makes one block of a key around the cursor, as soon as it is known for one: what is typed further belongs to it, and no undo shows it.
func (e *Editor) hide() {
	from, to, size, figures, hidden := e.at, e.at, 0, false, false
	look := func(i int) bool {
		c := e.cells[i]
		size, figures, hidden = size+len(c.text), figures || c.text[0] >= '0' && c.text[0] <= '9', hidden || c.block
		return size <= longestWord
	}
	for from > 0 && e.ofWord(from-1) && look(from-1) {
		from--
	}
	for to < len(e.cells) && e.ofWord(to) && look(to) {
		to++
	}
	if size < shortestKey || size > longestWord || !figures && !hidden {
		return
	}
	word := (&Editor{cells: e.cells[from:to]}).Text()
	whole := Editor{cells: e.cells[:from], at: from}
	before := whole.since(max(0, from-longestWord))
	rest, ok := strings.CutPrefix(phrase.Withheld(before+word), before)
	switch {
	case ok && rest != word:
		e.change(from, to, []cell{{text: word, show: Visible(rest), block: true}})
		e.edits = edits{}
	case ok && hidden: // it goes on as no key does
		e.change(from, to, cells(word))
	}
}

// shortestKey is from how many bytes on a word may be a key.
const shortestKey = 16

// ofWord reports whether a cell is of a word, or of a key that is hidden.
func (e *Editor) ofWord(i int) bool {
	c := e.cells[i]
	return c.text > " " && c.text != "\u3000" && (!c.block || strings.HasSuffix(c.show, "…") && !strings.ContainsAny(c.text, " \n"))
}

// join makes one cluster of what belongs together around the cursor.
func (e *Editor) join() {
	if e.at < 2 || e.cells[e.at-1].block || e.cells[e.at-2].block {
		return
	}
	both := cells(e.cells[e.at-2].text + e.cells[e.at-1].text)
	if len(both) == 1 {
		e.change(e.at-2, e.at, both)
	}
}

// Paste puts pasted text in. Line endings become new lines; a long text becomes one block, and so does a key, which is not shown.
func (e *Editor) Paste(text, label string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	rows := strings.Count(text, "\n") + 1
	if rows == 1 { // a key that is pasted is one
		if masked := phrase.Withheld(text); masked != text {
			e.put([]cell{{text: text, show: Visible(masked), block: true}})
			return
		}
	}
	if rows <= pasteRows && len(text) <= pasteBytes {
		e.put(cells(text))
		return
	}
	e.put([]cell{{text: text, show: "[" + fmt.Sprintf(label, rows) + "]", block: true}})
}

func (e *Editor) put(c []cell) {
	if e.held && len(c) > 0 && strings.IndexFunc(c[0].text, wordy) == 0 {
		e.Set("")
	}
	e.held, e.kills = false, false
	e.change(e.at, e.at, c)
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func cells(text string) []cell {
	var out []cell
	g := displaywidth.StringGraphemes(text)
	for g.Next() {
		out = append(out, shape(g.Value()))
	}
	return out
}

// shape decides how a cluster is shown.
func shape(cluster string) cell {
	switch cluster {
	case "\r\n", "\n":
		return cell{text: "\n"}
	case "\t":
		return cell{text: "\t", show: strings.Repeat(" ", TabWidth)}
	}
	if v := Visible(cluster); v != cluster {
		return cell{text: cluster, show: v}
	}
	return cell{text: cluster}
}

func (c cell) shown() string {
	if c.show != "" {
		return c.show
	}
	return c.text
}

// remove deletes the cells between the cursor and to, and moves the cursor to where they were.
func (e *Editor) remove(to int) []cell {
	from, to := min(e.at, to), max(e.at, to)
	from, to = max(from, 0), min(to, len(e.cells))
	gone := slices.Clone(e.cells[from:to])
	e.change(from, to, nil)
	return gone
}

// kill removes and remembers. What is cut by one key after the other is brought back together.
func (e *Editor) kill(to int) {
	before := to < e.at
	gone := e.remove(to)
	switch {
	case len(gone) == 0:
		return
	case e.kills && before:
		gone = append(gone, e.cut...)
	case e.kills:
		gone = append(slices.Clip(e.cut), gone...)
	}
	e.cut, e.kills = gone, true
}

// home and end are the bounds of the line that the cursor is in.
//
//go:noinline
func (e *Editor) home() int {
	i := e.at
	for i > 0 && e.cells[i-1].text != "\n" {
		i--
	}
	return i
}

//go:noinline
func (e *Editor) end() int {
	i := e.at
	for i < len(e.cells) && e.cells[i].text != "\n" {
		i++
	}
	return i
}

// back and forth are where a word begins to the left and ends to the right. In text without spaces a word is a run of
// one script.
func (e *Editor) back() int {
	i := e.at
	for i > 0 && kind(e.cells[i-1]) == 0 {
		i--
	}
	if i == 0 {
		return i
	}
	k := kind(e.cells[i-1])
	for i > 0 && kind(e.cells[i-1]) == k {
		i--
	}
	return i
}

func (e *Editor) forth() int {
	i := e.at
	for i < len(e.cells) && kind(e.cells[i]) == 0 {
		i++
	}
	if i == len(e.cells) {
		return i
	}
	k := kind(e.cells[i])
	for i < len(e.cells) && kind(e.cells[i]) == k {
		i++
	}
	return i
}

// kind sorts cells into what a word is made of; 0 is what stands between words.
func kind(c cell) int {
	r, _ := utf8.DecodeRuneInString(c.text)
	switch {
	case c.block:
		return 1
	case unicode.In(r, unicode.Han):
		return 2
	case unicode.In(r, unicode.Hiragana):
		return 3
	case unicode.In(r, unicode.Katakana) || r == 'ー':
		return 4
	case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
		return 5
	}
	return 0
}

// blank is where what stands between blanks begins to the left; of what is written without blanks, a word.
func (e *Editor) blank() int {
	i := e.at
	for i > 0 && strings.TrimSpace(e.cells[i-1].text) == "" {
		i--
	}
	if begin := i; i > 0 {
		for i > 0 && latin(e.cells[i-1]) {
			i--
		}
		if i < begin {
			return i
		}
	}
	return e.back()
}

// latin reports whether a cell is part of a word as blanks part it: of a path, an address, a name with signs in it.
func latin(c cell) bool {
	return !c.block && strings.TrimSpace(c.text) != "" && (kind(c) == 5 || c.text[0] < utf8.RuneSelf)
}

// Key handles the keys that edit, and reports whether it was one.
func (e *Editor) Key(name string) bool {
	if !e.edit(name) {
		return false
	}
	if !lists.Has(killers, name) {
		e.kills = false
	}
	e.held = false
	return true
}

// killers are the keys that cut.
var killers = []string{"ctrl+w", "alt+backspace", "ctrl+backspace", "alt+d", "alt+delete", "ctrl+delete", "ctrl+u", "ctrl+k"}

func (e *Editor) edit(name string) bool {
	switch name {
	case "left", "ctrl+b":
		e.at = max(e.at-1, 0)
	case "right", "ctrl+f":
		e.at = min(e.at+1, len(e.cells))
	case "home", "ctrl+a":
		e.at = e.home()
	case "end", "ctrl+e":
		e.at = e.end()
	case "ctrl+home":
		e.at = 0
	case "ctrl+end":
		e.at = len(e.cells)
	case "alt+left", "ctrl+left", "alt+b":
		e.at = e.back()
	case "alt+right", "ctrl+right", "alt+f":
		e.at = e.forth()
	case "backspace", "ctrl+h", "shift+backspace":
		e.remove(e.at - 1)
	case "delete", "ctrl+d":
		e.remove(e.at + 1)
	case "ctrl+w":
		e.kill(e.blank())
	case "alt+backspace", "ctrl+backspace":
		e.kill(e.back())
	case "alt+d", "alt+delete", "ctrl+delete":
		e.kill(e.forth())
	case "ctrl+u":
		e.killBack()
	case "ctrl+k":
		e.killLine()
	case "ctrl+y":
		e.put(slices.Clone(e.cut))
	case "ctrl+t":
		e.swap()
	case "ctrl+_", "ctrl+/":
		e.undo()
	case "alt+/", "ctrl+shift+_": // Alt-_ begins a sequence
		e.redo()
	default:
		return false
	}
	return true
}

// killBack cuts what stands before the cursor in its line; at its start, the line break before it.
func (e *Editor) killBack() {
	if to := e.home(); to < e.at {
		e.kill(to)
	} else {
		e.kill(max(to-1, 0))
	}
}

func (e *Editor) killLine() {
	if to := e.end(); to > e.at {
		e.kill(to)
	} else {
		e.kill(to + 1)
	}
}

func (e *Editor) swap() {
	i := min(e.at, len(e.cells)-1)
	if i < 1 {
		return
	}
	e.change(i-1, i+1, []cell{e.cells[i], e.cells[i-1]})
}

// Before is the text before the cursor, as it is shown: a pasted block is its label.
func (e *Editor) Before() string { return e.since(0) }

// longestWord is how many cells of a word are looked at.
const longestWord = 512

// Word is what was typed since the last space before the cursor, and whether that is all before it; empty where it is too long to stand for something.
func (e *Editor) Word() (word string, all bool) {
	from := max(e.at-longestWord, 0)
	before := e.since(from)
	at := strings.LastIndexFunc(before, unicode.IsSpace) + 1
	if at == 0 && from > 0 {
		return "", false
	}
	return before[at:], at+from == 0
}

func (e *Editor) since(from int) string {
	var b strings.Builder
	for _, c := range e.cells[from:e.at] {
		if c.block {
			b.WriteString(c.show)
		} else {
			b.WriteString(c.text)
		}
	}
	return b.String()
}

// Spoken is the text as it is shown, with a bar where the cursor stands before some of it.
func (e *Editor) Spoken() string {
	var b strings.Builder
	for i, c := range e.cells {
		if i == e.at {
			b.WriteByte('|')
		}
		b.WriteString(c.shown())
	}
	return b.String()
}

// Drop deletes so many characters before the cursor.
func (e *Editor) Drop(runes int) {
	for runes > 0 && e.at > 0 {
		runes -= utf8.RuneCountInString(e.cells[e.at-1].text)
		e.remove(e.at - 1)
	}
}

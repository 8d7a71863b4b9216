package tool

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A meaning is what a content that a model gave for a file comes to.
type meaning struct {
	next  []byte // the file after it
	edits []replacement
	seen  [2]int // the lines of the first edit, where there are edits
	risks []string
	notes notes // how it was read

	missed int   // of the edits, those that cannot be made
	left   patch // what the model is told of them
}

// A content is what a model gave for a file, beside what the file holds.
type content struct {
	path  string
	text  string
	sent  string // text as it was given
	file  *document
	was   map[string]bool // the file's lines, without the white space around them
	back  func(hash string) bool
	said  string // the words beside the change
	stubs bool   // see [nebula.View.Bare]

	elsewhere func(name string) bool // whether another file uses a name; nil where nobody can tell
}

func newContent(path, text, file string, v nebula.View) *content {
	c := &content{path: path, text: unix(text), sent: unix(text), file: newDocument(unix(strings.TrimPrefix(file, "\ufeff"))), was: map[string]bool{}, back: v.SentBack, stubs: v.Bare}
	for _, l := range c.file.lines {
		c.was[strings.TrimSpace(l)] = true
	}
	return c
}

// whole reads a content that is to be the whole of a file. What looks like an edit is that edit, where what it replaces
// is in the file; where a part is left out, it is taken from the file if it is clear which; what is neither is sent back.
func (c *content) whole(data []byte) (m meaning, err error) {
	if strings.TrimSpace(c.text) == "" && strings.TrimSpace(c.file.text) != "" {
		if c.insisted() {
			return meaning{next: []byte(c.text), risks: []string{nebula.OnlyPart}}, nil
		}
		return m, c.refuse("To change it, give the complete new file. To empty it, write it again. To delete it, use deleteFile.", "The content for %q is empty, and all that it holds would be lost.", c.path)
	}
	if line := c.blank(); line != "" {
		return c.standing(line)
	}
	edits, form := c.looks()
	switch {
	case form.Format != "" && c.insisted() && c.illustrates() && !c.part():
		return meaning{next: []byte(c.text), risks: []string{nebula.Literal}}, nil
	case form.Format != "" && c.insisted():
		return meaning{next: []byte(c.text), risks: c.marked(c.adds(c.file.text, c.text) && len(c.was) > fewLines, documents.In(c.path))}, nil
	case form.Format != "" && c.illustrates():
		return m, c.refuse(rightForms, "The content of %q looks like %s.", c.path, form)
	case len(edits) > 0:
		m, err := c.patched(data, edits)
		if again := (*nebula.Mistake)(nil); err == nil || errors.As(err, &again) && again.Again != "" {
			if m.notes = m.notes.after(nebula.Say("It was read as %s.", form)); form.Format == ownDress.Format {
				m.risks = append(m.risks, nebula.Undressed)
			}
			return m, err
		}
		return m, c.refuseEdit("The content of %q looks like %s, and what it replaces is not in the file once.", c.path, form)
	case form.Format != "":
		return m, c.refuseEdit("The content of %q looks like %s.", c.path, form)
	}
	if text, how := c.undressed(); how != "" && !c.insisted() {
		bare := *c
		bare.text = text
		m, err = bare.whole(data)
		if m.notes = m.notes.after(nebula.Words{Format: how}); how != onlyBlock || !c.surely(text) {
			m.risks = append(m.risks, nebula.Undressed)
		}
		return m, err
	}
	if text, only := c.unframed(); text != "" && !c.insisted() {
		bare := *c
		bare.text = text
		m, err = bare.whole(data)
		m.notes = m.notes.after(nebula.Say("The words around it were left out."))
		return m, err
	} else if only && !c.insisted() {
		return m, c.refuse("Give the file alone, without words about it.", "The content of %q begins with words that the file has not: %q.", c.path, phrase.OneLine(full(c.lines())[0], 80))
	}
	return c.complete(m)
}

// standing takes a content that only stands for one: given again, it is shown for that, and made where the words beside it say that it is meant.
func (c *content) standing(line string) (meaning, error) {
	if c.insisted() {
		return meaning{next: []byte(c.text), risks: c.marked(false, true)}, nil
	}
	return meaning{}, c.refuse(rightForms, "The content of %q leaves a part out: %q.", c.path, phrase.OneLine(line, 80))
}

// patched applies edits that were read out of a content.
func (c *content) patched(data []byte, edits []replacement) (meaning, error) {
	edits, risks, err := c.filled(edits)
	if err != nil {
		return meaning{}, err
	}
	for _, tried := range [][]replacement{edits, trimmed(edits)} {
		p := patched(c.path, string(data), tried, stranger{})
		wrong := p.failed(true)
		if wrong == nil {
			return meaning{next: []byte(p.next), edits: tried, seen: p.lines, notes: p.notes, risks: risks}, nil
		}
		if err == nil {
			err = wrong
		}
	}
	return meaning{}, err
}

// trimmed are edits without the empty lines around what they replace.
func trimmed(edits []replacement) []replacement {
	out := make([]replacement, len(edits))
	for i, e := range edits {
		out[i] = replacement{Old: strings.Trim(e.Old, "\n") + "\n", New: strings.Trim(e.New, "\n") + "\n", All: e.All}
		if strings.TrimSpace(e.New) == "" {
			out[i].New = ""
		}
	}
	return out
}

// complete takes a content for the whole file, with what it leaves out.
func (c *content) complete(m meaning) (meaning, error) {
	text, left := c.merged(c.file.text, c.text)
	if left != "" && c.idle(text) {
		left = ""
	}
	remark, stub, moved := c.outweighed(c.file.text, c.text), c.hollowed(), c.shifted()
	switch {
	case left != "" && c.insisted():
		m.risks = c.marked(false, true)
	case left != "" && text == "":
		return m, c.refuse(rightForms, "The content of %q leaves a part out: %q.", c.path, phrase.OneLine(left, 80))
	case left != "" && strings.TrimSpace(text) == strings.TrimSpace(c.file.text):
		return m, c.refuse(rightForms, "The content of %q leaves out what is to change: it says only %q beside what is there.", c.path, phrase.OneLine(left, 80))
	case left != "":
		m.next, m.risks, m.notes = []byte(text), []string{nebula.FilledIn}, notes{nebula.Say("What it left out was taken from the file.")}
		return m, nil
	case remark != "" && c.insisted():
		m.risks = c.marked(false, true)
	case remark != "":
		return m, c.refuse(rightForms, "In the content of %q only a remark stands where the file has lines of code: %q.", c.path, phrase.OneLine(remark, 80))
	case stub != "" && c.insisted():
		m.risks = c.marked(false, true)
	case stub != "":
		return m, c.refuse(rightForms, "In the content of %q something that only stands for a body replaces one that the file has: %q.", c.path, phrase.OneLine(stub, 80))
	case (c.wordless() || moved != "") && c.insisted():
		m.risks = c.marked(false, true)
	case c.part() && c.insisted():
		m.risks, m.notes = []string{nebula.Reduced}, notes{goneLines}
	case c.wordless():
		return m, c.refuse(rightForms, "The content of %q is only a remark, where the file has code.", c.path)
	case c.part():
		return m, c.sendBack("The content of %q holds only a few of the file's lines, and the others would be lost.", c.path)
	case moved != "":
		return m, c.unshift(moved)
	case c.entities() && !c.insisted():
		return m, c.refuse("Write the characters themselves.", "The content of %q writes characters as entities, which the file does not.", c.path)
	}
	m.next = []byte(c.text)
	return m, c.unfit(&m)
}

// unfit sends a content back that by its shape can hardly be the file: it is none of its kind, it has nothing of it, or it has lost a
// part of it without a word. Given again it is taken; where lines would be lost, it is asked about.
func (c *content) unfit(m *meaning) error {
	line, stray, names := cmp.Or(c.misshapen(), c.flushed()), cmp.Or(c.strayed(), c.around()), c.lost()
	if names == nil && !c.spoken(nil) {
		names = c.dropped()
	}
	told, end := c.onlyDescribes(), c.ended()
	loses := told || end != "" || c.unlike() || len(names) > 0 || (c.thinned() || c.scant()) && !c.spoken(nil)
	switch {
	case line == "" && stray == "" && !loses:
		return nil
	case c.insisted():
		risk := c.marked(false, !told)[0]
		if line == "" && stray == "" && !told {
			risk, m.notes = nebula.Reduced, append(m.notes, goneLines)
		}
		if !lists.Has(m.risks, risk) {
			m.risks = append(m.risks, risk)
		}
		return nil
	case line != "":
		return c.refuse(rightForms, "The content of %q is no %s any more, which the file is: %q.", c.path, kindOf(c.path), phrase.OneLine(line, 80))
	case stray != "":
		return c.refuse(rightForms, "The content of %q has a line that hardly belongs to it, and that the file has not: %q.", c.path, phrase.OneLine(stray, 80))
	case told:
		return c.refuseEdit("The content of %q is words about a change, and no file: %q.", c.path, phrase.OneLine(strings.TrimSpace(c.text), 80))
	case len(names) > 0:
		return c.sendBack("The content of %q leaves out what the file defines: %s.", c.path, phrase.OneLine(strings.Join(names, ", "), 120))
	case end != "":
		return c.sendBack("The content of %q ends before the file does: it has nothing of what stands there from %q on.", c.path, phrase.OneLine(end, 80))
	case c.unlike():
		return c.sendBack("The content of %q has nothing of what the file holds.", c.path)
	}
	return c.sendBack("The content of %q holds only a few of the file's lines, and the others would be lost.", c.path)
}

// Bounds of what counts as a part of a file.
const (
	partOf    = 12 // lines of the file with something on them, at least
	fewLines  = 3  // lines of a program that one line which is none of them hardly replaces
	partLeft  = 8  // times as many lines as are given: whatever they say, it is hardly the whole
	partWords = 4  // letters and digits of a line, for it to tell where it comes from
)

// part reports whether the content drops most of a file that it quotes, or all but nothing of one.
func (c *content) part() bool {
	lines, quotes, telling := 0, 0, 0
	for l := range strings.Lines(c.text) {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if lines++; words(l) < partWords {
			continue
		}
		if telling++; c.was[l] {
			quotes++
		}
	}
	old := 0
	for _, l := range c.file.lines {
		if strings.TrimSpace(l) != "" {
			old++
		}
	}
	if lines > 0 && lines < old && (c.inner() || 2*lines < old && c.versions() || lines == 1 && quotes == 0 && old > fewLines && program.In(c.path)) {
		return true
	}
	if c.cutShort() || c.unclosed() || old > fewLines+1 && 2*lines < old && quotes > 0 && quotes < telling && c.begins() {
		return true
	}
	return old >= partOf && (c.head() || 2*lines < old && quotes > 0 && 3*quotes >= telling || lines > 0 && partLeft*lines <= old)
}

// head reports whether the content is a beginning of the file that ends inside of something, where the file goes on: a
// fourth of the file or more is behind it.
func (c *content) head() bool {
	given := full(c.lines())
	if len(given) == 0 || !program.In(c.path) {
		return false
	}
	end := given[len(given)-1]
	at := -1
	for i := len(given) - 1; at < 0 && i >= 0; i-- { // the last line that stands in the file once tells where it ends
		if place, ok := once(c.file.lines, given[i:i+1]); ok {
			at = place[1] + len(given) - 1 - i
		}
	}
	if at < 1 || at >= len(c.file.lines) || c.file.lines[at-1] != end || 4*at > 3*len(c.file.lines) {
		return false
	}
	next := full(c.file.lines[at:])
	if len(next) == 0 || c.file.lines[at] != next[0] {
		return false
	}
	return len(lead(next[0])) > len(lead(end)) || lead(end) != "" && lead(next[0]) == lead(end)
}

// begins reports whether the content begins with a line from inside the file, and has none of what stands before it.
func (c *content) begins() bool {
	given := full(c.lines())
	at, one := once(c.file.lines, given[:1])
	return one && slices.ContainsFunc(c.file.lines[:at[0]], func(l string) bool { return words(l) > 0 }) &&
		!slices.ContainsFunc(c.file.lines[:at[0]], func(l string) bool { return words(l) > 0 && lists.Has(given, l) })
}

// versions reports whether all that the content says are lines of the file, some with another end.
func (c *content) versions() bool {
	found, changed := 0, 0
	for _, l := range full(c.lines()) {
		l = strings.TrimSpace(l)
		if words(l) < partWords {
			continue
		}
		key := strings.IndexAny(l, ":=")
		if found++; !c.was[l] {
			changed++
		}
		if !c.was[l] && (key <= 0 || !slices.ContainsFunc(c.file.lines, func(old string) bool { return strings.HasPrefix(strings.TrimSpace(old), l[:key+1]) })) {
			return false
		}
	}
	return found > 0 && changed > 0
}

// inner reports whether the content begins deeper than any line of the file that stands at its edge: it is from inside it.
func (c *content) inner() bool {
	deep := func(lines []string) bool {
		lines = full(lines)
		return len(lines) > 0 && strings.TrimLeft(lines[0], " \t") != lines[0]
	}
	return program.In(c.path) && deep(c.lines()) && !deep(c.file.lines)
}

// words counts the letters and digits of a line.
func words(l string) int {
	n := 0
	for _, r := range l {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// filled are edits whose new text is whole: what it leaves out is taken from what it replaces.
func (c *content) filled(edits []replacement) (out []replacement, risks []string, err error) {
	for _, e := range edits {
		text, left := c.merged(unix(e.Old), unix(e.New))
		if left != "" && above(unix(e.Old), unix(e.New)) {
			left = ""
		}
		switch {
		case left != "" && text == "":
			return nil, nil, c.refuse("Write out all lines, or replace fewer.", "The new text for %q leaves a part out: %q.", c.path, phrase.OneLine(left, 80))
		case left != "" && strings.TrimSpace(text) == strings.TrimSpace(unix(e.Old)):
			return nil, nil, c.refuse("Write out the lines as they shall be.", "The new text for %q is only a placeholder: %q.", c.path, phrase.OneLine(left, 80))
		case left != "":
			e.New, risks = text, []string{nebula.FilledIn}
		}
		if remark := c.outweighed(unix(e.Old), unix(e.New)); remark != "" {
			return nil, nil, c.refuse("Write out all lines, or replace fewer.", "In the new text for %q only a remark stands where the old one has lines of code: %q.", c.path, phrase.OneLine(remark, 80))
		}
		out = append(out, e)
	}
	return out, risks, nil
}

// replaced reads edits that were given as such: none of their new texts may be an edit itself, or leave something out
// that is not known. Each is made for itself.
func (c *content) replaced(data []byte, edits []replacement, unread stranger) (meaning, error) {
	m := meaning{edits: edits}
	var err error
	if c.insisted() {
		m.risks = c.marked(!slices.ContainsFunc(edits, func(e replacement) bool { return sign(unix(e.New), c.path) && !c.amid(e.New) || !c.adds(e.Old, e.New) }), true)
	} else {
		for _, e := range edits {
			inner := *c
			inner.text = unix(e.New)
			_, numbered := unnumbered(unix(e.Old))
			if _, too := unnumbered(inner.text); numbered && too {
				continue
			}
			if found, form := inner.edits(); form.Format != "" && !sign(unix(e.Old), c.path) && (len(found) > 0 || e.New != e.Old) {
				return m, c.refuse("Give in new only the lines as they shall be.", "The new text for %q looks like %s itself.", c.path, form)
			}
			if line := inner.stray(unix(e.Old)); line != "" {
				return m, c.refuse("Give in new only the lines as they shall be.", "The new text for %q has a line that hardly belongs to it, and that neither the old one nor the file has: %q.", c.path, phrase.OneLine(line, 80))
			}
			if inner.writtenOut(unix(e.Old)) {
				return m, c.refuse("End the line with a line break.", "The new text for %q writes a line break out as a backslash and an n, which neither the old one nor the file has: %q.", c.path, phrase.OneLine(inner.text, 80))
			}
			if inner.placeholder() {
				return m, c.refuse("Write out the lines as they shall be.", "The new text for %q is only a placeholder: %q.", c.path, phrase.OneLine(inner.text, 80))
			}
		}
		if m.edits, m.risks, err = c.filled(edits); err != nil {
			return m, err
		}
	}
	p := patched(c.path, string(data), m.edits, unread)
	if m.next, m.seen, m.notes = []byte(p.next), p.lines, p.notes; len(p.wrong) > 0 {
		m.left, m.missed = p, len(p.wrong)
	}
	if err := p.failed(false); err != nil || len(p.wrong) > 0 || c.insisted() {
		return m, err
	}
	return m, c.breaks(p.next)
}

func inQuotes(s string) string { return `"` + s + `"` }

// created reads the content of a file that is not there yet: there is nothing that it could be an edit of.
func created(path, text, said string, v nebula.View) (risks []string, err error) {
	c := newContent(path, text, "", v)
	c.said = said
	_, form := c.looks()
	_, left := c.merged("", c.text)
	left = cmp.Or(left, c.blank())
	plain, wrapping, moved := !c.pageOfEntities() && !c.brokenByHand(), c.around(), c.shifted()
	switch {
	case form.Format == "" && left == "" && plain && wrapping == "" && moved == "":
		return nil, nil
	case c.insisted():
		return c.marked(c.adds("", c.text), true), nil
	case form.Format != "":
		return nil, c.refuse("Give the complete file.", "The content of %q looks like %s, and the file does not exist.", path, form)
	case c.pageOfEntities():
		return nil, c.refuse("Write the characters themselves.", "The content of %q writes all its characters for tags as entities.", path)
	case moved != "":
		return nil, c.unshift(moved)
	case left == "" && wrapping != "":
		return nil, c.refuse("Give the file alone, without words about it.", "The content of %q has a line that hardly belongs to it: %q.", path, phrase.OneLine(wrapping, 80))
	case !plain:
		return nil, c.refuse("End the line with a line break.", "The content of %q is one line that ends with a line break written out as a backslash and an n.", path)
	}
	return nil, c.refuse("Write out all of it.", "The content of %q leaves a part out: %q, and the file does not exist.", path, phrase.OneLine(left, 80))
}

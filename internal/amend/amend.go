// Package amend reads a change of a file as a person wrote it in the place of one that was proposed: the same diff, with other lines.
package amend

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"nebula"
)

// A Hunk puts lines in the place of some of a file's, which count from 0.
type Hunk struct {
	From, Old int
	New       []string
}

// A Change is what a person made of a proposal's diff.
type Change struct {
	Hunks []Hunk
	Diff  string // as it would be shown for a proposal
}

// Offered is what a person may write otherwise: the command, or the diff of one text; empty for other proposals.
func Offered(p nebula.Proposal) string {
	if p.Effect == nebula.Execute {
		return p.Command
	}
	files := 0
	for _, t := range p.Targets {
		switch t.Kind {
		case "create", "edit":
			files++
		case "mkdir":
		default:
			return ""
		}
	}
	if files != 1 || p.Effect != nebula.Write || p.Ran != "" || !strings.Contains(p.Diff, "\n@@ ") {
		return ""
	}
	return p.Diff
}

// Check says why what a person wrote in the place of what was offered cannot be taken.
func Check(p nebula.Proposal, own string) error {
	if p.Effect == nebula.Execute {
		return nil
	}
	_, err := Read(p.Diff, own)
	return err
}

// A head begins a hunk.
type head struct {
	line  string
	lines []string
}

// heads are the hunks of a diff.
func heads(diff string) (all []head) {
	for line := range strings.SplitSeq(strings.TrimRight(diff, "\n"), "\n") {
		switch n := len(all) - 1; {
		case strings.HasPrefix(line, "@@ "):
			all = append(all, head{line: line})
		case n >= 0 && !strings.HasPrefix(line, `\`):
			all[n].lines = append(all[n].lines, line)
		}
	}
	return all
}

// Read reads the diff that a person wrote in the place of another. Lines of the file stay as they are, go with a - before them, and stay again
// without it; what else stands there is put in, with a + before it or without. A hunk that is left out is not made.
func Read(diff, own string) (c Change, err error) {
	own = strings.ReplaceAll(own, "\r\n", "\n") // as pages send it
	all := heads(diff)
	top, _, _ := strings.Cut(diff, "@@ ")
	c.Diff = top
	before, _, _ := strings.Cut(own, "@@ ")
	for line := range strings.SplitSeq(strings.TrimSpace(before), "\n") {
		if !strings.Contains(top, strings.TrimSpace(line)) {
			return Change{}, nebula.Errorf("%q is no line of the change: it can be written otherwise below the lines with @@ alone", line)
		}
	}
	if i := strings.IndexFunc(own, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) }); i >= 0 {
		return Change{}, nebula.Errorf("the change holds a control character, which nobody sees: %q", []rune(own[i:])[0])
	}
	shift := 0
	for _, h := range heads(own) {
		at := 0
		for at < len(all) && all[at].line != h.line {
			at++
		}
		if at == len(all) {
			return Change{}, nebula.Errorf("%q is not where a part of the change begins: leave the lines with @@ as they are, in their order", h.line)
		}
		hunk, shown, err := all[at].read(h.lines)
		if err != nil {
			return Change{}, err
		}
		all = all[at+1:]
		c.Hunks = append(c.Hunks, hunk)
		c.Diff += fmt.Sprintf("@@ -%s +%s @@\n", span(hunk.From, hunk.Old), span(hunk.From+shift, len(hunk.New))) + strings.Join(shown, "\n") + "\n"
		shift += len(hunk.New) - hunk.Old
	}
	if len(c.Hunks) == 0 {
		return Change{}, nebula.Errorf("nothing is left of the change: to leave the file as it is, answer no")
	}
	return c, nil
}

// span is a part of a file as a head names it.
func span(from, lines int) string {
	switch lines {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, lines)
}

// read is a hunk with a person's lines, and its lines as they are shown.
func (h head) read(own []string) (made Hunk, shown []string, err error) {
	var old []string
	for _, l := range h.lines {
		if l == "" {
			l = " "
		}
		if l[0] != '+' {
			old = append(old, l[1:])
		}
	}
	at := 0
	for _, l := range own {
		switch {
		case at < len(old) && (l == " "+old[at] || l == "" && old[at] == ""):
			made.New, shown = append(made.New, old[at]), append(shown, " "+old[at])
			at++
		case at < len(old) && l == "-"+old[at]:
			shown = append(shown, l)
			at++
		case strings.HasPrefix(l, "-"), strings.HasPrefix(l, " "):
			return made, nil, nebula.Errorf("%q is no line of the file there: begin what you put in with +, and leave the other lines as they are, but for a - before what is to go", l)
		default:
			l = strings.TrimPrefix(l, "+")
			made.New, shown = append(made.New, l), append(shown, "+"+l)
		}
	}
	if at < len(old) {
		return made, nil, nebula.Errorf("the file's line %q is left out: put a - before it if it is to go", old[at])
	}
	from, _, _ := strings.Cut(strings.TrimPrefix(h.line, "@@ -"), " ")
	from, _, _ = strings.Cut(from, ",")
	if made.From, err = strconv.Atoi(from); err != nil {
		return made, nil, nebula.Errorf("%q is not where a part of the change begins: leave the lines with @@ as they are, in their order", h.line)
	}
	if made.Old = len(old); made.Old > 0 {
		made.From--
	}
	return made, shown, nil
}

// Apply makes the change of a text, whose lines end with a newline. It fails where the text is another.
func (c Change) Apply(text string) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var b strings.Builder
	at := 0
	for _, h := range c.Hunks {
		if h.From < at || h.From+h.Old > len(lines) {
			return "", false
		}
		for _, l := range lines[at:h.From] {
			b.WriteString(l)
		}
		if b.Len() > 0 && len(h.New) > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		for _, l := range h.New {
			b.WriteString(l + "\n")
		}
		at = h.From + h.Old
	}
	for _, l := range lines[at:] {
		b.WriteString(l)
	}
	return b.String(), true
}

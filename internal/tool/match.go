package tool

import (
	"strconv"
	"strings"

	"nebula/internal/lazy"
)

// A region is a part of a text that an edit replaces, and what it is replaced by.
type region struct {
	start, end int // bytes
	text       string
}

// A document is a text with its lines, as the matcher sees it: endings apart.
type document struct {
	text   string
	lines  []string // without endings
	starts []int    // of every line, and one more for the end of the text
	ending string   // of most lines
}

func newDocument(text string) *document {
	d := &document{text: text, ending: "\n"}
	crlf := 0
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(text)-at, len(text)
		}
		line := text[at : at+end]
		if strings.HasSuffix(line, "\r") && next > at+end {
			line = line[:len(line)-1]
			crlf++
		}
		d.lines = append(d.lines, line)
		d.starts = append(d.starts, at)
		at = next
	}
	d.starts = append(d.starts, len(text))
	if crlf > len(d.lines)/2 {
		d.ending = "\r\n"
	}
	return d
}

// lineAt is the 1-based line of a byte.
func (d *document) lineAt(at int) int { return strings.Count(d.text[:at], "\n") + 1 }

// find looks for the one place where old stands, from the strictest reading of it to the loosest; a reading counts only
// when the stricter ones find nothing. It returns every place of the first reading that finds any: one is a match,
// several are ambiguous, none is not found. how names a reading that is not the exact one.
func (d *document) find(old, new string) (found []region, how string) {
	old, new = unix(old), unix(new)
	if found = d.exact(old, new); len(found) > 0 {
		return found, ""
	}
	readings := []struct {
		how string
		fit func(file, old []string) (indentation, bool)
	}{
		{"white space at line ends", trailing},
		{"indentation", shifted},
	}
	for _, r := range readings {
		if found = d.matching(old, new, r.fit); len(found) > 0 {
			return found, r.how
		}
	}
	if bare, ok := unnumbered(old); ok && strings.TrimSpace(bare) != "" {
		if n, ok := unnumbered(new); ok {
			new = n
		}
		found, how = d.find(bare, new)
		return found, strings.TrimSuffix("line numbers, "+how, ", ")
	}
	return nil, ""
}

//go:noinline
func unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// exact finds old as it stands, within lines too. In a text with CRLF endings they take part as plain ones.
func (d *document) exact(old, new string) []region {
	text := d.text
	if strings.Contains(old, "\n") && strings.Contains(text, "\r\n") {
		return d.exactLines(old, new)
	}
	var found []region
	for at := 0; ; {
		i := strings.Index(text[at:], old)
		if i < 0 {
			return found
		}
		found = append(found, d.tidy(region{at + i, at + i + len(old), d.endings(d.flush(at+i, old, new))}, old, new))
		at += i + 1
	}
}

// flush takes from new the indentation that stands before old, where old has only a part of its line's and new has all of it.
func (d *document) flush(at int, old, new string) string {
	line := strings.LastIndexByte(d.text[:at], '\n') + 1
	before, is := d.text[line:at], lead(new)
	if before != "" && strings.TrimLeft(before, " \t") == "" && is != lead(old) && strings.HasPrefix(is, before+lead(old)) {
		return new[len(before):]
	}
	return new
}

// exactLines is exact for a text whose endings are not plain: it looks in the text with plain ones and finds its way back.
func (d *document) exactLines(old, new string) []region {
	flat := newDocument(unix(d.text))
	var found []region
	for _, r := range flat.exact(old, new) {
		r.start, r.end = d.back(flat, r.start), d.back(flat, r.end)
		r.text = d.endings(r.text)
		found = append(found, r)
	}
	return found
}

// back is where a byte of the flat text is in this one.
func (d *document) back(flat *document, at int) int {
	line := flat.lineAt(at) - 1
	if line >= len(d.lines) {
		return len(d.text)
	}
	return d.starts[line] + at - flat.starts[line]
}

// tidy takes the ending along when whole lines are taken out, so that no empty line stays.
func (d *document) tidy(r region, old, new string) region {
	whole := r.start == 0 || d.text[r.start-1] == '\n'
	if new != "" || strings.HasSuffix(old, "\n") || !whole {
		return r
	}
	switch rest := d.text[r.end:]; {
	case strings.HasPrefix(rest, "\n"):
		r.end++
	case strings.HasPrefix(rest, "\r\n"):
		r.end += 2
	}
	return r
}

func (d *document) endings(s string) string {
	if d.ending == "\n" {
		return s
	}
	return strings.ReplaceAll(s, "\n", d.ending)
}

// matching finds the runs of whole lines that fit old.
func (d *document) matching(old, new string, fit func(file, old []string) (indentation, bool)) []region {
	want := strings.Split(strings.TrimSuffix(old, "\n"), "\n")
	if blank(want) {
		return nil
	}
	var found []region
	for i := 0; i+len(want) <= len(d.lines); i++ {
		in, ok := fit(d.lines[i:i+len(want)], want)
		if !ok {
			continue
		}
		last := i + len(want) - 1
		r := region{start: d.starts[i], end: d.starts[last] + len(d.lines[last])}
		body := new
		if strings.HasSuffix(old, "\n") {
			body = strings.TrimSuffix(new, "\n")
		}
		if body == "" {
			r.end = d.starts[last+1]
		} else {
			r.text = d.endings(in.relative(want, body).apply(body))
		}
		found = append(found, r)
	}
	return found
}

func blank(lines []string) bool {
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			return false
		}
	}
	return true
}

// An indentation is how the file's indentation differs from the one in an edit.
type indentation struct {
	add, drop string // at the beginning of every line
	tab       string // what an edit writes for each tab of the file
}

func (in indentation) apply(text string) string {
	if in == (indentation{}) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.TrimSpace(l) != "" {
			lines[i] = in.line(l)
		}
	}
	return strings.Join(lines, "\n")
}

// relative is the indentation to add to a new text: none where all of its lines but words about it are indented as those of the file already.
func (in indentation) relative(old []string, new string) indentation {
	if in.add == "" {
		return in
	}
	deep, first := "", true
	for _, l := range old {
		if strings.TrimSpace(l) != "" && (first || len(lead(l)) < len(deep)) {
			deep, first = lead(l), false
		}
	}
	indented := false
	for l := range strings.Lines(new) {
		bare := strings.TrimSpace(l)
		if is := strings.HasPrefix(l, in.add+deep); !is && bare != "" && !remarked.In(bare) {
			return in
		} else if is && bare != "" {
			indented = true
		}
	}
	if !indented {
		return in
	}
	return indentation{tab: in.tab}
}

func (in indentation) line(l string) string {
	if in.tab != "" {
		white := lead(l)
		l = strings.ReplaceAll(white, in.tab, "\t") + l[len(white):]
	}
	return in.add + strings.TrimPrefix(l, in.drop)
}

// trailing holds lines for equal that differ in white space at their ends.
func trailing(file, old []string) (indentation, bool) {
	for i := range old {
		if strings.TrimRight(file[i], " \t\r") != strings.TrimRight(old[i], " \t\r") {
			return indentation{}, false
		}
	}
	return indentation{}, true
}

// shifted holds lines for equal that are all indented by the same more or less, or by tabs instead of spaces.
func shifted(file, old []string) (indentation, bool) {
	for i := range old {
		if strings.TrimSpace(file[i]) != strings.TrimSpace(old[i]) {
			return indentation{}, false
		}
	}
	for _, tab := range []string{"", "    ", "  ", "        "} {
		if in, ok := shift(file, old, tab); ok {
			return in, true
		}
	}
	return indentation{}, false
}

func shift(file, old []string, tab string) (in indentation, ok bool) {
	in.tab = tab
	for i := range old {
		if strings.TrimSpace(old[i]) == "" {
			continue
		}
		is, was := lead(file[i]), lead(old[i])
		if tab != "" {
			was = strings.ReplaceAll(was, tab, "\t")
		}
		switch add, longer := strings.CutSuffix(is, was); {
		case longer && (!ok || in.add == add && in.drop == ""):
			in.add = add
		case !longer:
			drop, shorter := strings.CutSuffix(was, is)
			if !shorter || ok && (in.drop != drop || in.add != "") {
				return in, false
			}
			in.drop = drop
		default:
			return in, false
		}
		ok = true
	}
	return in, ok
}

//go:noinline
func lead(l string) string { return l[:len(l)-len(strings.TrimLeft(l, " \t"))] }

var numbered = &lazy.Pattern{X: `^\s*(\d+)(?:[|:→]\s?|\t| |$)`}

// unnumbered takes off the line numbers that a model copied from somewhere. Every line has to have one, in order.
func unnumbered(s string) (string, bool) {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	last := 0
	for i, l := range lines {
		m := numbered.For(l).FindStringSubmatch(l)
		if m == nil {
			return "", false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || i > 0 && n != last+1 {
			return "", false
		}
		last, lines[i] = n, l[len(m[0]):]
	}
	out := strings.Join(lines, "\n")
	if strings.HasSuffix(s, "\n") {
		out += "\n"
	}
	return out, true
}

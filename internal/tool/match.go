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
//
//go:noinline
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
		{"white space", gapped},
	}
	for _, r := range readings {
		if found = d.matching(old, new, r.fit); len(found) > 0 {
			return found, r.how
		}
	}
	if found = d.inLine(old, new); len(found) > 0 {
		return found, "white space"
	}
	if bare, ok := unnumbered(old); ok && strings.TrimSpace(bare) != "" {
		if n, ok := unnumbered(new); ok {
			new = n
		}
		found, how = d.find(bare, new)
		return found, besides("line numbers", how)
	}
	if m := fencedOld.For(old).FindStringSubmatch(old); m != nil && strings.TrimSpace(m[1]) != "" {
		if n := fencedOld.For(new).FindStringSubmatch(new); n != nil {
			new = n[1]
		}
		found, how = d.find(m[1], new)
		return found, besides("the fence", how)
	}
	return d.typed(old, new)
}

// besides are two things that were ignored, the second of which may be none.
//
//go:noinline
func besides(one, other string) string { return strings.TrimSuffix(one+", "+other, ", ") }

// fencedOld is a text that stands in a fence, as in an answer.
var fencedOld = &lazy.Pattern{X: "(?s)^\\s*```[\\w+-]*[ \\t]*\n(.*)\n[ \\t]*```\\s*$"}

// keyed are the characters that a keyboard has for those that are printed. Each of the printed ones has three bytes.
var keyed = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'")

// typed finds old where it has other dashes or quotes than the file. What of new stands in the file already stays as it is there;
// new words that have such characters themselves are sent back: which ones belong there nobody said.
func (d *document) typed(old, new string) (found []region, how string) {
	flat, was := newDocument(keyed.Replace(d.text)), keyed.Replace(old)
	if was == old && flat.text == d.text {
		return nil, ""
	}
	found, how = flat.find(was, keyed.Replace(new))
	for i, r := range found {
		is := flat.text[r.start:r.end]
		r.start, r.end = d.typedAt(r.start), d.typedAt(r.end)
		from, to := 0, 0 // what stands in the file already
		for from < min(len(is), len(r.text)) && is[from] == r.text[from] {
			from++
		}
		for to < min(len(is), len(r.text))-from && is[len(is)-1-to] == r.text[len(r.text)-1-to] {
			to++
		}
		if strings.ContainsAny(r.text[from:len(r.text)-to], "-\"'") {
			return nil, ""
		}
		begin, end := d.typedAt(found[i].start+from), d.typedAt(found[i].end-to)
		r.text = d.text[r.start:begin] + r.text[from:len(r.text)-to] + d.text[end:r.end]
		found[i] = r
	}
	return found, besides("dashes and quotes", how)
}

// typedAt is where a byte of the text as a keyboard has it is in this one.
func (d *document) typedAt(at int) (i int) {
	for n := 0; n < at; n++ {
		if i++; d.text[i-1] == 0xe2 && i+2 <= len(d.text) && keyed.Replace(d.text[i-1:i+2]) != d.text[i-1:i+2] {
			i += 2
		}
	}
	return i
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

//go:noinline
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
			r.text = d.endings(in.relative(want, body).apply(respaced(d.lines[i:last+1], want, body)))
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
	tab       units  // what an edit writes, and what the file has for it
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
	white := lead(l)
	return in.add + strings.TrimPrefix(in.tab.as(white)+l[len(white):], in.drop)
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

// units are a step of indentation, as an edit writes it and as the file has it.
type units struct{ edit, file string }

var tabs = []units{{}, {"    ", "\t"}, {"  ", "\t"}, {"        ", "\t"}, {"\t", "    "}, {"\t", "  "}, {"\t", "        "}}

//go:noinline
func (u units) as(white string) string {
	if u.edit == "" {
		return white
	}
	return strings.ReplaceAll(white, u.edit, u.file)
}

// shifted holds lines for equal that are all indented by the same more or less, or by tabs instead of spaces or the other way.
func shifted(file, old []string) (indentation, bool) {
	for i := range old {
		if strings.TrimSpace(file[i]) != strings.TrimSpace(old[i]) {
			return indentation{}, false
		}
	}
	for _, tab := range tabs {
		if in, ok := shift(file, old, tab); ok {
			return in, true
		}
	}
	return indentation{}, false
}

func shift(file, old []string, tab units) (in indentation, ok bool) {
	in.tab = tab
	for i := range old {
		if strings.TrimSpace(old[i]) == "" {
			continue
		}
		is, was := lead(file[i]), tab.as(lead(old[i]))
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

package tool

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What models write for tabs inside of a line.

// gapped holds lines for equal that have other blanks and tabs between their words, beside what [shifted] allows.
func gapped(file, old []string) (indentation, bool) {
	return shifted(squeezed(file), squeezed(old))
}

// inLine finds a part of a line that has other blanks and tabs between its words than the file. It begins and ends where words do.
func (d *document) inLine(old, new string) (found []region) {
	words := gaps(old)
	if len(words) < 2 || strings.Contains(old+new, "\n") {
		return nil
	}
	const blanks = "[ \t]+"
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	as := strings.Join(words, blanks)
	if lead(old) != "" {
		as = blanks + as
	}
	if lead(old[len(old)-1:]) != "" {
		as += blanks
	}
	part := regexp.MustCompile(as)
	for at := 0; ; {
		is := part.FindStringIndex(d.text[at:])
		if is == nil {
			return found
		}
		from, to := at+is[0], at+is[1]
		if at = from + 1; !inWord(d.text, from) && !inWord(d.text, to) {
			file := d.text[from:to]
			found = append(found, region{from, to, respaced([]string{file}, []string{old}, new)})
		}
	}
}

// inWord reports whether a place of a text is inside of a word.
func inWord(text string, at int) bool {
	of := func(s string) bool {
		return strings.TrimFunc(s, func(r rune) bool { return r == '_' || r >= utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsDigit(r) }) == ""
	}
	return at > 0 && at < len(text) && of(text[at-1:at]) && of(text[at:at+1])
}

// gaps are the words of a line between blanks and tabs.
//
//go:noinline
func gaps(l string) []string {
	return strings.FieldsFunc(l, func(r rune) bool { return r == ' ' || r == '\t' })
}

func squeezed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = lead(l) + strings.Join(gaps(l), " ")
	}
	return out
}

// respaced is a new text with the file's white space between words, where it has that of the old lines.
func respaced(file, old []string, text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		n := strings.Trim(l, " \t")
		from := slices.IndexFunc(old, func(o string) bool { return strings.Trim(o, " \t") == n })
		if from < 0 && len(old) == len(lines) {
			from = i
		}
		if from < 0 {
			continue
		}
		f, o := strings.Trim(file[from], " \t"), strings.Trim(old[from], " \t")
		if f == o {
			continue
		}
		front, back := 0, 0
		for front < min(len(o), len(n)) && o[front] == n[front] {
			front++
		}
		for inRun(o, front) || inRun(n, front) {
			front--
		}
		for back < min(len(o), len(n))-front && o[len(o)-1-back] == n[len(n)-1-back] {
			back++
		}
		for inRun(o, len(o)-back) || inRun(n, len(n)-back) {
			back--
		}
		lines[i] = lead(l) + f[:sameAt(o, f, front)] + n[front:len(n)-back] + f[sameAt(o, f, len(o)-back):] + l[len(lead(l))+len(n):]
	}
	return strings.Join(lines, "\n")
}

// inRun reports whether a place of a line is inside of its white space.
func inRun(l string, at int) bool {
	return at > 0 && at < len(l) && lead(l[at-1:at]) != "" && lead(l[at:at+1]) != ""
}

// sameAt is where a place of a line is in one that differs in white space alone.
func sameAt(l, in string, at int) (i int) {
	for n := len(strings.Join(gaps(l[:at]), "")); n > 0 && i < len(in); i++ {
		if lead(in[i:i+1]) == "" {
			n--
		}
	}
	if at > 0 && lead(l[at-1:at]) != "" {
		i += len(lead(in[i:]))
	}
	return i
}

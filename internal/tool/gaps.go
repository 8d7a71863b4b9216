package tool

import (
	"slices"
	"strings"
)

// What models write for tabs inside of a line.

// gapped holds lines for equal that have other blanks and tabs between their words, beside what [shifted] allows.
func gapped(file, old []string) (indentation, bool) {
	return shifted(squeezed(file), squeezed(old))
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

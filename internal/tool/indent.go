package tool

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/phrase"
)

// offside are files in which indentation says what belongs where.
var offside = &lazy.Pattern{X: `(?i)\.pyi?$`}

// reindented gives new texts that stand further left than what they replace its indentation back, where the lines around them leave no other
// reading: a block would have no line, or a line behind it none that it belongs to.
func (d *document) reindented(found []region) (done bool) {
	for i, r := range found {
		whole := strings.HasSuffix(r.text, "\n") == strings.HasSuffix(d.text[r.start:r.end], "\n") && (r.start == 0 || d.text[r.start-1] == '\n')
		old, fresh := full(strings.Split(d.text[r.start:r.end], "\n")), full(strings.Split(r.text, "\n"))
		if !whole || len(old) == 0 || len(fresh) == 0 || !d.astray(r, fresh) {
			continue
		}
		add, shorter := strings.CutSuffix(lead(old[0]), lead(fresh[0]))
		if !shorter || add == "" {
			continue
		}
		text := indentation{add: add}.apply(r.text)
		if !d.astray(r, full(strings.Split(text, "\n"))) {
			found[i].text, done = text, true
		}
	}
	return done
}

// astray reports whether some lines in the place of a region leave a block without a line, or are followed by one that is deeper and belongs to none.
func (d *document) astray(r region, fresh []string) bool {
	before, behind := full(strings.Split(d.text[:r.start], "\n")), full(strings.Split(d.text[r.end:], "\n"))
	deeper := func(a, b string) bool { return len(lead(a)) > len(lead(b)) && strings.HasPrefix(lead(a), lead(b)) }
	first, last := fresh[0], fresh[len(fresh)-1]
	if n := len(before); n > 0 && strings.HasSuffix(strings.TrimSpace(before[n-1]), ":") && !deeper(first, before[n-1]) {
		return true
	}
	goesOn := slices.ContainsFunc([]string{":", ",", "(", "[", "{", `\`, `"""`}, func(end string) bool { return strings.HasSuffix(strings.TrimSpace(last), end) })
	return len(behind) > 0 && !goesOn && deeper(behind[0], last) && !slices.ContainsFunc(fresh, func(l string) bool { return lead(l) == lead(behind[0]) })
}

// shifted is the first line of a program all of whose lines are indented, which no line of the file is that it stands for; of another file, where
// lines of it are what was indented.
func (c *content) shifted() string {
	given, was := filledRaw(c.lines()), filledRaw(c.file.lines)
	in := func(l string) bool { return lead(l) == "" }
	same := func(l string) bool { return words(l) > 1 && c.was[strings.TrimSpace(l)] }
	if len(given) < 2 || !program.In(c.path) && !slices.ContainsFunc(given, same) || slices.ContainsFunc(given, in) || len(was) > 0 && !slices.ContainsFunc(was, in) {
		return ""
	}
	return given[0]
}

func (c *content) unshift(line string) error {
	return c.refuse("Give the lines as they stand in the file.", "All lines of the content of %q are indented: %q.", c.path, phrase.OneLine(line, 80))
}

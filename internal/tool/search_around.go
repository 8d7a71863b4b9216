package tool

import (
	"fmt"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/workspace"
)

// mostAround is how many lines are shown on each side of a match.
const mostAround = 10

// lineShown is how many bytes are shown of a line that matches, or stands beside one.
const lineShown = 300

// Names of files, and of folders, that try the code, or come from elsewhere.
var (
	trials = &lazy.Pattern{X: `(?i)(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*(?:_test|_spec|\.test|\.spec)\.[^/.]+|[^/]*[a-z](?:Test|Tests|IT)\.(?:java|kt|scala|cs))$`}
	abroad = &lazy.Pattern{X: `(?i)(?:^|/)(?:tests?|testdata|__tests__|spec|specs|fixtures|__snapshots__|vendor|third_party|node_modules|examples?)/`}
)

// lateral is 1 for a file whose lines are told behind those of the others, else 0.
func lateral(path string) int {
	if trials.In(path) || abroad.In(path) {
		return 1
	}
	return 0
}

// passages shows matches with so many lines on each side, as grep does: a colon behind the number of a line that matches, a
// dash behind those beside it, and two dashes between passages that do not touch.
func (t *searchInDirectory) passages(found []workspace.Match, around int) string {
	var b strings.Builder
	for len(found) > 0 {
		n := slices.IndexFunc(found, func(m workspace.Match) bool { return m.Path != found[0].Path })
		if n < 0 {
			n = len(found)
		}
		t.passagesOf(&b, found[:n], around)
		found = found[n:]
	}
	return b.String()
}

func (t *searchInDirectory) passagesOf(b *strings.Builder, found []workspace.Match, around int) {
	var lines [][]byte
	if data, _, err := t.dir.Read(found[0].Path, largest); err == nil { // else it is gone meanwhile: the matches are what is known
		lines = split(data)
	}
	next := 1
	show := func(no int, mark string, text string) {
		fmt.Fprintf(b, "%s%s%d%s%s\n", found[0].Path, mark, no, mark, clip(strings.TrimRight(text, " \t\r"), lineShown))
		next = no + 1
	}
	for i, m := range found {
		from := max(m.Line-around, next)
		if b.Len() > 0 && (i == 0 || from > next) {
			b.WriteString("--\n")
		}
		for no := from; no < m.Line && no <= len(lines); no++ {
			show(no, "-", string(lines[no-1]))
		}
		show(m.Line, ":", m.Text)
		for no := m.Line + 1; no <= min(m.Line+around, len(lines)) && (i+1 == len(found) || no < found[i+1].Line); no++ {
			show(no, "-", string(lines[no-1]))
		}
	}
}

package tool

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"

	"nebula"
	"nebula/internal/phrase"
)

// diffBytes is how much of a file, before and after, is compared line by line; all of that is shown. The comparison itself
// gives up looking for the shortest diff early, see udiff.Lines.
const diffBytes = 4 << 20

// compared fills in a target's counts and returns the unified diff from before to after. Line endings and a byte order
// mark, which edits keep, are not shown.
func compared(t *nebula.Target, before, after []byte) string {
	t.Was, t.Size = int64(len(before)), int64(len(after))
	if t.Kind != "delete" {
		t.After = nebula.Hash(after)
	}
	old, new := plain(before), plain(after)
	name := inHead(t.Path)
	from, to := "a/"+name, "b/"+name
	switch t.Kind {
	case "create":
		from = "/dev/null"
	case "delete":
		to = "/dev/null"
	}
	if t.Kind == "edit" && bytes.Equal(before, after) { // its rights or its time change, however large it is
		return ""
	}
	if opaque(before) || opaque(after) {
		t.Del, t.Add = lineCount(old), lineCount(new)
		return "--- " + from + "\n+++ " + to + "\n(binary: " + phrase.Bytes(t.Was) + " become " + phrase.Bytes(t.Size) + ")\n"
	}
	if len(old)+len(new) > diffBytes {
		t.Del, t.Add, t.Unshown = lineCount(old), lineCount(new), true
		return "--- " + from + "\n+++ " + to + "\n(too large to compare: " + phrase.Bytes(t.Was) + " become " + phrase.Bytes(t.Size) + ")\n"
	}
	edits := udiff.Lines(old, new)
	unified, err := udiff.ToUnifiedDiff(from, to, old, slid(old, edits), 3)
	if err != nil {
		t.Del, t.Add = lineCount(old), lineCount(new)
		return ""
	}
	for _, h := range unified.Hunks {
		h.ToLine = h.FromLine + t.Add - t.Del // the library's own is wrong behind a hunk of several changes
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				t.Add++
			case udiff.Delete:
				t.Del++
			}
		}
	}
	return unified.String()
}

// opaque reports whether nobody can read a content line by line.
func opaque(data []byte) bool { return phrase.Binary(data) || bytes.IndexByte(data, 0) >= 0 }

// inHead is a path as it stands in a diff's head: on one line, whatever is in it.
func inHead(path string) string {
	if !strings.ContainsFunc(path, unicode.IsControl) {
		return path
	}
	quoted := strconv.Quote(path)
	return quoted[1 : len(quoted)-1]
}

func plain(data []byte) string {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	return string(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
}

func lineCount(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

package symops

import (
	"errors"
	"strings"
)

// A change replaces one piece of a file.
type change struct {
	Old string `json:"old"`
	New string `json:"new"`
}

var errNoEdit = errors.New("the block is neither a whole file nor a complete list of changes: write the whole new file, or <<<<<<< SEARCH … ======= … >>>>>>> REPLACE")

// edits reads a block that says what to change: search and replace pairs, or a unified diff.
func edits(s string) ([]change, error) {
	if strings.HasPrefix(s, "<<<<<<< ") {
		return searchReplace(s)
	}
	return unified(s)
}

func searchReplace(s string) ([]change, error) {
	var out []change
	var old, new strings.Builder
	const outside, searching, replacing = 0, 1, 2
	at := outside
	for l := range strings.Lines(s) {
		t := strings.TrimRight(l, " \t\r\n")
		switch {
		case at == outside && strings.HasPrefix(t, "<<<<<<< "):
			at = searching
			old.Reset()
			new.Reset()
		case at == searching && t == "=======":
			at = replacing
		case at == replacing && strings.HasPrefix(t, ">>>>>>> "):
			out = append(out, change{old.String(), new.String()})
			at = outside
		case at == searching:
			old.WriteString(l)
		case at == replacing:
			new.WriteString(l)
		case t != "" && !strings.HasPrefix(t, "```"):
			return nil, errNoEdit
		}
	}
	if at != outside || len(out) == 0 {
		return nil, errNoEdit
	}
	return out, nil
}

// unified reads the hunks of a diff: what each takes out and puts in, with its context. Line numbers are not trusted.
func unified(s string) ([]change, error) {
	var out []change
	var old, new strings.Builder
	inHunk := false
	flush := func() {
		if inHunk && old.String() != new.String() {
			out = append(out, change{old.String(), new.String()})
		}
		old.Reset()
		new.Reset()
	}
	for l := range strings.Lines(s) {
		if !strings.HasSuffix(l, "\n") {
			l += "\n"
		}
		switch {
		case strings.HasPrefix(l, "@@"):
			flush()
			inHunk = true
		case !inHunk, strings.HasPrefix(l, `\ No newline`), strings.HasPrefix(l, "*** End"):
		case strings.HasPrefix(l, "--- ") && old.Len()+new.Len() == 0, strings.HasPrefix(l, "diff --git "):
			flush()
			inHunk = false
		case l[0] == '-':
			old.WriteString(l[1:])
		case l[0] == '+':
			new.WriteString(l[1:])
		case l[0] == ' ':
			old.WriteString(l[1:])
			new.WriteString(l[1:])
		case l == "\n":
			old.WriteString(l)
			new.WriteString(l)
		default:
			return nil, errNoEdit
		}
	}
	flush()
	if len(out) == 0 {
		return nil, errNoEdit
	}
	return out, nil
}

package symops

import (
	"errors"
	"strings"

	"nebula/internal/protocol"
)

var errNoEdit = errors.New("the block is neither a whole file nor a complete list of changes: write the whole new file, or <<<<<<< SEARCH … ======= … >>>>>>> REPLACE")

// edits reads a block that says what to change: search and replace pairs, or a unified diff.
func edits(s string) ([]protocol.Change, error) {
	if marker(s) == '<' {
		return searchReplace(s)
	}
	if changes, ok := protocol.Hunks(s); ok {
		return changes, nil
	}
	return nil, errNoEdit
}

// marker tells what the first line of a text marks: < what to search, = what to put there, > the end; 0 for none. Models
// write five to eight signs, with or without a blank behind them, in full width, and dashes and plus signs instead.
func marker(s string) byte {
	if s == "" || strings.IndexByte("<=>-+\xef", s[0]) < 0 {
		return 0
	}
	s, _, _ = strings.Cut(s[:min(len(s), 100)], "\n")
	s = strings.TrimRight(fold(s), " \t\r")
	if s == "" {
		return 0
	}
	word := strings.TrimLeft(s, s[:1])
	n, word := len(s)-len(word), strings.TrimSpace(word)
	switch c := s[0]; {
	case n < 5 || n > 8 || strings.Contains(word, " "):
	case c == '=' && word == "", (c == '<' || c == '>') && word != "":
		return c
	case c == '-' && word == "SEARCH":
		return '<'
	case c == '+' && word == "REPLACE":
		return '>'
	}
	return 0
}

func searchReplace(s string) ([]protocol.Change, error) {
	var out []protocol.Change
	var old, new strings.Builder
	at := byte('>')
	for l := range strings.Lines(s) {
		switch m := marker(l); {
		case m == '<' && at == '>':
			old.Reset()
			new.Reset()
			at = m
		case m == '=' && at == '<':
			at = m
		case m == '>' && at == '=':
			out = append(out, protocol.Change{Old: old.String(), New: new.String()})
			at = m
		case m == '<':
			return nil, errNoEdit
		case at == '<':
			old.WriteString(l)
		case at == '=':
			new.WriteString(l)
		case strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "```"):
			return nil, errNoEdit
		}
	}
	if at != '>' || len(out) == 0 {
		return nil, errNoEdit
	}
	return out, nil
}

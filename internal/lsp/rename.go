package lsp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
)

// Ready reports whether a server runs that knows the language of some files: one is started for a change, and not to be asked.
//
//go:noinline
func (h *Hub) Ready() bool { return len(h.Running()) > 0 }

// Rename asks what becomes of all files where the name at a byte of a file is another. It only looks. There are no edits where no
// server knows the language or answers in time; an error is why it will not, or why what it wants cannot be done.
func (h *Hub) Rename(ctx context.Context, file string, text []byte, at int, to string, read func(path string) ([]byte, error)) ([]Edit, error) {
	s, language := h.of(file)
	if s == nil || at > len(text) {
		return nil, nil
	}
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	p := position{bytes.Count(text[:start], []byte("\n")), units(string(text[start:at]))}
	found, err := s.rename(ctx, doc{Edit{file, text, text}, language}, p, to)
	if f := (*fault)(nil); errors.As(err, &f) {
		return nil, nebula.Wrong("Give another name, or patch the files.", "The language's server refuses: %s", strings.TrimSpace(f.Message))
	}
	if err != nil {
		return nil, nil // it is late, or gone
	}
	var all []Edit
	for path, edits := range found {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return nil, nebula.Wrong("Rename something that is the project's own.", "The name is used in %s, outside the folder.", path)
		}
		before, err := read(path)
		if err != nil {
			return nil, err
		}
		after, ok := applied(before, edits)
		if !ok {
			return nil, nil
		}
		if !bytes.Equal(before, after) {
			all = append(all, Edit{path, before, after})
		}
	}
	lists.Sort(all, func(a, b Edit) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

// A textEdit puts a text in the place of another.
type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// errMoves is said of an answer that wants files created, moved or deleted.
var errMoves = errors.New("it would move files")

// rename asks for the edits by file.
func (s *server) rename(ctx context.Context, d doc, at position, to string) (map[string][]textEdit, error) {
	within, stop := context.WithTimeout(ctx, s.o.First+s.o.Usual)
	defer stop()
	if !s.take(within) {
		return nil, within.Err()
	}
	defer s.give()
	if !s.greet(within) {
		return nil, errGone
	}
	s.renew([]doc{d})
	s.know(within, []doc{d}, func(d doc) []byte { return d.After })
	var answer struct {
		Changes   map[string][]textEdit `json:"changes"`
		Documents []struct {
			Kind         string `json:"kind"`
			TextDocument struct {
				URI string `json:"uri"`
			} `json:"textDocument"`
			Edits []textEdit `json:"edits"`
		} `json:"documentChanges"`
	}
	var raw json.RawMessage
	err := s.wire.ask(within, "textDocument/rename", object{"textDocument": object{"uri": s.uri(d.Path)}, "position": at, "newName": to}, &raw)
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	found := map[string][]textEdit{}
	for uri, edits := range answer.Changes {
		found[s.file(uri)] = append(found[s.file(uri)], edits...)
	}
	for _, c := range answer.Documents {
		if c.Kind != "" {
			return nil, errMoves
		}
		found[s.file(c.TextDocument.URI)] = append(found[s.file(c.TextDocument.URI)], c.Edits...)
	}
	return found, err
}

// applied is a text after edits; ok is false where they do not fit it, or each other.
func applied(text []byte, edits []textEdit) (after []byte, ok bool) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	begins := make([]int, len(lines))
	for i := 1; i < len(lines); i++ {
		begins[i] = begins[i-1] + len(lines[i-1])
	}
	offset := func(p position) int {
		if p.Line < 0 || p.Line >= len(lines) {
			return -1
		}
		if n := bytesOf(lines[p.Line], p.Character); n >= 0 {
			return begins[p.Line] + n
		}
		return -1
	}
	lists.Sort(edits, func(a, b textEdit) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	done := 0
	for _, e := range edits {
		from, to := offset(e.Range.Start), offset(e.Range.End)
		if from < done || to < from {
			return nil, false
		}
		after = append(append(after, text[done:from]...), e.NewText...)
		done = to
	}
	return append(after, text[done:]...), true
}

// bytesOf is how many bytes so many units of UTF-16 of a line are; -1 where it has fewer.
func bytesOf(line []byte, characters int) int {
	n := 0
	for characters > 0 && n < len(line) {
		r, size := utf8.DecodeRune(line[n:])
		n += size
		characters -= units(string(r))
	}
	if characters != 0 {
		return -1
	}
	return n
}

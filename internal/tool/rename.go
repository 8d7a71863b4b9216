package tool

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/workspace"
)

// A Renaming is an identifier that is to have another name.
type Renaming struct {
	Path     string // the file or directory that it is looked for in, clean
	From, To string
	At       int // where the name stands in a file, in bytes
}

// A Rewrite is what becomes of a file.
type Rewrite struct {
	Path         string
	Before, Next []byte
}

// A Renamer knows the language of some files. Rename says what becomes of all files where the name that stands in one is
// another: it only looks, and where it cannot tell it gives none, and the name's text decides. Ready reports whether it can be asked.
type Renamer interface {
	Ready() bool
	Rename(ctx context.Context, r Renaming) ([]Rewrite, error)
}

// renameSymbol gives an identifier another name in all files at once: one proposal, with the diff of all of them. In a directory
// its text decides; what stands in a file is renamed wherever that is meant, and nothing else of that name, where the language is
// known. A model is told of it only then: patchFile with a directory as its path does the rest.
type renameSymbol struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *renameSymbol) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "renameSymbol", Aliases: []string{"rename_symbol", "rename"},
		Description: "Rename what a name in a file stands for, wherever it is used.",
		Params: []nebula.Param{
			param("from", "string", true, ""),
			param("to", "string", true, ""),
			param("path", "string", false, ""),
			param("line", "integer", false, "where it stands, if not defined there once"),
		},
		Effect: nebula.Write,
		Quiet:  t.o.Rename == nil || !t.o.Rename.Ready(),
	}
}

// Propose implements nebula.Tool.
func (t *renameSymbol) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		From, To, Path string
		Line           int
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	at, err := t.dir.Clean(in.Path)
	if err != nil {
		return nebula.Proposal{}, err
	}
	return t.propose(ctx, Renaming{Path: at, From: strings.TrimSpace(in.From), To: strings.TrimSpace(in.To)}, in.Line, v)
}

// Bounds of a renaming: what is more nobody looks through.
const (
	renamedLines = 20_000
	renamedFiles = 500
)

func (t *renameSymbol) propose(ctx context.Context, r Renaming, line int, v nebula.View) (nebula.Proposal, error) {
	for _, name := range []string{r.From, r.To} {
		if !identifier(name) {
			return nebula.Proposal{}, mistakef("Name one identifier, without what it belongs to.", "%q is no identifier.", name)
		}
	}
	if r.From == r.To {
		return nebula.Proposal{}, moot("Give another name.", "%q has this name already.", r.From)
	}
	if v.Unread != nil && v.Unread(r.Path) {
		return nebula.Proposal{}, unseen(v, r.Path, workspace.Entry{Path: r.Path})
	}
	t = &renameSymbol{t.dir, t.o.without(v)}
	all, err := t.rewrites(ctx, r, line)
	if err != nil {
		return nebula.Proposal{}, err
	}
	p := nebula.Proposal{Effect: nebula.Write}
	for _, w := range all {
		at, err := changeable(t.dir, w.Path)
		if err != nil {
			return nebula.Proposal{}, err
		}
		e, err := t.dir.Stat(at)
		if err != nil {
			return nebula.Proposal{}, err
		}
		target := nebula.Target{Path: at, Hash: nebula.Hash(w.Before), Kind: "edit", Mode: uint32(e.Mode)}
		p.Diff += compared(&target, w.Before, w.Next)
		p.Targets = append(p.Targets, target)
		p.Risks = append(p.Risks, linked(e)...)
	}
	p.Risks = lists.Compact(slices.Sorted(slices.Values(p.Risks)))
	p.Summary = said(v.Lang, "rename %s to %s in %s", r.From, r.To, amount(v.Lang, len(all), "file|files"))
	taken, err := t.taken(ctx, r)
	if err != nil {
		return nebula.Proposal{}, err
	}
	if taken != "" {
		p.Summary += " " + said(v.Lang, "(%s stands in %s already)", r.To, taken)
	}
	targets := p.Targets
	p.Do = func(ctx context.Context, run nebula.Run) (nebula.Result, error) {
		out, err := t.do(ctx, run.Grant, targets, all, v)
		out.Summary = said(v.Lang, "renamed %s to %s in %s", r.From, r.To, amount(v.Lang, len(out.Changes), "file|files"))
		return settled(out, err, v.Lang)
	}
	return p, nil
}

// rewrites are the files that a renaming changes, as whoever knows the language says, or else as the text does.
func (t *renameSymbol) rewrites(ctx context.Context, r Renaming, line int) (all []Rewrite, err error) {
	all, err = t.meant(ctx, r, line)
	if all = lists.Drop(all, func(w Rewrite) bool { return t.o.Secret != nil && t.o.Secret(w.Path) }); err != nil || len(all) > 0 {
		return all, err
	}
	files, err := t.files(ctx, r.Path, r.From)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, _, err := load(t.dir, file)
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
			continue // gone since, or too large: no text that anybody wrote
		} else if err != nil {
			return nil, err
		}
		if at := identifiers(file, data, r.From); len(at) > 0 {
			all = append(all, Rewrite{file, data, renamed(data, at, r)})
		}
	}
	switch {
	case len(all) == 0:
		return nil, mistakef("Look for it with searchInDirectory.", "No identifier %q stands in %s.", r.From, shown(r.Path))
	case len(all) > renamedFiles:
		return nil, mistakef("Give a directory as path.", "%q stands in %d files, more than are renamed at once.", r.From, len(all))
	}
	return all, nil
}

// meant are the files in which a name that stands in a file means the same; none where nobody knows.
func (t *renameSymbol) meant(ctx context.Context, r Renaming, line int) ([]Rewrite, error) {
	e, err := t.dir.Stat(r.Path)
	if err != nil || t.o.Rename == nil || e.Dir && !t.o.Rename.Ready() {
		return nil, nil // what is wrong with it is said where its text is looked for
	}
	if e.Dir {
		list, err := Definitions(ctx, t.dir, t.o.Secret, r.Path, r.From)
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) || err == nil && len(list) == 0 {
			return nil, nil // likewise
		}
		if err = cmp.Or(err, Candidates(r.From, list)); err != nil {
			return nil, err
		}
		r.Path, r.At = list[0].Path, list[0].At
		return t.o.Rename.Rename(ctx, r)
	}
	data, _, err := load(t.dir, r.Path)
	if err != nil {
		return nil, err
	}
	if line == 0 {
		if r.At, err = definition(r.Path, data, r.From); err != nil {
			return nil, err
		}
		return t.o.Rename.Rename(ctx, r)
	}
	for _, at := range identifiers(r.Path, data, r.From) {
		if line == 1+bytes.Count(data[:at], []byte("\n")) {
			r.At = at
			return t.o.Rename.Rename(ctx, r)
		}
	}
	return nil, mistakef("Read the file, and name what stands there.", "No identifier %q stands there in %s.", r.From, r.Path)
}

// files are those below a path in which a text stands, without those that hold secrets.
func (t *renameSymbol) files(ctx context.Context, under, text string) (files []string, err error) {
	found, more, err := t.dir.Search(ctx, workspace.Query{Under: under, Keyword: text, Limit: renamedLines})
	if err != nil {
		return nil, hinted(err, seeList)
	}
	if more {
		return nil, mistakef("Give a directory as path.", "%q stands in more lines than are looked through.", text)
	}
	for _, m := range found {
		if n := len(files); (n == 0 || files[n-1] != m.Path) && (t.o.Secret == nil || !t.o.Secret(m.Path)) {
			files = append(files, m.Path)
		}
	}
	return files, nil
}

// taken are the files in which the new name stands already, for whoever decides on it.
func (t *renameSymbol) taken(ctx context.Context, r Renaming) (string, error) {
	files, err := t.files(ctx, r.Path, r.To)
	if m := (*nebula.Mistake)(nil); err != nil && !errors.As(err, &m) {
		return "", err
	}
	var in []string
	for _, file := range files[:min(len(files), renamedFiles)] {
		if data, _, err := load(t.dir, file); err == nil && len(identifiers(file, data, r.To)) > 0 {
			in = append(in, file)
		}
	}
	return some(in, 3), nil
}

func (t *renameSymbol) do(ctx context.Context, g *nebula.Grant, targets []nebula.Target, all []Rewrite, v nebula.View) (out nebula.Result, unsure error) {
	var files []string
	for i, w := range all {
		at := targets[i].Path
		c, err := t.dir.Write(ctx, g, at, w.Next)
		if !workspace.Stands(err) {
			return out, err
		}
		unsure = cmp.Or(unsure, err)
		out.Changes = append(out.Changes, c)
		if r, ok := keeps(v, at, w); ok {
			out.Seen = append(out.Seen, r)
		}
		files = append(files, at+" ("+amount(v.Lang, targets[i].Add, "line|lines")+")")
	}
	out.Text = worded(v.Lang, "Renamed in %s.", some(files, 40))
	return out, unsure
}

// keeps is what the session knows of a file once a name in it is another: all that it knew, as no line moved.
func keeps(v nebula.View, at string, w Rewrite) (nebula.FileRef, bool) {
	if known(v, at, w.Before, false) != nil {
		return nebula.FileRef{}, false
	}
	r := nebula.FileRef{Path: at, Hash: nebula.Hash(w.Next)}
	if v.Ref != nil {
		if old, ok := v.Ref(at); ok && bytes.Count(w.Before, []byte("\n")) == bytes.Count(w.Next, []byte("\n")) {
			r.Lines = old.Lines
		}
	}
	return r, true
}

// identifier reports whether a name is one in the languages that people write programs in.
func identifier(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return name != "" && !unicode.IsDigit(first) && strings.IndexFunc(name, func(r rune) bool { return !inIdentifier(r) }) < 0
}

// inIdentifier reports whether a character is part of a name. A byte of another encoding may be.
func inIdentifier(r rune) bool {
	return r == '_' || r == '$' || r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// sigils are the files in which a $ only stands before a name.
var sigils = []string{".sh", ".bash", ".zsh", ".php", ".pl", ".pm", ".ps1", ".kt", ".kts", ".dart", ".groovy", ".gradle", ".mk"}

// identifiers are the places where a name stands, and is not part of another.
func identifiers(file string, data []byte, name string) (at []int) {
	sigil := lists.Has(sigils, path.Ext(file))
	for from := 0; ; {
		i := bytes.Index(data[from:], []byte(name))
		if i < 0 {
			return at
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRune(data[:start])
		behind, _ := utf8.DecodeRune(data[end:])
		if (start == 0 || !inIdentifier(before) || sigil && before == '$') && (end == len(data) || !inIdentifier(behind)) {
			at = append(at, start)
		}
		from = end
	}
}

// renamed is a text with the new name at these places.
func renamed(data []byte, at []int, r Renaming) []byte {
	next := make([]byte, 0, len(data)+len(at)*(len(r.To)-len(r.From)))
	done := 0
	for _, start := range at {
		next = append(append(next, data[done:start]...), r.To...)
		done = start + len(r.From)
	}
	return append(next, data[done:]...)
}

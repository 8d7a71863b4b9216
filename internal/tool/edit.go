package tool

import (
	"bytes"
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/amend"
	"nebula/internal/lists"
	"nebula/internal/workspace"
)

type editFile struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *editFile) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "editFile", Aliases: []string{"edit_file", "edit", "file_ops.edit_file"},
		Description: "Overwrite a file you have read.",
		Params:      []nebula.Param{param("path", "string", true, ""), payload("new_content", "")},
		Effect:      nebula.Write,
	}
}

// Propose implements nebula.Tool.
func (t *editFile) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Path    string
		Content string `json:"new_content"`
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	return t.over(ctx, in.Path, in.Content, a.Reason, v)
}

// over is the proposal to put a content in the place of a file's, with the words beside it.
func (t *editFile) over(ctx context.Context, p, text, reason string, v nebula.View) (nebula.Proposal, error) {
	e, data, style, err := existing(t.dir, p)
	if err == nil {
		err = t.o.untold(v, p, e, data)
	}
	if err != nil {
		return nebula.Proposal{}, err
	}
	at := e.Path
	if err := known(v, at, data, false); err != nil {
		return nebula.Proposal{}, err
	}
	c := newContent(at, text, string(data), v)
	c.said, c.elsewhere = reason, func(name string) bool { return t.used(ctx, at, name) }
	m, err := c.whole(data)
	if err != nil {
		return nebula.Proposal{}, err
	}
	if len(m.edits) > 0 {
		return m.proposal(t.dir, e, data, v)
	}
	if err := known(v, at, data, true); err != nil {
		return nebula.Proposal{}, err
	}
	if !style.UTF8 {
		return nebula.Proposal{}, mistakef("Use patchFile, which leaves the rest as it is.",
			"%q is not UTF-8: writing it anew would damage what was not shown as it is.", at)
	}
	m.next = style.Apply(m.next)
	return m.proposal(t.dir, e, data, v)
}

// used reports whether a file beside one has a name as a word.
func (t *editFile) used(ctx context.Context, beside, name string) bool {
	found, _, err := t.dir.Search(ctx, workspace.Query{Keyword: `\b` + regexp.QuoteMeta(name) + `\b`, Regex: true, Glob: "*" + path.Ext(beside), Limit: 20})
	return err == nil && slices.ContainsFunc(found, func(m workspace.Match) bool { return m.Path != beside })
}

// proposal is the change that a file's new content comes to.
func (m meaning) proposal(d *workspace.Dir, e workspace.Entry, data []byte, v nebula.View) (nebula.Proposal, error) {
	seen := nebula.FileRef{Path: e.Path, Hash: nebula.Hash(m.next)}
	switch {
	case bytes.Equal(m.next, data) && len(m.edits) > 0:
		return nebula.Proposal{}, moot("Nothing needs to be done, or new was meant to be another.", "The edits leave %q as it is.", e.Path)
	case bytes.Equal(m.next, data):
		return nebula.Proposal{}, moot("Nothing needs to be done, or the content was meant to be another.",
			"%q already has exactly this content.", e.Path)
	case len(m.edits) > 0:
		seen = after(v, e.Path, data, seen.Hash, m.seen)
	}
	if e.Names > 1 {
		m.notes = append(m.notes, nebula.Say("The file had further names (hard links): they keep the old content."))
	}
	m.risks = append(m.risks, linked(e)...)
	p := overwrite(d, e, data, m.next, seen, v.Lang, m.notes.in(v.Lang)+m.left.unmade(v.Lang))
	if lines, now := lineCount(string(data)), lineCount(string(m.next)); now < lines && slices.ContainsFunc(m.risks, func(r string) bool { return r == nebula.Reduced || r == nebula.Literal }) {
		p.Targets[0].Lines = lines
	}
	p.Risks = m.risks
	if m.missed > 0 {
		m.partly(&p, v.Lang)
	}
	return p, nil
}

// linked are the risks that a file has as it lies on the disk.
func linked(e workspace.Entry) (risks []string) {
	if e.Names > 1 {
		risks = append(risks, nebula.Unlinks)
	}
	if e.Foreign {
		risks = append(risks, nebula.Disowns)
	}
	return risks
}

// partly makes a proposal one that fails when it is carried out, as not all that was given is made by it.
func (m meaning) partly(p *nebula.Proposal, lang string) {
	part := said(lang, "%d of %d edits", len(m.edits)-m.missed, len(m.edits))
	do := p.Do
	p.Summary += ", " + part
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		result, err := do(ctx, r)
		if err == nil {
			result.Status, result.Summary = nebula.Failed, result.Summary+", "+part
		}
		return result, err
	}
}

// existing reads a text file that is to be changed. The path is where the file really is.
func existing(d *workspace.Dir, p string) (e workspace.Entry, data []byte, style workspace.Style, err error) {
	clean, err := changeable(d, p)
	if err != nil {
		return e, nil, style, err
	}
	data, e, err = load(d, clean)
	if m := (*nebula.Mistake)(nil); absent(err) && errors.As(err, &m) {
		said := *m
		if said.Then("Use writeFile to create it."); m.Hint.Format != "" {
			said.Then("%[1]s %[2]s", m.Hint, said.Hint)
		}
		return e, nil, style, &said
	}
	if err != nil {
		return e, nil, style, hinted(err, seeFiles)
	}
	if e.Path, err = changeable(d, e.Path); err != nil {
		return e, nil, style, err
	}
	style, ok := workspace.Text(data)
	if !ok {
		return e, nil, style, mistakef("It can only be made by a command.", "%q is not text.", e.Path)
	}
	return e, data, style, nil
}

// untold keeps edits from a file that holds secrets and was not read as it is: whether they fit would tell what stands there.
func (o Options) untold(v nebula.View, named string, e workspace.Entry, data []byte) error {
	if o.Secret == nil || !o.Secret(named) && !o.Secret(e.Path) || known(v, e.Path, data, false) == nil {
		return nil
	}
	return mistakef("Read it with readFile first, which the user is asked about.", "%q holds secrets, and was not read as it is now.", e.Path)
}

// unseen keeps edits by what stands there from a file that is not to be read, likewise.
func unseen(v nebula.View, named string, e workspace.Entry) error {
	if v.Unread == nil || !v.Unread(named) && !v.Unread(e.Path) {
		return nil
	}
	return mistakef("", "Nobody is to read %q: it is not edited by what stands in it.", e.Path)
}

// without are options by which files that are not to be read are searched no more than those that hold secrets.
//
//go:noinline
func (o Options) without(v nebula.View) Options {
	if named := o.Secret; v.Unread != nil {
		o.Secret = func(path string) bool { return v.Unread(path) || named != nil && named(path) }
	}
	return o
}

// overwrite is the proposal to replace a file's content. note is added to what the model reads.
func overwrite(d *workspace.Dir, e workspace.Entry, data, next []byte, seen nebula.FileRef, lang, note string) nebula.Proposal {
	at := e.Path
	target := nebula.Target{Path: at, Hash: nebula.Hash(data), Kind: "edit", Mode: uint32(e.Mode)}
	diff := compared(&target, data, next)
	return nebula.Proposal{
		Effect:  nebula.Write,
		Targets: []nebula.Target{target},
		Diff:    diff,
		Instead: func(own string) (nebula.Proposal, error) {
			other, err := amended(diff, own, data, next)
			if err != nil {
				return nebula.Proposal{}, err
			}
			return overwrite(d, e, data, other, nebula.FileRef{}, lang, ""), nil
		},
		Summary: said(lang, "edit %s (+%d -%d)", at, target.Add, target.Del),
		Do: func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			c, err := d.Write(ctx, r.Grant, at, next)
			return settled(nebula.Result{
				Text:    worded(lang, "Changed %s (+%d -%d lines).", at, target.Add, target.Del) + note,
				Summary: said(lang, "edited %s (+%d -%d)", at, target.Add, target.Del),
				Changes: []nebula.Change{c},
				Seen:    lists.Drop([]nebula.FileRef{seen}, func(f nebula.FileRef) bool { return f.Path == "" }),
			}, err, lang)
		},
	}
}

// amended is what a content becomes by the diff that the person wrote in the place of the one that leads to next.
func amended(diff, own string, data, next []byte) ([]byte, error) {
	c, err := amend.Read(diff, own)
	if err != nil {
		return nil, err
	}
	text, ok := c.Apply(plain(data))
	if !ok {
		return nil, errors.New("the change is not one of this file")
	}
	if !bytes.HasSuffix(next, []byte("\n")) {
		text = strings.TrimSuffix(text, "\n")
	}
	style, _ := workspace.Text(data)
	return style.Apply([]byte(text)), nil
}

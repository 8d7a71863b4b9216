package tool

import (
	"context"
	"path"
	"slices"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/workspace"
)

type writeFile struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *writeFile) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "writeFile", Aliases: []string{"write_file", "create", "file_ops.write_file", "file_ops.write"},
		Description: "Create a file. Fails if it exists unread.",
		Params:      []nebula.Param{param("path", "string", true, ""), payload("content", "")},
		Effect:      nebula.Write,
	}
}

// Propose implements nebula.Tool.
func (t *writeFile) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Path, Content string }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	at, err := changeable(t.dir, in.Path)
	if err != nil {
		return nebula.Proposal{}, err
	}
	switch e, err := t.dir.Stat(at); {
	case err == nil && e.Dir:
		return nebula.Proposal{}, mistakef("Name a file in it.", "%q is a directory.", at)
	case err == nil:
		return t.again(ctx, at, in.Content, a.Reason, v)
	case !absent(err):
		return nebula.Proposal{}, err
	}
	above, err := missing(t.dir, path.Dir(at))
	if err != nil {
		return nebula.Proposal{}, err
	}
	risks, err := created(at, in.Content, a.Reason, v)
	if err != nil {
		return nebula.Proposal{}, err
	}
	p := t.making(at, above, []byte(in.Content), v.Lang)
	p.Risks = risks
	return p, nil
}

// making is the proposal of a new file, with the directories above it that are missing.
func (t *writeFile) making(at string, above []nebula.Target, data []byte, lang string) nebula.Proposal {
	target := nebula.Target{Path: at, Kind: "create"}
	diff := compared(&target, nil, data)
	return nebula.Proposal{
		Effect:  nebula.Write,
		Targets: append(slices.Clip(above), target),
		Diff:    diff,
		Summary: said(lang, "create %s (%s)", at, amount(lang, target.Add, "line|lines")),
		Do: func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			return t.do(ctx, r, at, len(above) > 0, data, lang)
		},
		Instead: func(own string) (nebula.Proposal, error) {
			other, err := amended(diff, own, nil, data)
			if err != nil {
				return nebula.Proposal{}, err
			}
			return t.making(at, above, other, lang), nil
		},
	}
}

// again is the proposal for a file that exists: for one that was read as it is, that content in its place, as editFile takes it.
func (t *writeFile) again(ctx context.Context, at, text, reason string, v nebula.View) (nebula.Proposal, error) {
	if _, data, _, err := existing(t.dir, at); err == nil && known(v, at, data, true) == nil {
		return (&editFile{t.dir, t.o}).over(ctx, at, text, reason, v)
	}
	return nebula.Proposal{}, mistakef("Read it, then change it with patchFile, or give its whole new content to editFile.", "%q exists already.", at)
}

// changeable is where the path of something to change really leads, but for its last name; what is protected by one of the two
// is a mistake.
func changeable(d *workspace.Dir, p string) (string, error) {
	at, err := file(d, p)
	if err != nil {
		return "", err
	}
	if at == "." {
		return "", mistake("The folder itself cannot be changed.", "Name something in it.")
	}
	guarded := d.Protected(at)
	if !guarded {
		if at, err = d.Real(at, false); err != nil {
			return "", err
		}
	}
	if guarded || d.Protected(at) {
		return "", mistakef("Leave it as it is.", "%q is protected: .git, .nebula and nebula's own files are never changed.", at)
	}
	return at, nil
}

// settled is the result of a change. One that the disk did not confirm is done all the same, and says so; what failed
// behind others has those.
func settled(r nebula.Result, err error, lang string) (nebula.Result, error) {
	switch {
	case err == nil:
		return r, nil
	case !workspace.Stands(err):
		return nebula.Result{Changes: lists.Drop(r.Changes, func(c nebula.Change) bool { return c.Kind == "" })}, err
	}
	r.Text += " Mind that " + err.Error() + "."
	r.Summary = said(lang, "%s; the disk did not confirm it", r.Summary)
	return r, nil
}

func (t *writeFile) do(ctx context.Context, r nebula.Run, at string, missing bool, data []byte, lang string) (nebula.Result, error) {
	var out nebula.Result
	if missing {
		made, err := t.dir.Mkdir(ctx, r.Grant, path.Dir(at))
		out.Changes = made
		if !workspace.Stands(err) {
			return out, err
		}
	}
	c, err := t.dir.Write(ctx, r.Grant, at, data)
	out.Changes = append(out.Changes, c)
	out.Seen = []nebula.FileRef{{Path: c.Path, Hash: c.After}}
	lines := lineCount(string(data))
	out.Text = worded(lang, "Created %s (%s).", at, amount(lang, lines, "line|lines"))
	out.Summary = said(lang, "created %s (%s)", at, amount(lang, lines, "line|lines"))
	return settled(out, err, lang)
}

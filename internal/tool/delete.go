package tool

import (
	"context"

	"nebula"
	"nebula/internal/workspace"
)

type deleteFile struct{ dir *workspace.Dir }

// Spec implements nebula.Tool.
func (t *deleteFile) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "deleteFile", Aliases: []string{"delete_file", "delete", "file_ops.delete"},
		Description: "Delete a file or empty directory.",
		Params:      []nebula.Param{param("path", "string", true, "")},
		Effect:      nebula.Write,
	}
}

// Propose implements nebula.Tool.
func (t *deleteFile) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Path string }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	at, err := changeable(t.dir, in.Path)
	if err != nil {
		return nebula.Proposal{}, err
	}
	e, err := t.dir.Stat(at)
	if err != nil {
		return nebula.Proposal{}, hinted(err, seeList)
	}
	p := nebula.Proposal{Effect: nebula.Write, Summary: said(v.Lang, "delete %s", at)}
	target := nebula.Target{Path: at, Kind: "delete", Was: e.Size, Mode: uint32(e.Mode)}
	switch {
	case e.Dir:
		target.Was = 0
		if err := t.empty(ctx, at); err != nil {
			return nebula.Proposal{}, err
		}
	case e.Link != "":
		target.Hash = nebula.Hash([]byte(e.Link))
		p.Summary = said(v.Lang, "delete the link %s -> %s", at, e.Link)
	default:
		data, _, err := t.dir.Read(at, 64<<20) // more cannot be kept for undo
		if err != nil {
			return nebula.Proposal{}, err
		}
		target.Hash = nebula.Hash(data)
		if _, ok := workspace.Text(data); ok {
			p.Diff = compared(&target, data, nil)
			p.Summary = said(v.Lang, "delete %s (%s)", at, amount(v.Lang, target.Del, "line|lines"))
		}
	}
	p.Targets = []nebula.Target{target}
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		c, err := t.dir.Delete(ctx, r.Grant, at)
		return settled(nebula.Result{
			Text:    worded(v.Lang, "Deleted %s.", at),
			Summary: said(v.Lang, "deleted %s", at),
			Changes: []nebula.Change{c},
		}, err, v.Lang)
	}
	return p, nil
}

// empty refuses a directory in which something can be seen. The workspace looks again, also for what is ignored.
func (t *deleteFile) empty(ctx context.Context, at string) error {
	for _, err := range t.dir.List(ctx, workspace.Walk{Under: at, Hidden: true}) {
		if err != nil {
			return err
		}
		return mistakef("Delete the files in it first.", "%q is a directory that is not empty.", at)
	}
	return nil
}

package tool

import (
	"context"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/workspace"
)

// Join is the tool that makes of a folder what was made of a copy of it. changes are what leads there, told the wrong way
// round: from what is to be to what stands in the folder. No model is offered it.
func Join(dir *workspace.Dir, changes func(ctx context.Context) ([]nebula.Change, error)) nebula.Tool {
	return &join{dir, changes}
}

type join struct {
	dir     *workspace.Dir
	changes func(ctx context.Context) ([]nebula.Change, error)
}

// Spec implements nebula.Tool.
func (t *join) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "joinStep", Description: "Bring what a step did in its copy into the folder.", Effect: nebula.Write}
}

// opposite are the kinds of changes, the other way round.
var opposite = map[string]string{"create": "delete", "delete": "create", "mkdir": "delete", "rmdir": "mkdir"}

// Propose implements nebula.Tool.
func (t *join) Propose(ctx context.Context, _ nebula.Action, v nebula.View) (nebula.Proposal, error) {
	changes, err := t.changes(ctx)
	if err != nil {
		return nebula.Proposal{}, err
	}
	diff, files, _, err := TakenBack(ctx, t.dir, changes)
	if err != nil {
		return nebula.Proposal{}, err
	}
	p := nebula.Proposal{Effect: nebula.Write, Diff: diff, Summary: said(v.Lang, "join %s", amount(v.Lang, files, "file|files"))}
	for _, c := range changes {
		kind := opposite[c.Kind]
		if kind == "" {
			kind = c.Kind
		}
		p.Targets = append(p.Targets, nebula.Target{Path: c.Path, Kind: kind, Hash: c.After, After: c.Before, Mode: c.ModeAfter, ModeAfter: c.ModeBefore})
	}
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		made, left, err := t.dir.Restore(ctx, r.Grant, changes)
		if err != nil {
			return nebula.Result{Changes: made}, err
		}
		out := nebula.Result{Changes: made, Text: fmt.Sprintf("Joined %d paths.", len(changes)), Summary: said(v.Lang, "joined %s", amount(v.Lang, files, "file|files"))}
		if len(left) > 0 {
			var paths []string
			for _, l := range left {
				paths = append(paths, l.Path)
			}
			out.Status, out.Text = nebula.Failed, "changed meanwhile: "+strings.Join(paths, ", ")
			out.Summary = said(v.Lang, "changed meanwhile: %s", strings.Join(paths, ", "))
		}
		return out, nil
	}
	return p, nil
}

package tool

import (
	"context"

	"nebula"
	"nebula/internal/workspace"
)

type createDirectory struct{ dir *workspace.Dir }

// Spec implements nebula.Tool.
func (t *createDirectory) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "createDirectory", Aliases: []string{"create_directory", "mkdir"},
		Params: []nebula.Param{param("path", "string", true, "")},
		Effect: nebula.Write,
		Quiet:  true, // writing a file makes its folders
	}
}

// Propose implements nebula.Tool.
func (t *createDirectory) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Path string }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	at, err := changeable(t.dir, in.Path)
	if err != nil {
		return nebula.Proposal{}, err
	}
	switch e, err := t.dir.Stat(at); {
	case err == nil && e.Dir:
		return nebula.Proposal{}, moot("Nothing needs to be done.", "The directory %q exists already.", at)
	case err == nil:
		return nebula.Proposal{}, mistakef("Choose another name.", "%q exists already and is not a directory.", at)
	case !absent(err):
		return nebula.Proposal{}, err
	}
	all, err := missing(t.dir, at)
	if err != nil {
		return nebula.Proposal{}, err
	}
	return nebula.Proposal{
		Effect:  nebula.Write,
		Targets: all,
		Summary: said(v.Lang, "create directory %s", at),
		Do: func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			made, err := t.dir.Mkdir(ctx, r.Grant, at)
			return settled(nebula.Result{
				Text:    worded(v.Lang, "Created directory %s.", at),
				Summary: said(v.Lang, "created directory %s", at),
				Changes: made,
			}, err, v.Lang)
		},
	}, nil
}

package tool

import (
	"context"
	"strings"

	"nebula"
	"nebula/internal/workspace"
)

// TakenBack is the diff that taking changes back would make, and how many files it touches: each file as it is now
// against what it was before the first of the changes. Caches are not shown beside what a person misses, as the report of
// an undo does not name them. since are the files that are left instead, as somebody else wrote them meanwhile: what they
// wrote is part of the diff.
func TakenBack(ctx context.Context, d *workspace.Dir, changes []nebula.Change) (diff string, files int, since []string, err error) {
	list, err := d.Preview(ctx, nebula.Undone{Changes: changes}.Told())
	if err != nil {
		return "", 0, nil, err
	}
	diff, _, since = previewed(list)
	return diff, len(list), since, nil
}

// Tried is the diff that keeping some of the effects would make, with what it does to each file.
func Tried(ctx context.Context, e *workspace.Effects, some []nebula.Change) (diff string, targets []nebula.Target, err error) {
	list, err := e.Preview(ctx, some)
	if err != nil {
		return "", nil, err
	}
	diff, targets, _ = previewed(list)
	return diff, targets, nil
}

func previewed(list []workspace.Preview) (diff string, targets []nebula.Target, since []string) {
	var b strings.Builder
	for _, p := range list {
		t := nebula.Target{Path: p.Path, Kind: "edit"}
		switch {
		case p.Now == nil:
			t.Kind = "create"
		case p.Then == nil:
			t.Kind = "delete"
		}
		b.WriteString(compared(&t, p.Now, p.Then))
		targets = append(targets, t)
		if p.Since {
			since = append(since, p.Path)
		}
	}
	return b.String(), targets, since
}

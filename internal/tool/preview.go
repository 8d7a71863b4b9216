package tool

import (
	"context"
	"strings"

	"nebula"
	"nebula/internal/workspace"
)

// TakenBack is the diff that taking changes back would make, and how many files it touches: each file as it is now
// against what it was before the first of the changes.
func TakenBack(ctx context.Context, d *workspace.Dir, changes []nebula.Change) (diff string, files int, err error) {
	list, err := d.Preview(ctx, changes)
	if err != nil {
		return "", 0, err
	}
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
	}
	return b.String(), len(list), nil
}

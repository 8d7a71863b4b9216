package tool

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/workspace"
)

// A file that could be run where it stood is no new one that can be.
func TestAScriptThatOnlyMovesIsNoNewOne(t *testing.T) {
	for _, row := range []struct {
		was  uint32
		from string
		want bool
	}{{0o755, "go", false}, {0o644, "go", true}, {0o755, "", true}, {0o755, "other", true}} {
		c := nebula.Change{Path: "bin/go", Kind: "create", After: "h", ModeAfter: 0o755}
		e := &workspace.Effects{Changes: []nebula.Change{c, {Path: "go", Kind: "delete", Before: "h", ModeBefore: row.was}}, Renames: map[string]string{c.Path: row.from}}
		if got := runs(c, e); got != row.want {
			t.Errorf("%+v: %v", row, got)
		}
	}
}

// What a list names is bounded in number and in length, and the first of it is named however long it is.
func TestWhatIsNamedOfAListIsBounded(t *testing.T) {
	long := strings.Repeat("d/", 200) + "x"
	for _, row := range []struct {
		all  []string
		want string
	}{
		{[]string{"a", "b", "c"}, "a, b, c"},
		{[]string{"a", "b", "c", "d", "e"}, "a, b, c and 2 more"},
		{[]string{long, long, long}, long + ", " + long + " and 1 more"},
		{[]string{long + long + long, "b"}, long + long + long + " and 1 more"},
	} {
		if got := some(row.all, 3); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

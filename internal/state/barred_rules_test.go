package state_test

import (
	"strings"
	"testing"

	"nebula"
)

// What people forbid, take back and leave free in a few words holds that and nothing else: each line of testdata/rules.txt is one.
func TestWhatOneMayAndMayNot(t *testing.T) {
	lines := 0
	for what, said := range rowsOf(t, "rules.txt") {
		lines++
		s := after(strings.Split(strings.ReplaceAll(said, `\n`, "\n"), " => ")...)
		held := map[string]string{"commit": s.ForbiddenAct("commit", "git commit -m x"), "push": s.ForbiddenAct("push", "git push"), "run": s.ForbiddenAct("run", "ls"), "read": s.Unread(nebula.Target{Path: "keep.py"}),
			"new": s.Barred(nebula.Target{Path: "test_new.py", Kind: "create"}), "add": s.Barred(nebula.Target{Path: "test_calc.py", Kind: "add"})}
		for _, name := range []string{"calc", "keep", "util"} {
			held[name] = s.Barred(nebula.Target{Path: name + ".py", Kind: "edit"})
		}
		held["test"] = s.Barred(nebula.Target{Path: "test_calc.py", Kind: "edit"})
		for name, by := range held {
			want, named := strings.Contains(" "+what+" ", " "+name+" "), strings.Contains(what, name)
			if (by != "") != want && (named || name != "new" && name != "add") {
				t.Errorf("%s: %s is held: %v", said, name, !want)
			}
		}
	}
	if lines < 90 {
		t.Errorf("%d lines", lines)
	}
}

package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Where nothing may be deleted, a file that is to be changed may be written over, and what the turn itself made may go.
func TestWhatIsOrderedOrOwnIsNotDeleted(t *testing.T) {
	for _, c := range []struct {
		said  string
		lines []string
		held  bool
	}{
		{"Fix a.txt. Don't delete files.", []string{"echo x > a.txt"}, false},
		{"Fix a.txt. Don't delete files.", []string{"printf 'x\\n' > ./a.txt"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x | tee a.txt"}, false},
		{"Fix a.txt. Don't delete files.", []string{"cat > a.txt <<'E'\nx\nE"}, false},
		{"a.txt を直して。ファイルは削除しないで。", []string{"echo x > a.txt"}, false},
		{"Change a.txt to say x, but don't delete anything.", []string{"echo x > a.txt"}, false},
		{"a.txt を x に変更して。何も削除しないで。", []string{"echo x > a.txt"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x > b.txt"}, true},
		{"Fix a.txt. Don't delete files.", []string{"rm a.txt"}, true},
		{"Fix a.txt. Don't delete files.", []string{"mv b.txt a.txt"}, true},
		{"Fix a.txt. Don't delete files.", []string{": > a.txt"}, true},
		{"Read a.txt. Don't delete files.", []string{"echo x > a.txt"}, true},
		{"Fix a.txt. Don't delete files.", []string{"echo x > t.tmp", "rm t.tmp"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x > t.tmp", "rm -f ./t.tmp"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x > t.tmp && cp t.tmp a.txt && rm t.tmp"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x > t.tmp; cat t.tmp; rm t.tmp"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x > t.tmp && mv t.tmp a.txt"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x > t.tmp", "mv t.tmp a.txt"}, false},
		{"Fix a.txt. Don't delete files.", []string{"echo x > /tmp/nebula-zz.tmp", "rm /tmp/nebula-zz.tmp"}, false},
		{"Fix a.txt. Don't delete files.", []string{"t=$(mktemp); echo x > $t; rm $t"}, false},
		{"Fix a.txt. Don't delete files.", []string{"t=$(mktemp) && echo x > \"$t\" && cat \"$t\" > a.txt && rm \"$t\""}, false},
		{"Fix a.txt. Don't delete files.", []string{"WRITE t.tmp", "rm t.tmp"}, false},
		{"Fix a.txt. Don't delete files.", []string{"WRITE t.py", "python3 t.py; rm t.py"}, false},
		{"Fix a.txt. Don't delete files.", []string{"mkdir tmpd && echo x > tmpd/f && rm -r tmpd"}, false},
		{"Fix a.txt. Don't delete files.", []string{"mkdir tmpd && echo x > tmpd/f", "rm -rf tmpd"}, false},
		{"Fix a.txt. Don't delete files.", []string{"WRITE t.tmp", "DELETE t.tmp"}, false},
		{"Fix a.txt. Don't delete files.", []string{"DELETE b.txt"}, true},
	} {
		for _, viewed := range []bool{false, true} {
			var replies []nebula.Intent
			for _, l := range c.lines {
				a := act("executeShell", "command", l)
				if file, is := strings.CutPrefix(l, "WRITE "); is {
					a = act("writeFile", "path", file, "content", "x = 1\n")
				} else if file, is := strings.CutPrefix(l, "DELETE "); is {
					a = act("deleteFile", "path", file)
				}
				replies = append(replies, acts(a))
			}
			done := say("Unverified: nothing to check.")
			p := newProject(t, languages()[0], map[string]string{"a.txt": "a\n", "b.txt": "y\n"}, append(replies, done, done, done)...)
			p.setup.Approve, p.setup.Views = gate.All, func() bool { return viewed }
			p.setup.Stale = p.hashed
			if got := results(p.sayAlone(c.said)); strings.HasSuffix(got, "denied") != c.held {
				t.Errorf("%s %q, viewed %v: %s", c.said, c.lines, viewed, got)
			}
		}
	}
}

package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// What is not to be read is read by no tool and no command, and migrations that are not to be run are run by no recipe.
func TestWhatIsNotToBeReadOrMigratedIsHeld(t *testing.T) {
	shell := func(line string) nebula.Intent { return acts(act("executeShell", "command", line)) }
	const look, run = "Fix a.txt. Don't read secrets.txt.", "Fix a.txt. Don't run the migrations."
	for _, c := range []struct {
		rule string
		does nebula.Intent
		held bool
	}{
		{look, acts(act("readFile", "path", "secrets.txt")), true},
		{look, shell("cat secrets.txt"), true},
		{look, shell("cat secret*"), true},
		{look, shell("sh show.sh"), true},
		{look, acts(act("readFile", "path", "a.txt")), false},
		{look, shell("ls -l secrets.txt"), false},
		{look, shell("cat a.txt"), false},
		{"Don't even open secrets.txt.", acts(act("readFile", "path", "secrets.txt")), true},
		{"Fix a.txt.", acts(act("readFile", "path", "secrets.txt")), false},
		{run, shell("alembic upgrade head"), true},
		{run, shell("make db"), true},
		{run, shell("npm run setup"), true},
		{run, shell("make show"), false},
		{run, shell("ls migrations"), false},
		{"Fix a.txt.", shell("make db"), false},
	} {
		for _, viewed := range []bool{false, true} {
			p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n", "secrets.txt": "k\n", "show.sh": "cat secrets.txt\n", "migrations/1.sql": "", "Makefile": "db:\n\ttrue alembic; alembic upgrade head || true\n\nshow:\n\talembic history || true\n", "package.json": `{"scripts":{"setup":"prisma migrate deploy"}}`},
				c.does, say("Unverified: nothing to check."))
			p.setup.Approve = gate.All
			p.setup.Views = func() bool { return viewed }
			p.setup.Script = func(file string) string {
				if !p.exists(file) {
					return ""
				}
				return p.read(file)
			}
			if got := results(p.sayAlone(c.rule)); strings.HasSuffix(got, " denied") != c.held {
				t.Errorf("%s: viewed %v: %+v: %s", c.rule, viewed, c.does.Actions, got)
			}
		}
	}
}

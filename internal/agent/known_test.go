package agent_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// A file that the turn made itself may go again under edits; one of the person's, and one that was changed by others since, asks. A
// deletion that was refused holds no test run behind it, a change that was refused does.
func TestWhatTheTurnMadeItselfMayGoAgain(t *testing.T) {
	p := newProject(t, languages()[0], map[string]string{"a.txt": "theirs\n", "go.mod": "module x\n", "x_test.go": "package x\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n"},
		acts(act("writeFile", "path", "s.txt", "content", "mine\n")),
		acts(act("deleteFile", "path", "s.txt")),
		acts(act("deleteFile", "path", "a.txt"), act("runTests")),
		say("Unverified: nothing to check."))
	p.setup.Approve = gate.Edits
	events := p.sayAlone("clean up")
	if got := results(events); got != "writeFile done, deleteFile done, deleteFile denied, runTests denied" || !strings.HasPrefix(p.read("s.txt"), "<") || p.read("a.txt") != "theirs\n" {
		t.Errorf("%s\n%s", got, transcript(events))
	}
}

// What is refused because nobody is there says what asked.
func TestARefusalWhereNobodyIsThereNamesItsCause(t *testing.T) {
	p := newProject(t, languages()[0], map[string]string{"a.txt": "theirs\n"}, acts(act("deleteFile", "path", "a.txt")), say("It was refused."))
	p.setup.Approve = gate.Edits
	for _, e := range p.sayAlone("clean up") {
		if f, ok := e.Body.(nebula.Finished); ok && !strings.Contains(f.Result.Text, "this is asked about: deletes a file") {
			t.Error(f.Result.Text)
		}
	}
}

// What the person forbids to change is asked about under every policy, with their sentence, until they say otherwise.
func TestWhatThePersonForbadeIsAskedAbout(t *testing.T) {
	edit := acts(act("editFile", "path", "keep.txt", "new_content", "z\n"))
	for _, policy := range []gate.Approve{gate.Edits, gate.All} {
		p := newProject(t, languages()[0], map[string]string{"keep.txt": "k\n", "a.txt": "x\n"},
			acts(act("readFile", "path", "keep.txt")), edit, acts(act("writeFile", "path", "new.txt", "content", "x\n")), say("Unverified: nothing to check."),
			acts(act("readFile", "path", "keep.txt")), edit, say("Unverified: nothing to check."))
		p.setup.Approve = policy
		var told string
		for _, e := range p.sayAlone("Never touch keep.txt. Fix the rest.") {
			if f, ok := e.Body.(nebula.Finished); ok && f.Result.Status == nebula.Denied {
				told += f.Result.Text
			}
		}
		if p.read("keep.txt") != "k\n" || p.read("new.txt") != "x\n" || !strings.Contains(told, "Never touch keep.txt.") {
			t.Errorf("%s: %q, %s", policy, p.read("keep.txt"), told)
		}
		if p.sayAlone("Change keep.txt now, too."); p.read("keep.txt") != "z\n" {
			t.Errorf("%s: it is not let go of: %q", policy, p.read("keep.txt"))
		}
	}
}

// A command that names what the person forbade to change is asked about before it runs, under every policy; of one that changed it without
// naming it, that is said.
func TestACommandIsHeldToWhatThePersonForbade(t *testing.T) {
	for _, c := range []struct {
		line, kept string
		said       string
	}{
		{"echo z > keep.txt", "k\n", "you may change keep.txt"},
		{"for f in k*.txt; do echo z > $f; done", "k\n", "you may change k*.txt"},
		{"rm -rf k*", "k\n", "you may change k*"},
		{"python3 -c \"open('keep.txt', 'w').write('z')\"", "k\n", "you may change keep.txt"},
		{"printf 'echo z > ke%s' ep.txt > s.sh; sh s.sh", "k\n", "although the person said: “Never touch keep.txt.”"},
		{"cat keep.txt; echo y > a.txt", "k\n", ""},
		{"mkdir -p d && cd d && echo z > ../keep.txt", "k\n", "you may change keep.txt"},
		{"git reset -q --hard", "k\n", "you may change keep.txt"},
		{"git stash && git stash pop", "k\n", "you may change keep.txt"},
		{"cp keep.txt b.txt", "k\n", ""},
	} {
		p := newProject(t, languages()[0], map[string]string{"keep.txt": "k\n", "a.txt": "x\n"}, acts(act("executeShell", "command", c.line)), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		var told string
		events := p.sayAlone("Never touch keep.txt. Fix the rest.")
		if held := last(t, events).Cause == nebula.Forbidden; held != strings.HasPrefix(c.said, "you may") {
			t.Errorf("%s: ended as forbidden: %v", c.line, held)
		}
		for _, e := range events {
			if f, ok := e.Body.(nebula.Finished); ok {
				told += f.Result.Text
			}
		}
		if p.read("keep.txt") != c.kept || !strings.Contains(told, c.said) || c.said == "" && strings.Contains(told, "Never") {
			t.Errorf("%s: %q, %s", c.line, p.read("keep.txt"), told)
		}
	}
}

// Where only some files may change, a command that writes another is asked about before it runs; what it only reads, what lies elsewhere
// and the files themselves are not.
func TestACommandIsHeldToWhatAloneMayChange(t *testing.T) {
	for line, held := range map[string]string{
		"echo z > a.txt": "a.txt", "sed -i s/k/z/ a.txt": "a.txt", "sed -i -e s/k/z/ keep.txt a.txt": "a.txt", "sed -i s/k/z/ keep.txt": "", "cp keep.txt a.txt": "a.txt", "cat a.txt > keep.txt": "", "rm a.txt": "a.txt",
		"mv a.txt keep.txt": "a.txt", "echo z | tee a.txt": "a.txt", "mkdir -p d && cd d && echo z > ../a.txt": "a.txt", "cat a.txt > /dev/null": "", "perl -pi -e s/k/z/ a.txt": "a.txt", "perl -pi -e s/k/z/ keep.txt": "", "grep -c x a.txt": "",
	} {
		p := newProject(t, languages()[0], map[string]string{"keep.txt": "k\n", "a.txt": "x\n"}, acts(act("executeShell", "command", line)), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		events := p.sayAlone("Only change keep.txt.")
		told := ""
		for _, e := range events {
			if f, ok := e.Body.(nebula.Finished); ok && f.Result.Status == nebula.Denied {
				told += f.Result.Text
			}
		}
		if (p.read("a.txt") == "x\n") == false || (told != "") != (held != "") || !strings.Contains(told, held) {
			t.Errorf("%s: %q, %q", line, p.read("a.txt"), told)
		}
		if forbidden := last(t, events).Cause == nebula.Forbidden; forbidden != (held != "") {
			t.Errorf("%s: ended as forbidden: %v", line, forbidden)
		}
	}
}

// What the person forbids to do is asked about under every policy, wherever the command runs, until they allow it; the rest runs.
func TestWhatThePersonForbadeToDoIsAskedAbout(t *testing.T) {
	run := func(line string) nebula.Intent { return acts(act("executeShell", "command", line)) }
	const commit = "touch done.txt; : git commit -m x; git commit -m x"
	for _, c := range []struct{ rule, line, allow string }{
		{"Fix it. Never commit.", commit, "Commit it."},
		{"Fix it. 絶対にコミットしないでください。", commit, "コミットしてください。"},
		{"Fix it, and don't delete any files.", "touch done.txt; rm a.txt", "You may delete files."},
		{"Fix it, and don't rename anything.", "mv a.txt b.txt", "You may rename files."},
		{"Fix it. Do not run deploy.sh.", "sh deploy.sh", "Run deploy.sh."},
		{"Fix it. Do not run the deploy script.", "sh deploy.sh", "You may deploy."},
		{"Fix it. Don't run the tests.", "go test ./...", "Run the tests."},
		{"Fix it. 何も実行しないでください。", "sh deploy.sh", "You may run deploy.sh."},
	} {
		for _, policy := range []gate.Approve{gate.Edits, gate.All} {
			for _, viewed := range []bool{false, true} {
				p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n", "deploy.sh": "true\n"}, run(c.line), say("Unverified: nothing to check."), run(c.line), say("Unverified: nothing to check."))
				p.setup.Approve = policy
				p.setup.Views = func() bool { return viewed }
				events := p.sayAlone(c.rule)
				told := ""
				for _, e := range events {
					if f, ok := e.Body.(nebula.Finished); ok {
						told += f.Result.Text
					}
				}
				if got := results(events); got != "executeShell denied" || !strings.Contains(told, "the person said: “") {
					t.Errorf("%s, %s, viewed %v: %s: %s", c.rule, policy, viewed, got, told)
				}
				if policy == gate.All {
					if got := results(p.sayAlone(c.allow)); strings.Contains(got, "denied") {
						t.Errorf("%s, %s: not let go of: %s", c.rule, c.allow, got)
					}
				}
			}
		}
	}
}

// Where nothing may be deleted, a command may take away what it made itself, and what is kept for commands alone; what was there before, and
// what nobody knows, is held.
func TestACommandTakesAwayWhatItMade(t *testing.T) {
	for line, held := range map[string]bool{
		"echo 'true' > t.sh; sh t.sh; rm t.sh":                    false,
		"echo x > t.txt && cat t.txt && rm -f t.txt":              false,
		"echo x > ./t.txt; rm t.txt":                              false,
		"cd . && echo x | tee t.txt; rm t.txt":                    false,
		`t=$(mktemp); cat a.txt > "$t"; wc -l < "$t"; rm -f "$t"`: false,
		`t=$(mktemp -d); cp a.txt "$t/b"; ls "$t"; rm -rf "$t"`:   false,
		"echo x > /tmp/nebula-passing; rm /tmp/nebula-passing":    false,
		"cp a.txt b.txt; sort b.txt; rm b.txt":                    false,
		"rm a.txt":                                                true,
		"echo x > a.txt; rm a.txt":                                true,
		"echo x > t.txt; rm t.txt a.txt":                          true,
		"echo x > t.txt; rm *.txt":                                true,
		"mv a.txt t.txt; rm t.txt":                                true,
		"mv a.txt /tmp/nebula-passing; rm /tmp/nebula-passing":    true,
		"ln -s $PWD /tmp/nebula-link; rm /tmp/nebula-link/a.txt":  true,
		"echo x > t.txt; rm t.txt; git clean -fdx":                true,
		"echo x > t.txt; rm t.txt; find . -name a.txt -delete":    true,
		`mktemp() { echo a.txt; }; t=$(mktemp); rm "$t"`:          true,
		`t=$(mktemp a.XXX); rm "$t"`:                              true,
		`t=$(cat names); echo x > "$t"; rm "$t"`:                  true,
		"cd d && rm ../a.txt":                                     true,
		"echo x > /tmp/nebula-passing; rm /tmp/../home/x":         true,
	} {
		p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n", "d/b.txt": "y\n", "names": "a.txt"}, acts(act("executeShell", "command", line)), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		p.setup.Stale = func(refs []nebula.FileRef) (gone []nebula.FileRef) {
			return slices.DeleteFunc(refs, func(r nebula.FileRef) bool { return p.exists(r.Path) })
		}
		if got := results(p.sayAlone("Count the lines. Don't delete any files.")); (got == "executeShell denied") != held {
			t.Errorf("%s: %s", line, got)
		}
		if held && p.read("a.txt") != "x\n" {
			t.Errorf("%s: %q", line, p.read("a.txt"))
		}
	}
}

// Tests and servers that are not to be run are held on a view too, by whatever recipe or code they are; what else a recipe does is not.
func TestWhatIsNotToBeRunIsHeldByWhateverRunsIt(t *testing.T) {
	shell := func(line string) nebula.Intent { return acts(act("executeShell", "command", line)) }
	for _, c := range []struct {
		rule string
		does nebula.Intent
		held bool
	}{
		{"Fix it. Don't run the tests.", acts(act("runTests")), true},
		{"Fix it. Don't run the tests.", acts(act("runTests", "command", "make test")), true},
		{"Fix it. Don't run the tests.", shell("make test"), true},
		{"Fix it. Don't run the tests.", shell("make verify"), true},
		{"Fix it. Don't run the tests.", shell("python3 test_a.py"), true},
		{"Fix it. Don't run the tests.", shell("make run"), false},
		{"Fix it. Don't run npm test.", acts(act("runTests", "command", "npm test")), true},
		{"Fix it. Don't run the server tests.", acts(act("runTests", "command", "true")), false},
		{"Fix it. Don't start the server.", shell("make run"), true},
		{"Fix it. Don't start the server.", shell(`python3 -c 'import runpy; runpy.run_path("server.py", run_name="__main__")'`), true},
		{"Fix it. Don't start the server.", shell("make verify"), false},
	} {
		for _, viewed := range []bool{false, true} {
			p := newProject(t, languages()[0], map[string]string{"Makefile": "run:\n\tpython3 server.py\n\nverify:\n\tpytest -q\n\ntest:\n\ttrue\n"}, c.does, say("Unverified: nothing to check."))
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

// Where there is no box, what hides what it runs is asked about while something is forbidden.
func TestWhatHidesWhatItRunsIsAskedAboutInNoBox(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		unboxed    bool
		held       bool
	}{
		{"Fix it. Do not commit.", "sh w", true, true}, {"Fix it. Do not commit.", "sh w", false, false}, {"Fix it.", "sh w", true, false}, {"Fix it. Do not commit.", "true", true, false}, {"Fix it. Do not commit.", "git -C . status --short", true, false},
	} {
		p := newProject(t, languages()[0], map[string]string{"w": "true\n"}, acts(act("executeShell", "command", c.line)), say("Unverified: nothing to check."))
		p.setup.Approve, p.setup.Unboxed = gate.All, c.unboxed
		if got := results(p.sayAlone(c.rule)); strings.HasSuffix(got, " denied") != c.held {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Where the tests are not to be run, a change ends without them; a word that they pass does not.
func TestNoTestsAreDemandedThatThePersonForbade(t *testing.T) {
	for says, requests := range map[string]int{"It is written.": 2, "It is written. All tests pass.": 3} {
		st := newStage(t, reply("", call("1", "note", "path", "a.go", "content", "x")), reply(says), reply(says), reply(says), reply(says))
		st.setup.Approve, st.setup.Alone = gate.All, true
		end := last(t, st.say("Write it. Don't run the tests.", nil))
		if n := len(st.script.Prompts()); n != requests || (end.Cause == nebula.NotChecked) != (requests > 2) {
			t.Errorf("%s: %d requests, ended %s %s %q", says, n, end.Status, end.Cause, end.Text)
		}
	}
}

// No new files are made by an edit, nor kept of what a command did, and what is there may change.
func TestNoNewFiles(t *testing.T) {
	for want, made := range map[string][]nebula.Intent{
		"writeFile denied":              {acts(act("writeFile", "path", "new.txt", "content", "x\n")), say("Unverified: stop.")},
		"readFile done, patchFile done": {acts(act("readFile", "path", "a.txt")), acts(act("patchFile", "path", "a.txt", "old", "x", "new", "y")), say("Unverified: nothing to check.")},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n"}, made...)
		p.setup.Approve = gate.All
		if got := results(p.sayAlone("Fix a.txt. No new files.")); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What the person said to hold always stands once among what a plan's steps are told of the conversation, beside their own message.
func TestARuleIsToldOnceToAPlan(t *testing.T) {
	p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n"}, say("I see."), say("Yes."))
	const rule = "Never use panic."
	p.sayAlone("Rules for all that follows:\n- " + rule + "\n- Always write tests first.")
	p.sayAlone("What is in a.txt?")
	talk, err := p.session.Talk(t.Context())
	if n := strings.Count(talk, rule); err != nil || n < 1 || n > 2 {
		t.Errorf("%d times, %v:\n%s", n, err, talk)
	}
}

// Where nothing new is to be depended on, a manifest that names more is asked about, whoever writes it; another version is not. Where no file
// is to be new, a command that says that it makes one in the folder itself is.
func TestWhatIsNewIsHeldWhereNothingNewMayBe(t *testing.T) {
	const mod = "module x\n\nrequire github.com/a/b v1.0.0\n"
	newer, more := strings.Replace(mod, "v1.0.0", "v1.1.0", 1), mod+"require github.com/c/d v1.0.0\n"
	run := func(line string) nebula.Intent { return acts(act("executeShell", "command", line)) }
	for _, c := range []struct {
		rule string
		does nebula.Intent
		said string
	}{
		{"Fix it. No new dependencies.", acts(act("writeFile", "path", "go.mod", "content", more)), "github.com/c/d (go.mod)"},
		{"依存を増やさないで直して。", acts(act("writeFile", "path", "package.json", "content", "{\n  \"dependencies\": {\n    \"lodash\": \"^4\"\n  }\n}\n")), "lodash (package.json)"},
		{"Fix it. No new dependencies.", acts(act("patchFile", "path", "go.mod", "old", mod, "new", newer)), ""},
		{"Fix it. No new files.", run("touch new.txt"), "new.txt"},
		{"Fix it. No new files.", run("echo y > a.txt; echo z > /dev/null"), ""},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n", "go.mod": mod}, acts(act("readFile", "path", "go.mod")), c.does, say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		p.setup.Stale = func(refs []nebula.FileRef) (gone []nebula.FileRef) {
			return slices.DeleteFunc(refs, func(r nebula.FileRef) bool { return p.exists(r.Path) })
		}
		told := ""
		for _, e := range p.sayAlone(c.rule) {
			if f, ok := e.Body.(nebula.Finished); ok && f.Result.Status == nebula.Denied {
				told += f.Result.Text
			}
		}
		if (told != "") != (c.said != "") || !strings.Contains(told, c.said) {
			t.Errorf("%s: %q, want %q", c.rule, told, c.said)
		}
	}
}

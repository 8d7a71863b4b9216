package agent_test

import (
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Where nothing may be deleted, no other file comes in the place of one that is there, as little of it would be left.
func TestWhatAnotherFileReplacesIsDeleted(t *testing.T) {
	const all, one = "Count the lines. Don't delete any files.", "Count the lines. Don't delete b.txt."
	for line, held := range map[string]bool{
		"mv a.txt b.txt": true, "mv -f a.txt b.txt": true, "cp a.txt b.txt": true, "cp -p a.txt ./b.txt": true, "install -m 644 a.txt b.txt": true, "ln -f a.txt b.txt": true, "ln -sf a.txt b.txt": true, "rsync a.txt b.txt": true,
		"echo x > b.txt": true, "cat a.txt >| b.txt": true, "cat a.txt | tee b.txt": true, "cd d && mv ../a.txt ../b.txt": true, "cp a.txt d/f.txt && mv d/f.txt b.txt": true, "sh -c 'cp a.txt b.txt'": true, "cp d/b.txt .": true, "mv -t . d/b.txt": true, "cat b.txt; mv a.txt b.txt": true,

		"mv -n a.txt b.txt": false, "cp -n a.txt b.txt": false, "cp --backup a.txt b.txt": false, "cp a.txt new.txt": false, "cp a.txt d/": false, "cp a.txt same.txt": false, "ln a.txt b.txt": false, "echo x >> b.txt": false, "echo x > new.txt": false,
		"cat a.txt | tee -a b.txt": false, "sort b.txt > t.tmp && mv t.tmp b.txt": false, "cp b.txt b.bak && echo x > b.txt": false, "cp b.txt /tmp/nebula-b": false, "wc -l < b.txt > /dev/null": false, "rsync -n a.txt b.txt": false, "sed -i s/k/z/ b.txt": false,
	} {
		for _, rule := range []string{all, one} {
			for _, viewed := range []bool{false, true} {
				p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n", "b.txt": "y\n", "d/b.txt": "z\n", "same.txt": "x\n"}, acts(act("executeShell", "command", line)), say("Unverified: nothing to check."))
				p.setup.Approve, p.setup.Views = gate.All, func() bool { return viewed }
				p.setup.Stale = p.hashed
				if got := results(p.sayAlone(rule)); (got == "executeShell denied") != held {
					t.Errorf("%s, %s, viewed %v: %s", rule, line, viewed, got)
				}
			}
		}
	}
	p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n", "b.txt": "y\n"}, say("Two."), acts(act("executeShell", "command", "cp a.txt b.txt")), say("Unverified: nothing to check."))
	p.setup.Approve = gate.All
	p.setup.Stale = func(refs []nebula.FileRef) []nebula.FileRef {
		return []nebula.FileRef{{Path: refs[0].Path, Hash: nebula.Hash([]byte(p.read(refs[0].Path)))}}
	}
	p.sayAlone(all)
	if got := results(p.sayAlone("Replace b.txt with a.txt.")); got != "executeShell done" {
		t.Errorf("what is to be replaced: %s", got)
	}
}

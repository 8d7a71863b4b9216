package task_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// beside lets steps run side by side.
func beside(s *task.Setup) { s.Begin.Parallel = 3 }

// trees are the copies of the folder that there are.
func (o *office) trees() []string {
	found, err := filepath.Glob(filepath.Join(o.home, "forks", "*", "*"))
	if err != nil {
		o.t.Fatal(err)
	}
	return found
}

// Steps that break the whole project's check while they work, each until all have begun, do not fail each other: everything
// that they made, ignored files too, comes into the folder, which was never broken.
func TestStepsSideBySideDoNotBreakEachOther(t *testing.T) {
	o := newOffice(t)
	o.set = beside
	o.put(".gitignore", "out/\n")
	o.put("kept/old.txt", "old\n")
	o.open()
	var steps []nebula.PlanStep
	for _, id := range []string{"a", "b", "c"} {
		meet := fmt.Sprintf("touch %s/met-%s; for n in $(seq 400); do test $(ls %s | grep -c met-) = 3 && exit 0; sleep 0.02; done; exit 1", o.home, id, o.home)
		s := step(id, nil, do("writeFile", "path", id+"/broken", "content", "x"), do("executeShell", "command", meet),
			do("executeShell", "command", "mkdir -p out && echo "+id+" > out/"+id), do("deleteFile", "path", id+"/broken"), do("writeFile", "path", id+"/made", "content", id))
		s.Files, s.Verify = []string{id + "/"}, nebula.Verify{Command: "! ls */broken && grep old kept/old.txt"}
		steps = append(steps, s)
	}
	o.planned(steps...)
	before := pictured(t, o.dir)
	e := o.run(task.Request{})
	if stages(e.Plan) != "a completed, b completed, c completed" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	for _, id := range []string{"a", "b", "c"} {
		if o.read(id+"/made") != id || o.read("out/"+id) != id+"\n" {
			t.Errorf("%s: %q, %q", id, o.read(id+"/made"), o.read("out/"+id))
		}
	}
	if left := o.trees(); len(left) > 0 {
		t.Errorf("copies are left: %q", left)
	}
	o.send(nebula.Undo{}) // the conversation takes it all back
	if after := pictured(t, o.dir); after != before {
		t.Errorf("taken back:\n%s\nwas:\n%s", after, before)
	}
}

// What a run of tests leaves behind for itself stays in the copy where it ran, and what the project ignores is what was written last: neither
// is merged, nor anybody's work to settle.
func TestWhatIsIgnoredNeverConflicts(t *testing.T) {
	o := newOffice(t)
	o.set = beside
	o.put(".gitignore", "state.json\n")
	o.open()
	const tests = "test -x /usr/bin/pytest && PYTHONDONTWRITEBYTECODE=1 /usr/bin/pytest -q; mkdir -p .pytest_cache/v/cache && ls *.py > .pytest_cache/v/cache/nodeids"
	var steps []nebula.PlanStep
	for _, id := range []string{"a", "b", "c"} {
		meet := fmt.Sprintf("touch %s/met-%s; for n in $(seq 400); do test $(ls %s | grep -c met-) = 3 && exit 0; sleep 0.02; done; exit 1", o.home, id, o.home)
		s := step(id, nil, do("writeFile", "path", "test_"+id+".py", "content", "def test_"+id+"():\n    assert True\n"), do("executeShell", "command", "echo "+id+" > state.json; "+tests), do("executeShell", "command", meet))
		s.Files, s.Verify = []string{"test_" + id + ".py"}, nebula.Verify{Command: tests}
		steps = append(steps, s)
	}
	o.planned(steps...)
	e := o.run(task.Request{})
	if stages(e.Plan) != "a completed, b completed, c completed" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	for _, n := range events[nebula.Noted](o) {
		if strings.Contains(n.Text, "the same places") {
			t.Errorf("told: %s", n.Text)
		}
	}
	if got := o.read("state.json"); !slices.Contains([]string{"a\n", "b\n", "c\n"}, got) {
		t.Errorf("what is ignored became %q", got)
	}
	if _, err := os.Stat(filepath.Join(o.dir, ".pytest_cache")); err == nil {
		t.Error("what a run of tests left in a copy is in the folder")
	}
}

// What two steps changed in one file is merged, and verified together; what does not fit together is shown, and the later
// step's to settle.
func TestConflictIsTheLaterStepsWork(t *testing.T) {
	lines := "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	for name, c := range map[string]struct{ second, settled, want string }{
		"merged":   {"six", "", "one\nTWO\nthree\nfour\nfive\nB-six\nseven\n"},
		"conflict": {"two", "TWO and B-two", "one\nTWO and B-two\nthree\nfour\nfive\nsix\nseven\n"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.set = func(s *task.Setup) {
				beside(s)
				s.Text = func(tree, path string) (string, bool) {
					data, err := os.ReadFile(filepath.Join(tree, path))
					return string(data), err == nil
				}
			}
			o.put("both.txt", lines)
			told := ""
			o.agent = func(text string, n int) []nebula.Task {
				if !strings.Contains(text, "<<<<<<<") || n > 1 {
					return nil
				}
				told = text
				if n == 0 {
					return []nebula.Task{do("readFile", "path", "both.txt")}
				}
				return []nebula.Task{do("editFile", "path", "both.txt", "new_content", strings.Replace(lines, "two", c.settled, 1))}
			}
			o.open()
			wait := fmt.Sprintf("touch %s/b; for n in $(seq 500); do grep -q TWO %s/both.txt && exit 0; sleep 0.02; done; exit 1", o.home, o.dir)
			first := step("a", nil, do("executeShell", "command", fmt.Sprintf("for n in $(seq 500); do test -e %s/b && break; sleep 0.02; done", o.home)),
				do("readFile", "path", "both.txt"), change("both.txt", "two", "TWO"))
			second := step("b", nil, do("readFile", "path", "both.txt"), change("both.txt", c.second, "B-"+c.second), do("executeShell", "command", wait))
			second.Verify = nebula.Verify{Command: fmt.Sprintf("echo x >> %s/verified; ! grep '<<<' both.txt", o.home)}
			o.planned(first, second)
			e := o.run(task.Request{})
			if stages(e.Plan) != "a completed, b completed" || o.read("both.txt") != c.want {
				t.Fatalf("%s %q: %s, %q", e.Status, e.Why, stages(e.Plan), o.read("both.txt"))
			}
			if verified, _ := os.ReadFile(filepath.Join(o.home, "verified")); string(verified) != "x\nx\n" {
				t.Errorf("the second step was verified %d times, not by itself and joined", strings.Count(string(verified), "x"))
			}
			shown := false
			for _, n := range events[nebula.Noted](o) {
				shown = shown || strings.Contains(n.Text, "both.txt")
			}
			if both := strings.Contains(told, "one\n<<<<<<<") && strings.Contains(told, "\nTWO\n") && strings.Contains(told, "\nB-two\n"); both != shown {
				t.Errorf("what does not fit together is not shown to the agent: %q", told)
			}
			if shown != (c.settled != "") || (told != "") != shown {
				t.Errorf("shown: %v, its agent reads %q", shown, told)
			}
			o.send(nebula.Undo{})
			if got := o.read("both.txt"); got != lines {
				t.Errorf("taken back it is %q", got)
			}
		})
	}
}

// A step that fails in its copy leaves the folder as it was, and the others come into it.
func TestFailedStepLeavesTheFolderAlone(t *testing.T) {
	o := newOffice(t)
	o.set = beside
	o.open()
	bad := step("a", nil, do("writeFile", "path", "a/1", "content", "x"))
	bad.Verify = nebula.Verify{Command: "false"}
	o.planned(bad, step("b", nil, do("writeFile", "path", "b/1", "content", "x")))
	e := o.run(task.Request{})
	if !strings.Contains(plan.Account(*e.Plan.Steps[0].Report, "en"), o.home) {
		t.Errorf("nobody says where it stands: %q", plan.Account(*e.Plan.Steps[0].Report, "en"))
	}
	if stages(e.Plan) != "a failed, b completed" || o.read("b/1") != "x" || !strings.HasPrefix(o.read("a/1"), "<") {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

// A folder that cannot be copied has its steps one at a time.
func TestLargeFolderHasOneStepAtATime(t *testing.T) {
	o := newOffice(t)
	o.set = beside
	o.put("large", strings.Repeat("x", 2<<20))
	o.open()
	alone := "test ! -e under && touch under && sleep 0.2 && rm under"
	o.planned(step("a", nil, do("executeShell", "command", alone)), step("b", nil, do("executeShell", "command", alone)))
	if e := o.run(task.Request{}); stages(e.Plan) != "a completed, b completed" || len(e.Plan.Steps[0].Tasks) != 1 {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

// TestApartChild is the process that is killed.
func TestApartChild(t *testing.T) {
	o := newOffice(t).inherited("TestKilledAnywhereStepsSideBySideComeTogether")
	o.set = func(s *task.Setup) { beside(s); s.CutOff = "again" }
	o.open().goesOn()
}

// However often nebula is killed, what steps did side by side is in the folder in the end, once, and is taken back as one
// would take back anything.
func TestKilledAnywhereStepsSideBySideComeTogether(t *testing.T) {
	kills := 6
	if os.Getenv("NEBULA_LONG") != "" {
		kills = 60
	}
	o := newOffice(t).open()
	lines := "top\n1\n2\n3\n4\n5\n6\n7\n8\n9\nend\n"
	o.put("all.txt", lines)
	var steps []nebula.PlanStep
	for n, id := range []string{"a", "b", "c"} {
		s := step(id, nil, do("writeFile", "path", id+"/1", "content", id), do("readFile", "path", "all.txt"),
			change("all.txt", fmt.Sprintf("%d\n", 3*n+2), fmt.Sprintf("%d %s\n", 3*n+2, id)), do("executeShell", "command", "sleep 0.1; echo "+id+" > "+id+"/2"), do("createDirectory", "path", id+"/empty"))
		s.Verify = nebula.Verify{Command: "grep " + id + " all.txt"}
		steps = append(steps, s)
	}
	o.planned(steps...)
	before := pictured(t, o.dir)
	o.close()
	for killed, done := 0, false; !done; {
		after := time.Minute
		if killed < kills {
			after = time.Duration(100+150*killed) * time.Millisecond
		}
		done = o.ends(t, "TestApartChild", after)
		killed++
	}
	o.open()
	want := strings.NewReplacer("2\n", "2 a\n", "5\n", "5 b\n", "8\n", "8 c\n").Replace(lines)
	if o.read("all.txt") != want {
		t.Errorf("all.txt holds %q", o.read("all.txt"))
	}
	for _, id := range []string{"a", "b", "c"} {
		if o.read(id+"/1") != id || o.read(id+"/2") != id+"\n" {
			t.Errorf("%s: %q, %q", id, o.read(id+"/1"), o.read(id+"/2"))
		}
	}
	list, err := o.store.AllSessions(t.Context(), o.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range slices.Concat(list, list, list) { // what waits for a later one's is taken back in the next round
		s, err := agent.Open(t.Context(), o.setup(), info.ID)
		if err != nil {
			continue // the conversation itself
		}
		for n := 0; n < 10 && s.Send(t.Context(), nebula.Undo{}) == nil; n++ {
		}
		_ = s.Send(t.Context(), nebula.Close{})
		_ = s.Wait()
	}
	if after := pictured(t, o.dir); after != before {
		t.Errorf("taken back:\n%s\nwas:\n%s", after, before)
	}
}

// A file of a step's that a step beside it took away is missing when the two are joined: the step is not done without it.
func TestFileThatAnotherStepTookAwayIsMissed(t *testing.T) {
	o := newOffice(t)
	o.set = beside
	o.put("kept.txt", "same\n")
	o.open()
	wait := func(until string) nebula.Task {
		return do("executeShell", "command", fmt.Sprintf("for n in $(seq 500); do %s && exit 0; sleep 0.02; done; exit 1", until))
	}
	first := step("a", nil, wait("test -e "+o.home+"/b"), do("executeShell", "command", "rm kept.txt"))
	second := step("b", nil, do("executeShell", "command", "echo x > kept.txt"), do("executeShell", "command", "echo same > kept.txt; touch "+o.home+"/b"),
		wait("! test -e "+o.dir+"/kept.txt"))
	second.Files = []string{"kept.txt"}
	o.planned(first, second)
	e := o.run(task.Request{})
	if stages(e.Plan) != "a completed, b failed" || e.Plan.Steps[1].Report.Cause != nebula.NewCode(plan.Absent, "kept.txt") {
		t.Errorf("%s: %+v", stages(e.Plan), e.Plan.Steps[1].Report)
	}
}

// unjoined are copies of which nothing comes into the folder, whatever is said of it.
type unjoined struct{ task.Forks }

func (f unjoined) Join(ctx context.Context, with nebula.Conduct, id, tree string) (task.Conversation, *nebula.Action, error) {
	c, action, err := f.Forks.Join(ctx, with, id, tree)
	if action != nil {
		action = &nebula.Action{Tool: "list", Args: []byte(`{"path":"."}`)}
	}
	return c, action, err
}

// A step whose files are not in the folder when it was joined is not done, and its copy, which has them, stays.
func TestStepWhoseFilesDidNotArriveIsNotDone(t *testing.T) {
	o := newOffice(t)
	o.set = func(s *task.Setup) {
		beside(s)
		s.Forks = unjoined{s.Forks}
	}
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x")), step("b", nil, do("writeFile", "path", "b/1", "content", "x")))
	e := o.run(task.Request{})
	if stages(e.Plan) != "a failed, b failed" || e.Plan.Steps[0].Report.Cause != nebula.NewCode(plan.Absent, "a/1") || len(o.trees()) != 2 {
		t.Errorf("%s: %+v, %q", stages(e.Plan), e.Plan.Steps[0].Report, o.trees())
	}
}

// Steps that write the first tests of a project, each in a copy, are verified by them: they are looked for where the step worked.
func TestTheFirstTestsOfAProjectAreFoundInTheCopy(t *testing.T) {
	o := newOffice(t)
	o.set = func(s *task.Setup) {
		beside(s)
		s.Checkable = func(tree string) bool {
			found, err := filepath.Glob(filepath.Join(cmp.Or(tree, o.dir), "test_*.py"))
			return err == nil && len(found) > 0
		}
	}
	o.put("kept.txt", "x\n")
	o.open()
	var steps []nebula.PlanStep
	for _, id := range []string{"a", "b"} {
		s := step(id, nil, do("writeFile", "path", "test_"+id+".py", "content", "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_"+id+"(self):\n        self.assertTrue(True)\n"))
		s.Files, s.Verify = []string{"test_" + id + ".py"}, nebula.Verify{Tests: true}
		steps = append(steps, s)
	}
	o.planned(steps...)
	for _, s := range o.run(task.Request{}).Plan.Steps {
		if s.Status != nebula.Completed || s.Evidence == nil || s.Evidence.How != "tests" {
			t.Errorf("%s: %s %+v", s.ID, s.Status, s.Evidence)
		}
	}
}

package task_test

import (
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/task"
)

// approved waits until the plan is in a stage, or gives up.
func (o *office) approved(want nebula.Stage) bool {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if p := o.loop.Plan(); p != nil && p.Status == want {
			return true
		}
	}
	return false
}

// A clear yes to a plan that was just shown approves it; anything else leaves it a draft.
func TestPlanIsApprovedInTheConversation(t *testing.T) {
	for text, want := range map[string]nebula.Stage{
		"yes": nebula.Approved, "はい": nebula.Approved, "この計画で進めてください": nebula.Approved, "Approve the plan.": nebula.Approved,
		"yes, but skip the second step": nebula.Draft, "what does step 2 do?": nebula.Draft, "no": nebula.Draft, "yes?": nebula.Draft,
	} {
		t.Run(text, func(t *testing.T) {
			o := newOffice(t)
			o.speaks(languages()[0], act("proposePlan", map[string]string{"goal": "build it"}), say("Shall I go on?"), say("As you say."), say("Later."))
			o.answers = func(string, string) string {
				return `{"name":"p","steps":[{"step_id":"step_001","name":"one","verify":{"command":"true"}}]}`
			}
			o.open()
			o.told("build it")
			o.told(text)
			if p := *o.loop.Plan(); p.Status != want || want == nebula.Approved && p.Approved != "person" {
				t.Errorf("the plan is %s by %q", p.Status, p.Approved)
			}
		})
	}
}

// A plain yes is for what was just shown: some turns later it approves nothing, and words that name the plan do.
func TestLateYesApprovesNoPlan(t *testing.T) {
	o := newOffice(t)
	o.speaks(languages()[0], act("proposePlan", map[string]string{"goal": "build it"}), say("Shall I go on?"), say("Sure: …"), say("Fine."), say("Begun."))
	o.answers = func(string, string) string {
		return `{"name":"p","steps":[{"step_id":"step_001","name":"one","verify":{"command":"true"}}]}`
	}
	o.open()
	o.told("build it")
	o.told("what is in it?")
	o.told("yes")
	if p := *o.loop.Plan(); p.Status != nebula.Draft {
		t.Errorf("the plan is %s", p.Status)
	}
	o.told("approve the plan")
	if !o.approved(nebula.Approved) {
		t.Error("it is not approved")
	}
}

// What the person said yes to with the plan is not asked about again: the files that a step names, and the commands that
// verify, whoever of the plan runs them. Everything else is.
func TestApprovedPlanCoversWhatItNames(t *testing.T) {
	for name, c := range map[string]struct {
		does  nebula.Task
		files []string
		asks  bool
	}{
		"its file":              {do("writeFile", "path", "a/1", "content", "x"), []string{"a/1"}, false},
		"in its folder":         {do("writeFile", "path", "a/deep/1", "content", "x"), []string{"a/"}, false},
		"another file":          {do("writeFile", "path", "b/1", "content", "x"), []string{"a/"}, true},
		"brackets beside it":    {do("writeFile", "path", "a[x]b", "content", "x"), []string{"v1.txt"}, true},
		"a star beside it":      {do("writeFile", "path", "a*b", "content", "x"), []string{"v1.txt"}, true},
		"a question mark":       {do("writeFile", "path", "w?.go", "content", "x"), []string{"v1.txt"}, true},
		"a deep one in a set":   {do("writeFile", "path", "d[1]/go.md", "content", "x"), []string{"v1.txt"}, true},
		"a route beside it":     {do("writeFile", "path", "app/[id]/x", "content", "x"), []string{"app/page.tsx"}, true},
		"a route itself":        {do("writeFile", "path", "src/[x]/p.tsx", "content", "x"), []string{"src/[x]/p.tsx"}, false},
		"what brackets mean":    {do("writeFile", "path", "src/x/p.tsx", "content", "x"), []string{"src/[x]/p.tsx"}, true},
		"another set":           {do("writeFile", "path", "a1.txt", "content", "x"), []string{"a[1].txt"}, true},
		"beside a route":        {do("writeFile", "path", "app/x", "content", "x"), []string{"app/[id]/page.tsx"}, true},
		"above its file":        {do("writeFile", "path", "a", "content", "x"), []string{"a/b/c/"}, true},
		"a route by its name":   {do("writeFile", "path", "app/[id]/page.tsx", "content", "x"), []string{"app/[id]/page.tsx"}, false},
		"in a route's folder":   {do("writeFile", "path", "app/[id]/x", "content", "x"), []string{"app/[id]/"}, false},
		"in a folder above it":  {do("writeFile", "path", "app/[id]/x", "content", "x"), []string{"app/"}, false},
		"a star by its name":    {do("writeFile", "path", "a*b", "content", "x"), []string{"a*b"}, false},
		"by a pattern":          {do("writeFile", "path", "docs/a[1].md", "content", "x"), []string{"docs/*.md"}, false},
		"below two stars":       {do("writeFile", "path", "src/x/[y]/z.txt", "content", "x"), []string{"src/**"}, false},
		"in every folder":       {do("writeFile", "path", "src/x/y.md", "content", "x"), []string{"./**/*.md"}, false},
		"not by its pattern":    {do("writeFile", "path", "docs/a.sh", "content", "x"), []string{"docs/*.md"}, true},
		"any, as none is named": {do("writeFile", "path", "b/1", "content", "x"), nil, true},
		"a deletion":            {do("deleteFile", "path", "old"), []string{"old"}, true},
		"what steers others":    {do("writeFile", "path", ".mcp.json", "content", "{}"), []string{".mcp.json"}, true},
		"a build file of it":    {do("writeFile", "path", "sub/Makefile", "content", "all:\n\ttrue\n"), []string{"sub/Makefile"}, false},
		"packages by name":      {do("writeFile", "path", "package.json", "content", "{}\n"), []string{"package.json"}, false},
		"a build file in it":    {do("writeFile", "path", "sub/Makefile", "content", "all:\n\ttrue\n"), []string{"sub/"}, true},
		"any build file":        {do("writeFile", "path", "sub/Makefile", "content", "all:\n\ttrue\n"), []string{"sub/*"}, true},
		"code that generates":   {do("writeFile", "path", "a.go", "content", "package a\n\n//go:generate touch b\n"), []string{"a.go"}, true},
		"its verification":      {do("executeShell", "command", "test -d ."), []string{"x/"}, false},
		"the tests":             {do("runTests"), []string{"x/"}, false},
		"other tests":           {do("runTests", "command", "go test -count=2 ./..."), []string{"x/"}, true},
		"another command":       {do("executeShell", "command", "test -d . "), []string{"x/"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.approve = gate.Ask
			o.put("old", "x")
			o.put("v1.txt", "x")
			o.put("app/page.tsx", "x")
			o.put("go.mod", "module x\n\ngo 1.26\n")
			o.put("x_test.go", "package x\n\nimport \"testing\"\n\nfunc TestIt(*testing.T) {}\n")
			o.agent = func(_ string, n int) []nebula.Task {
				if n > 0 {
					return nil
				}
				return []nebula.Task{c.does}
			}
			o.open()
			s := step("a", nil)
			s.Files, s.Verify = c.files, nebula.Verify{Tests: true, Command: "test -d ."}
			o.planned(s)
			o.answer(func(nebula.Queued) nebula.Answer { return nebula.Answer{By: nebula.Person, Answer: nebula.Yes} })
			if e := o.run(task.Request{}); stages(e.Plan) != "a completed" {
				t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
			}
			if queued := events[nebula.Queued](o); len(queued) > 0 != c.asks {
				t.Errorf("asked about %+v", queued)
			}
		})
	}
}

// What a plan covers is the person's word: one that a policy let run covers nothing, and a guess is none of what it names.
func TestOnlyThePersonsPlanCovers(t *testing.T) {
	for name, c := range map[string]struct {
		by      nebula.Decider
		guesses bool
		asks    bool
	}{
		"the person's":  {"person", false, false},
		"the policy's":  {"policy", false, true},
		"a guess in it": {"person", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.approve = gate.Ask
			if c.guesses {
				o.steps = nebulatest.Guessing{Protocol: o.protocol}
			}
			o.agent = func(_ string, n int) []nebula.Task {
				if n > 0 {
					return nil
				}
				return []nebula.Task{do("executeShell", "command", "test -d .")}
			}
			o.open()
			s := step("a", nil)
			s.Files, s.Verify.Command = []string{"x/"}, "test -d ."
			o.planned(s)
			o.answer(func(nebula.Queued) nebula.Answer { return nebula.Answer{By: nebula.Person, Answer: nebula.Yes} })
			o.run(task.Request{By: c.by})
			if queued := events[nebula.Queued](o); len(queued) > 0 != c.asks {
				t.Errorf("asked about %+v", queued)
			}
		})
	}
}

// A draft that nobody let run stays one.
func TestNobodyApprovesNoPlan(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x")))
	p, err := o.loop.Start(t.Context(), task.Request{})
	if err == nil || p.Status != nebula.Draft || p.Approved != "" {
		t.Errorf("%s, approved by %q: %v", p.Status, p.Approved, err)
	}
	o.loop.Wait(t.Context())
	if o.read("a/1") == "x" {
		t.Error("it ran")
	}
}

// A draft that a conversation never showed is shown there, in place of being approved; said again, what was shown is approved. What it
// proposed itself was shown, and so was what the person names.
func TestADraftOfAnotherConversationIsShownBeforeItIsApproved(t *testing.T) {
	for _, how := range []nebula.Direction{nebula.RunPlan, nebula.ApprovePlan} {
		for _, named := range []bool{false, true} {
			o := newOffice(t).open()
			p := o.planned(step("a", nil, do("writeFile", "path", "a.txt", "content", "x")))
			o.close()
			o.open()
			d := nebula.Direct{Do: how}
			if named {
				d.Plan = p.ID
			}
			err := o.chat.Send(t.Context(), d)
			told := events[nebula.Planned](o)
			if !named {
				if err == nil || !strings.Contains(err.Error(), p.ID) || len(told) != 1 || told[0].Plan.Status != nebula.Draft || len(told[0].Plan.Steps) != 1 {
					t.Fatalf("%s: %v, told %+v", how, err, told)
				}
				if now, err := task.Find(t.Context(), o.store, o.dir, p.ID); err != nil || now.Status != nebula.Draft {
					t.Fatalf("%s: %s, %v", how, now.Status, err)
				}
				err = o.chat.Send(t.Context(), d)
			}
			if err != nil {
				t.Fatalf("%s, named %v: %v", how, named, err)
			}
			if now, err := task.Find(t.Context(), o.store, o.dir, p.ID); err != nil || now.Status == nebula.Draft {
				t.Errorf("%s, named %v: %s, %v", how, named, now.Status, err)
			}
		}
	}
	o := newOffice(t).open()
	o.planned(step("a", nil, do("writeFile", "path", "a.txt", "content", "x")))
	if err := o.chat.Send(t.Context(), nebula.Direct{Do: nebula.ApprovePlan}); err != nil {
		t.Errorf("proposed here: %v", err)
	}
}

package plan_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model/token"
	"nebula/internal/plan"
)

func steps(list ...string) nebula.Plan {
	p := nebula.Plan{ID: "plan_1", Name: "n", Goal: "g", Status: nebula.Draft}
	for _, s := range list {
		id, after, _ := strings.Cut(s, "<")
		on := []string{}
		if after != "" {
			on = strings.Split(after, ",")
		}
		p.Steps = append(p.Steps, nebula.PlanStep{ID: id, Name: "do " + id, Status: nebula.Pending, DependsOn: on, Files: []string{id}})
	}
	return p
}

func TestPlansThatMakeNoSenseAreRefusedWithTheReason(t *testing.T) {
	for _, c := range []struct {
		plan nebula.Plan
		want string
	}{
		{steps("a", "b<a", "c<a,b"), ""},
		{steps(), "no steps"},
		{steps("a", "a"), `steps 1 and 2 have the same id "a"`},
		{steps("a<x"), `step a depends on "x", which is no step of the plan`},
		{steps("a<a"), "circle: a → a"},
		{steps("a<c", "b<a", "c<b"), "circle: a → c → b → a"},
		{steps("a", "b<c", "c<b"), "circle: b → c → b"},
		{nebula.Plan{Goal: "g", Steps: []nebula.PlanStep{{ID: "a"}}}, "step a has no name"},
		{nebula.Plan{Steps: steps("a").Steps}, "no goal"},
		{nebula.Plan{Goal: "g", Steps: []nebula.PlanStep{{ID: "a b", Name: "x"}}}, "an id is one word"},
	} {
		err := plan.Validate(c.plan)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.plan.Steps, err, c.want)
		}
	}
}

func ids(p nebula.Plan, at []int) string {
	var out []string
	for _, i := range at {
		out = append(out, p.Steps[i].ID)
	}
	return strings.Join(out, " ")
}

func TestStepsAreReadyWhenNothingTheyNeedIsOpen(t *testing.T) {
	p := steps("a", "b<a", "c", "d<b,c")
	for _, c := range []struct{ set, want string }{
		{"", "a c"}, {"a=in_progress", "c"}, {"a=completed", "b c"}, {"b=skipped c=completed", "d"}, {"d=completed", ""},
	} {
		for _, s := range strings.Fields(c.set) {
			id, to, _ := strings.Cut(s, "=")
			i, _ := plan.Index(p, id)
			p.Steps[i].Status = nebula.Stage(to)
		}
		if got := ids(p, plan.Ready(p)); got != c.want {
			t.Errorf("after %s: %q, want %q", c.set, got, c.want)
		}
	}
}

func TestStepsRunSideBySideOnlyOnTheirOwnFiles(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		want bool
	}{
		{[]string{"a.go"}, []string{"b.go"}, false}, {[]string{"a.go"}, []string{"./A.go"}, true}, {nil, []string{"a"}, true},
		{[]string{"src/"}, []string{"src/a.go"}, true}, {[]string{"src/**"}, []string{"src/x/y.go"}, true}, {[]string{"src"}, []string{"srcs"}, false},
		{[]string{"*.go"}, []string{"docs/a.md"}, true}, {[]string{"docs/*.md"}, []string{"src/a"}, false}, {[]string{"."}, []string{"x"}, true},
	} {
		if plan.Overlap(c.a, c.b) != c.want || plan.Overlap(c.b, c.a) != c.want {
			t.Errorf("%v and %v: want %v", c.a, c.b, c.want)
		}
	}
	p := steps("a", "b", "c", "d")
	p.Steps[1].Files = []string{"a"}
	if got := ids(p, plan.Next(p, 2)); got != "a c" {
		t.Errorf("next %q", got)
	}
	p.Steps[0].Status = nebula.InProgress
	if got := ids(p, plan.Next(p, 3)); got != "c d" {
		t.Errorf("next %q", got)
	}
}

func TestStagesFollowTheTable(t *testing.T) {
	all := []nebula.Stage{nebula.Pending, nebula.InProgress, nebula.Completed, nebula.StageFailed, nebula.StageSkipped}
	legal := "pending>in_progress pending>skipped in_progress>completed in_progress>failed in_progress>pending in_progress>skipped completed>pending failed>pending failed>skipped skipped>pending"
	for _, from := range all {
		for _, to := range all {
			if want := slices.Contains(strings.Fields(legal), string(from+">"+to)); plan.Allows(from, to) != want {
				t.Errorf("%s → %s: want %v", from, to, want)
			}
		}
	}
}

func TestThePlansStatusFollowsFromItsSteps(t *testing.T) {
	p := steps("a", "b<a")
	p.Status = nebula.Approved
	for _, c := range []struct{ a, b, want nebula.Stage }{
		{nebula.Pending, nebula.Pending, nebula.Approved}, {nebula.InProgress, nebula.Pending, nebula.InProgress},
		{nebula.Completed, nebula.Pending, nebula.InProgress}, {nebula.StageFailed, nebula.Pending, nebula.StageFailed},
		{nebula.Completed, nebula.StageSkipped, nebula.Completed},
	} {
		p.Steps[0].Status, p.Steps[1].Status = c.a, c.b
		if got := plan.Settle(p).Status; got != c.want {
			t.Errorf("%s %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestAChangeTakesTheApprovalBack(t *testing.T) {
	p, err := plan.Do(steps("a", "b<a", "c<b"), plan.Approve("person"))
	if err != nil || p.Status != nebula.Approved || p.Approved != "person" {
		t.Fatalf("%v %+v", err, p)
	}
	name := "other"
	for what, edit := range map[string]plan.Edit{
		"add": plan.Add(nebula.PlanStep{Name: "x"}, 0), "change": plan.Change("b", plan.Fields{Name: &name}), "remove": plan.Remove("b"), "move": plan.Move("c", "a"),
	} {
		before := fmt.Sprint(p)
		got, err := plan.Do(p, edit)
		if err != nil || got.Status != nebula.Draft || got.Approved != "" {
			t.Errorf("%s: %v, %s", what, err, got.Status)
		}
		if fmt.Sprint(p) != before {
			t.Errorf("%s changed the plan it was given", what)
		}
	}
	if got, err := plan.Do(p, plan.Skip("a")); err != nil || got.Status != nebula.InProgress {
		t.Errorf("skip: %v, %s", err, got.Status)
	}
	if got, err := plan.Do(p, plan.Remove("b")); err != nil || !slices.Equal(got.Steps[1].DependsOn, []string{"a"}) {
		t.Errorf("remove: %v, %+v", err, got.Steps)
	}
	circle := []string{"c"}
	if _, err := plan.Do(p, plan.Change("a", plan.Fields{DependsOn: &circle})); err == nil {
		t.Error("a circle was made")
	}
	if _, err := plan.Do(p, plan.Set("a", nebula.Completed)); err == nil || !strings.Contains(err.Error(), "verification") {
		t.Errorf("completed without evidence: %v", err)
	}
}

func TestMarkdownIsReadBackAsWritten(t *testing.T) {
	p := steps("a", "b<a", "step_003<a,b")
	p.Steps[1].Description = "First.\n\n# not a heading\n## nor this\n\\kept\n- list: item\nFiles: are many"
	p.Steps[1].Verify = nebula.Verify{Command: "go test ./..."}
	p.Steps[2].Verify = nebula.Verify{Person: "it looks right"}
	p.Steps[0].Verify, p.Steps[0].Files = nebula.Verify{Tests: true}, nil
	got, err := plan.ReadMarkdown(plan.Markdown(p))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Steps {
		if got.Steps[i].DependsOn == nil {
			got.Steps[i].DependsOn = []string{}
		}
		if !reflect.DeepEqual(got.Steps[i], p.Steps[i]) {
			t.Errorf("step %d\n%+v\n%+v", i, got.Steps[i], p.Steps[i])
		}
	}
	same, err := plan.Do(p, plan.Replace(got))
	if err != nil || !reflect.DeepEqual(same.Steps, p.Steps) {
		t.Errorf("replaced by itself: %v\n%+v", err, same)
	}
}

func TestEditedMarkdownTellsItsErrorsByLine(t *testing.T) {
	for text, want := range map[string]string{
		"# p\nGoal: g\n\n## [ ] a: \n":        `line 4: a step without a name`,
		"p\n":                                 `line 1: a plan begins with "# name"`,
		"# p\n\n## a: x\n":                    `line 2: there is no "Goal: …"`,
		"# p\nGoal: g\nwhat\n":                `line 3: before the first step`,
		"# p\nGoal: g\n## a: x\ny\n# z\n":     `line 5: a second heading`,
		"# p\nGoal: g\n## a: x\n### deeper\n": `line 4: a heading that is neither`,
	} {
		_, err := plan.ReadMarkdown(text)
		var at *plan.LineError
		if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestModelsProposePlansInManyForms(t *testing.T) {
	for _, reply := range []string{
		`{"name":"p","steps":[{"step_id":"s1","name":"one","description":"d","depends_on":[]},{"step_id":"s2","name":"two","depends_on":["s1"]}]}`,
		"Here it is:\n```json\n{\"steps\": [{\"id\": 1, \"name\": \"one\"}, {\"id\": 2, \"name\": \"two\", \"depends_on\": [1]}]}\n```\nGood?",
		`{"plan":{"steps":[{"name":"one"},{"name":"two","depends_on":"one"}]}}`,
		"{'steps': [{'name': 'one'}, {'name': 'two', 'depends_on': ['step_001'],},],}",
	} {
		p, err := plan.Read(reply, "the goal")
		if err != nil || len(p.Steps) != 2 || len(p.Steps[1].DependsOn) != 1 || p.Steps[1].DependsOn[0] != p.Steps[0].ID || p.Goal != "the goal" {
			t.Errorf("%s: %v %+v", reply, err, p)
		}
	}
	for reply, want := range map[string]string{
		"I cannot.": "no JSON object", `{"steps":[]}`: "no steps", `{"steps":[{"name":"a","depends_on":["b"]}]}`: "no step of the plan",
	} {
		if _, err := plan.Read(reply, "g"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", reply, err, want)
		}
	}
}

func TestTasksAreHeldToTheToolsBeforeAnythingRuns(t *testing.T) {
	tools := []nebula.ToolSpec{{Name: "write", Aliases: []string{"file_ops.write"}, Params: []nebula.Param{{Name: "path", Type: "string", Required: true}, {Name: "content", Type: "string", Required: true}}}}
	got, err := plan.ReadTasks(`{"task_list":[{"operation":"file_ops.write","args":{"path":"a","content":"x\n","reason":"why"}}]}`, tools)
	if err != nil || got[0].Operation != "write" || got[0].Reason != "why" || string(got[0].Args) != `{"content":"x\n","path":"a"}` {
		t.Fatalf("%v %+v", err, got)
	}
	for reply, want := range map[string]string{
		`{"task_list":[{"operation":"format","args":{}}]}`:                                `task 1: there is no tool "format"`,
		`{"task_list":[{"operation":"write","args":{"path":"a","content":"","mode":1}}]}`: `task 1: write takes no "mode"`,
		`{"task_list":[]}`: "no tasks",
		`{"task_list":[{"operation":"write","args":{"path":"a","content":"say "hello" now"}}]}`: "not certain",
	} {
		if _, err := plan.ReadTasks(reply, tools); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", reply, err, want)
		}
	}
	bare := []plan.ProposedTask{{Operation: "write", Args: []byte(`{"path":"a"}`)}}
	if _, err := plan.MakeTasks(bare, tools); err == nil || err.Error() != `task 1: write needs "content"` {
		t.Errorf("a given task without its content: %v", err)
	}
	if got, err := plan.ReadTasks(`{"task_list":[{"operation":"write","args":{"path":"a"}}]}`, tools); err != nil || got[0].By != nebula.ByAgent {
		t.Errorf("a task that the step's agent completes: %+v, %v", got, err)
	}
}

func large(steps, tasks int) nebula.Plan {
	p := nebula.Plan{ID: "plan_12345678", Name: strings.Repeat("とても長い名前の計画", 10), Goal: "g", Status: nebula.InProgress, Why: nebula.Code(strings.Repeat("a reason ", 50))}
	for i := range steps {
		s := nebula.PlanStep{ID: fmt.Sprintf("step_%04d", i), Name: strings.Repeat("非常に長いステップ名", 8), Status: nebula.Pending}
		for d := range min(i, 3) {
			s.DependsOn = append(s.DependsOn, fmt.Sprintf("step_%04d", i-d-1))
		}
		s.Tasks = make([]nebula.Task, tasks)
		switch {
		case i < steps/3:
			s.Status = nebula.Completed
		case i < steps/2:
			s.Status = nebula.StageFailed
		case i < steps/2+20:
			s.Status = nebula.InProgress
		}
		p.Steps = append(p.Steps, s)
	}
	for i := steps - 50; i >= 0 && i < steps; i++ {
		p.Steps[i].DependsOn = nil
	}
	return p
}

func TestSummaryIsShortForEveryPlan(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		text := plan.Summary(large(1000, 10), lang)
		n := token.Count(text)
		if n > 300 {
			t.Errorf("%s: %d tokens\n%s", lang, n, text)
		}
		t.Logf("%s: %d tokens", lang, n)
	}
}

// A plan that stopped is in no progress, whatever of it is done.
func TestSummaryOfAStoppedPlanDoesNotContradictItself(t *testing.T) {
	p := steps("a", "b<a")
	p.Status, p.Why, p.Steps[0].Status = nebula.InProgress, "interrupted: nebula ended while it ran", nebula.Completed
	for _, lang := range []string{"en", "ja"} {
		if text := plan.Summary(p, lang); strings.Contains(text, "progress") || !strings.Contains(text, "interrupted") {
			t.Errorf("%s: %s", lang, text)
		}
	}
	p.Steps[1].Status = nebula.InProgress
	if text := plan.Summary(p, "en"); !strings.Contains(text, ": in_progress, 1 of 2") {
		t.Error(text)
	}
}

func TestGraphsOfRandomPlansAreWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p := steps("s0")
		for i := 1; i < 2+r.IntN(30); i++ {
			s := nebula.PlanStep{ID: fmt.Sprintf("s%d", i), Name: "x", Status: nebula.Pending}
			for j := range i {
				if r.IntN(4) == 0 {
					s.DependsOn = append(s.DependsOn, fmt.Sprintf("s%d", j))
				}
			}
			p.Steps = append(p.Steps, s)
		}
		if err := plan.Validate(p); err != nil {
			t.Fatal(err)
		}
		edges := 0
		for _, s := range p.Steps {
			edges += len(s.DependsOn)
		}
		text, _ := plan.Graph(p, "text")
		mermaid, _ := plan.Graph(p, "mermaid")
		dot, err := plan.Graph(p, "dot")
		if err != nil || strings.Count(text, "\n") != len(p.Steps) || strings.Count(mermaid, "-->") != edges || strings.Count(dot, "->") != edges {
			t.Fatalf("%v\n%s\n%s\n%s", err, text, mermaid, dot)
		}
		for done := 0; done < len(p.Steps); done++ { // it can be worked through
			ready := plan.Ready(p)
			if len(ready) == 0 {
				t.Fatalf("nothing is ready after %d steps", done)
			}
			p.Steps[ready[0]].Status = nebula.Completed
		}
	}
}

func BenchmarkReady(b *testing.B) {
	p := large(1000, 10)
	for b.Loop() {
		plan.Next(p, 30)
	}
}

func BenchmarkSummary(b *testing.B) {
	p := large(1000, 10)
	for b.Loop() {
		plan.Summary(p, "en")
	}
}

// A step's agent is told what it is to do and how that is checked, what the others changed, and what was proposed.
func TestBriefTellsWhatAStepNeeds(t *testing.T) {
	p := steps("a", "b<a")
	p.Goal, p.Notes = "be useful", []string{"no frameworks"}
	p.Steps[0].Status = nebula.Completed
	p.Steps[0].Tasks = []nebula.Task{{ID: "a.1", Operation: "writeFile", Reason: "count hits", Result: &nebula.TaskResult{Changed: []string{"lru.go"}}}}
	p.Steps[1].Files, p.Steps[1].Verify = []string{"snap.go"}, nebula.Verify{Command: "go vet ./..."}
	p.Steps[1].Tasks = []nebula.Task{{ID: "b.1", Operation: "writeFile", Args: []byte(`{"path":"snap.go"}`), By: nebula.ByAgent, Status: nebula.Pending}}
	for _, lang := range []string{"en", "ja"} {
		text := plan.Brief(p, p.Steps[1], plan.Context{Lang: lang, Talk: "caches for cats"})
		for _, want := range []string{"be useful", "no frameworks", "caches for cats", "snap.go", "$ go vet ./...", "lru.go: a do a", `- writeFile {"path":"snap.go"}`, "[x] a", "[ ] b"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not told in\n%s", lang, want, text)
			}
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(plan.Markdown(steps("a", "b<a")))
	f.Add("# p\nGoal: g\n## [x] a: b\nAfter: c\n\ntext")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := plan.ReadMarkdown(text)
		if err != nil {
			return
		}
		for i := range p.Steps {
			if p.Steps[i].ID == "" {
				p.Steps[i].ID = fmt.Sprintf("s%d", i)
			}
		}
		again, err := plan.ReadMarkdown(plan.Markdown(p))
		if err != nil || len(again.Steps) != len(p.Steps) || plan.Markdown(again) != plan.Markdown(p) {
			t.Fatalf("%v\n%q\n%q", err, text, plan.Markdown(p))
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(`{"name":"p","steps":[{"step_id":"s1","name":"one","depends_on":[]}]}`)
	f.Add("{{'a': {\"steps\": [")
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := plan.Read(text, "g"); err == nil && plan.Validate(p) != nil {
			t.Fatal("a plan that makes no sense was read")
		}
		_, _ = plan.ReadTasks(text, nil)
	})
}

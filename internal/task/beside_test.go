package task_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/gate"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// follow gives the conversation's events of one kind as they come.
func follow[B nebula.Body](o *office) <-chan B {
	ctx, found := o.t.Context(), make(chan B, 64)
	chat := o.chat
	go func() {
		for e := range chat.Events(ctx, 0) {
			if b, ok := e.Body.(B); ok {
				found <- b
			}
		}
	}()
	return found
}

// next waits for one of them.
func next[B nebula.Body](o *office, from <-chan B) B {
	o.t.Helper()
	select {
	case b := <-from:
		return b
	case <-time.After(20 * time.Second):
		var none B
		o.t.Fatalf("there is no %s", none.Name())
		return none
	}
}

// begin starts the newest plan and goes on.
func (o *office) begin() {
	o.t.Helper()
	if _, err := o.loop.Start(o.t.Context(), task.Request{By: "person"}); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) ended() task.End {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), 30*time.Second)
	defer cancel()
	e := o.loop.Wait(ctx)
	if ctx.Err() != nil {
		o.t.Fatal("the plan did not end")
	}
	return e
}

func (o *office) send(c nebula.Command) {
	o.t.Helper()
	if err := o.chat.Send(o.t.Context(), c); err != nil {
		o.t.Fatal(err)
	}
}

func TestApprovalPolicyReachesStepsUnderWay(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Ask
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "x/1", "content", "x"), do("writeFile", "path", "x/2", "content", "x")),
		step("b", []string{"a"}, do("writeFile", "path", "x/3", "content", "x")))
	queued := follow[nebula.Queued](o)
	o.begin()
	first := next(o, queued)
	o.send(nebula.Switch{Approve: string(gate.All)})
	o.send(nebula.Answer{By: nebula.Person, Ask: first.Ask, Answer: nebula.Yes})
	if e := o.ended(); stages(e.Plan) != "a completed, b completed" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if n := len(queued); n != 0 {
		t.Errorf("%d more questions were asked after everything was allowed", n)
	}
}

func TestCommandAllowedAlwaysIsAllowedInEveryStep(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Edits
	o.set = func(s *task.Setup) { s.Begin.Parallel = 2 }
	o.open()
	o.planned(step("a", nil), step("b", nil), step("c", []string{"a", "b"})) // each asks for the command that it runs
	for _, id := range []string{"a", "b", "c"} {
		if _, err := o.loop.Edit(t.Context(), "", "tasks", "test", func(p nebula.Plan) (nebula.Plan, error) {
			i, err := plan.Find(p, id)
			p.Steps[i].Tasks = step(id, nil, do("writeFile", "path", id+"/1", "content", "x"), do("executeShell", "command", "ls .")).Tasks
			return p, err
		}); err != nil {
			t.Fatal(err)
		}
	}
	queued := follow[nebula.Queued](o)
	o.begin()
	next(o, queued)
	second := next(o, queued)
	o.send(nebula.Answer{By: nebula.Person, Ask: second.Ask, Answer: nebula.Always})
	if e := o.ended(); stages(e.Plan) != "a completed, b completed, c completed" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if n := len(queued); n != 0 {
		t.Errorf("it was asked for %d times more", n)
	}
}

// What the person allowed always in the conversation is not asked about by the steps, and the plan records it; another command is,
// and so is the same one where more than that it is a command has it asked.
func TestAlwaysOfTheConversationHoldsInSteps(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Edits
	o.speaks(languages()[0], act("executeShell", map[string]string{"command": "sh ./check.sh"}), say("It works."))
	o.put("check.sh", "exit 0\n")
	o.open()
	asked := follow[nebula.Asked](o)
	o.send(nebula.Submit{Text: "check it"})
	o.send(nebula.Answer{By: nebula.Person, Ask: next(o, asked).Ask, Answer: nebula.Always})
	follow := follow[nebula.Queued](o)
	p := o.planned(step("a", nil, do("executeShell", "command", "sh ./check.sh"), do("executeShell", "command", "ls .")),
		step("b", []string{"a"}, do("executeShell", "command", "echo exit 0 >> check.sh"), do("executeShell", "command", "sh ./check.sh")))
	o.begin()
	for _, want := range []string{"ls .", "echo exit 0 >> check.sh", "sh ./check.sh"} {
		q := next(o, follow)
		if q.Proposed == nil || q.Proposed.Proposal.Command != want {
			t.Fatalf("it asks about %+v, not %s", q.Proposed, want)
		}
		if want == "sh ./check.sh" && q.Proposed.Verdict.Why != nebula.NewCode("script_changed", "check.sh") {
			t.Errorf("it asks because of %q", q.Proposed.Verdict.Why)
		}
		o.send(nebula.Answer{By: nebula.Person, Ask: q.Ask, Answer: nebula.Yes})
	}
	if e := o.ended(); stages(e.Plan) != "a completed, b completed" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if kept, err := o.store.Plan(t.Context(), o.dir, p.ID); err != nil || len(kept.With.Always) != 1 || kept.With.Always[0] != "executeShell sh ./check.sh" {
		t.Errorf("recorded is %+v, %v", kept.With, err)
	}
}

func TestStricterPolicyReachesStepsUnderWay(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done"), do("writeFile", "path", "x/1", "content", "x")))
	queued := follow[nebula.Queued](o)
	o.begin()
	o.appears("began")
	o.send(nebula.Switch{Approve: string(gate.Ask)})
	o.put("go", "")
	if q := next(o, queued); q.Proposed == nil || !strings.Contains(q.Proposed.Proposal.Summary, "x/1") {
		t.Errorf("it asks %+v", q)
	}
	o.send(nebula.Direct{Do: nebula.CancelPlan})
}

func TestPlanModeStopsStepsUnderWay(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done"), do("writeFile", "path", "a/1", "content", "x")))
	o.begin()
	o.appears("began")
	o.send(nebula.Switch{Mode: nebula.PlanMode})
	o.put("go", "")
	e := o.ended()
	if stages(e.Plan) != "a pending" || e.Plan.Why != "plan_mode" || !strings.HasPrefix(o.read("a/1"), "<") {
		t.Fatalf("%s %q: %s", e.Status, e.Plan.Why, stages(e.Plan))
	}
	o.send(nebula.Switch{Mode: nebula.AgentMode})
	if e := o.run(task.Request{}); stages(e.Plan) != "a completed" || o.read("a/1") != "x" {
		t.Errorf("later: %s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

// What the person says in the conversation is told a step's agent when it begins and when it is sent back; what they steer
// is in its next request.
func TestStepsReadWhatWasSaidMeanwhile(t *testing.T) {
	o := newOffice(t)
	var begun, next, sent string
	o.agent = func(told string, n int) []nebula.Task {
		switch {
		case begun == "":
			begun = told
			return []nebula.Task{do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done")}
		case next == "":
			next = told
		case sent == "":
			sent = told
			return []nebula.Task{do("executeShell", "command", "touch done")}
		}
		return nil
	}
	o.speaks(languages()[0], say("I see."), say("Then blue."))
	o.open()
	o.told("a page for cats")
	s := step("a", nil)
	s.Verify.Command = "test -f done"
	o.planned(s)
	o.begin()
	o.appears("began")
	o.told("everything must be blue")
	o.send(nebula.Direct{Do: nebula.SteerPlan, Text: "no frameworks"})
	o.put("go", "")
	if e := o.ended(); stages(e.Plan) != "a completed" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	for told, wants := range map[string][]string{begun: {"a page for cats", "the goal"}, next: {"no frameworks"}, sent: {"everything must be blue", "no frameworks"}} {
		for _, want := range wants {
			if !strings.Contains(told, want) {
				t.Errorf("it is not told %q: %s", want, told)
			}
		}
	}
}

// turnTo leaves the conversation for a new one, as a person does.
func (o *office) turnTo(id string) {
	o.t.Helper()
	setup := o.setup()
	setup.Beside = o.loop
	c, err := agent.Open(o.t.Context(), setup, id)
	if err != nil {
		o.t.Fatal(err)
	}
	o.loop.Attach(c)
	_ = o.chat.Send(o.t.Context(), nebula.Close{}) // it may have ended
	_ = o.chat.Wait()
	o.chat = c
}

func TestWorkGoesOnInTheNextConversation(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Ask
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "x/1", "content", "x")))
	queued := follow[nebula.Queued](o)
	o.begin()
	first := next(o, queued)
	o.turnTo("")
	again := next(o, follow[nebula.Queued](o))
	if again.Ask != first.Ask || again.Proposed == nil {
		t.Fatalf("the new conversation asks %+v", again)
	}
	reports := follow[nebula.Reported](o)
	o.send(nebula.Answer{By: nebula.Person, Ask: again.Ask, Answer: nebula.Yes})
	if q := next(o, follow[nebula.Queued](o)); q.Ask == "" { // the verification's command is asked for too
		t.Error("nothing more is asked")
	}
	o.send(nebula.Switch{Approve: string(gate.All)})
	for _, q := range events[nebula.Queued](o) {
		_ = o.chat.Send(t.Context(), nebula.Answer{By: nebula.Person, Ask: q.Ask, Answer: nebula.Yes}) // the first has its answer
	}
	if r := next(o, reports); r.Step != "a" || r.Report.Status != nebula.Completed {
		t.Errorf("reported %+v", r)
	}
	if e := o.ended(); stages(e.Plan) != "a completed" {
		t.Errorf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

// A report that comes when a conversation has ended is in the next one.
func TestReportWaitsForTheNextConversation(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done")))
	o.begin()
	o.appears("began")
	o.send(nebula.Close{})
	_ = o.chat.Wait()
	o.put("go", "")
	o.ended()
	o.turnTo("")
	if r := next(o, follow[nebula.Reported](o)); r.Step != "a" {
		t.Errorf("reported %+v", r)
	}
}

// A report that no conversation heard before the program ended is told by the next run.
func TestReportOutlivesTheProcess(t *testing.T) {
	o := newOffice(t).open()
	o.planned(step("a", nil, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done")),
		step("b", []string{"a"}, do("deleteFile", "path", "nothing")))
	o.begin()
	o.appears("began")
	o.send(nebula.Close{})
	_ = o.chat.Wait()
	o.put("go", "")
	o.ended()
	o.close()
	for run := range 2 {
		o.open()
		reports := follow[nebula.Reported](o)
		if e := o.run(task.Request{}); stages(e.Plan) != "a completed, b failed" {
			t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
		}
		var told []string
		for range events[nebula.Reported](o) {
			told = append(told, next(o, reports).Step)
		}
		if want := [][]string{{"a", "b", "b"}, {"b"}}[run]; !slices.Equal(told, want) {
			t.Errorf("run %d: there are reports of %v, want %v", run+1, told, want)
		}
		o.close()
		o.marks = 0
	}
}

// The conversation and a step change the same file: whoever comes second is told, and nothing is overwritten.
func TestConversationAndStepNeverOverwriteEachOther(t *testing.T) {
	o := newOffice(t)
	o.put("a/f.txt", "one\n")
	patch := func(old, instead string) nebula.Task {
		p := do("patchFile")
		p.Args = []byte(`{"path":"a/f.txt","edits":[{"old":"` + old + `","new":"` + old + `\n` + instead + `"}]}`)
		return p
	}
	o.agent = func(told string, n int) []nebula.Task {
		if n > 1 || !strings.Contains(told, "changed") {
			return nil
		}
		return []nebula.Task{do("readFile", "path", "a/f.txt"), patch("one", "from the step")}[n : n+1]
	}
	o.open()
	o.planned(step("a", nil, do("readFile", "path", "a/f.txt"), do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done"), patch("one", "from the step")))
	o.begin()
	o.appears("began")
	chat := patch("one", "from the conversation")
	ends := follow[nebula.Ended](o)
	o.send(nebula.Perform{Text: "meanwhile", Actions: []nebula.Action{{Call: "r", Tool: "readFile", Args: []byte(`{"path":"a/f.txt"}`), Reason: "r"}, {Call: "p", Tool: "patchFile", Args: chat.Args, Reason: "r"}}})
	if end := next(o, ends); end.Status != nebula.TurnDone {
		t.Fatalf("the conversation's change: %s %+v", end.Status, end.Actions)
	}
	o.put("go", "")
	if e := o.ended(); stages(e.Plan) != "a completed" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if got := o.read("a/f.txt"); got != "one\nfrom the step\nfrom the conversation\n" {
		t.Errorf("a/f.txt holds %q", got)
	}
}

// Two nebulas in one folder do not carry plans out at the same time.
func TestOnePlanAtATimeInAFolder(t *testing.T) {
	o := newOffice(t).open()
	one := o.planned(step("a", nil, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done")))
	other := newOffice(t)
	other.home, other.dir = o.home, o.dir
	other.open()
	two := other.planned(step("b", nil, do("writeFile", "path", "b/1", "content", "x")))
	if _, err := o.loop.Start(t.Context(), task.Request{Plan: one.ID, By: "person"}); err != nil {
		t.Fatal(err)
	}
	o.appears("began")
	if _, err := other.loop.Start(t.Context(), task.Request{Plan: two.ID, By: "person"}); err == nil || !strings.Contains(err.Error(), "another nebula") {
		t.Errorf("the second plan: %v", err)
	}
	o.put("go", "")
	o.ended()
	if e := other.run(task.Request{Plan: two.ID}); stages(e.Plan) != "b completed" {
		t.Errorf("later: %s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

func TestEachStepHasItsBudget(t *testing.T) {
	o := newOffice(t)
	o.set = func(s *task.Setup) { s.Begin.Step.Tokens, s.Begin.Parallel = 100, 1 }
	o.spends = nebula.Usage{Input: 100, Output: 10}
	asked := 0
	o.agent = func(string, int) []nebula.Task {
		if asked++; asked > 1 {
			return nil
		}
		return []nebula.Task{do("writeFile", "path", "a/1", "content", "x")}
	}
	o.open()
	o.planned(step("a", nil), step("b", nil, do("writeFile", "path", "b/1", "content", "x")))
	e := o.run(task.Request{})
	if e.Status != nebula.LimitReached || stages(e.Plan) != "a pending, b pending" || !strings.Contains(string(e.Plan.Why), "after 110 tokens") || asked != 2 {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if e = o.run(task.Request{}); stages(e.Plan) != "a completed, b completed" {
		t.Errorf("with a new budget: %s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
}

func TestTimeOfAStepIsWithoutThePersons(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Ask
	o.set = func(s *task.Setup) { s.Begin.Step.Time = 400 * time.Millisecond }
	o.open()
	o.planned(step("a", nil, do("executeShell", "command", "ls ."), do("executeShell", "command", "sleep 0.5"), do("executeShell", "command", "ls .")))
	queued := follow[nebula.Queued](o)
	o.begin()
	for range 2 {
		q := next(o, queued)
		time.Sleep(300 * time.Millisecond) // the person thinks
		o.send(nebula.Answer{By: nebula.Person, Ask: q.Ask, Answer: nebula.Yes})
	}
	e := o.ended()
	if e.Status != nebula.LimitReached || !strings.Contains(string(e.Why), "step_time") || e.Plan.Steps[0].Tasks[1].Status != nebula.Completed || e.Plan.Steps[0].Tasks[2].Status != nebula.Pending {
		t.Errorf("%s %q: %+v", e.Status, e.Why, e.Plan.Steps[0].Tasks)
	}
}

// What the person says beside a plan is no other goal.
func TestAsideLeavesTheGoal(t *testing.T) {
	o := newOffice(t)
	o.speaks(languages()[0], say("I see."), say("It says hello."), say("Fine."))
	o.open()
	o.told("make a page for cats")
	o.planned(step("a", nil, do("executeShell", "command", "touch began; while [ ! -e go ]; do sleep 0.01; done")))
	o.begin()
	o.appears("began")
	goal := func(want string) {
		t.Helper()
		if talk, err := o.chat.Talk(t.Context()); err != nil || !strings.HasPrefix(talk, "goal: "+want+"\n") {
			t.Errorf("the conversation is %q, %v", talk, err)
		}
	}
	o.told("by the way, what is in the readme file?")
	goal("make a page for cats")
	o.put("go", "")
	o.ended()
	events[nebula.Stepped](o)
	o.told("now write a page for dogs, please")
	goal("now write a page for dogs, please")
}

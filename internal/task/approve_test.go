package task_test

import (
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
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

// The command that verifies a step was shown with the plan: the person's yes to the plan covers it, and nothing else.
func TestApprovedPlanCoversItsVerification(t *testing.T) {
	o := newOffice(t)
	o.approve = gate.Edits
	o.open()
	o.planned(step("a", nil, do("writeFile", "path", "a/1", "content", "x")))
	if e := o.run(task.Request{}); stages(e.Plan) != "a completed" || e.Plan.Steps[0].Evidence.How != "command" {
		t.Fatalf("%s %q: %s", e.Status, e.Why, stages(e.Plan))
	}
	if queued := events[nebula.Queued](o); len(queued) != 0 {
		t.Errorf("asked about %+v", queued)
	}
	o.planned(step("b", nil, do("executeShell", "command", "true")))
	queued := follow[nebula.Queued](o)
	o.begin()
	if q := next(o, queued); q.Proposed == nil || q.Proposed.Proposal.Command != "true" {
		t.Errorf("a task that runs the same command is not asked about: %+v", q)
	}
}

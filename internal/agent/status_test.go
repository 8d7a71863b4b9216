package agent_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/state"
)

// folded is the state that a session's stored events make.
func (st *stage) folded() *state.State {
	st.t.Helper()
	s := state.New()
	for _, e := range st.recorded() {
		s.Apply(e)
	}
	return s
}

func (st *stage) status() state.Status {
	st.t.Helper()
	now, err := st.session.Status(context.Background())
	if err != nil {
		st.t.Fatal(err)
	}
	return now
}

// Whoever looks, whenever, sees the state that the events up to then make.
func TestObserversSeeTheCurrentState(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a")), reply("", call("2", "note", "path", "a", "content", "x")), reply("Done.\nUnverified: a test"))
	st.world.set("a", "old")
	looked := 0
	same := func(when string) {
		looked++
		now, then := st.status(), st.folded()
		if now.Step != then.Machine.Step || now.StepStatus != then.Machine.Status || !reflect.DeepEqual(now.Items, then.Items) || now.Turn != then.Turn.Number {
			t.Errorf("%s: status %s %s %+v, events %s %s %+v", when, now.Step, now.StepStatus, now.Items, then.Machine.Step, then.Machine.Status, then.Items)
		}
	}
	st.script.Before = func(_ context.Context, n int) { same(fmt.Sprintf("before request %d", n)) }
	st.say("go", func(a nebula.Asked) (nebula.Decided, string) {
		same("at the gate")
		if now := st.status(); now.Step != state.Awaiting || !now.Items.PendingGate {
			t.Errorf("at the gate: %s, pending %v", now.Step, now.Items.PendingGate)
		}
		return nebula.Yes, ""
	})
	same("after the turn")
	if looked < 5 {
		t.Errorf("looked %d times", looked)
	}
}

func TestOutcomeTellsWhatEachLayerCost(t *testing.T) {
	st := newStage(t, reply("Hello."))
	end := last(t, st.say("hi", nil))
	costs := map[string]int{}
	for _, l := range end.Layers {
		costs[l.Name] = l.Tokens
	}
	if costs["base"] == 0 || costs["main"] == 0 || costs["conversation"] == 0 {
		t.Errorf("layers %v", end.Layers)
	}
	now := st.status()
	if !reflect.DeepEqual(now.Layers, end.Layers) || now.Window != 128_000 {
		t.Errorf("status says %v of %d", now.Layers, now.Window)
	}
	if kept := st.folded().Layers; !reflect.DeepEqual(kept, end.Layers) {
		t.Errorf("kept %v", kept)
	}
}

// used finds a limit in a status.
func used(st state.Status, name string) state.Use {
	for _, u := range st.Limits {
		if u.Name == name {
			return u
		}
	}
	return state.Use{Used: -1}
}

func TestEveryLimitCountsAndEndsTheTurn(t *testing.T) {
	for name, limit := range map[string]func(*stage){
		"steps":  func(st *stage) { st.setup.Limits.Steps = 3 },
		"tokens": func(st *stage) { st.setup.Limits.Tokens = 3000 },
		"cost":   func(st *stage) { st.setup.Limits.Cost = 0.03 },
		"time":   func(st *stage) { st.setup.Limits.Time = 150 * time.Millisecond },
		"repeats": func(st *stage) {
			st.setup.Thresholds = state.DefaultThresholds()
			st.setup.Thresholds.Repeats = 3
		},
		"retries": func(st *stage) { st.setup.Retries = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t)
			st.setup.Limits.Steps = 1000
			st.setup.Approve = gate.All
			limit(st)
			st.world.set("a", "x")
			st.script.Before = func(ctx context.Context, _ int) {
				select {
				case <-ctx.Done():
				case <-time.After(20 * time.Millisecond):
				}
			}
			st.script.Answers = func(n int, _ nebula.Prompt) *nebula.Reply {
				c := call("1", "look", "path", "a")
				switch name {
				case "retries":
					c = call("1", "shout", "command", "exit 1")
				case "repeats":
				default:
					st.world.set("a", fmt.Sprint(n))
				}
				r := reply("", c)
				r.Usage = nebula.Usage{Input: 900, Output: 100, Cost: 0.01}
				return &r
			}
			end := last(t, st.say("go", nil))
			if end.Status != nebula.LimitReached || len(st.script.Prompts()) > 12 {
				t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(st.script.Prompts()))
			}
			if u := used(st.status(), name); u.Used <= 0 || u.Most <= 0 {
				t.Errorf("the status says %+v", u)
			}
		})
	}
}

func TestTimeStandsStillWhileThePersonThinks(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a.md", "content", "x")), reply("Done."))
	st.setup.Limits.Time = 400 * time.Millisecond
	end := last(t, st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		time.Sleep(600 * time.Millisecond)
		return nebula.Yes, ""
	}))
	if end.Status != nebula.TurnDone {
		t.Errorf("ended %s %q", end.Status, end.Text)
	}
	if u := used(st.status(), "time"); u.Used > 0.4 {
		t.Errorf("counted %v", u)
	}
}

// A tool that the time limit cuts off was not stopped by the person.
func TestTimeLimitInTheMiddleOfAnActionIsNotThePersons(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a.md"), call("2", "look", "path", "a.md")))
	st.setup.Limits.Time = 20 * time.Millisecond
	st.world.set("a.md", "x")
	st.world.before = func(string) { time.Sleep(100 * time.Millisecond) }
	results := 0
	for _, e := range st.say("go", nil) {
		if b, ok := e.Body.(nebula.Finished); ok {
			if results++; !strings.Contains(b.Result.Text, "time limit") {
				t.Errorf("%s: %q", b.Result.Status, b.Result.Text)
			}
		}
	}
	if results != 2 {
		t.Errorf("%d results", results)
	}
}

func TestBrokenRuleOfDialogueIsToldInTheNextRequest(t *testing.T) {
	long := strings.Repeat("This is how it is done. ", 100)
	st := newStage(t, reply(long), reply("Short."), reply("Fine."))
	for _, text := range []string{"explain", "go on", "thanks"} {
		st.say(text, nil)
	}
	said := func(n int) bool {
		m := st.script.Prompts()[n].Messages
		return strings.Contains(m[len(m)-1].Text(), "short summary and the next step")
	}
	if said(0) || !said(1) || said(2) {
		t.Errorf("told in requests %v %v %v", said(0), said(1), said(2))
	}
}

func TestOnlyOneQuestionIsPut(t *testing.T) {
	st := newStage(t, reply("? A or B"), reply("Thanks."))
	st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return chatty{}, nil }
	asked := 0
	st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		asked++
		return nebula.Told, "A"
	})
	m := st.script.Prompts()[1].Messages
	if asked != 1 || !strings.Contains(m[len(m)-1].Text(), "one question at a time") {
		t.Errorf("asked %d times; then told %q", asked, m[len(m)-1].Text())
	}
}

// chatty is plain with a question too many.
type chatty struct{ plain }

func (c chatty) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := c.plain.Decode(r, tools)
	if len(in.Questions) > 0 {
		in.Questions = append(in.Questions, nebula.Question{Text: "And the colour?"})
	}
	return in
}

func TestSessionIsAsItWasAfterReopening(t *testing.T) {
	goal, low := "keep the thread", 0.7
	st := newStage(t, reply("", call("1", "note", "path", "a.md", "content", "x")), reply("Done."))
	st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
		return both{feeling{nebula.Vitals{Mood: &low}}, nebula.Decision{PromptPattern: "base_main_specialized", StateDelta: &nebula.Delta{Goal: &goal, OpenQuestions: &[]string{"which format?"}}}}, nil
	}
	st.say("Never use globals. Go.", always(nebula.Always))
	before, beforeState := st.status(), st.folded()
	if err := st.session.Send(t.Context(), nebula.Close{}); err != nil {
		t.Fatal(err)
	}
	if err := st.session.Wait(); err != nil {
		t.Fatal(err)
	}
	st.open(st.session.ID())
	after, afterState := st.status(), st.folded()
	if len(before.Approved) != 1 || len(after.Approved) != 0 {
		t.Errorf("allowed always: %v, then %v; it ends with the process", before.Approved, after.Approved)
	}
	before.Approved, after.Approved = nil, nil
	before.Limits, after.Limits = nil, nil // a turn's time is not kept
	if !reflect.DeepEqual(before, after) {
		t.Errorf("before\n%+v\nafter\n%+v", before, after)
	}
	if after.Items.Goal != goal || len(after.Rules) != 1 || *after.Vitals.Mood != low || len(after.Moves) == 0 {
		t.Errorf("restored %+v", after)
	}
	if afterState.Pattern != "base_main_specialized" || !reflect.DeepEqual(beforeState.Machine, afterState.Machine) {
		t.Errorf("machine %+v, was %+v", afterState.Machine, beforeState.Machine)
	}
}

// both is plain with vitals and a decision.
type both struct {
	feeling
	decision nebula.Decision
}

func (b both) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := b.feeling.Decode(r, tools)
	in.Decision = &b.decision
	return in
}

// remembering is a tool whose effect outlives the session.
type remembering struct{ fakeTool }

func (r remembering) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "keep", Description: "Keeps.", Params: []nebula.Param{{Name: "content", Type: "string", Required: true}}, Effect: nebula.Memory}
}

func (r remembering) Propose(context.Context, nebula.Action, nebula.View) (nebula.Proposal, error) {
	return nebula.Proposal{Effect: nebula.Memory, Summary: "keep it", Do: func(_ context.Context, run nebula.Run) (nebula.Result, error) {
		if !run.Grant.Remembers() {
			return nebula.Result{}, nebula.ErrNoGrant
		}
		r.world.set("memory", "kept")
		return nebula.Result{Text: "kept"}, nil
	}}, nil
}

func TestRememberingAsksEachTimeAndLeavesTheStepAlone(t *testing.T) {
	keep := func(id string) nebula.Reply { return reply("", call(id, "keep", "content", "tabs")) }
	st := newStage(t, keep("1"), keep("2"), keep("3"), reply("Done."))
	st.setup.Approve = gate.Edits
	st.setup.Tools = append(st.setup.Tools, remembering{fakeTool{world: st.world}})
	answers := []nebula.Decided{nebula.No, nebula.Always, nebula.Yes}
	asked := 0
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		if _, ok := st.world.get("memory"); ok == (asked < 2) {
			t.Errorf("before answer %d: kept %v", asked, ok)
		}
		asked++
		return answers[asked-1], ""
	})
	if asked != 3 || moves(events) != "" {
		t.Errorf("asked %d times, moved %s", asked, moves(events))
	}
}

// What is asked is what is done: another command than the one that was shown is not run.
func TestChangedCommandVoidsTheAnswer(t *testing.T) {
	st := newStage(t, reply("", call("1", "drift")), reply("Ok."))
	n := 0
	st.setup.Tools = append(st.setup.Tools, drifting{fakeTool{world: st.world}, &n})
	text := transcript(st.say("go", always(nebula.Yes)))
	if len(st.world.commands()) != 0 || !strings.Contains(text, "changed after the question was shown") {
		t.Errorf("ran %v:\n%s", st.world.commands(), text)
	}
}

// drifting is a tool that proposes another command each time.
type drifting struct {
	fakeTool
	n *int
}

func (d drifting) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "drift", Description: "Drifts.", Effect: nebula.Execute}
}

func (d drifting) Propose(context.Context, nebula.Action, nebula.View) (nebula.Proposal, error) {
	*d.n++
	in := args{Command: fmt.Sprintf("command %d", *d.n)}
	return nebula.Proposal{Effect: nebula.Execute, Summary: "drift", Command: in.Command, Do: func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		return fakeTool{d.world, d.Spec()}.do(ctx, in, r)
	}}, nil
}

// TestStatusTellsThePolicyInForce, the settings' and then the person's word in the session.
func TestStatusTellsThePolicyInForce(t *testing.T) {
	st := newStage(t, reply("Done.\nUnverified: a test"))
	st.say("go", nil)
	if now := st.status(); now.Approve != "ask" || !strings.Contains(now.Text("en"), "approval: ask · asks before it acts") {
		t.Errorf("%s in\n%s", now.Approve, now.Text("en"))
	}
	if err := st.session.Send(context.Background(), nebula.Switch{Approve: "all"}); err != nil {
		t.Fatal(err)
	}
	if now := st.status(); now.Approve != "all" || !strings.Contains(now.Text("en"), "approval: all · acts without asking") {
		t.Errorf("%s in\n%s", now.Approve, now.Text("en"))
	}
}

package task_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/plan"
	"nebula/internal/prompt"
	"nebula/internal/protocol/toolcall"
	"nebula/internal/sqlite"
	"nebula/internal/task"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// An office is a project with everything real but the model: the loop, the conversation it belongs to, the record.
type office struct {
	t        testing.TB
	home     string
	dir      string
	store    *sqlite.Store
	work     *workspace.Dir
	tools    []nebula.Tool
	protocol nebula.Protocol
	steps    nebula.Protocol    // of the steps; nil for that of tool calls
	script   *nebulatest.Script // of the conversation
	answers  func(kind, text string) string
	agent    mind         // of the steps; may be nil
	says     string       // their last words; "Done." where empty
	spends   nebula.Usage // of each reply of theirs
	fails    func() error // of the model beside the conversation; may be nil
	approve  gate.Approve
	wait     bool
	cutOff   string // as the setup's
	check    func() bool
	set      func(*task.Setup)

	loop  *task.Loop
	chat  *agent.Session
	marks int // that events left in the conversation

	mu    sync.Mutex
	sent  string   // the messages of the last request of a step's agent
	asked []string // what the model was asked beside the conversation
}

func newOffice(t testing.TB) *office {
	t.Helper()
	return &office{t: t, home: t.TempDir(), dir: t.TempDir(), protocol: toolcall.Protocol{}, script: &nebulatest.Script{}, approve: gate.All,
		check: func() bool { return false }}
}

func (o *office) put(path, text string) {
	o.t.Helper()
	path = filepath.Join(o.dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) read(path string) string {
	data, err := os.ReadFile(filepath.Join(o.dir, path))
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(data)
}

// appears waits until a file is there.
func (o *office) appears(path string) {
	o.t.Helper()
	for end := time.Now().Add(time.Minute); strings.HasPrefix(o.read(path), "<"); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			o.t.Fatalf("%s never appeared", path)
		}
	}
}

func (o *office) open() *office {
	o.t.Helper()
	var err error
	if o.store, err = sqlite.Open(o.t.Context(), filepath.Join(o.home, "nebula.db"), sqlite.Options{}); err != nil {
		o.t.Fatal(err)
	}
	if o.work, err = workspace.Open(o.dir, o.store); err != nil {
		o.t.Fatal(err)
	}
	if err := o.work.Share(filepath.Join(o.home, "writing")); err != nil {
		o.t.Fatal(err)
	}
	o.tools = tool.All(o.work, tool.Options{})
	s := task.Setup{
		Plans: o.store, Project: o.dir, Lang: "en", Load: o.store.Load, Lock: o.store.Lock, Tests: "runTests", Command: "executeShell",
		Ask: o.ask, Open: o.step, Forks: forks{o}, Checkable: func(string) bool { return o.check() }, Counted: tool.Counted,
		Look: func(tree, path string) (bool, bool) {
			info, err := os.Stat(filepath.Join(cmp.Or(tree, o.dir), path))
			return err == nil && info.IsDir(), err == nil
		},
	}
	for _, t := range o.tools {
		if e := t.Spec().Effect; e == nebula.Read || e == nebula.Write || e == nebula.Execute {
			s.Tools = append(s.Tools, t.Spec())
		}
	}
	if o.set != nil {
		o.set(&s)
	}
	o.cutOff = s.CutOff
	o.loop = task.New(s)
	setup := o.setup()
	setup.Tools = append(setup.Tools, tool.Plans(planner{task.Planner{Loop: o.loop, WaitFor: o.wait}})...)
	setup.Beside = o.loop
	if o.chat, err = agent.Open(o.t.Context(), setup, ""); err != nil {
		o.t.Fatal(err)
	}
	o.loop.Attach(o.chat)
	o.t.Cleanup(o.close)
	return o
}

func (o *office) close() {
	if o.loop == nil {
		return
	}
	o.loop.Close()
	_ = o.chat.Send(context.Background(), nebula.Close{})
	_ = o.chat.Wait()
	_ = o.work.Close()
	_ = o.store.Close()
	o.loop = nil
}

// A planner is a loop as the tools take it.
type planner struct{ task.Planner }

func (p planner) Preview(ctx context.Context, r tool.PlanRun) (nebula.Plan, string, error) {
	return p.Loop.Preview(ctx, task.Request(r))
}

func (p planner) Run(ctx context.Context, r tool.PlanRun) (string, nebula.EndStatus, error) {
	return p.Loop.Run(ctx, task.Request(r), p.WaitFor)
}

func (o *office) setup() agent.Setup {
	return agent.Setup{
		Store:     o.store,
		Model:     func(string) (nebula.Model, error) { return o.script, nil },
		Protocol:  func(string, nebula.ModelInfo) (nebula.Protocol, error) { return o.protocol, nil },
		Tools:     append([]nebula.Tool{}, o.tools...),
		Restore:   o.work.Restore,
		Prompt:    &prompt.Builder{Facts: prompt.Facts{OS: "linux", Dir: o.dir, Entries: []string{"x"}}},
		Approve:   o.approve,
		Checkable: func() bool { return false },
		Became:    task.Became(o.look),
		Begin:     nebula.Started{Dir: o.dir, Model: "scripted", Protocol: o.protocol.Name()},
	}
}

func (o *office) look(path string) (string, uint32, bool) { return lookIn(o.dir, path) }

// lookIn tells what stands at a path of a folder.
func lookIn(dir, path string) (string, uint32, bool) {
	path = filepath.Join(dir, path)
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, false
	}
	if info.IsDir() {
		return "", uint32(info.Mode()), true
	}
	data, err := os.ReadFile(path)
	return nebula.Hash(data), uint32(info.Mode()), err == nil
}

// A mind plays the agent of steps: what was it told last, and how often has it answered since? It says that it is done
// where it makes no calls.
type mind func(told string, n int) []nebula.Task

// reply is what the mind answers to a request.
func (o *office) reply(_ int, p nebula.Prompt) *nebula.Reply {
	told, before, n := "", "", 0
	for _, m := range p.Messages {
		switch {
		case m.Role == nebula.User && strings.HasPrefix(m.Text(), "### The step"):
			told, n = m.Text()+before, 0
		case m.Role == nebula.User:
			told, before = told+"\n"+m.Text(), before+"\n"+m.Text()
		case m.Role == nebula.Assistant:
			before = ""
			n++
		}
	}
	o.mu.Lock()
	o.asked = append(o.asked, "agent: "+told)
	o.sent = ""
	for _, m := range p.Messages {
		o.sent += m.Text() + "\n"
	}
	o.mu.Unlock()
	var calls []nebula.Call
	if o.agent != nil {
		for i, t := range o.agent(told, n) {
			calls = append(calls, nebula.Call{ID: fmt.Sprintf("c%d.%d", len(p.Messages), i), Name: t.Operation, Arguments: string(t.Args)})
		}
	}
	if len(calls) == 0 {
		return &nebula.Reply{Parts: nebula.Text(cmp.Or(o.says, "Done.")), Finish: "stop", Usage: o.spends}
	}
	return &nebula.Reply{Parts: nebula.PartsOf("", "", calls...), Finish: "tool_calls", Usage: o.spends}
}

// kinds tell by its system text what the model is asked for.
func kind(p nebula.Prompt) string {
	for _, k := range []struct{ words, kind string }{{"achieve one step", "tasks"}, {"Break the goal", "plan"}} {
		if strings.Contains(p.System, k.words) {
			return k.kind
		}
	}
	return "?"
}

func (o *office) ask(ctx context.Context, _ nebula.Conduct, p nebula.Prompt, _ task.Instead) (nebula.Reply, error) {
	if err := ctx.Err(); err != nil {
		return nebula.Reply{}, err
	}
	if o.fails != nil {
		if err := o.fails(); err != nil {
			return nebula.Reply{}, err
		}
	}
	k := kind(p)
	text := p.Messages[len(p.Messages)-1].Text()
	if len(p.Messages) > 1 {
		text = p.Messages[0].Text()
	}
	o.mu.Lock()
	o.asked = append(o.asked, k+": "+text)
	o.mu.Unlock()
	r := nebula.Reply{Finish: "stop", Usage: nebula.Usage{Input: 100, Output: 10}}
	if o.answers != nil {
		r.Parts = r.WithText(o.answers(k, text))
	}
	return r, nil
}

// planned makes a plan of these steps and keeps it.
func (o *office) planned(steps ...nebula.PlanStep) nebula.Plan {
	o.t.Helper()
	data, err := json.Marshal([]map[string]string{{"step_id": "x", "name": "x"}})
	if err != nil {
		o.t.Fatal(err)
	}
	p, err := o.loop.Propose(o.t.Context(), "the goal", data, "")
	if err != nil {
		o.t.Fatal(err)
	}
	edits := []plan.Edit{}
	for _, s := range steps {
		edits = append(edits, plan.Add(s, -1))
	}
	p, err = o.loop.Edit(o.t.Context(), p.ID, "edited", "test", append(edits, plan.Remove("x"))...)
	if err != nil {
		o.t.Fatal(err)
	}
	return p
}

// run carries the newest plan out and waits.
func (o *office) run(r task.Request) task.End {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), time.Minute)
	defer cancel()
	if r.By == "" {
		r.By = "person"
	}
	if _, err := o.loop.Start(ctx, r); err != nil {
		o.t.Fatal(err)
	}
	e := o.loop.Wait(ctx)
	if ctx.Err() != nil {
		o.t.Fatal("the plan did not end")
	}
	return e
}

func step(id string, after []string, tasks ...nebula.Task) nebula.PlanStep {
	for i := range tasks {
		tasks[i].ID = fmt.Sprintf("%s.%d", id, i+1)
	}
	if after == nil {
		after = []string{}
	}
	return nebula.PlanStep{ID: id, Name: "step " + id, DependsOn: after, Tasks: tasks, Verify: nebula.Verify{Command: "true"}, Files: []string{id + "/"}}
}

func do(tool string, kv ...string) nebula.Task {
	in := map[string]string{}
	for i := 0; i+1 < len(kv); i += 2 {
		in[kv[i]] = kv[i+1]
	}
	b, _ := json.Marshal(in) // strings always marshal
	return nebula.Task{Operation: tool, Args: b, Reason: "to test", Status: nebula.Pending}
}

// events are what the conversation saw so far, of one kind.
func events[B nebula.Body](o *office) []B {
	o.t.Helper()
	here := nebula.Noted{Level: "info", Text: "up to here"}
	if err := o.chat.Send(context.Background(), nebula.Inform{Bodies: []nebula.Body{here}}); err != nil && !errors.Is(err, nebula.ErrClosed) {
		o.t.Fatal(err)
	}
	from := o.marks
	var out []B
	for e := range o.chat.Events(context.Background(), 0) {
		if e.Body == nebula.Body(here) {
			if from--; from < 0 {
				break
			}
		}
		if b, ok := e.Body.(B); ok {
			out = append(out, b)
		}
	}
	o.marks++
	return out
}

func stages(p nebula.Plan) string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, s.ID+" "+string(s.Status))
	}
	return strings.Join(out, ", ")
}

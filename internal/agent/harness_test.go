package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/prompt"
	"nebula/internal/sqlite"
	"nebula/internal/state"
)

// A world is what the tests' tools look at and change.
type world struct {
	mu     sync.Mutex
	files  map[string]string
	ran    []string
	before func(tool string) // called at the start of every Do
}

func newWorld() *world { return &world{files: map[string]string{}} }

func (w *world) get(path string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text, ok := w.files[path]
	return text, ok
}

func (w *world) set(path, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files[path] = text
}

func (w *world) commands() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.ran...)
}

// A fakeTool of the tests: look reads, note writes, shout runs, wonder asks.
type fakeTool struct {
	world *world
	spec  nebula.ToolSpec
}

func (w *world) tools() []nebula.Tool {
	str := func(name string) nebula.Param { return nebula.Param{Name: name, Type: "string", Required: true} }
	return []nebula.Tool{
		fakeTool{w, nebula.ToolSpec{Name: "look", Description: "Reads.", Params: []nebula.Param{str("path")}, Effect: nebula.Read}},
		fakeTool{w, nebula.ToolSpec{Name: "note", Description: "Writes.", Params: []nebula.Param{str("path"), str("content")}, Effect: nebula.Write}},
		fakeTool{w, nebula.ToolSpec{Name: "shout", Description: "Runs.", Params: []nebula.Param{{Name: "command", Type: "string", Required: true, Payload: true}}, Effect: nebula.Execute}},
		fakeTool{w, nebula.ToolSpec{Name: "wonder", Description: "Asks.", Params: []nebula.Param{str("question")}, Effect: nebula.Ask}},
	}
}

func (t fakeTool) Spec() nebula.ToolSpec { return t.spec }

type args struct{ Path, Content, Command, Question string }

func (t fakeTool) Propose(_ context.Context, a nebula.Action, _ nebula.View) (nebula.Proposal, error) {
	var in args
	if err := json.Unmarshal(a.Args, &in); err != nil {
		return nebula.Proposal{}, &nebula.Mistake{Text: "arguments are not JSON"}
	}
	p := nebula.Proposal{Action: a, Effect: t.spec.Effect, Summary: t.spec.Name + " " + in.Path + in.Command, Command: in.Command}
	if in.Question != "" {
		p.Question = &nebula.Question{Text: in.Question}
	}
	if in.Path != "" {
		target := nebula.Target{Path: in.Path}
		if text, ok := t.world.get(in.Path); ok {
			target.Hash = nebula.Hash([]byte(text))
		} else if t.spec.Effect == nebula.Read {
			return nebula.Proposal{}, &nebula.Mistake{Text: "there is no " + in.Path}
		}
		p.Targets = []nebula.Target{target}
	}
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) { return t.do(ctx, in, r) }
	return p, nil
}

func (t fakeTool) do(ctx context.Context, in args, r nebula.Run) (nebula.Result, error) {
	if t.world.before != nil {
		t.world.before(t.spec.Name)
	}
	if ctx.Err() != nil {
		return nebula.Result{}, ctx.Err()
	}
	switch t.spec.Effect {
	case nebula.Read:
		text, _ := t.world.get(in.Path)
		return nebula.Result{Text: text, Seen: []nebula.FileRef{{Path: in.Path, Hash: nebula.Hash([]byte(text))}}}, nil
	case nebula.Write:
		hash, ok := r.Grant.Covers(in.Path)
		old, exists := t.world.get(in.Path)
		if !ok || exists && nebula.Hash([]byte(old)) != hash {
			return nebula.Result{}, nebula.ErrNoGrant
		}
		t.world.set(in.Path, in.Content)
		c := nebula.Change{Path: in.Path, Kind: "edit", Before: hash, After: nebula.Hash([]byte(in.Content))}
		return nebula.Result{Text: "written", Changes: []nebula.Change{c}}, nil
	}
	if !r.Grant.Runs() {
		return nebula.Result{}, nebula.ErrNoGrant
	}
	t.world.mu.Lock()
	t.world.ran = append(t.world.ran, in.Command)
	t.world.mu.Unlock()
	r.Output([]byte("ran " + in.Command))
	exit := 0
	if code, ok := strings.CutPrefix(in.Command, "exit "); ok {
		_, _ = fmt.Sscan(code, &exit) // a test's own words
	}
	res := nebula.Result{Text: fmt.Sprintf("exit %d", exit), Exit: &exit, Blind: strings.HasPrefix(in.Command, "hide")}
	if exit != 0 {
		res.Status = nebula.Failed
	}
	if said, ok := strings.CutPrefix(in.Command, "check "); ok {
		res.Text += "\n" + said
		res.Tests = &nebula.TestReport{Command: in.Command, Passed: 3, OK: said == "ok"}
		if !res.Tests.OK {
			res.Status = nebula.Failed
			if name, named := strings.CutPrefix(said, "--- FAIL: "); named {
				res.Tests.Failing = []string{name}
			}
		}
	}
	return res, nil
}

// plain is the smallest protocol: calls are taken as they are, and a name ending in "?" marks an inferred action.
type plain struct{}

func (plain) Name() string { return "plain" }

func (plain) Teach(tools []nebula.ToolSpec, _ string) (string, []nebula.ToolSpec) { return "", tools }

func (plain) Decode(r nebula.Reply, _ []nebula.ToolSpec) nebula.Intent {
	in := nebula.Intent{Say: r.Text(), Strategy: nebula.Strict, Confidence: 1}
	if strings.HasPrefix(r.Text(), "garbage") || r.Text() == "" && len(r.Calls()) == 0 {
		in.Problems = []nebula.Problem{{Line: 1, Text: "not readable"}}
	}
	if q, ok := strings.CutPrefix(r.Text(), "? "); ok {
		in.Questions = []nebula.Question{{Text: q}}
	}
	for _, c := range r.Calls() {
		name, inferred := strings.CutSuffix(c.Name, "?")
		in.Actions = append(in.Actions, nebula.Action{Call: c.ID, Tool: name, Args: json.RawMessage(c.Arguments), Inferred: inferred, Reason: "to test"})
	}
	return in
}

func (plain) Encode(r nebula.Reply, _ nebula.Intent, results []nebula.Result) []nebula.Message {
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: nebula.PartsOf("", r.Text(), r.Calls()...)}}
	for _, res := range results {
		messages = append(messages, nebula.Message{Role: nebula.ToolRole, CallID: res.Call, Parts: nebula.Text(res.Text)})
	}
	return messages
}

// A stage is a session under test with everything around it.
type stage struct {
	t       testing.TB
	home    string
	world   *world
	script  *nebulatest.Script
	store   *sqlite.Store
	setup   agent.Setup
	session *agent.Session
}

func newStage(t testing.TB, replies ...nebula.Reply) *stage {
	t.Helper()
	st := &stage{t: t, home: t.TempDir(), world: newWorld(), script: &nebulatest.Script{Replies: replies}}
	st.openStore()
	st.setup = agent.Setup{
		Store:     st.store,
		Model:     func(string) (nebula.Model, error) { return st.script, nil },
		Protocol:  func(string, nebula.ModelInfo) (nebula.Protocol, error) { return plain{}, nil },
		Tools:     st.world.tools(),
		Restore:   st.world.restore,
		Prompt:    &prompt.Builder{Facts: prompt.Facts{OS: "linux", Dir: "/project", Entries: []string{"a"}}},
		Limits:    agent.Limits{Steps: 20},
		Approve:   gate.Ask,
		Checkable: func() bool { return false },
		Begin:     nebula.Started{Dir: "/project", Model: "scripted"},
	}
	return st
}

func (w *world) restore(_ context.Context, g *nebula.Grant, changes []nebula.Change) ([]nebula.Change, []nebula.Left, error) {
	var made []nebula.Change
	for i := len(changes) - 1; i >= 0; i-- {
		c := changes[i]
		if _, ok := g.Covers(c.Path); !ok {
			return made, nil, nebula.ErrNoGrant
		}
		w.set(c.Path, "content "+c.Before)
		made = append(made, nebula.Change{Path: c.Path, Kind: "edit", Before: c.After, After: c.Before})
	}
	return made, nil, nil
}

func (st *stage) openStore() {
	st.t.Helper()
	store, err := sqlite.Open(st.t.Context(), filepath.Join(st.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		st.t.Fatal(err)
	}
	st.store = store
	st.setup.Store = store
	st.t.Cleanup(func() { _ = store.Close() })
}

func (st *stage) open(id string) *agent.Session {
	st.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s, err := agent.Open(ctx, st.setup, id)
	if err != nil {
		cancel()
		st.t.Fatal(err)
	}
	st.session = s
	st.t.Cleanup(func() {
		cancel()
		_ = s.Wait()
	})
	return s
}

// A responder answers what a session asks.
type responder func(asked nebula.Asked) (nebula.Decided, string)

func always(d nebula.Decided) responder {
	return func(nebula.Asked) (nebula.Decided, string) { return d, "" }
}

// recorded are the session's stored events.
func (st *stage) recorded() (events []nebula.Event) {
	st.t.Helper()
	for e, err := range st.store.Load(context.Background(), st.session.ID()) {
		if err != nil {
			st.t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// say submits a message and follows its turn to the end, answering on the way. It returns the turn's events.
func (st *stage) say(text string, answer responder) []nebula.Event {
	st.t.Helper()
	ctx, cancel := context.WithTimeout(st.t.Context(), 10*time.Second)
	defer cancel()
	if st.session == nil {
		st.open("")
	}
	if err := st.session.Send(ctx, nebula.Submit{Text: text}); err != nil {
		st.t.Fatal(err)
	}
	var events []nebula.Event
	mine := false
	for e := range st.session.Events(ctx, 0) {
		if b, ok := e.Body.(nebula.Submitted); ok && b.Text == text {
			mine = true
			events = nil
		}
		if !mine {
			continue
		}
		events = append(events, e)
		if b, ok := e.Body.(nebula.Asked); ok && answer != nil {
			d, why := answer(b)
			_ = st.session.Send(ctx, nebula.Answer{By: nebula.Person, Ask: b.Ask, Answer: d, Text: why})
		}
		if _, ok := e.Body.(nebula.Ended); ok {
			return events
		}
	}
	st.t.Fatalf("the turn did not end; so far:\n%s", transcript(events))
	return nil
}

func reply(text string, calls ...nebula.Call) nebula.Reply {
	return nebula.Reply{Parts: nebula.PartsOf("", text, calls...)}
}

func call(id, name string, kv ...string) nebula.Call {
	in := map[string]string{}
	for i := 0; i+1 < len(kv); i += 2 {
		in[kv[i]] = kv[i+1]
	}
	b, _ := json.Marshal(in) // strings always marshal
	return nebula.Call{ID: id, Name: name, Arguments: string(b)}
}

// transcript is a turn as lines: what a person would call what happened.
func transcript(events []nebula.Event) string {
	var b strings.Builder
	for _, e := range events {
		switch v := e.Body.(type) {
		case nebula.Submitted:
			fmt.Fprintf(&b, "submitted %q steer=%v\n", v.Text, v.Steer)
		case nebula.Replied:
			text, _ := state.Cut(v.Reply.Text(), state.LineLimit)
			fmt.Fprintf(&b, "replied %q actions=%d\n", text, len(v.Intent.Actions))
		case nebula.Proposed:
			fmt.Fprintf(&b, "proposed %s %q: %s\n", v.Proposal.Action.Tool, v.Verdict.Ruling, gate.Why(v.Verdict, "en"))
		case nebula.Asked:
			fmt.Fprintf(&b, "asked %s\n", v.Action)
		case nebula.Answered:
			fmt.Fprintf(&b, "answered %s by %s\n", v.Answer, v.By)
		case nebula.Began:
			fmt.Fprintf(&b, "began %s by %s\n", v.Action, v.By)
		case nebula.Finished:
			fmt.Fprintf(&b, "finished %s %s %q\n", v.Result.Tool, v.Result.Status, v.Result.Text)
		case nebula.Observed:
			fmt.Fprintf(&b, "observed %d\n", len(v.Messages))
		case nebula.Ended:
			fmt.Fprintf(&b, "ended %s %q\n", v.Status, v.Text)
		}
	}
	return b.String()
}

func want(t *testing.T, events []nebula.Event, lines ...string) {
	t.Helper()
	if got := strings.TrimSpace(transcript(events)); got != strings.Join(lines, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(lines, "\n"))
	}
}

func agentOpen(t *testing.T, st *stage) (*agent.Session, error) {
	t.Helper()
	return agent.Open(t.Context(), st.setup, st.session.ID())
}

package judge

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/prompt"
	"nebula/internal/protocol/dialect"
	"nebula/internal/sqlite"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// A project is a session on a real folder with the real tools, in one language. Commands are noted; they run only in a
// real one, which also leaves it to the model to say why.
type project struct {
	t        testing.TB
	language language
	dir      string
	runs     bool     // commands are carried out
	Commands []string // that ran
	script   *nebulatest.Script
	tools    []nebula.Tool
	specs    []nebula.ToolSpec
	session  *agent.Session
	cancel   context.CancelFunc
	work     *workspace.Dir
}

// store is the record of all sessions of a test.
func store(t testing.TB) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func newProject(t testing.TB, s *sqlite.Store, l language, files map[string]string, runs bool) *project {
	t.Helper()
	p := &project{t: t, language: l, dir: t.TempDir(), runs: runs, script: &nebulatest.Script{Piece: 1 << 20}}
	for name, text := range files {
		path := filepath.Join(p.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if p.work, err = workspace.Open(p.dir, s); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.work.Close() })
	for _, inner := range tool.All(p.work, tool.Options{}) {
		p.tools = append(p.tools, noting{inner, p})
		p.specs = append(p.specs, inner.Spec())
	}
	protocol := dialect.Tolerant(l.Protocol)
	if !runs {
		protocol = reasoned{protocol}
	}
	setup := agent.Setup{
		Store:     s,
		Model:     func(string) (nebula.Model, error) { return p.script, nil },
		Protocol:  func(string, nebula.ModelInfo) (nebula.Protocol, error) { return protocol, nil },
		Tools:     p.tools,
		Restore:   p.work.Restore,
		Prompt:    &prompt.Builder{Facts: prompt.Facts{OS: "linux", Dir: p.dir, Entries: []string{"x"}}},
		Limits:    agent.Limits{Steps: 80},
		Approve:   gate.All,
		Checkable: func() bool { return false },
		Begin:     nebula.Started{Dir: p.dir, Model: "scripted", Protocol: l.Name()},
	}
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(context.Background())
	if p.session, err = agent.Open(ctx, setup, ""); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *project) close() {
	p.cancel()
	_ = p.session.Wait()
	_ = p.work.Close()
}

// reasoned gives every action a reason, so that a reply is judged by what it does and not by what it leaves unsaid.
type reasoned struct{ nebula.Protocol }

func (r reasoned) Decode(reply nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := r.Protocol.Decode(reply, tools)
	for i := range in.Actions {
		if in.Actions[i].Reason == "" {
			in.Actions[i].Reason = "to judge the reply"
		}
	}
	return in
}

// Correction implements nebula.Corrector as the protocol does.
func (r reasoned) Correction(reply nebula.Reply, in nebula.Intent, lang string) string {
	if c, ok := r.Protocol.(nebula.Corrector); ok {
		return c.Correction(reply, in, lang)
	}
	return ""
}

// Same implements nebula.Corrector as the protocol does.
func (r reasoned) Same(reply nebula.Reply, before, after nebula.Intent) error {
	if c, ok := r.Protocol.(nebula.Corrector); ok {
		return c.Same(reply, before, after)
	}
	return nil
}

// noting notes a command when it is granted and would run.
type noting struct {
	nebula.Tool
	p *project
}

// Spots implements nebula.Spotter as the tool does.
func (n noting) Spots(text string, known []string) (nebula.Spotted, bool) {
	if s, ok := n.Tool.(nebula.Spotter); ok {
		return s.Spots(text, known)
	}
	return nebula.Spotted{}, false
}

func (n noting) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	proposal, err := n.Tool.Propose(ctx, a, v)
	if err != nil || n.Spec().Effect != nebula.Execute {
		return proposal, err
	}
	do, command := proposal.Do, proposal.Command
	proposal.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		if !r.Grant.Runs() {
			return nebula.Result{}, nebula.ErrNoGrant
		}
		n.p.Commands = append(n.p.Commands, command)
		if n.p.runs {
			return do(ctx, r)
		}
		zero := 0
		return nebula.Result{Text: "exit 0", Exit: &zero}, nil
	}
	return proposal, nil
}

// say submits a message and follows its turn to its end; every question is answered with no.
func (p *project) say(text string) []nebula.Event {
	p.t.Helper()
	return p.talk(text, func(nebula.Action) bool { return false })
}

// talk is say with somebody who says yes to what is right.
func (p *project) talk(text string, right func(nebula.Action) bool) []nebula.Event {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	defer cancel()
	if err := p.session.Send(ctx, nebula.Submit{Text: text}); err != nil {
		p.t.Fatal(err)
	}
	var events []nebula.Event
	var proposed nebula.Action
	mine := false
	for e := range p.session.Events(ctx, 0) {
		if b, ok := e.Body.(nebula.Submitted); ok && b.Text == text {
			mine, events = true, nil
		}
		if !mine {
			continue
		}
		events = append(events, e)
		switch b := e.Body.(type) {
		case nebula.Proposed:
			proposed = b.Proposal.Action
		case nebula.Asked:
			answer := nebula.Answer{By: nebula.Person, Ask: b.Ask, Answer: nebula.No, Text: "not now"}
			if b.Action != "" && b.Action == proposed.ID && right(proposed) {
				answer = nebula.Answer{By: nebula.Person, Ask: b.Ask, Answer: nebula.Yes}
			}
			_ = p.session.Send(ctx, answer)
		case nebula.Ended:
			return events
		}
	}
	p.t.Fatalf("the turn did not end after %d events", len(events))
	return nil
}

// know lets the model read every file, as a session would have before it edits.
func (p *project) know() {
	var in nebula.Intent
	for _, name := range slices.Sorted(mapKeys(p.files())) {
		b, _ := json.Marshal(map[string]string{"path": name}) // strings always marshal
		in.Actions = append(in.Actions, nebula.Action{Tool: "readFile", Args: b, Reason: "to know it"})
	}
	in.Thoughts = []string{"Everything has to be known first."}
	p.script.Replies = []nebula.Reply{p.language.write(in, p.specs), {Parts: nebula.Text("I know all of it."), Finish: "stop"}}
	p.say("read everything")
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// files are what stands in the folder.
func (p *project) files() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.Name() == "__pycache__":
			return fs.SkipDir
		case err != nil || d.IsDir():
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(p.dir, path) // path is below dir
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

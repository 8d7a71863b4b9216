//go:build linux

package cli_test

// What nebula costs a model that does its work well, and whether it stands in its way, is measured here: the whole program
// with played minds behind a server on this machine. A mind is a script that reads what it is sent and acts on it, in
// whichever protocol the session speaks. bench/minds prints the table.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/model/token"
	"nebula/internal/nebulatest"
)

// TestMinds plays everything and prints the table. It takes minutes, so it waits to be asked: NEBULA_BENCH=1.
// NEBULA_BENCH=strict makes a missed goal a failure; NEBULA_BINARY measures another build.
func TestMinds(t *testing.T) {
	wish := os.Getenv("NEBULA_BENCH")
	if wish == "" {
		t.Skip("set NEBULA_BENCH=1, or use bench/minds")
	}
	b := build(t)
	if other := os.Getenv("NEBULA_BINARY"); other != "" {
		b.path = other
	}
	for _, part := range []struct {
		name string
		play func(*program) []row
	}{
		{"first requests", (*program).firsts}, {"exercises", (*program).exercises}, {"exercises, first attempt fails", (*program).failing},
		{"debug loop", (*program).debugging}, {"42 turns", (*program).turns42}, {"60 requests", (*program).rules}, {"three features", (*program).features}, {"what falls out", (*program).leaving},
	} {
		t.Run(part.name, func(t *testing.T) {
			p := *b
			p.t = t
			tell(t, wish == "strict", part.play(&p))
		})
	}
}

// A game is one folder that a mind works in.
type game struct {
	*program
	server   *nebulatest.Server
	dir      string
	home     string
	protocol string
	mind     mind
	requests []sent
}

// A mind answers to what it was sent.
type mind func(s sent) nebula.Intent

// sent is a request as its reader sees it: what never changes, all that was said, and what came after its last reply.
type sent struct {
	system string
	offer  string // the tools as they are offered
	all    string
	news   string
	tools  bool
	tokens int
}

func (p *program) game(files map[string]string, protocol string, window int, m mind) *game {
	p.t.Helper()
	g := &game{program: p, dir: p.t.TempDir(), home: p.t.TempDir(), protocol: protocol, mind: m}
	for name, text := range files {
		path := filepath.Join(g.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			p.t.Fatal(err)
		}
	}
	g.server = p.serve(func(_ int, body []byte) *nebulatest.Answer { return g.answer(body) })
	g.server.Models, g.server.Window = []string{"gpt-4.1"}, window
	if window > 0 {
		g.server.Models = []string{"box-7b"}
		g.must("config", "set", "models.box-7b.window", fmt.Sprint(window))
	}
	g.must("config", "set", "model", g.server.Models[0])
	return g
}

// answer is what the mind answers, written in the game's protocol.
func (g *game) answer(body []byte) *nebulatest.Answer {
	s := g.read(body)
	g.requests = append(g.requests, s)
	in := g.mind(s)
	l, _ := language.Named(g.protocol)
	r := l.Write(in, nebulatest.Specs())
	a := &nebulatest.Answer{Text: r.Text(), Piece: 400, Input: s.tokens}
	for _, c := range r.Calls() {
		a.Calls = append(a.Calls, nebulatest.ToolCall{Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
	}
	return a
}

func (g *game) read(body []byte) (s sent) {
	g.t.Helper()
	var in struct {
		Messages []struct {
			Role      string
			Content   any
			ToolCalls []struct{ Function nebulatest.ToolCall } `json:"tool_calls"`
		}
		Tools  json.RawMessage
		Format json.RawMessage `json:"response_format"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		g.t.Fatal(err)
	}
	s.tools, s.offer = len(in.Tools) > 0, string(in.Tools)
	s.tokens = token.Count(string(in.Tools)) + token.Count(string(in.Format))
	for i, m := range in.Messages {
		text, plain := m.Content.(string)
		if list, ok := m.Content.([]any); ok && !plain {
			data, _ := json.Marshal(list)
			text = string(data)
		}
		s.tokens += 4 + token.Count(text)
		for _, c := range m.ToolCalls {
			s.tokens += token.Count(c.Function.Name) + token.Count(string(c.Function.Arguments))
		}
		switch {
		case i == 0:
			s.system = text
			continue
		case m.Role == "assistant":
			s.news = ""
		default:
			s.news += text + "\n"
		}
		s.all += text + "\n"
	}
	return s
}

func (g *game) command(args ...string) *exec.Cmd {
	c := exec.Command(g.path, args...)
	c.Dir = g.dir
	c.Env = append(os.Environ(), "NEBULA_HOME="+g.home, "OPENAI_API_KEY=sk-bench", "OPENAI_BASE_URL="+g.server.URL(), "NEBULA_LANG=en")
	return c
}

// run carries one message out and says how it ended.
func (g *game) run(args ...string) (output string, code int) {
	g.t.Helper()
	c := g.command(append([]string{"run", "--protocol", g.protocol}, args...)...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil && c.ProcessState == nil {
		g.t.Fatal(err)
	}
	return out.String(), c.ProcessState.ExitCode()
}

func (g *game) must(args ...string) string {
	g.t.Helper()
	out, err := g.command(args...).CombinedOutput()
	if err != nil {
		g.t.Fatalf("nebula %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (g *game) holds(name string) string {
	data, err := os.ReadFile(filepath.Join(g.dir, name))
	if err != nil {
		return ""
	}
	return string(data)
}

// tokens are those of all requests.
func (g *game) total() (n int) {
	for _, s := range g.requests {
		n += s.tokens
	}
	return n
}

func action(tool string, args map[string]any) nebula.Action {
	data, _ := json.Marshal(args) // strings, numbers and lists always marshal
	return nebula.Action{Tool: tool, Args: data}
}

func why(a nebula.Action, reason string) nebula.Action {
	a.Reason = reason
	return a
}

func reads(paths ...string) (list []nebula.Action) {
	for _, p := range paths {
		list = append(list, action("readFile", map[string]any{"path": p}))
	}
	return list
}

func tests() nebula.Action {
	return why(action("runTests", map[string]any{}), "to see whether it works")
}

func patch(path, old, instead, reason string) nebula.Action {
	return why(action("patchFile", map[string]any{"path": path, "edits": []map[string]string{{"old": old, "new": instead}}}), reason)
}

func does(say string, actions ...nebula.Action) nebula.Intent {
	return nebula.Intent{Say: say, Actions: actions}
}

// firsts counts the first request of each language and mode: its text and its tools.
func (p *program) firsts() (rows []row) {
	for _, c := range []struct {
		mode, lang string
		goal       int
	}{{"agent", "en", 1100}, {"agent", "ja", 1250}, {"plan", "en", 1100}, {"plan", "ja", 1250}} {
		g := p.game(map[string]string{"main.go": "package main\n", "go.mod": "module x\n"}, "toolcall", 0, func(sent) nebula.Intent { return does("Hello.") })
		g.run("--mode", c.mode, "--lang", c.lang, "hi")
		n := g.requests[0].tokens
		rows = append(rows, row{"first request, " + c.mode + " " + c.lang, fmt.Sprintf("≤ %d tokens", c.goal), fmt.Sprint(n), n <= c.goal})
	}
	return rows
}

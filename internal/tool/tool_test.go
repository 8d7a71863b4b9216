package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/nebulatest"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// kept is a record of pre-images in memory.
type kept struct{ m sync.Map }

func (k *kept) Keep(_ context.Context, data []byte) (string, error) {
	hash := nebula.Hash(data)
	k.m.Store(hash, slices.Clone(data))
	return hash, nil
}

func (k *kept) Content(_ context.Context, hash string) ([]byte, error) {
	data, ok := k.m.Load(hash)
	if !ok {
		return nil, errors.New("no such content")
	}
	return data.([]byte), nil
}

// A folder is a workspace with a session's memory of what was read, as the agent keeps it.
type folder struct {
	t     *testing.T
	d     *workspace.Dir
	tools []nebula.Tool
	refs  map[string]nebula.FileRef
	lang  string
	n     int
	stubs bool // the person asked for them
}

func newFolder(t *testing.T, o tool.Options, files map[string]string) *folder {
	t.Helper()
	f := &folder{t: t, refs: map[string]nebula.FileRef{}}
	dir := t.TempDir()
	d, err := workspace.Open(dir, nebulatest.Shelf{Keeper: &kept{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if o.Code == nil {
		o.Code = index.New(d, filepath.Join(t.TempDir(), "index.db"))
		t.Cleanup(func() { o.Code.Close() })
	}
	f.d, f.tools = d, tool.All(d, o)
	f.put(files)
	return f
}

func (f *folder) put(files map[string]string) {
	f.t.Helper()
	for p, text := range files {
		full := filepath.Join(f.d.Path(), p)
		if strings.HasSuffix(p, "/") {
			os.MkdirAll(full, 0o755)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			f.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *folder) text(p string) string {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join(f.d.Path(), p))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(data)
}

func (f *folder) tool(name string) nebula.Tool {
	f.t.Helper()
	for _, t := range f.tools {
		if t.Spec().Answers(name) {
			return t
		}
	}
	f.t.Fatalf("no tool %q", name)
	return nil
}

func (f *folder) view() nebula.View {
	return nebula.View{
		Mode: nebula.AgentMode, Lang: f.lang, Bare: f.stubs,
		Seen: func(p string) (string, bool) { r, ok := f.refs[p]; return r.Hash, ok },
		Ref:  func(p string) (nebula.FileRef, bool) { r, ok := f.refs[p]; return r, ok },
	}
}

type args = map[string]any

func (f *folder) propose(name string, a args) (nebula.Proposal, error) {
	f.t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		f.t.Fatal(err)
	}
	f.n++
	t := f.tool(name)
	action := nebula.Action{ID: fmt.Sprintf("a%d", f.n), Tool: t.Spec().Name, Args: raw}
	p, err := t.Propose(f.t.Context(), action, f.view())
	p.Action, p.Effect = action, t.Spec().Effect
	return p, err
}

// run proposes an action and carries it out under a grant.
func (f *folder) run(name string, a args) (nebula.Result, error) {
	f.t.Helper()
	p, err := f.propose(name, a)
	if err != nil {
		return nebula.Result{}, err
	}
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		f.t.Fatal(err)
	}
	defer g.Close()
	r, err := p.Do(f.t.Context(), nebula.Run{Grant: g})
	for _, s := range r.Seen {
		f.refs[s.Path] = s
	}
	return r, err
}

func (f *folder) must(name string, a args) nebula.Result {
	f.t.Helper()
	r, err := f.run(name, a)
	if err != nil {
		f.t.Fatalf("%s %v: %v", name, a, err)
	}
	return r
}

// mistaken runs an action that has to be the model's mistake, and returns what it is told.
func (f *folder) mistaken(name string, a args) string {
	f.t.Helper()
	_, err := f.run(name, a)
	if m := (*nebula.Mistake)(nil); !errors.As(err, &m) {
		f.t.Fatalf("%s %v: %v is no mistake", name, a, err)
	}
	return err.Error()
}

func TestToolsAreConforming(t *testing.T) {
	files := map[string]string{
		"a.txt": "one\ntwo\nthree\n", "dir/b.go": "package b\n", "old": "x\n", "empty/": "",
		"go.mod": "module m\n", "m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n",
	}
	cases := map[string]struct{ good, wrong []string }{
		"list": {
			[]string{`{}`, `{"path":"."}`, `{"path":"dir","recursive":true,"reason":"r"}`, `{"path":".","recursive":true,"pattern":"*.go"}`},
			[]string{`{"path":"../x"}`, `{"path":"nothing"}`, `{"path":1}`},
		},
		"readFile": {
			[]string{`{"path":"a.txt"}`, `{"path":"a.txt","offset":2,"limit":1}`, `{"path":"dir/b.go","offset":null}`},
			[]string{`{}`, `{"path":""}`, `{"path":"/etc/passwd"}`, `{"path":"dir"}`, `{"path":"a.tx"}`, `{"path":"a.txt","offset":-1}`, `{"path":"a.txt","offset":"x"}`},
		},
		"searchInDirectory": {
			[]string{`{"directory":".","keyword":"two"}`, `{"directory":"dir","keyword":"pack.ge","regex":true,"glob":"*.go"}`},
			[]string{`{"directory":"."}`, `{"directory":".","keyword":""}`, `{"directory":"..","keyword":"x"}`},
		},
		"searchCode": {
			[]string{`{"query":"package b"}`, `{"query":"TestX","limit":1,"reason":"r"}`, `{"query":"nothing such as this"}`, `{"query":"三"}`},
			[]string{`{}`, `{"query":" "}`, `{"query":3}`, `{"query":"x","limit":-1}`},
		},
		"writeFile": {
			[]string{`{"path":"new.txt","content":"x\n"}`, `{"path":"deep/er/new","content":""}`},
			[]string{`{"path":"old","content":"x"}`, `{"path":"new"}`, `{"path":"../new","content":"x"}`, `{"path":".git/config","content":"x"}`, `{"path":"dir","content":"x"}`, `{"path":".","content":"x"}`},
		},
		"editFile": {
			[]string{`{"path":"a.txt","new_content":"four\n"}`},
			[]string{`{"path":"old","new_content":"not read"}`, `{"path":"a.txt","new_content":"one\ntwo\nthree\n"}`, `{"path":"none","new_content":"x"}`, `{"path":"dir","new_content":"x"}`, `{"path":"a.txt"}`},
		},
		"patchFile": {
			[]string{`{"path":"a.txt","edits":[{"old":"two","new":"2"}]}`, `{"path":"a.txt","edits":[{"old":"one\n","new":""},{"old":"three","new":"3"}]}`},
			[]string{`{"path":"a.txt","edits":[]}`, `{"path":"a.txt","edits":[{"old":"","new":"x"}]}`, `{"path":"a.txt","edits":[{"old":"o","new":"x"}]}`, `{"path":"a.txt","edits":[{"old":"seven","new":"x"}]}`, `{"path":"a.txt","edits":"x"}`, `{"path":"old","edits":[{"old":"y","new":"z"}]}`, `{"path":"a.txt","edits":[{"old":"two","new":"two"}]}`},
		},
		"renameSymbol": {
			[]string{`{"from":"two","to":"zwei"}`, `{"from":"b","to":"c","path":"dir"}`},
			[]string{`{"from":"two"}`, `{"from":"a.b","to":"c"}`, `{"from":"none","to":"c"}`, `{"from":"two","to":"c","path":"../x"}`},
		},
		"createDirectory": {
			[]string{`{"path":"fresh"}`, `{"path":"one/two/three"}`},
			[]string{`{"path":"dir"}`, `{"path":"a.txt"}`, `{"path":""}`, `{"path":".git/x"}`},
		},
		"deleteFile": {
			[]string{`{"path":"a.txt"}`, `{"path":"empty"}`},
			[]string{`{"path":"dir"}`, `{"path":"none"}`, `{"path":"."}`, `{"path":".git"}`},
		},
		"executeShell": {
			[]string{`{"command":"echo hello"}`, `{"command":"echo x > made; rm old","timeout":30}`},
			[]string{`{}`, `{"command":" "}`, `{"command":"echo","timeout":-1}`, `{"command":"echo \u0000"}`, `{"command":["echo"]}`},
		},
		"runTests": {
			[]string{`{}`, `{"command":"echo 1 passed"}`},
			[]string{`{"command":3}`},
		},
		"verify": {
			[]string{`{"kind":"test"}`, `{"kind":"check"}`},
			[]string{`{}`, `{"kind":"deploy"}`},
		},
		"advise": {[]string{`{}`}, nil},
		"updateState": {
			[]string{`{"goal":"a tool","constraints":["no new dependencies"]}`, `{"next_step":"done","reason":"r"}`},
			[]string{`{"goal":1}`, `{"constraints":"text"}`},
		},
		"checklist": {
			[]string{`{"todos":["[x] one","[ ] two"]}`, `{"todos":[{"content":"one","status":"completed"}]}`},
			[]string{`{}`, `{"todos":[]}`, `{"todos":3}`},
		},
		"askUser": {
			[]string{`{"question":"Which?"}`, `{"question":"Which?","options":["a","b"]}`},
			[]string{`{}`, `{"question":" "}`, `{"question":"x","options":"y"}`},
		},
	}
	for _, tt := range tool.All(nil, tool.Options{Code: index.New(nil, "")}) {
		name := tt.Spec().Name
		t.Run(name, func(t *testing.T) {
			c, ok := cases[name]
			if !ok {
				t.Fatal("no cases")
			}
			nebulatest.TestTool(t, func(t *testing.T) nebulatest.Bench {
				f := newFolder(t, tool.Options{}, files)
				f.must("readFile", args{"path": "a.txt"})
				b := nebulatest.Bench{Tool: f.tool(name), Dir: f.d.Path(), View: f.view()}
				b.View.Passed = []nebula.Action{{Tool: "verify", Args: json.RawMessage(`{"kind":"test"}`)}}
				for _, a := range c.good {
					b.Good = append(b.Good, json.RawMessage(a))
				}
				for _, a := range c.wrong {
					b.Wrong = append(b.Wrong, json.RawMessage(a))
				}
				return b
			})
		})
	}
}

// The first request has to stay below 1,100 tokens, the system text included.
func TestSchemasAreShort(t *testing.T) {
	enc := codec.NewO200kBase()
	total := 0
	for _, tt := range tool.All(nil, tool.Options{Code: index.New(nil, "")}) {
		s := tt.Spec()
		if s.Quiet {
			continue
		}
		raw, err := json.Marshal(map[string]any{"type": "function", "function": map[string]any{
			"name": s.Name, "description": s.Description, "parameters": s.Schema()}})
		if err != nil {
			t.Fatal(err)
		}
		n, err := enc.Count(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%4d %s", n, s.Name)
		total += n
	}
	t.Logf("%4d in all", total)
	if total > 720 {
		t.Errorf("%d tokens", total)
	}
}

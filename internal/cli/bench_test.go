//go:build linux

package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"nebula"
	"nebula/internal/bench"
	"nebula/internal/confine"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// A pupil does the tasks of the bench as their solutions say, in whichever protocol it is spoken to.
type pupil struct {
	t     *testing.T
	tasks []bench.Task
	done  map[string]map[string]string // by the task: files, "" for those that go, and the answer
}

func newPupil(t *testing.T) *pupil {
	t.Helper()
	tasks, err := bench.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	p := &pupil{t: t, tasks: tasks, done: map[string]map[string]string{}}
	add := func(name, path, text string) {
		if p.done[name] == nil {
			p.done[name] = map[string]string{}
		}
		p.done[name][path] = text
	}
	for _, task := range tasks {
		data, err := os.ReadFile(filepath.Join("..", "..", "internal", "bench", "tasks", task.Name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		a := txtar.Parse(data)
		for _, f := range a.Files {
			if path, ok := strings.CutPrefix(f.Name, "want/"); ok {
				add(task.Name, path, string(f.Data))
			}
		}
		for line := range strings.Lines(string(a.Comment)) {
			if path, ok := strings.CutPrefix(line, "gone "); ok {
				add(task.Name, strings.TrimSpace(path), "")
			}
		}
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "internal", "bench", "testdata", "solved.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse(data).Files {
		name, path, _ := strings.Cut(f.Name, "/")
		add(name, path, string(f.Data))
	}
	return p
}

// answer is the next reply to a request.
func (p *pupil) answer(_ int, body []byte) *nebulatest.Answer {
	var in struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		p.t.Error(err)
	}
	text, replies := "", 0
	for _, m := range in.Messages[1:] {
		var said string
		_ = json.Unmarshal(m.Content, &said)
		text += said + "\n"
		if m.Role == "assistant" {
			replies++
		}
	}
	i := slices.IndexFunc(p.tasks, func(t bench.Task) bool { return strings.Contains(text, t.Ask) })
	if i < 0 {
		return &nebulatest.Answer{Status: 400, Text: "no task of the bench"}
	}
	spoken := p.spoken(string(in.Messages[0].Content), strings.Contains(string(body), `"tools":[`))
	r := spoken.Write(p.intent(p.tasks[i], replies), nebulatest.Specs())
	a := &nebulatest.Answer{Text: r.Text(), Piece: 400}
	for _, c := range r.Calls() {
		a.Calls = append(a.Calls, nebulatest.ToolCall{Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
	}
	return a
}

func (p *pupil) spoken(system string, native bool) language.Row {
	name := "symops"
	switch {
	case native:
		name = "toolcall"
	case strings.Contains(system, "🦆"):
		name = "dml"
	case strings.Contains(system, `actions`) && strings.Contains(system, `operation`):
		name = "actionlist"
	}
	row, _ := language.Named(name)
	return row
}

func (p *pupil) intent(task bench.Task, replies int) nebula.Intent {
	done := maps.Clone(p.done[task.Name])
	answer := done["answer"]
	if delete(done, "answer"); replies > 1 || len(done) == 0 {
		return nebula.Intent{Say: strings.TrimSpace(answer) + "\nUnverified: nothing to run."}
	}
	in := nebula.Intent{Say: "I do it."}
	if replies == 0 {
		for _, path := range slices.Sorted(maps.Keys(task.Files)) {
			data, _ := json.Marshal(map[string]string{"path": path})
			in.Actions = append(in.Actions, nebula.Action{Tool: "readFile", Args: data})
		}
		return in
	}
	for _, path := range slices.Sorted(maps.Keys(done)) {
		tool, args := "editFile", map[string]string{"path": path, "new_content": done[path]}
		switch {
		case done[path] == "":
			tool, args = "deleteFile", map[string]string{"path": path}
		case task.Files[path] == "":
			tool, args = "writeFile", map[string]string{"path": path, "content": done[path]}
		}
		data, _ := json.Marshal(args)
		in.Actions = append(in.Actions, nebula.Action{Tool: tool, Args: data, Reason: "as it was asked"})
	}
	return in
}

type benched struct {
	Columns     []bench.Column
	Recommended *struct{ Model, Protocol string }
}

// bench runs it and reads what it printed.
func (b *bed) bench(t *testing.T, args ...string) (out benched) {
	t.Helper()
	text := b.output(append([]string{"bench", "-o", "json"}, args...)...)
	if err := json.NewDecoder(bytes.NewReader([]byte(text[strings.Index(text, "{\"columns"):]))).Decode(&out); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return out
}

// Every check, those that run programs included, is met by its solution, through the whole program and in the box.
func TestBenchIsSolvedByWhoKnowsTheSolutions(t *testing.T) {
	if _, err := confine.Probe(); err != nil {
		t.Skip(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	b := newBed(t)
	b.server.Answers = newPupil(t).answer
	page := filepath.Join(b.folder, "bench.html")
	out := b.bench(t, "test-model", "--protocol", "toolcall", "--html", page)
	c := out.Columns[0]
	for _, r := range c.Results {
		if !r.Solved && r.Skipped == "" {
			t.Errorf("%s: %s (%s)", r.Task, r.Missed, r.Ended)
		}
	}
	if c.Tried < 30 || c.Spoken.Strict != c.Spoken.Replies || c.Usage.Input == 0 {
		t.Errorf("%d tried, %+v, %+v", c.Tried, c.Spoken, c.Usage)
	}
	if data, err := os.ReadFile(page); err != nil || !strings.Contains(string(data), "<svg") {
		t.Errorf("no page: %v", err)
	}
	if _, err := os.Stat(filepath.Join(b.home, "nebula.db")); err == nil {
		t.Error("the record was touched")
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "nebula-bench-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBenchRecommendsAndSetsWhatIsSolvedBest(t *testing.T) {
	b := newBed(t)
	p := newPupil(t)
	b.server.Answers = func(n int, body []byte) *nebulatest.Answer {
		a := p.answer(n, body)
		if len(a.Calls) > 0 { // a model that writes its calls badly
			a.Calls[0].Name, a.Calls[0].Arguments = "nothing", json.RawMessage(`{}`)
		}
		return a
	}
	out := b.bench(t, "test-model", "--task", "files-m,files-u,trap-f,trap-m", "--set")
	if out.Recommended == nil || out.Recommended.Protocol == "toolcall" || len(out.Columns) != 4 {
		t.Fatalf("recommended %+v of %d", out.Recommended, len(out.Columns))
	}
	for _, c := range out.Columns[1:] {
		if c.Solved != c.Tried {
			for _, r := range c.Results {
				t.Logf("%s %s %s %s", c.Protocol, r.Task, r.Missed, r.Ended)
			}
			t.Errorf("%s: %d of %d", c.Protocol, c.Solved, c.Tried)
		}
	}
	if got := b.output("config", "get", "protocol"); strings.TrimSpace(got) != out.Recommended.Protocol {
		t.Errorf("protocol is %q", got)
	}
}

func TestBenchStopsAtAFaultOfTheServer(t *testing.T) {
	b := newBed(t)
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Status: 401, Text: "Incorrect API key provided"}
	}
	out, err := b.command("bench", "test-model", "--task", "trap", "--protocol", "symops").CombinedOutput()
	text := string(out)
	if err == nil {
		t.Error("nothing was solved, and that is no failure")
	}
	if n := len(b.server.Requests()); n != 1 || !strings.Contains(text, "is not at its end") {
		t.Errorf("%d requests:\n%s", n, text)
	}
}

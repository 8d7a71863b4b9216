package agent_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/nebulatest"
)

// jinja is the engine that renders chat templates.
const jinja = "@huggingface/jinja@0.5.11"

// A renderer asks the engine what a template makes of a request.
type renderer struct {
	mu  sync.Mutex
	in  *json.Encoder
	out *bufio.Scanner
}

// newRenderer starts the engine, which is installed once for all runs of the tests.
func newRenderer(t *testing.T) *renderer {
	t.Helper()
	dir, err := nebulatest.Packages("jinja-"+strings.TrimPrefix(jinja, "@huggingface/jinja@"), "@huggingface/jinja/package.json", jinja)
	if err != nil {
		nebulatest.Missing(t, err)
	}
	c := exec.Command("node", nebulatest.Importing(t, dir, "testdata/templates/render.mjs", ""))
	c.Stderr = os.Stderr
	in, out := nebulatest.Beside(t, c)
	return &renderer{in: json.NewEncoder(in), out: bufio.NewScanner(out)}
}

// refusal is what the template says against the request, empty when it takes it.
func (r *renderer) refusal(t *testing.T, file string, request []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	said := ""
	if err := r.in.Encode(map[string]any{"file": file, "request": json.RawMessage(request)}); err != nil || !r.out.Scan() {
		t.Errorf("the renderer is gone: %v", err)
		return "gone"
	}
	if err := json.Unmarshal(r.out.Bytes(), &said); err != nil {
		t.Error(err)
	}
	return said
}

// templates are the chat templates of the tests, and those in the folder that NEBULA_TEMPLATES names.
func templates(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{filepath.Join("testdata", "templates"), os.Getenv("NEBULA_TEMPLATES")} {
		found, err := filepath.Glob(filepath.Join(dir, "*.jinja"))
		if err != nil {
			t.Fatal(err)
		}
		if dir != "" {
			files = append(files, found...)
		}
	}
	for i := range files {
		abs, err := filepath.Abs(files[i])
		if err != nil {
			t.Fatal(err)
		}
		files[i] = abs
	}
	return files
}

// turns are a whole session: several calls in a reply, a call without a word, a state that stands behind the results, a
// word of the person in the middle, a change at the gate, marks of the model's own, and more reading than the window holds.
func turns() [][]nebula.Intent {
	thinking := acts(act("readFile", "path", "big.txt"))
	thinking.Say = "I read the large one."
	list := [][]nebula.Intent{
		{acts(act("readFile", "path", "a.md"), act("list", "path", ".")),
			{Actions: []nebula.Action{act("updateState", "goal", "tidy up")}},
			acts(act("readFile", "path", "a.md")), say("Seen.")},
		{acts(act("editFile", "path", "a.md", "new_content", "y\n"), act("readFile", "path", "b.md")), thinking,
			say("Done: <|channel|>final<|message|>a.md is written.")},
		nil,
	}
	for n := range 9 {
		list[2] = append(list[2], acts(act("readFile", "path", fmt.Sprintf("big%d.txt", n)), act("readFile", "path", "a.md")))
	}
	list[2] = append(list[2], say("All read."))
	return append(list, []nebula.Intent{say("Yes.")})
}

// Every chat template takes every request of a whole session, in each language: what a server refuses is learnt from once.
func TestEveryTemplateTakesWholeSessions(t *testing.T) {
	engine := newRenderer(t)
	for _, file := range templates(t) {
		for _, l := range languages() {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".jinja")+"/"+l.Name(), func(t *testing.T) {
				wholeSession(t, l, func(request []byte) string { return engine.refusal(t, file, request) })
			})
		}
	}
}

func wholeSession(t *testing.T, l language, refusal func([]byte) string) {
	files := map[string]string{"a.md": "x\n", "b.md": "word\n", "big.txt": strings.Repeat("A line of words in a large file.\n", 200)}
	for n := range 9 {
		files[fmt.Sprintf("big%d.txt", n)] = files["big.txt"]
	}
	p := newProject(t, l, files)
	var replies []nebula.Reply
	for _, turn := range turns() {
		for _, in := range turn {
			replies = append(replies, l.write(in, p.tools))
		}
	}
	answered, refused := 0, []string{}
	server, err := nebulatest.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	server.Answers = func(_ int, body []byte) *nebulatest.Answer {
		if said := refusal(body); said != "" {
			refused = append(refused, said)
			return &nebulatest.Answer{Status: 400 + 100*(len(refused)%2), Text: said}
		}
		if answered == len(replies) {
			return nil
		}
		r := replies[answered]
		answered++
		a := &nebulatest.Answer{Text: r.Text(), Reasoning: r.Reasoning()}
		for i, c := range r.Calls() {
			a.Calls = append(a.Calls, nebulatest.ToolCall{ID: fmt.Sprintf("call_%d_%d", answered, i), Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
		}
		return a
	}
	client := model.New(model.Endpoint{Provider: "llamacpp", BaseURL: server.URL(), Model: "m"}, nebula.ModelInfo{Window: 12_000, Native: true}, model.Options{})
	p.setup.Model = func(string) (nebula.Model, error) { return client, nil }
	steered, compacted := false, 0
	for n, text := range []string{"look around", "tidy up", "read everything", "thanks?"} {
		events := p.say(text, func(nebula.Asked) (nebula.Decided, string) {
			if !steered {
				steered = true
				_ = p.session.Send(t.Context(), nebula.Submit{Text: "and be brief"})
			}
			return nebula.Yes, ""
		})
		for _, e := range events {
			if _, ok := e.Body.(nebula.Compacted); ok {
				compacted++
			}
		}
		if end := last(t, events); end.Status != nebula.TurnDone {
			t.Fatalf("turn %d ended %s %q after %q", n+1, end.Status, end.Text, refused)
		}
	}
	if !steered || compacted == 0 || answered != len(replies) {
		t.Errorf("steered %v, %d compactions, %d of %d replies", steered, compacted, answered, len(replies))
	}
	if len(refused) > 4 {
		t.Errorf("refused %d times: %q", len(refused), refused)
	}
	t.Logf("%d requests, refused: %q", len(server.Requests()), refused)
}

func TestPersonIsToldOfAServerThatIsWaitedFor(t *testing.T) {
	server, err := nebulatest.Serve(nebulatest.Answer{Text: "Hello.", Delay: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	st := newStage(t)
	client := model.New(model.Endpoint{BaseURL: server.URL(), Model: "m"}, nebula.ModelInfo{}, model.Options{Notice: 20 * time.Millisecond})
	st.setup.Model = func(string) (nebula.Model, error) { return client, nil }
	told := 0
	for _, e := range st.say("go", nil) {
		if n, ok := e.Body.(nebula.Noted); ok && strings.Contains(n.Text, "has said nothing for") {
			told++
		}
	}
	if told == 0 || len(server.Requests()) != 1 {
		t.Errorf("told %d times, %d requests", told, len(server.Requests()))
	}
}

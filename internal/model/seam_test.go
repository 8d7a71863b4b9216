package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/nebulatest"
	"nebula/internal/redact"
)

// overHTTP is the client, against a server that gives the suite's replies.
func overHTTP(t *testing.T) nebula.Model {
	var answers []nebulatest.Answer
	for _, r := range nebulatest.ModelReplies() {
		a := nebulatest.Answer{Text: r.Text(), Reasoning: r.Reasoning(), Finish: r.Finish}
		for _, c := range r.Calls() {
			args, _ := json.Marshal(c.Arguments)
			a.Calls = append(a.Calls, nebulatest.ToolCall{ID: c.ID, Name: c.Name, Arguments: args})
		}
		answers = append(answers, a)
	}
	s, err := nebulatest.Serve(answers...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return model.New(model.Endpoint{BaseURL: s.URL(), Model: "m-1"}, nebula.ModelInfo{}, model.Options{Backoff: time.Millisecond})
}

func replayed(t *testing.T) nebula.Model {
	var file bytes.Buffer
	m := model.Record(scripted(t), &file)
	for range nebulatest.ModelReplies() {
		if _, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{}), nil); err != nil {
			t.Fatal(err)
		}
	}
	p, err := model.Replay(&file, model.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func scripted(*testing.T) nebula.Model { return &nebulatest.Script{Replies: nebulatest.ModelReplies()} }

func TestEveryModelKeepsTheSeam(t *testing.T) {
	for name, open := range map[string]func(*testing.T) nebula.Model{
		"http": overHTTP, "replay": replayed, "script": scripted,
		"record": func(t *testing.T) nebula.Model { return model.Record(scripted(t), &bytes.Buffer{}) },
		"kept": func(*testing.T) nebula.Model {
			return model.Replies(nebulatest.ModelReplies(), model.ReplayOptions{Info: nebula.ModelInfo{Name: "m"}})
		},
	} {
		t.Run(name, func(t *testing.T) { nebulatest.TestModel(t, open) })
	}
}

const byHand = `# a conversation written by hand
{"info":{"name":"demo","native":true}}
{"reply":{"text":"Hello."},"lang":"en"}
{"reply":{"text":"こんにちは。"},"lang":"ja"}

{"reply":{"text":"Let me look.","calls":[{"name":"readFile","arguments":{"path":"a.go","reason":"r"}},{"name":"list"}]}}
{"error":{"kind":"cancelled"}}
{"reply":{"text":"abcdef"},"pace":[[10,"t",2],[20,"t",1]]}
`

func TestRecordingsCanBeWrittenByHand(t *testing.T) {
	p, err := model.Replay(strings.NewReader(byHand), model.ReplayOptions{Lang: "ja"})
	if err != nil || p.Left() != 3 || p.Info().Name != "demo" {
		t.Fatalf("%v, %+v", err, p)
	}
	var got []nebula.Reply
	for p.Left() > 0 {
		r, err := nebula.Collect(p.Stream(t.Context(), nebula.Prompt{}), nil)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	want := []nebula.Reply{
		{Parts: nebula.Text("こんにちは。"), Finish: "stop"},
		{Parts: nebula.PartsOf("", "Let me look.", nebula.Call{ID: "call_2_1", Name: "readFile", Arguments: `{"path":"a.go","reason":"r"}`}, nebula.Call{ID: "call_2_2", Name: "list", Arguments: "{}"}), Finish: "tool_calls"},
		{Parts: nebula.Text("abcdef"), Finish: "stop"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if _, err := nebula.Collect(p.Stream(t.Context(), nebula.Prompt{}), nil); err == nil {
		t.Error("a reply after the last")
	}
}

func TestABrokenRecordingNamesItsLine(t *testing.T) {
	for text, says := range map[string]string{
		"": "no replies", "{}": "line 1", `{"reply":{"txt":"x"}}`: "txt", byHand + "{\"reply\":\n{\"reply\":{}}\n": "line 9",
		`{"reply":{},"pace":[[1,2]]}`: "pace", "{\"reply\":{}} {\"reply\":{}}\n": "more than one",
	} {
		if _, err := model.Replay(strings.NewReader(text), model.ReplayOptions{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q in it", text, err, says)
		}
	}
	p, err := model.Replay(strings.NewReader(byHand+`{"reply":{"te`), model.ReplayOptions{}) // a crash
	if err != nil || p.Left() != 4 {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestReplaySaysWhereItDiverges(t *testing.T) {
	var file bytes.Buffer
	asked := func(text string) nebula.Prompt {
		return nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text(text)}}}
	}
	m := model.Record(scripted(t), &file)
	for _, text := range []string{"one", "two"} {
		if _, err := nebula.Collect(m.Stream(t.Context(), asked(text)), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, strict := range []bool{false, true} {
		var told []model.Divergence
		o := model.ReplayOptions{Strict: strict, Diverged: func(d model.Divergence) { told = append(told, d) }}
		p, err := model.Replay(bytes.NewReader(file.Bytes()), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := nebula.Collect(p.Stream(t.Context(), asked("one")), nil); err != nil || len(told) != 0 {
			t.Fatal(err, told)
		}
		_, err = nebula.Collect(p.Stream(t.Context(), asked("other")), nil)
		_, diverged := errors.AsType[*model.Divergence](err)
		if diverged != strict || len(told) != 1 || told[0].Exchange != 2 || !strings.Contains(told[0].What.String(), `"other"`) {
			t.Errorf("strict %v: %v, %+v", strict, err, told)
		}
	}
}

func TestHowLongItTookIsNoDivergence(t *testing.T) {
	mark := func(text string) string {
		return model.Mark(nebula.Message{Role: nebula.ToolRole, Parts: nebula.Text(text)})
	}
	if mark("exit 0 (2.6 s)\nok  \tdemo\t0.014s") != mark("exit 0 (813 ms)\nok  \tdemo\t(cached)") {
		t.Error("only the time differs, and still it is another message")
	}
	if mark("3 passed (1 s)") == mark("4 passed (1 s)") || mark("id 12s4") == mark("id 13s4") {
		t.Error("what is no time counts")
	}
}

func TestPaceIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := model.Replay(strings.NewReader(`{"reply":{"text":"abc"},"pace":[[100,"t",1],[300,"t",1]]}`), model.ReplayOptions{Speed: 2})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		at := map[string]time.Duration{}
		if _, err := nebula.Collect(p.Stream(t.Context(), nebula.Prompt{}), func(c nebula.Chunk) { at[c.Text] = time.Since(began) }); err != nil {
			t.Fatal(err)
		}
		if at["a"] != 50*time.Millisecond || at["b"] != 150*time.Millisecond {
			t.Error(at)
		}
	})
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestWhatIsNotRecordedIsNotAnswered(t *testing.T) {
	r, err := nebula.Collect(model.Record(scripted(t), fullDisk{}).Stream(t.Context(), nebula.Prompt{}), nil)
	if !errors.Is(err, model.ErrNotRecorded) || r.Text() != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRecordedFaultsAreReplayed(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "r.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := &nebulatest.Script{Replies: nebulatest.ModelReplies(), Faults: map[int]error{
		0: &nebula.APIError{Status: 500, Kind: "server", Text: "t", Next: "n"}, 1: context.Canceled}}
	m := model.Record(s, file)
	for range 3 {
		_, _ = nebula.Collect(m.Stream(t.Context(), nebula.Prompt{}), nil)
	}
	data, _ := os.ReadFile(file.Name())
	p, err := model.Replay(bytes.NewReader(data), model.ReplayOptions{})
	if err != nil || p.Left() != 2 || p.Info().Name != "scripted" {
		t.Fatalf("%v\n%s", err, data)
	}
	_, err = nebula.Collect(p.Stream(t.Context(), nebula.Prompt{}), nil)
	if api, ok := errors.AsType[*nebula.APIError](err); !ok || *api != (nebula.APIError{Status: 500, Kind: "server", Text: "t", Next: "n"}) {
		t.Error(err)
	}
}

// A reply whose parts stand in an order of their own, with what their provider wants back, is kept by all that stands
// between the provider and the session.
func TestPartsKeepTheirOrderAndWhatIsTheirs(t *testing.T) {
	asked := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}
	seal := &nebula.Opaque{Of: "p", Value: json.RawMessage(`"a+/=="`)}
	reply := nebula.Reply{Finish: "tool_calls", Model: "m", Parts: nebula.Parts{
		{Kind: nebula.ReasoningPart, Text: "the key is sk-not-the-", Opaque: seal},
		{Kind: nebula.TextPart, Text: "sk-not-the-"},
		{Kind: nebula.CallPart, Call: &nebula.Call{ID: "1", Name: "list", Arguments: `{"path":"sk-not-the-"}`}, Opaque: seal},
		{Kind: nebula.ReasoningPart, Opaque: seal},
		{Kind: nebula.ReasoningPart, Text: "then"},
		{Kind: nebula.CallPart, Call: &nebula.Call{ID: "2", Name: "list", Arguments: `{}`}},
		{Kind: nebula.OpaquePart, Opaque: seal},
		{Kind: nebula.TextPart, Text: "end"},
	}}
	script := &nebulatest.Script{Replies: []nebula.Reply{reply}, Piece: 3}
	var file bytes.Buffer
	recorded := model.Record(model.Veil(script, redact.New([]string{"sk-not-the-one-you-look-for"})), &file)
	if got, err := nebula.Collect(recorded.Stream(t.Context(), asked), nil); err != nil || !reflect.DeepEqual(got, reply) {
		t.Fatalf("it came as\n%+v, %v", got.Parts, err)
	}
	for _, speed := range []float64{0, 1000} {
		p, err := model.Replay(bytes.NewReader(file.Bytes()), model.ReplayOptions{Speed: speed})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := nebula.Collect(p.Stream(t.Context(), asked), nil); err != nil || !reflect.DeepEqual(got, reply) {
			t.Errorf("it was replayed as\n%+v, %v", got.Parts, err)
		}
		natural := model.Replies([]nebula.Reply{reply}, model.ReplayOptions{Speed: speed})
		if got, err := nebula.Collect(natural.Stream(t.Context(), asked), nil); err != nil || !reflect.DeepEqual(got, reply) {
			t.Errorf("at its natural pace it is\n%+v, %v", got.Parts, err)
		}
	}
}

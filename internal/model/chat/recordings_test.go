package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model/transport"
	"nebula/internal/nebulatest"
)

// recording is one real provider's stream, with the calls that the conversation's next request quotes.
type recording struct {
	name  string
	body  []byte
	calls []nebula.Call
}

type recordedMeta struct {
	Turns int               `json:"turns"`
	Calls []json.RawMessage `json:"expected_tool_calls"`
}

func recordings(t testing.TB) []recording {
	metas, err := filepath.Glob("testdata/openai-chat/*/*/meta.json")
	if err != nil || len(metas) != 15 {
		t.Fatalf("%d recordings, want 15 (%v)", len(metas), err)
	}
	var list []recording
	for _, file := range metas {
		var meta recordedMeta
		decodeFile(t, file, &meta)
		var calls []nebula.Call
		for _, raw := range meta.Calls {
			var pair [2]json.RawMessage
			var name string
			if json.Unmarshal(raw, &pair) != nil || json.Unmarshal(pair[0], &name) != nil {
				t.Fatalf("%s: %s", file, raw)
			}
			calls = append(calls, nebula.Call{Name: name, Arguments: canonical(t, string(pair[1]))})
		}
		dir := filepath.Dir(file)
		for turn := range meta.Turns {
			body, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(turn)+".response.sse"))
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimPrefix(filepath.ToSlash(dir), "testdata/openai-chat/") + "/" + strconv.Itoa(turn)
			list = append(list, recording{name: name, body: body, calls: calls})
			calls = nil // the last turns answer in text
		}
	}
	return list
}

func decodeFile(t testing.TB, file string, v any) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func canonical(t testing.TB, raw string) string {
	var v any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// decoded reads a body the way an attempt does.
func decoded(body io.Reader) (nebula.Reply, error) {
	return nebula.Collect(pieces(body, nebula.Prompt{}), nil)
}

func pieces(body io.Reader, p nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		asked := New(transport.Endpoint{}, Dialect{}, true).Ask(p)
		err := transport.Read(body, asked, func(c nebula.Chunk) bool { return yield(c, nil) })
		if err != nil && !errors.Is(err, transport.ErrStopped) {
			yield(nebula.Chunk{}, err)
		}
	}
}

func TestRecordingsDecodeToTheirCalls(t *testing.T) {
	for _, rec := range recordings(t) {
		t.Run(rec.name, func(t *testing.T) {
			r, err := decoded(bytes.NewReader(rec.body))
			if err != nil {
				t.Fatal(err)
			}
			var got []nebula.Call
			ids := map[string]bool{}
			for _, c := range r.Calls() {
				if c.ID == "" || ids[c.ID] {
					t.Errorf("call %s has the id %q", c.Name, c.ID)
				}
				ids[c.ID] = true
				got = append(got, nebula.Call{Name: c.Name, Arguments: canonical(t, c.Arguments)})
			}
			if !reflect.DeepEqual(got, rec.calls) {
				t.Errorf("calls %v, want %v", got, rec.calls)
			}
			wantFinish := "stop"
			if len(rec.calls) > 0 {
				wantFinish = "tool_calls"
			} else if r.Text() == "" {
				t.Error("no text")
			}
			if r.Finish != wantFinish || r.Usage.Input == 0 || r.Usage.Output == 0 || r.Model == "" {
				t.Errorf("finish %q, usage %+v, model %q", r.Finish, r.Usage, r.Model)
			}
		})
	}
}

func TestEveryCutGivesTheSameReplyOrNone(t *testing.T) {
	for _, rec := range recordings(t) {
		t.Run(rec.name, func(t *testing.T) { nebulatest.TestRecording(t, rec.body, endOfFinish(rec.body), decoded) })
	}
}

// endOfFinish is where the first event with a finish reason is complete.
func endOfFinish(body []byte) int {
	at := bytes.Index(body, []byte(`"finish_reason":"`))
	return at + bytes.IndexByte(body[at:], '\n')
}

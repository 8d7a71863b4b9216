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
	"testing/iotest"

	"nebula"
	"nebula/internal/model/transport"
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

func TestEveryByteBoundaryGivesTheSameReply(t *testing.T) {
	for _, rec := range recordings(t) {
		t.Run(rec.name, func(t *testing.T) {
			want, err := decoded(bytes.NewReader(rec.body))
			if err != nil {
				t.Fatal(err)
			}
			for i := range boundaries(rec.body) {
				got, err := decoded(io.MultiReader(bytes.NewReader(rec.body[:i]), bytes.NewReader(rec.body[i:])))
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("in two parts at %d: %+v, %v; want %+v", i, got, err, want)
				}
			}
			got, err := decoded(iotest.OneByteReader(bytes.NewReader(rec.body)))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("byte by byte: %+v, %v", got, err)
			}
		})
	}
}

func TestEveryTruncationBeforeTheFinishReasonIsAnError(t *testing.T) {
	for _, rec := range recordings(t) {
		t.Run(rec.name, func(t *testing.T) {
			want, err := decoded(bytes.NewReader(rec.body))
			if err != nil {
				t.Fatal(err)
			}
			want.Usage = nebula.Usage{}
			finished := endOfFinish(rec.body)
			for i := range boundaries(rec.body) {
				for _, end := range []error{io.EOF, errors.New("reset")} {
					got, err := decoded(io.MultiReader(bytes.NewReader(rec.body[:i]), iotest.ErrReader(end)))
					got.Usage = nebula.Usage{}
					switch {
					case i < finished && err == nil:
						t.Fatalf("cut at %d of %d (%v): no error, reply %+v", i, len(rec.body), end, got)
					case err != nil && !reflect.DeepEqual(got, nebula.Reply{}):
						t.Fatalf("cut at %d: an error and the reply %+v", i, got)
					case err == nil && !reflect.DeepEqual(got, want):
						t.Fatalf("cut at %d: %+v, want %+v", i, got, want)
					}
				}
			}
		})
	}
}

// boundaries yields every place at which a body can be cut. Of the larger ones, which repeat themselves, it yields
// those around the ends of lines and every seventeenth, unless NEBULA_LONG asks for all.
func boundaries(body []byte) iter.Seq[int] {
	all := len(body) < 6000 || os.Getenv("NEBULA_LONG") != ""
	return func(yield func(int) bool) {
		for i := range body {
			near := bytes.IndexByte(body[max(0, i-2):min(len(body), i+2)], '\n') >= 0
			if (all || near || i%17 == 0) && !yield(i) {
				return
			}
		}
	}
}

// endOfFinish is where the first event with a finish reason is complete.
func endOfFinish(body []byte) int {
	at := bytes.Index(body, []byte(`"finish_reason":"`))
	return at + bytes.IndexByte(body[at:], '\n')
}

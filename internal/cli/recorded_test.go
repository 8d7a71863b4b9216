//go:build unix

package cli

import (
	"bytes"
	"compress/gzip"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	modernc "modernc.org/sqlite"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
	"nebula/internal/tool"
)

// testdata/recorded has databases as earlier versions of nebula left them: a conversation in each protocol, one that was
// compacted, and a plan in the middle of its second step. Beside each stands what that version sent when each conversation
// was told to go on: the messages up to these words.

// A recordedHome is a home with such a database, and the folder that it is of.
func recordedHome(t *testing.T, name string) *bed {
	t.Helper()
	b, path := unpacked(t, name)
	moveTo(t, path, b.folder)
	for name, text := range map[string]string{"greet.go": "package greet\n", "greeting.txt": "hello\n", "greeting2": "hello\n"} {
		if err := os.WriteFile(filepath.Join(b.folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// unpacked is a home with a recorded database, which is of a folder that is not here.
func unpacked(t *testing.T, name string) (b *bed, path string) {
	t.Helper()
	b = newBed(t)
	packed, err := os.Open(filepath.Join("testdata", "recorded", name+".db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(b.home, "nebula.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if b.folder, err = filepath.EvalSymlinks(b.folder); err != nil {
		t.Fatal(err)
	}
	return b, path
}

// moveTo says that all in a database is of a folder.
func moveTo(t *testing.T, path, folder string) {
	t.Helper()
	db, err := (&modernc.Driver{}).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{"UPDATE sessions SET project_path=?", "UPDATE plans SET project=?", "UPDATE plan_steps SET project=?", "UPDATE tallies SET project=?"} {
		s, err := db.Prepare(query)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.(driver.StmtExecContext).ExecContext(t.Context(), []driver.NamedValue{{Ordinal: 1, Value: folder}}); err != nil {
			t.Fatal(err)
		}
		_ = s.Close()
	}
}

// A recordedRequest is what a version sent when a session was told to go on.
type recordedRequest struct {
	Session  string
	Messages []any
}

func recordedRequests(t *testing.T, name string) (list []recordedRequest) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "recorded", name+".requests.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var r recordedRequest
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// recordings are the databases, and of how many sessions each can be seen to be whole after it was moved: from schema 5 on
// a session's end says of which folder it is.
var recordings = map[string]int{"schema4": 8, "schema5": 0}

// What this version's earlier self recorded is whole, half-run sessions and plans included.
func TestRecordsOfEarlierVersionsAreWhole(t *testing.T) {
	b, _ := unpacked(t, "schema5")
	var said []byte
	for line := range strings.Lines(b.output("sessions", "--all", "--json")) {
		var s nebula.SessionInfo
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		out, _ := b.command("audit", "--verify", s.ID).CombinedOutput() // where they end is noted nowhere here
		said = append(said, out...)
	}
	if strings.Count(string(said), "whole\n") != 7 || strings.Contains(string(said), "broken") {
		t.Errorf("%s", said)
	}
}

// A conversation of an earlier version goes on as it would have gone on there: the model reads the same of it.
func TestConversationsOfEarlierVersionsGoOn(t *testing.T) {
	for name, sessions := range recordings {
		b := recordedHome(t, name)
		b.server.Answers = func(int, []byte) *nebulatest.Answer {
			return &nebulatest.Answer{Text: "Done.\nUnverified: nothing to run."}
		}
		for _, want := range recordedRequests(t, name) {
			got := b.goesOn(want.Session)
			if !sameWords(got, want.Messages) {
				t.Errorf("%s, %s:\n%v\nwant\n%v", name, want.Session, got, want.Messages)
			}
		}
		out, err := b.command("audit", "--verify").CombinedOutput() // where two of them end was noted nowhere yet
		if sessions > 0 && (strings.Count(string(out), "whole\n") != sessions || err == nil || !strings.Contains(string(out), "no note beside the record")) {
			t.Errorf("%s: the records are not whole: %v\n%s", name, err, out)
		}
	}
}

// goesOn tells a session to go on, and gives what was sent of it.
func (b *bed) goesOn(session string) []any {
	b.t.Helper()
	n := len(b.server.Requests())
	b.output("run", "--session", session, "go on")
	var sent struct{ Messages []any }
	if err := json.Unmarshal(b.server.Requests()[n].Body, &sent); err != nil {
		b.t.Fatal(err)
	}
	return upTo("go on", sent.Messages[1:])
}

// sameWords says that a conversation is the one that was sent. What an earlier version left out of a long reply is sent today, and
// before a compacted conversation stands what the person said until then.
func sameWords(got, want []any) bool {
	return slices.EqualFunc(got, want, func(now, then any) bool {
		a, b := maps.Clone(now.(map[string]any)), maps.Clone(then.(map[string]any))
		sent, _ := a["content"].(string)
		text, _ := b["content"].(string)
		if strings.HasPrefix(sent, "[What the person said earlier") {
			sent = sent[strings.LastIndex(sent, "\n\n")+2:]
		}
		if parts := strings.Split(text, "\n[… "); len(parts) == 2 {
			_, end, _ := strings.Cut(parts[1], " …]\n")
			if strings.HasPrefix(sent, parts[0]) && strings.HasSuffix(sent, end) {
				sent = text
			}
		}
		a["content"], b["content"] = sent, text
		return reflect.DeepEqual(a, b)
	})
}

// upTo cuts the last message behind words: what follows them says where the work stands.
func upTo(words string, messages []any) []any {
	last := messages[len(messages)-1].(map[string]any)
	text, _ := last["content"].(string)
	if i := strings.Index(text, words); i >= 0 {
		last["content"] = text[:i+len(words)]
	}
	return messages
}

// A plan that an earlier version left in the middle of a step is carried to its end.
func TestPlansOfEarlierVersionsGoOn(t *testing.T) {
	for name := range recordings {
		b := recordedHome(t, name)
		b.server.Answers = func(int, []byte) *nebulatest.Answer {
			return &nebulatest.Answer{Text: `{"status":"completed","summary":"It is used."}`}
		}
		b.output("plan", "run", "plan_", "--approve", "all", "--cut-off", "done")
		if out := b.output("plan", "list"); !strings.Contains(out, "completed") || !strings.Contains(out, "2/2") {
			t.Errorf("%s: the plan stands at %s", name, out)
		}
	}
}

// TestRecordForLaterVersions makes such a recording of this version: NEBULA_RECORD=NAME, and a row in recordings.
func TestRecordForLaterVersions(t *testing.T) {
	name := os.Getenv("NEBULA_RECORD")
	if name == "" {
		t.Skip("set NEBULA_RECORD to the name of a new recording")
	}
	b := newBed(t)
	var queue []nebula.Reply
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		if len(queue) == 0 {
			return &nebulatest.Answer{Hang: true}
		}
		r := queue[0]
		queue = queue[1:]
		a := &nebulatest.Answer{Text: r.Text()}
		for _, c := range r.Parts.Calls() {
			a.Calls = append(a.Calls, nebulatest.ToolCall{Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
		}
		return a
	}
	does := func(tool, args string) nebula.Action { return nebula.Action{Tool: tool, Args: json.RawMessage(args)} }
	look := nebula.Intent{Say: "Let me look.", Actions: []nebula.Action{does("list", `{"path":"."}`), does("readFile", `{"path":"greet.go"}`)}}
	change := nebula.Intent{Actions: []nebula.Action{does("patchFile", `{"path":"greet.go","edits":[{"old":"hello","new":"hello, world"}],"reason":"as asked"}`), does("executeShell", `{"command":"cat greet.go; echo x > kept.txt","reason":"to see it"}`)}}
	said := nebula.Intent{Say: "The greeting is longer now.\nUnverified: there is nothing to run."}
	for _, row := range language.All() {
		b.wroteGreeting()
		for _, in := range []nebula.Intent{look, change, said} {
			queue = append(queue, row.Write(in, tool.Specs()))
		}
		b.output("run", "--approve", "edits", "--protocol", row.Name(), "in "+row.Name()+": do as I say")
	}
	native := language.All()[0]
	b.wroteGreeting()
	queue = append(queue, native.Write(look, tool.Specs()), native.Write(change, tool.Specs()))
	b.killed(3*time.Second, "run", "--approve", "edits", "in toolcall: and be cut off")
	b.planCutOff(native, &queue)
	b.pack(name)
}

// planCutOff has a plan of two steps carried out, and kills it in the middle of the second.
func (b *bed) planCutOff(native language.Row, queue *[]nebula.Reply) {
	text := func(text string) nebula.Reply { return nebula.Reply{Parts: nebula.Text(text)} }
	write := nebula.Intent{Actions: []nebula.Action{{Tool: "writeFile", Args: json.RawMessage(`{"path":"greeting.txt","content":"hello\n","reason":"the greeting"}`)}}}
	*queue = append(*queue, text(`{"name":"greeter","steps":[{"step_id":"step_001","name":"write it","description":"a greeting","files":["greeting.txt"],"verify":{"command":"grep hello greeting.txt"}},`+
		`{"step_id":"step_002","name":"use it","description":"copy it","depends_on":["step_001"],"verify":{"command":"test -f greeting.txt"}}]}`),
		native.Write(write, tool.Specs()), text("The greeting is written."))
	b.killed(8*time.Second, "run", "--plan", "--approve", "all", "build a greeter")
}

func (b *bed) wroteGreeting() {
	if err := os.WriteFile(filepath.Join(b.folder, "greet.go"), []byte("package greet\n\nfunc Greet() string { return \"hello\" }\n"), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// pack writes the database down, and what is sent when its conversations go on.
func (b *bed) pack(name string) {
	b.t.Helper()
	b.output("sessions")
	db, err := (&modernc.Driver{}).Open(filepath.Join(b.home, "nebula.db"))
	if err != nil {
		b.t.Fatal(err)
	}
	whole := filepath.Join(b.t.TempDir(), "whole.db")
	s, err := db.Prepare("VACUUM INTO '" + whole + "'")
	if err == nil {
		_, err = s.(driver.StmtExecContext).ExecContext(b.t.Context(), nil)
		_, _ = s.Close(), db.Close()
	}
	data, failed := os.ReadFile(whole)
	if err != nil || failed != nil {
		b.t.Fatal(err, failed)
	}
	var packed, requests bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(data)
	_ = z.Close()
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Text: "Done.\nUnverified: nothing to run."}
	}
	for line := range strings.Lines(b.output("sessions", "--json")) {
		var s struct{ ID, Title string }
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			b.t.Fatal(err)
		}
		if strings.HasPrefix(s.Title, "in ") {
			line, _ := json.Marshal(map[string]any{"session": s.ID, "messages": b.goesOn(s.ID)}) // it was JSON
			requests.Write(append(line, '\n'))
		}
	}
	at := filepath.Join("testdata", "recorded", name)
	if err := errors.Join(os.WriteFile(at+".db.gz", packed.Bytes(), 0o644), os.WriteFile(at+".requests.jsonl", requests.Bytes(), 0o644)); err != nil {
		b.t.Fatal(err)
	}
}

//go:build unix

package cli

import (
	"bytes"
	"compress/gzip"
	"database/sql/driver"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	modernc "modernc.org/sqlite"

	"nebula/internal/nebulatest"
)

// testdata/recorded has databases as earlier versions of nebula left them: a conversation in each protocol, one that was
// compacted, and a plan in the middle of its second step. Beside each stands what that version sent when each conversation
// was told to go on: the messages up to these words.

// A recordedHome is a home with such a database, and the folder that it is of.
func recordedHome(t *testing.T, name string) *bed {
	t.Helper()
	b := newBed(t)
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
	path := filepath.Join(b.home, "nebula.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if b.folder, err = filepath.EvalSymlinks(b.folder); err != nil {
		t.Fatal(err)
	}
	moveTo(t, path, b.folder)
	for name, text := range map[string]string{"greet.go": "package greet\n", "greeting.txt": "hello\n", "greeting2": "hello\n"} {
		if err := os.WriteFile(filepath.Join(b.folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b
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

// A conversation of an earlier version goes on as it would have gone on there: the model reads the same of it.
func TestConversationsOfEarlierVersionsGoOn(t *testing.T) {
	b := recordedHome(t, "schema4")
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Text: "Done.\nUnverified: nothing to run."}
	}
	for n, want := range recordedRequests(t, "schema4") {
		b.output("run", "--session", want.Session, "go on")
		var sent struct{ Messages []any }
		if err := json.Unmarshal(b.server.Requests()[n].Body, &sent); err != nil {
			t.Fatal(err)
		}
		if got := upTo("go on", sent.Messages[1:]); !sameWords(got, want.Messages) {
			t.Errorf("%s:\n%v\nwant\n%v", want.Session, got, want.Messages)
		}
	}
	out, err := b.command("audit", "--verify").CombinedOutput() // where two of them end was noted nowhere yet
	if strings.Count(string(out), "whole\n") != 8 || err == nil || !strings.Contains(string(out), "no note beside the record") {
		t.Errorf("the records are not whole: %v\n%s", err, out)
	}
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
	b := recordedHome(t, "schema4")
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Text: `{"status":"completed","summary":"It is used."}`}
	}
	b.output("plan", "run", "plan_", "--approve", "all", "--cut-off", "done")
	if out := b.output("plan", "list"); !strings.Contains(out, "completed") || !strings.Contains(out, "2/2") {
		t.Errorf("the plan stands at %s", out)
	}
}

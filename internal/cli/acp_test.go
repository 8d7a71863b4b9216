//go:build unix

package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// An editor is the protocol's own library in a process, with nebula acp below it.
type editor struct {
	t    *testing.T
	in   io.Writer
	out  chan said
	seen []said
	next int
}

// A said is one line of what came from nebula.
type said struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int
		Message string
	} `json:"error"`
	Update struct {
		Kind    string          `json:"sessionUpdate"`
		Content json.RawMessage `json:"content"`
		Status  string          `json:"status"`
		Title   string          `json:"title"`
		Tool    string          `json:"kind"`
		Where   []struct {
			Path string `json:"path"`
		} `json:"locations"`
		Commands []struct {
			Name string `json:"name"`
		} `json:"availableCommands"`
	} `json:"update"`
	Asked json.RawMessage `json:"asked"`
	Saved *string         `json:"saved"`
}

func newEditor(t *testing.T, server *nebulatest.Server, home, dir string) *editor {
	t.Helper()
	if testing.Short() {
		t.Skip("starts an editor's library in another process")
	}
	at, err := nebulatest.Packages("acp", "@agentclientprotocol/sdk/package.json", "@agentclientprotocol/sdk@2.4.0", "zod@4.1.12")
	if err != nil {
		nebulatest.Missing(t, err)
	}
	file := nebulatest.Importing(t, at, "testdata/acp/editor.mjs", "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "nebula")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", file, path, "acp")
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(os.Environ(), "NEBULA_HOME="+home, "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+server.URL())
	in, out := nebulatest.Beside(t, c)
	e := &editor{t: t, in: in, out: make(chan said, 1000)}
	go func() {
		defer close(e.out)
		for lines := bufio.NewScanner(bufio.NewReaderSize(out, 1<<20)); lines.Scan(); {
			var s said
			if json.Unmarshal(lines.Bytes(), &s) == nil {
				e.out <- s
			}
		}
	}()
	e.ask("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{"fs": map[string]bool{"readTextFile": true, "writeTextFile": true}}}, nil)
	return e
}

func (e *editor) sends(what map[string]any) {
	e.t.Helper()
	if err := json.NewEncoder(e.in).Encode(what); err != nil {
		e.t.Fatal(err)
	}
}

// begins sends a request, and gives its number.
func (e *editor) begins(method string, params any) int {
	e.t.Helper()
	e.next++
	e.sends(map[string]any{"request": method, "params": params, "id": e.next})
	return e.next
}

// until waits for something that nebula says.
func (e *editor) until(what string, is func(said) bool) said {
	e.t.Helper()
	for end := time.After(20 * time.Second); ; {
		select {
		case s, ok := <-e.out:
			if !ok {
				e.t.Fatalf("nebula is gone before %s", what)
			}
			e.seen = append(e.seen, s)
			if is(s) {
				return s
			}
		case <-end:
			e.t.Fatalf("%s did not come; %+v", what, e.seen)
		}
	}
}

// ask sends a request and waits for its result.
func (e *editor) ask(method string, params, result any) {
	e.t.Helper()
	id := e.begins(method, params)
	e.answered(method, id, result)
}

func (e *editor) answered(method string, id int, result any) {
	e.t.Helper()
	s := e.until("an answer to "+method, func(s said) bool { return s.ID == id })
	if s.Error != nil {
		e.t.Fatalf("%s: %d %s", method, s.Error.Code, s.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(s.Result, result); err != nil {
			e.t.Fatal(err)
		}
	}
}

func (e *editor) session(dir string) string {
	e.t.Helper()
	var begun struct{ SessionID string }
	e.ask("session/new", map[string]any{"cwd": dir, "mcpServers": []any{}}, &begun)
	return begun.SessionID
}

func saying(session, text string) map[string]any {
	return map[string]any{"sessionId": session, "prompt": []any{map[string]any{"type": "text", "text": text}}}
}

// prompts sends a message and tells how its turn ended, with what was said meanwhile.
func (e *editor) prompts(session, text string) (stop, said string) {
	e.t.Helper()
	e.seen = nil
	var end struct{ StopReason string }
	e.ask("session/prompt", saying(session, text), &end)
	return end.StopReason, e.heard("agent_message_chunk")
}

// heard is the text of one kind of update.
func (e *editor) heard(kind string) string {
	var b strings.Builder
	for _, s := range e.seen {
		var c struct{ Text string }
		if s.Update.Kind == kind && json.Unmarshal(s.Update.Content, &c) == nil {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

// A conversation in an editor: an edit that is allowed, one that is refused, a question, a command in the place of a message, a
// turn that is stopped, and the same session in another nebula after the first was killed.
func TestConversationInAnEditor(t *testing.T) {
	write := func(path, content string) []nebulatest.ToolCall {
		args, _ := json.Marshal(map[string]string{"path": path, "content": content, "reason": "it was asked for"})
		return []nebulatest.ToolCall{{Name: "writeFile", Arguments: args}}
	}
	server, err := nebulatest.Serve(
		nebulatest.Answer{Text: "I write it.", Calls: write("a.txt", "one\n")}, nebulatest.Answer{Text: "It is written."},
		nebulatest.Answer{Calls: write("b.txt", "two\n")}, nebulatest.Answer{Text: "Then not."},
		nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "askUser", Arguments: []byte(`{"question":"Which colour?"}`)}}}, nebulatest.Answer{Text: "Green it is."},
		nebulatest.Answer{Hang: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	home, dir := t.TempDir(), t.TempDir()
	e := newEditor(t, server, home, dir)
	id := e.session(dir)
	e.sends(map[string]any{"answers": []string{"yes", "no"}})

	stop, text := e.prompts(id, "write a.txt")
	if stop != "end_turn" || !strings.Contains(text, "I write it.") || !strings.Contains(text, "It is written.") {
		t.Errorf("%s: %q", stop, text)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(got) != "one\n" {
		t.Errorf("a.txt: %q", got)
	}
	var first, last, asked string
	for _, s := range e.seen {
		switch {
		case s.Asked != nil:
			asked = string(s.Asked)
		case s.Update.Kind == "tool_call":
			first = fmt.Sprint(s.Update.Tool, " ", s.Update.Status, " ", s.Update.Where, " ", string(s.Update.Content))
		case s.Update.Kind == "tool_call_update":
			last = s.Update.Status
		}
	}
	for _, part := range []string{"edit pending", filepath.Join(dir, "a.txt"), `"newText":"one\n"`} {
		if !strings.Contains(first, part) {
			t.Errorf("the call is shown without %q: %s", part, first)
		}
	}
	for _, part := range []string{"it was asked for", `"newText":"one\n"`, `"path":"` + filepath.Join(dir, "a.txt") + `"`, "allow_once", "reject_once"} {
		if !strings.Contains(asked, part) {
			t.Errorf("leave is asked for without %q: %s", part, asked)
		}
	}
	if last != "completed" {
		t.Errorf("the call ended as %q", last)
	}

	if stop, _ := e.prompts(id, "write b.txt"); stop != "end_turn" {
		t.Error(stop)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.txt")); err == nil {
		t.Error("what was refused is there")
	}

	if _, text := e.prompts(id, "paint it"); !strings.Contains(text, "Which colour?") {
		t.Errorf("the question is not shown: %q", text)
	}
	if _, text := e.prompts(id, "green"); !strings.Contains(text, "Green it is.") {
		t.Errorf("the next message is no answer to the question: %q", text)
	}
	if requests := server.Requests(); !strings.Contains(string(requests[len(requests)-1].Body), "green") {
		t.Error("the answer did not reach the model")
	}
	if _, text := e.prompts(id, "/status"); !strings.Contains(text, "gpt-4.1-nano") {
		t.Errorf("/status: %q", text)
	}

	before := len(server.Requests())
	waits := e.begins("session/prompt", saying(id, "think for ever"))
	for len(server.Requests()) == before {
		time.Sleep(10 * time.Millisecond)
	}
	e.sends(map[string]any{"notify": "session/cancel", "params": map[string]any{"sessionId": id}})
	var end struct{ StopReason string }
	e.answered("session/prompt", waits, &end)
	if end.StopReason != "cancelled" {
		t.Errorf("a stopped turn ended as %q", end.StopReason)
	}

	e.sends(map[string]any{"kill": true})
	again := newEditor(t, server, home, dir)
	var list struct {
		Sessions []struct{ SessionID, Title string }
	}
	again.ask("session/list", map[string]any{"cwd": dir}, &list)
	if len(list.Sessions) != 1 || list.Sessions[0].SessionID != id {
		t.Errorf("the sessions are %v", list.Sessions)
	}
	elsewhere := again.begins("session/load", map[string]any{"sessionId": id, "cwd": t.TempDir(), "mcpServers": []any{}})
	if s := again.until("a refusal", func(s said) bool { return s.ID == elsewhere }); s.Error == nil || !strings.Contains(s.Error.Message, dir) {
		t.Errorf("the session is loaded as one of another folder: %+v", s.Error)
	}
	again.seen = nil
	again.ask("session/load", map[string]any{"sessionId": id, "cwd": dir, "mcpServers": []any{}}, nil)
	if said := again.heard("user_message_chunk"); !strings.Contains(said, "write a.txt") || !strings.Contains(said, "paint it") {
		t.Errorf("of the person's words there are %q", said)
	}
	if said := again.heard("agent_message_chunk"); !strings.Contains(said, "It is written.") || !strings.Contains(said, "Then not.") {
		t.Errorf("of the model's words there are %q", said)
	}
	tools := ""
	for _, s := range again.seen {
		if s.Update.Kind == "tool_call" {
			tools += s.Update.Status + " "
		}
	}
	if !strings.HasPrefix(tools, "completed failed ") {
		t.Errorf("the calls of before stand as %q", tools)
	}
	commands := again.until("the commands", func(s said) bool { return s.Update.Kind == "available_commands_update" })
	if len(commands.Update.Commands) < 8 {
		t.Errorf("commands: %v", commands.Update.Commands)
	}
}

// What stands in the editor and is not saved is what the model reads and changes; taken back, it stands there as it was. What is written in
// the editor while its change waits for leave is not lost.
func TestWhatAnEditorHasNotSaved(t *testing.T) {
	call := func(tool string, args map[string]any) nebulatest.Answer {
		args["reason"] = "it was asked for"
		raw, _ := json.Marshal(args)
		return nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: tool, Arguments: raw}}}
	}
	patch := func(old, with string) nebulatest.Answer {
		return call("patchFile", map[string]any{"path": "a.txt", "edits": []any{map[string]string{"old": old, "new": with}}})
	}
	server, err := nebulatest.Serve(call("readFile", map[string]any{"path": "a.txt"}), patch("two", "2"), nebulatest.Answer{Text: "It is changed."},
		patch("2", "zwei"), nebulatest.Answer{Text: "I could not change it: it was changed meanwhile."}, nebulatest.Answer{Text: "Nothing was changed."})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dir := t.TempDir()
	at := filepath.Join(dir, "a.txt")
	write := func(text string) {
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(want string) {
		t.Helper()
		if got, _ := os.ReadFile(at); string(got) != want {
			t.Errorf("the file is %q, for %q", got, want)
		}
	}
	write("one\ntwo\n")
	e := newEditor(t, server, t.TempDir(), dir)
	id := e.session(dir)
	e.sends(map[string]any{"buffers": map[string]string{at: "one\ntwo\nnot saved\n"}, "answers": []string{"yes"}})
	e.prompts(id, "change two in a.txt")
	if !strings.Contains(string(server.Requests()[1].Body), "not saved") {
		t.Error("the model reads what is on the disk")
	}
	holds("one\n2\nnot saved\n")
	saved := 0
	for _, s := range e.seen {
		if s.Saved != nil {
			saved++
		}
	}
	if saved != 2 {
		t.Errorf("the editor saved %d times: before the change, and the change", saved)
	}
	if n := len(server.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}

	waits := e.begins("session/prompt", saying(id, "change 2 in a.txt"))
	e.until("a question", func(s said) bool { return s.Asked != nil })
	e.sends(map[string]any{"buffers": map[string]string{at: "one\n2\nnot saved\nand more\n"}})
	e.sends(map[string]any{"answers": []string{"yes"}})
	e.answered("session/prompt", waits, nil)
	holds("one\n2\nnot saved\n")
	if !strings.Contains(string(server.Requests()[4].Body), "changed after the question was shown") {
		t.Error("the model is not told that the change was not made")
	}

	e.sends(map[string]any{"buffers": map[string]any{at: nil}})
	e.prompts(id, "/undo")
	holds("one\ntwo\nnot saved\n")
}

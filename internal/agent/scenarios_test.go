package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
)

func (p *project) replies(l language, intents ...nebula.Intent) {
	for _, in := range intents {
		p.script.Replies = append(p.script.Replies, l.write(in, p.tools))
	}
}

func (p *project) raw(texts ...string) {
	for _, text := range texts {
		p.script.Replies = append(p.script.Replies, nebula.Reply{Parts: nebula.Text(text), Finish: "stop"})
	}
}

// sent is everything the model read in a request.
func (p *project) sent(n int) string {
	p.t.Helper()
	prompts := p.script.Prompts()
	if n >= len(prompts) {
		p.t.Fatalf("there were %d requests", len(prompts))
	}
	text := ""
	for _, m := range prompts[n].Messages {
		text += m.Text() + "\n"
	}
	return text
}

func (p *project) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(p.dir, name))
	return err == nil
}

// hashed are files as they are now, those that are gone without a hash; folders are none.
func (p *project) hashed(refs []nebula.FileRef) (now []nebula.FileRef) {
	for _, r := range refs {
		if !p.exists(r.Path) {
			now = append(now, nebula.FileRef{Path: r.Path})
		} else if i, err := os.Stat(filepath.Join(p.dir, r.Path)); err == nil && !i.IsDir() {
			now = append(now, nebula.FileRef{Path: r.Path, Hash: nebula.Hash([]byte(p.read(r.Path)))})
		}
	}
	return now
}

// missing are the files that are gone, and those that nobody has read.
func (p *project) missing(refs []nebula.FileRef) (now []nebula.FileRef) {
	for _, r := range refs {
		if _, err := os.Stat(filepath.Join(p.dir, r.Path)); errors.Is(err, fs.ErrNotExist) {
			now = append(now, nebula.FileRef{Path: r.Path})
		} else if r.Hash == "?" {
			now = append(now, r)
		}
	}
	return now
}

func acted(t *testing.T, events []nebula.Event, want string) {
	t.Helper()
	if got := results(events); got != want {
		t.Errorf("results: %s\nwant:    %s\n%s", got, want, transcript(events))
	}
}

func write(path, content string) nebula.Action {
	return act("writeFile", "path", path, "content", content)
}

func TestMistakesAreReadInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(act("frobnicate", "path", "x"), write("a.md", "kept\n"), act("writeFile", "path", "b.md")), say("I see."))
		p.setup.Approve = gate.All
		acted(t, p.say("go", nil), "frobnicate failed, writeFile done, writeFile failed")
		for _, told := range []string{"there is no tool \"frobnicate\"", "content"} {
			if !strings.Contains(p.sent(1), told) {
				t.Errorf("the model is not told %q:\n%s", told, p.sent(1))
			}
		}
		if p.exists("b.md") {
			t.Error("a file without its content was made")
		}
	})
}

func TestQuestionsInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		ask := nebula.Action{Tool: "askUser", Args: json.RawMessage(`{"question":"Which colour?","options":["red","blue"]}`), Reason: "only you know"}
		p := newProject(t, l, nil, acts(ask), say("Blue it is."))
		var asked nebula.Question
		events := p.say("go", func(a nebula.Asked) (nebula.Decided, string) {
			if a.Question != nil {
				asked = *a.Question
			}
			return nebula.Told, "blue"
		})
		if asked.Text != "Which colour?" || !slices.Equal(asked.Options, []string{"red", "blue"}) {
			t.Errorf("asked %+v\n%s", asked, transcript(events))
		}
		if !strings.Contains(p.sent(1), "blue") || last(t, events).Text != "Blue it is." {
			t.Errorf("the answer was lost\n%s", transcript(events))
		}
	})
}

func TestAlwaysInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		run := func(command string) nebula.Intent { return acts(act("executeShell", "command", command)) }
		p := newProject(t, l, nil, run("echo a > b"), run("echo a > b"), run("echo a > c"), say("Done."))
		asked := 0
		p.say("go", func(nebula.Asked) (nebula.Decided, string) { asked++; return nebula.Always, "" })
		if asked != 2 {
			t.Errorf("asked %d times, want once for each command", asked)
		}
	})
}

func TestNobodyToAskInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n")), say("I could not."))
		p.setup.Approve = gate.None
		events := p.say("go", nil)
		if end := last(t, events); end.Status != nebula.NeedsApproval || p.exists("a.md") {
			t.Errorf("ended %s\n%s", end.Status, transcript(events))
		}
	})
}

func TestCancelInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n"), act("executeShell", "command", "touch b")), say("Yes?"))
		s := p.open("")
		events := p.say("go", func(nebula.Asked) (nebula.Decided, string) {
			_ = s.Send(context.Background(), nebula.Cancel{})
			return nebula.Yes, ""
		})
		acted(t, events, "writeFile denied, executeShell skipped")
		if left, _ := os.ReadDir(p.dir); len(left) != 0 || last(t, events).Status != nebula.Cancelled {
			t.Errorf("left %v, ended %s", left, last(t, events).Status)
		}
		p.say("still there?", nil)
		wholeHistory(t, 1, p.script)
		if !strings.Contains(p.sent(1), "stopped") {
			t.Errorf("the model does not learn that it was stopped:\n%s", p.sent(1))
		}
	})
}

func TestCancelInTheMiddleOfAReply(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", strings.Repeat("line\n", 400))), say("Yes?"))
		p.setup.Approve = gate.All
		s := p.open("")
		p.script.Answers = func(n int, _ nebula.Prompt) *nebula.Reply {
			if n > 0 {
				return nil
			}
			go func() { _ = s.Send(context.Background(), nebula.Cancel{}) }()
			time.Sleep(10 * time.Millisecond)
			return nil
		}
		events := p.say("go", nil)
		if end := last(t, events); end.Status == nebula.Cancelled && p.exists("a.md") {
			t.Error("half a reply was done")
		}
		p.script.Answers = nil
		p.say("still there?", nil)
		wholeHistory(t, 1, p.script)
	})
}

// Every prefix of a session's events is a crash.
func TestEveryPrefixResumesInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n"), act("executeShell", "command", "echo b >> b")), say("Done."))
		p.say("go", always(nebula.Yes))
		events := p.recorded()
		for n := 2; n <= len(events); n++ {
			again := newProject(t, l, nil, say("Resumed."))
			again.setup.Begin.Dir = p.dir
			id := p.session.ID()
			info := nebula.SessionInfo{ID: id, Dir: p.dir, Model: "scripted", Started: events[0].At}
			if err := again.store.Create(t.Context(), info); err != nil {
				t.Fatal(err)
			}
			if err := again.store.Append(t.Context(), id, events[:n]...); err != nil {
				t.Fatal(err)
			}
			again.open(id)
			if got := again.say("and now?", nil); last(t, got).Text != "Resumed." {
				t.Errorf("cut after %d (%s): ended %q", n, events[n-1].Body.Name(), last(t, got).Text)
			}
			wholeHistory(t, n, again.script)
		}
	})
}

func TestSteeringInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(act("executeShell", "command", "sleep 0.2")), say("As you say."))
		p.setup.Approve = gate.All
		s := p.open("")
		go func() {
			for e := range s.Events(context.Background(), 0) {
				if _, ok := e.Body.(nebula.Began); ok {
					_ = s.Send(context.Background(), nebula.Submit{Text: "and be quick"})
					return
				}
			}
		}()
		p.say("go", nil)
		wholeHistory(t, 0, p.script)
		if !strings.Contains(p.sent(1), "and be quick") {
			t.Errorf("the model read\n%s", p.sent(1))
		}
	})
}

func TestStepLimitInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil)
		again := l.write(acts(act("executeShell", "command", "echo x >> log")), p.tools)
		p.script.Answers = func(int, nebula.Prompt) *nebula.Reply { return &again }
		p.setup.Approve = gate.All
		p.setup.Limits.Steps = 3
		events := p.say("go", nil)
		if last(t, events).Status != nebula.LimitReached || p.read("log") != "x\nx\nx\n" {
			t.Errorf("ended %s after %q", last(t, events).Status, p.read("log"))
		}
	})
}

func TestModeSwitchVoidsTheAnswerInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n")), say("Oh."))
		p.open("")
		p.say("go", func(nebula.Asked) (nebula.Decided, string) {
			if err := p.session.Send(t.Context(), nebula.Switch{Mode: nebula.PlanMode}); err != nil {
				t.Error(err)
			}
			return nebula.Yes, ""
		})
		if p.exists("a.md") {
			t.Error("plan mode was entered before the answer, and still the file was written")
		}
	})
}

func TestWhatWasShownRunsInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "mine\n")), say("Oh."))
		events := p.say("go", func(nebula.Asked) (nebula.Decided, string) {
			if err := os.WriteFile(filepath.Join(p.dir, "a.md"), []byte("theirs\n"), 0o644); err != nil {
				t.Error(err)
			}
			return nebula.Yes, ""
		})
		if p.read("a.md") != "theirs\n" {
			t.Errorf("a stale yes wrote %q\n%s", p.read("a.md"), transcript(events))
		}
	})
}

func TestFailedAPIInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, say("never"), say("Back."))
		p.script.Faults = map[int]error{0: &nebula.APIError{Kind: "auth", Text: "401", Next: "check the key"}}
		if end := last(t, p.say("go", nil)); end.Status != nebula.APIFailed {
			t.Errorf("ended %s", end.Status)
		}
		if end := last(t, p.say("again", nil)); end.Text != "Back." {
			t.Errorf("ended %q", end.Text)
		}
	})
}

func TestRequestsKeepTheirBeginningInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, map[string]string{"src/a.md": "x\n"}, acts(act("readFile", "path", "src/a.md")), say("One."), say("Two."))
		p.say("a", nil)
		p.say("b", nil)
		prompts := p.script.Prompts()
		for i := 1; i < len(prompts); i++ {
			was := prompts[i-1].Messages
			if last := was[len(was)-1].Text(); strings.Contains(last, "[F:") || strings.Contains(last, "[I:") {
				was = was[:len(was)-1] // what stands behind the conversation is not kept
			}
			if prompts[i].System != prompts[i-1].System || !reflect.DeepEqual(prompts[i].Messages[:len(was)], was) {
				t.Errorf("request %d does not begin with request %d: %q", i, i-1, was[len(was)-1].Text())
			}
		}
	})
}

// Reasoning in tags is a thought, and what it holds is never done.
func TestReasoningInTagsIsThoughtInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		inner := l.write(acts(write("evil.md", "x\n")), p.tools).Text()
		r := l.write(acts(write("a.md", "x\n")), p.tools)
		r.Parts = r.WithText("<think>\nFirst I thought of this:\n" + inner + "\n</think>\n\n" + r.Text())
		p.script.Replies = append(p.script.Replies, r)
		p.replies(l, say("Done."))
		events := p.say("go", nil)
		acted(t, events, "writeFile done")
		if p.exists("evil.md") {
			t.Error("a thought was done")
		}
		for _, e := range events {
			if b, ok := e.Body.(nebula.Replied); ok && b.Step == 1 {
				if !strings.Contains(strings.Join(b.Intent.Thoughts, "\n"), "First I thought of this") || strings.Contains(b.Intent.Say, "think") {
					t.Errorf("thoughts %q, said %q", b.Intent.Thoughts, b.Intent.Say)
				}
			}
		}
	})
}

func TestACutReplyDoesNothingInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		r := l.write(acts(write("a.md", "x\n"), write("b.md", "y\n")), p.tools)
		r.Finish = "length"
		p.script.Replies = append(p.script.Replies, r)
		p.replies(l, say("Too long, then."))
		events := p.say("go", nil)
		acted(t, events, "writeFile failed, writeFile failed")
		if p.exists("a.md") || p.exists("b.md") || !strings.Contains(p.sent(1), "cut at the output limit") {
			t.Errorf("the model read\n%s", p.sent(1))
		}
	})
}

// guesses are replies whose actions can only be guessed.
var guesses = map[string]string{
	"toolcall":   "<tool_call>\n{\"name\":\"writeFile\",\"arguments\":{\"path\":\"a.md\",\"content\":\"x\",\"reason\":\"r\"}}\n</tool_call>\nIt is a note of its own.\n",
	"symops":     "~ needed\ncreate @ a.md\n--\nx\n--\n",
	"dml":        "Thought: needed\nAction:\n```\n🦆▶️[T:write_file|a.md|x\n]◀️🦆\n```\n",
	"actionlist": "```json\n{\"actions\":[{\"operation\":\"writeFile\",\"args\":{\"path\":\"a.md\",\"content\":\"x\"},\"reasoning\":\"r\"}]}\n```\n\nShall I do that?\n",
}

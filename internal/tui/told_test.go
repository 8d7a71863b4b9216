package tui

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// after is an event some seconds after the beginning.
func after(seconds int, b nebula.Body) nebula.Event {
	return nebula.Event{At: noon.Add(time.Duration(seconds) * time.Second), Body: b}
}

// A thought moves in three rows, with how long it goes on, and is one row once it has ended.
func TestThoughtsMoveAndFold(t *testing.T) {
	a, text := played(t, "en", 80, nebula.Started{Session: "s"}, nebula.Submitted{Turn: 1, Text: "go"})
	a.view.fold(after(1, nebula.Streamed{Kind: "thought", Text: "one\ntwo\nthree\n"}))
	a.view.fold(after(13, nebula.Streamed{Kind: "thought", Text: "four\nfive"}))
	if got := text(); !strings.Contains(got, "▸ thinking · ~5 tokens 12 s\n  │ three\n  │ four\n  │ five") || strings.Contains(got, "two") {
		t.Error(got)
	}
	a.view.fold(after(14, nebula.Streamed{Kind: "text", Text: "done"}))
	if got := text(); !strings.Contains(got, "▸ thought · ~5 tokens 12 s\n\n  done") || strings.Contains(got, "five") {
		t.Error(got)
	}
}

// However often a request is sent again, one row tells of it, and what goes on counts down.
func TestRetriesAreOneRow(t *testing.T) {
	a, text := played(t, "en", 80, nebula.Started{Session: "s"}, nebula.Submitted{Turn: 1, Text: "go"}, nebula.Requested{})
	for i := range 3 {
		a.view.fold(after(i, nebula.Retried{Attempt: i + 1, After: 5000, Cause: "429"}))
	}
	if got := text(); strings.Count(got, "429") != 1 || !strings.Contains(got, "sent again (3): 429") {
		t.Error(got)
	}
	for seconds, want := range map[int]string{2: "sent again in 5 s: 429 · esc", 5: "sent again in 2 s: 429 · esc", 8: "waiting for the model"} {
		if got := terminal.Unpainted(a.activity(a.drawer(), noon.Add(time.Duration(seconds)*time.Second))); !strings.Contains(got, want) {
			t.Errorf("after %d s: %q", seconds, got)
		}
	}
}

// What was done and not shown to be right is no failure, and one letter asks for the tests.
func TestUncheckedWorkIsNoFailure(t *testing.T) {
	end := nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnFailed, Cause: nebula.NotChecked}}
	a, text := played(t, "en", 80, nebula.Started{Session: "s"}, nebula.Submitted{Turn: 1, Text: "go"}, end)
	if got := text(); !strings.Contains(got, "◑ done, not checked") || strings.Contains(got, "failed") || a.placeholder() != a.words.TestsHere {
		t.Error(got)
	}
	if a.view.Means("t") != a.words.RunTests || a.view.Means("to") != "to" {
		t.Errorf("t means %q", a.view.Means("t"))
	}
	if a.view.fold(after(1, nebula.Submitted{Turn: 2, Text: "x"})); a.view.Means("t") != "t" {
		t.Error("t means the tests in a later turn, too")
	}
}

// A message that comes in the middle of an answer stands behind it: code that is being written stays code.
func TestMessagesNeverEnterAnAnswer(t *testing.T) {
	long := "look:\n\n```go\n" + strings.Repeat("x := 1 // a line\n", 60)
	a, text := played(t, "en", 80, nebula.Started{Session: "s"}, nebula.Submitted{Turn: 1, Text: "go"}, nebula.Streamed{Kind: "text", Text: long},
		nebula.Submitted{Turn: 1, Text: "and hurry", Steer: true}, nebula.Streamed{Kind: "text", Text: "# remark **x**\n"})
	if got := text(); strings.Contains(got, "and hurry") || !strings.Contains(got, "# remark **x**") {
		t.Error(got)
	}
	if dock := terminal.Unpainted(strings.Join(a.above(a.drawer(), noon), "\n")); !strings.Contains(dock, "for this turn: and hurry") {
		t.Error(dock)
	}
	a.view.fold(after(1, nebula.Streamed{Kind: "text", Text: "```\nthat was it"}))
	a.view.fold(after(2, nebula.Replied{Intent: nebula.Intent{Say: "x"}}))
	if got := text(); strings.Index(got, "and hurry") < strings.Index(got, "that was it") {
		t.Error(got)
	}
}

// Cells that do not fit go on below, and of a table with more columns than fit nothing is lost.
func TestTablesLoseNothing(t *testing.T) {
	words := strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu")
	wide := "|" + strings.Join(words, "|") + "|\n|" + strings.Repeat("-|", len(words)) + "\n|" + strings.Join(words, "|") + "|\n"
	for _, c := range []string{"|name|what|\n|-|-|\n|a|" + strings.Join(words, " ") + "|\n", wide} {
		for _, width := range []int{12, 30, 60} {
			rows := markdown(style{}, width, width, c, fence{})
			for _, w := range words {
				if text := strings.Join(rows, " "); width > 12 && !strings.Contains(text, w) {
					t.Errorf("%d columns: %s is gone:\n%s", width, w, strings.Join(rows, "\n"))
				}
			}
		}
	}
}

// An answer is copied as it was written: the last one, or an earlier one.
func TestAnswersAreCopiedAsTheyWereWritten(t *testing.T) {
	a, _ := played(t, "en", 80, nebula.Started{Session: "s"}, nebula.Replied{Intent: nebula.Intent{Say: "the **first**"}}, nebula.Replied{Intent: nebula.Intent{Say: "```go\nx := 1\n```"}})
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	a.options.Out = out
	for args, want := range map[string]string{"": "```go\nx := 1\n```", "2": "the **first**"} {
		a.run("copy", strings.Fields(args))
		if b, err := os.ReadFile(out.Name()); err != nil || !strings.HasSuffix(string(b), "\x1b]52;c;"+base64.StdEncoding.EncodeToString([]byte(want))+"\a") {
			t.Errorf("%s: %q, %v", args, b, err)
		}
	}
	if a.run("copy", []string{"3"}); a.hint != a.words.NoAnswer {
		t.Errorf("%q", a.hint)
	}
}

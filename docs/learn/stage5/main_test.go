package main

import (
	"strings"
	"testing"

	"nebula/docs/learn/llm"
	"nebula/docs/learn/played"
)

func TestAConversationGoesOnWhereItEnded(t *testing.T) {
	root := played.Project(t, nil)
	model := played.New(t, played.Calls("writeFile", "path", "a.txt", "content", "1"), played.Says("Written."), played.Says("You wanted a.txt."))
	if err := run(model.Client, root, "Write a.txt.", &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(model.Client, root, "What did I want?", &out); err != nil || out.String() != "You wanted a.txt.\n" {
		t.Fatalf("printed %q, error %v", out.String(), err)
	}
	if sent := model.Sent(2); len(sent) != 5 || sent[0].Content != "Write a.txt." || sent[2].Content != "written" {
		t.Errorf("the second run sends %v", sent)
	}
}

// Of several calls each stays open until its own answer.
func TestEachCallWaitsForItsAnswer(t *testing.T) {
	s := &session{}
	s.fold(llm.Message{Role: "assistant", Calls: []llm.Call{{ID: "a"}, {ID: "b"}}})
	s.fold(llm.Message{Role: "tool", Answers: "a", Content: "written"})
	if len(s.open) != 1 || s.open[0].ID != "b" {
		t.Errorf("open: %v", s.open)
	}
}

// Cut at every byte, the record is read up to its last whole line, and a call without an answer is told, not repeated.
func TestARecordCutAnywhereIsReadAsFarAsItIsWhole(t *testing.T) {
	root := played.Project(t, nil)
	model := played.New(t, played.Calls("writeFile", "path", "a.txt", "content", "1"), played.Says("Written."))
	if err := run(model.Client, root, "Write a.txt.", &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	whole, err := root.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		if err := root.WriteFile(record, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := open(root)
		if err != nil {
			t.Fatal(err)
		}
		s.log.Close()
		if lines := strings.Count(string(whole[:cut]), "\n"); len(s.said) != lines || (lines == 2) != (len(s.open) == 1) {
			t.Fatalf("cut at %d: %d messages of %d lines, %d calls open", cut, len(s.said), lines, len(s.open))
		}
		if left, err := root.ReadFile(record); err != nil || len(left) > 0 && left[len(left)-1] != '\n' {
			t.Fatalf("cut at %d: the next line would be written behind %q, %v", cut, left, err)
		}
	}
	replied := strings.SplitAfterN(string(whole), "\n", 3)
	if err := root.WriteFile(record, []byte(replied[0]+replied[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	next := played.New(t, llm.Message{Role: "assistant", Content: "It is there."})
	if err := run(next.Client, root, "", &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	if sent := next.Sent(0); !strings.HasPrefix(sent[len(sent)-1].Content, "interrupted") {
		t.Errorf("told %v", sent[len(sent)-1])
	}
}

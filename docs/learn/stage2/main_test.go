package main

import (
	"strings"
	"testing"

	"nebula/docs/learn/played"
)

func TestTheModelIsGivenTheFileThatItCallsFor(t *testing.T) {
	model := played.New(t, played.Calls("readFile", "path", "go.mod"), played.Says("It is called sample."))
	var out strings.Builder
	if err := answer(model.Client, played.Project(t, map[string]string{"go.mod": "module sample\n"}), "What is the module called?", &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "It is called sample.\n") {
		t.Errorf("printed %q", out.String())
	}
	if sent := model.Sent(1); sent[len(sent)-1].Content != "module sample\n" {
		t.Errorf("the tool answered %q", sent[len(sent)-1].Content)
	}
}

func TestWhatGoesWrongIsToldToTheModel(t *testing.T) {
	for call, words := range map[[2]string]string{
		{"readFile", "../secret"}: "escapes",
		{"readFile", "absent"}:    "no such file",
		{"eraseDisk", ""}:         "no such tool",
	} {
		model := played.New(t, played.Calls(call[0], "path", call[1]), played.Says("I could not."))
		if err := answer(model.Client, played.Project(t, map[string]string{"go.mod": "module sample\n"}), "Look.", &strings.Builder{}); err != nil {
			t.Fatal(err)
		}
		if sent := model.Sent(1); !strings.Contains(sent[len(sent)-1].Content, words) {
			t.Errorf("%v: the model was told %q", call, sent[len(sent)-1].Content)
		}
	}
}

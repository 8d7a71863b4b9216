package main

import (
	"strings"
	"testing"

	"nebula/docs/learn/llm"
	"nebula/docs/learn/played"
)

const steps = `[{"title":"Say hello","check":"grep -q hello a.txt"},{"title":"Say bye","check":"grep -q bye b.txt"}]`

func planned(t *testing.T, answer string, replies ...llm.Message) (model *played.Model, shown string, err error) {
	t.Helper()
	root := played.Project(t, nil)
	model = played.New(t, append([]llm.Message{played.Calls("propose", "steps", steps)}, replies...)...)
	var out strings.Builder
	err = run(model.Client, root, "Greet.", strings.NewReader(answer), &out)
	return model, out.String(), err
}

func TestAStepIsDoneWhenItsCheckSaysSo(t *testing.T) {
	model, shown, err := planned(t, " yes \n",
		played.Says("It is all there."), // it is not: the check fails, and the next try is told
		played.Calls("writeFile", "path", "a.txt", "content", "hello"), played.Says("Done."),
		played.Calls("writeFile", "path", "b.txt", "content", "bye"), played.Says("Done."))
	if err != nil || !strings.HasSuffix(shown, "Say hello: done\nSay bye: done\n") {
		t.Fatalf("shown %q, error %v", shown, err)
	}
	if first := model.Sent(1)[0].Content; !strings.Contains(first, `"State":"under way"`) {
		t.Errorf("the first try is told %q", first)
	}
	if again := model.Sent(2)[0].Content; !strings.Contains(again, "failed: grep") {
		t.Errorf("the second try is told %q", again)
	}
	if other := model.Sent(4); len(other) != 1 || !strings.Contains(other[0].Content, `"State":"done"`) {
		t.Errorf("the second step begins with %v", other)
	}
}

func TestWithoutAYesNothingIsWorked(t *testing.T) {
	for _, answer := range []string{"", "no\n", "yes?\n", "Yes, but\n", "\n"} {
		if model, _, err := planned(t, answer); err == nil || model.Requests() != 1 {
			t.Errorf("%q: %d requests, error %v", answer, model.Requests(), err)
		}
	}
}

func TestAStepThatFailsEndsThePlan(t *testing.T) {
	model, shown, err := planned(t, "yes\n", played.Says("Done."), played.Says("Done."), played.Says("Done."))
	if err == nil || strings.Contains(shown, "Say bye:") || model.Requests() != 4 {
		t.Errorf("shown %q, %d requests, error %v", shown, model.Requests(), err)
	}
}

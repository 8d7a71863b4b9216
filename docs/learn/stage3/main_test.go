package main

import (
	"strings"
	"testing"

	"nebula/docs/learn/llm"
	"nebula/docs/learn/played"
)

func TestTheLoopGoesOnUntilTheTestsPass(t *testing.T) {
	const test = "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n"
	root := played.Project(t, map[string]string{"go.mod": "module sum\n\ngo 1.24\n", "sum_test.go": test,
		"sum.go": "package sum\n\nfunc Sum(a, b int) int { return a - b }\n"})
	model := played.New(t,
		played.Calls("runTests"),
		played.Calls("readFile", "path", "sum.go"),
		played.Calls("writeFile", "path", "sum.go", "content", "package sum\n\nfunc Sum(a, b int) int { return a + b }\n"),
		played.Calls("runTests"),
		played.Says("Sum adds now."))
	var out strings.Builder
	if err := work(model.Client, root, "Mend Sum.", &out); err != nil {
		t.Fatal(err)
	}
	last := func(request int) string { sent := model.Sent(request); return sent[len(sent)-1].Content }
	if !strings.HasPrefix(last(1), "the tests fail") || !strings.HasPrefix(last(4), "the tests pass") {
		t.Errorf("told before: %q, after: %q", last(1), last(4))
	}
	if sent := model.Sent(4); len(sent) != 10 || len(sent[8].Calls) != 1 || sent[9].Answers != sent[8].Calls[0].ID {
		t.Errorf("the model is not sent its own calls, each before its answer: %v", sent)
	}
}

func TestACircleEnds(t *testing.T) {
	circle := make([]llm.Message, most+1)
	for i := range circle {
		circle[i] = played.Calls("readFile", "path", "a.txt")
	}
	model := played.New(t, circle...)
	if err := work(model.Client, played.Project(t, nil), "Look.", &strings.Builder{}); err == nil || model.Requests() != most {
		t.Errorf("%d requests, error %v", model.Requests(), err)
	}
}

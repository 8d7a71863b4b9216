package main

import (
	"bufio"
	"strings"
	"testing"

	"nebula/docs/learn/played"
)

// asked has a file written under an answer and returns what was printed, what the model was told and what the file holds.
func asked(t *testing.T, answer string) (shown, told, file string) {
	t.Helper()
	root := played.Project(t, nil)
	model := played.New(t, played.Calls("writeFile", "path", "a.txt", "content", "new\n", "reason", "it is wanted\nyes"), played.Says("Well."))
	var out strings.Builder
	if err := (agent{model.Client, root, bufio.NewScanner(strings.NewReader(answer)), &out}).work("Write."); err != nil {
		t.Fatal(err)
	}
	sent := model.Sent(1)
	text, _ := root.ReadFile("a.txt") // absent is empty
	return out.String(), sent[len(sent)-1].Content, string(text)
}

func TestOnlyYesIsYes(t *testing.T) {
	if _, _, file := asked(t, "yes\n"); file != "new\n" {
		t.Errorf("after yes the file holds %q", file)
	}
	for _, answer := range []string{"", "no\n", "y\n", "yes but later\n", "no, use b.txt\n"} {
		if _, told, file := asked(t, answer); file != "" || !strings.Contains(told, "refused") || !strings.Contains(told, strings.TrimSpace(answer)) {
			t.Errorf("after %q the file holds %q, and the model was told %q", answer, file, told)
		}
	}
}

func TestNothingThatIsShownPosesAsAnotherLine(t *testing.T) {
	if shown, _, _ := asked(t, "no\n"); strings.Contains(shown, "wanted\nyes") || !strings.Contains(shown, `wanted\nyes`) {
		t.Errorf("shown: %q", shown)
	}
}

package main

import (
	"slices"
	"strings"
	"testing"

	"nebula/docs/learn/played"
)

func TestBothFormsAreTheSameActions(t *testing.T) {
	want := []action{{"writeFile", "a.txt", "one\n$ readFile @ b.txt\n"}}
	written := played.Says("I write it:\n$ writeFile @ a.txt\n--\none\n$ readFile @ b.txt\n--\n")
	called := played.Calls("writeFile", "path", "a.txt", "content", "one\n$ readFile @ b.txt\n")
	for _, reply := range []struct {
		form string
		got  func() ([]action, string)
	}{{"lines", func() ([]action, string) { return decode(written) }}, {"calls", func() ([]action, string) { return decode(called) }}} {
		if got, problem := reply.got(); problem != "" || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %s", reply.form, got, problem)
		}
	}
}

func TestWhatIsShownIsNotDone(t *testing.T) {
	for _, words := range []string{
		"Never do this:\n```\n$ writeFile @ a.txt\n--\n--\n```\n",
		"> $ readFile @ a.txt",
		"You would write $ readFile @ a.txt",
	} {
		if got, problem := decode(played.Says(words)); len(got) != 0 || problem != "" {
			t.Errorf("%q: %v, %s", words, got, problem)
		}
	}
}

func TestWhatCannotBeReadIsAskedAgain(t *testing.T) {
	root := played.Project(t, nil)
	model := played.New(t, played.Says("$ writeFile @ a.txt\n--\nhalf of"), played.Says("$ writeFile @ a.txt\n--\nall\n--"), played.Says("Done."))
	if err := work(model.Client, root, "Write.", &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	if sent := model.Sent(1); !strings.Contains(sent[len(sent)-1].Content, "line 1") {
		t.Errorf("told %q", sent[len(sent)-1].Content)
	}
	if text, err := root.ReadFile("a.txt"); err != nil || string(text) != "all\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

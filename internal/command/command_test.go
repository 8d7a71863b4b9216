package command

import (
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/phrase"
)

func TestCommandsAndMessages(t *testing.T) {
	for _, c := range []struct{ text, name, args string }{
		{"/help", "help", ""}, {"/model gpt-4.1-mini", "model", "gpt-4.1-mini"}, {"plan", "plan", ""}, {" Agent ", "agent", ""}, {"quit", "quit", ""},
		{"／ｍｏｄｅ　ｐｌａｎ", "mode", "plan"}, {"models", "models", ""}, {"config", "config", ""}, {"mode", "mode", ""}, {"model", "model", ""},
		{"plan the work", "", ""}, {"/usr/bin is broken", "", ""}, {"undo", "", ""}, {"/nonsense", "nonsense", ""}, {"/", "", ""}, {"", "", ""},
		{"/plan\nsecond line", "", ""}, {"計画して", "", ""},
		{"!go test ./...", "!", "go test ./..."}, {"!echo 'Ａ  b'", "!", "echo 'Ａ  b'"}, {"!", "", ""}, {"!!", "", ""}, {"! a word", "", ""}, {"！重要", "", ""}, {"!= is unequal", "", ""},
	} {
		name, args, ok := Read(c.text)
		if ok != (c.name != "") || ok && (name != c.name || strings.Join(args, " ") != c.args) {
			t.Errorf("%q is %q %q %v", c.text, name, args, ok)
		}
	}
}

func TestRowsSayWhatTheyDo(t *testing.T) {
	names := map[string]bool{}
	for _, r := range Rows {
		en, ja := r.Text("en"), r.Text("ja")
		e, j := reflect.ValueOf(en), reflect.ValueOf(ja)
		for i := range e.NumField() {
			if (e.Field(i).String() == "") != (j.Field(i).String() == "") {
				t.Errorf("%s: %s stands in one language only", r.Name, e.Type().Field(i).Name)
			}
		}
		if en.About == "" {
			t.Errorf("%s: nothing tells what it does", r.Name)
		}
		for _, name := range append([]string{r.Name}, r.Also...) {
			if names[name] {
				t.Errorf("%s stands twice", name)
			}
			names[name] = true
			if found, ok := Find(name); !ok || found.Name != r.Name {
				t.Errorf("%s is not found", name)
			}
		}
	}
	if all := strings.Join(gate.Choices(), " | "); english["approve"].Takes != all || phrase.In("ja", all) != all {
		t.Errorf("/approve takes %s", all)
	}
	if len(english) != len(Rows) {
		t.Errorf("%d rows, %d texts", len(Rows), len(english))
	}
	nebulatest.TestWords(t, "command", english)
}

func TestWordsFromElsewhereAreKnown(t *testing.T) {
	for _, name := range []string{"clear", "compact", "cost", "resume", "review", "init", "permissions", "usage", "continue", "quit", "!"} {
		if _, ok := Find(name); !ok {
			t.Errorf("/%s is not known", name)
		}
	}
}

func TestWhatCommandsSend(t *testing.T) {
	for _, c := range []struct {
		text string
		want nebula.Command
		fits bool
	}{
		{"/plan", nebula.Switch{Mode: nebula.PlanMode}, true}, {"/agent", nebula.Switch{Mode: nebula.AgentMode}, true},
		{"/mode plan", nebula.Switch{Mode: nebula.PlanMode}, true}, {"/mode", nil, true}, {"/mode none", nil, false},
		{"/model a/b", nebula.Switch{Model: "a/b"}, true}, {"/protocol auto", nebula.Switch{Protocol: "auto"}, true},
		{"/approve edits", nebula.Switch{Approve: "edits"}, true}, {"/permissions all", nebula.Switch{Approve: "all"}, true}, {"/approve some", nil, false},
		{"/undo", nebula.Undo{}, true}, {"/redo", nebula.Undo{Redo: true}, true}, {"/status", nil, true},
		{"/plan run", nebula.Direct{Do: nebula.RunPlan}, true}, {"/tasks resume", nebula.Direct{Do: nebula.RunPlan}, true}, {"/tasks", nil, true},
		{"/plan steer go on", nebula.Direct{Do: nebula.SteerPlan, Text: "go on"}, true}, {"/plan skip s2", nebula.Direct{Do: nebula.SkipStep, Step: "s2"}, true},
		{"/plan steer", nebula.Direct{Do: nebula.SteerPlan}, false}, {"/plan dance", nil, false},
		{"!ls -l", nebula.Shell{Command: "ls -l"}, true},
		{"/review the parser", nebula.Submit{Text: english["review"].Asks + "\n\nthe parser"}, true},
	} {
		name, args, _ := Read(c.text)
		row, _ := Find(name)
		if got, fits := row.Sends(args, "en"); !reflect.DeepEqual(got, c.want) || fits != c.fits {
			t.Errorf("%s sends %#v %v", c.text, got, fits)
		}
	}
}

func TestTheNearestCommandIsOffered(t *testing.T) {
	for name, want := range map[string]string{"modle": "/model", "hepl": "/help", "helpme": "/help", "compcat": "/compact", "x": "", "h": "", "": "", "zzz": ""} {
		if got := Nearest(name); (got == "") != (want == "") || want != "" && got[:3] != want[:3] {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestOnlyWhatBeginsWithASlashIsSlashed(t *testing.T) {
	for text, want := range map[string]bool{"/plan": true, " ／ｐｌａｎ": true, "/nonsense": true, "plan": false, "!ls": false, "/usr/bin is broken": false, "a message": false, "": false} {
		if Slashed(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// The whole row of full-width signs has narrow forms, and what stands beside it is left.
func TestFullWidthSignsHaveNarrowForms(t *testing.T) {
	if got := phrase.Narrow("！Ａｚ～　\uff00\uff5f計"); got != "!Az~ \uff00\uff5f計" {
		t.Errorf("%q", got)
	}
}

// What follows the command for a key is one, whatever its form.
func TestWhatFollowsTheKeysCommandIsAKey(t *testing.T) {
	for text, want := range map[string]string{
		"/key mistral qmbQxWkLmZpRtYvNcJdFgHseUabc": "/key mistral", "/login qmbQxWkLmZpRtYvNcJdFgHseUabc": "/key", "/key mistral": "/key mistral", "/model some-long-name-of-a-model": "/model some-long-name-of-a-model",
		"/model qmbQxWkLmZpRtYvNcJdFgHseUabcdefg": "", "/effort 7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5": "", "/review 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8": "/review 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8",
		"7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5": "", "export MISTRAL_API_KEY=7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5": "export MISTRAL_API_KEY=…", "MISTRAL_API_KEY=os.environ[\"X\"]": "MISTRAL_API_KEY=os.environ[\"X\"]",
	} {
		if rest, instead := Unkeyed(text, "en"); rest != want || (instead != "") != (rest != text) {
			t.Errorf("%s: %q, %q", text, rest, instead)
		}
	}
}

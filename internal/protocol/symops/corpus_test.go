package symops

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// expected is the meaning of a reply under the corpus README's conventions.
type expected struct {
	Thoughts  []string
	Vitals    map[string]float64
	Questions []string
	Options   [][]string `json:"question_options"`
	Errors    []string
	Actions   []expectedAction
}

type expectedAction struct {
	Type       string
	Path       string
	DependsOn  *string `json:"depends_on"`
	Content    string
	AltContent *string `json:"alt_content"`
	HasBlock   bool    `json:"has_block"`
}

func TestCorpus(t *testing.T) { compareAll(t, "corpus", map[string]int{"natural": 13, "weak": 20}) }

// The holdout was written before the decoder was looked at, of the same kinds as the corpus.
func TestHoldout(t *testing.T) { compareAll(t, "holdout", map[string]int{"natural": 27, "weak": 40}) }

// compareAll compares all replies of a folder with their meaning.
func compareAll(t *testing.T, folder string, count map[string]int) {
	for _, set := range []string{"natural", "weak"} {
		files, err := filepath.Glob("testdata/" + folder + "/" + set + "/*.json")
		if err != nil || len(files) != count[set] {
			t.Fatalf("%d replies in %s/%s, want %d: %v", len(files), folder, set, count[set], err)
		}
		exact := 0
		for _, file := range files {
			ok := t.Run(set+"/"+strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) { compare(t, file) })
			if ok {
				exact++
			}
		}
		t.Logf("%s/%s: %d of %d exact", folder, set, exact, len(files))
	}
}

func compare(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want expected
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	reply, err := os.ReadFile(strings.TrimSuffix(file, ".json") + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	got := Parse(string(reply), nebulatest.Specs())
	check(t, want, got)
}

func check(t *testing.T, want expected, got *Document) {
	t.Helper()
	differ(t, "thoughts", want.Thoughts, got.Thoughts)
	differ(t, "errors", want.Errors, got.Errors)
	var questions []string
	for i, q := range got.Questions {
		questions = append(questions, q.Text)
		if want.Options != nil && i < len(want.Options) {
			differ(t, "options", want.Options[i], q.Options)
		}
	}
	differ(t, "questions", want.Questions, questions)
	vitals := map[string]float64{}
	for k, v := range got.Vitals {
		vitals[string(k)] = v
	}
	if len(vitals)+len(want.Vitals) > 0 && !reflect.DeepEqual(vitals, want.Vitals) {
		t.Errorf("vitals: got %v, want %v", vitals, want.Vitals)
	}
	for i, w := range want.Actions {
		if i >= len(got.Actions) {
			t.Errorf("action %d missing: %s %s", i, w.Type, w.Path)
			continue
		}
		g := got.Actions[i]
		if g.Type != w.Type || g.Path != w.Path || g.HasBlock != w.HasBlock || deref(g.DependsOn) != deref(w.DependsOn) {
			t.Errorf("action %d: got %s %q > %s block %v, want %s %q > %s block %v", i, g.Type, g.Path, deref(g.DependsOn), g.HasBlock, w.Type, w.Path, deref(w.DependsOn), w.HasBlock)
		}
		if g.Content != w.Content && (w.AltContent == nil || g.Content != *w.AltContent) {
			t.Errorf("action %d (%s) content:\n got %q\nwant %q", i, w.Path, g.Content, w.Content)
		}
	}
	for _, g := range got.Actions[min(len(want.Actions), len(got.Actions)):] {
		t.Errorf("action not meant: %s %q", g.Type, g.Path)
	}
	if t.Failed() {
		t.Logf("say %q repairs %v problems %v", got.Say, got.Repairs, got.Problems)
	}
}

func deref(s *string) string {
	if s == nil {
		return "<none>"
	}
	return *s
}

func differ(t *testing.T, what string, want, got []string) {
	t.Helper()
	if len(want)+len(got) > 0 && fmt.Sprintf("%q", want) != fmt.Sprintf("%q", got) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// What `protocol decode` prints says the same as the document.
func TestReportSaysTheCorpus(t *testing.T) {
	for _, set := range []string{"natural", "weak"} {
		for i, reply := range replies(t, set) {
			out, err := json.Marshal(Report(nebula.Reply{Parts: nebula.Text(reply)}, nebulatest.Specs()))
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Thoughts []string
				Vitals   struct{ Confidence, Mood, Focus, Stamina *float64 }
				Actions  []struct {
					Type, Path, Content, Tool string
					DependsOn                 *string `json:"depends_on"`
					HasBlock                  bool    `json:"has_block"`
					Args                      map[string]any
				}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			d := Parse(reply, nebulatest.Specs())
			if len(got.Actions) != len(d.Actions) || len(got.Thoughts) != len(d.Thoughts) || (got.Vitals.Confidence == nil) != (d.Vitals['c'] == 0) {
				t.Errorf("%s %d: %s", set, i, out)
			}
			for _, a := range got.Actions {
				if a.Tool == "" || a.Args == nil || a.Path == "" || a.Type == create && a.Args["content"] != a.Content+"\n" {
					t.Errorf("%s %d: %+v", set, i, a)
				}
			}
		}
	}
}

// Reasoning in tags is the model's own: the report of a reply has only the thoughts that the reply states.
func TestReportLeavesReasoningOut(t *testing.T) {
	for _, reply := range []string{
		"<think>\nFirst a draft.\n$ delete @ a.py\n</think>\n\n~ One thought\n$ run @ ls\n",
		"First a draft, I think.\n</think>\n\n~ One thought\n$ run @ ls\n",
	} {
		got := Report(nebula.Reply{Parts: nebula.Text(reply)}, nebulatest.Specs())
		if fmt.Sprintf("%q", got.Thoughts) != `["One thought"]` || len(got.Actions) != 1 {
			t.Errorf("%q: thoughts %q, %d actions", reply, got.Thoughts, len(got.Actions))
		}
	}
}

package symops

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol"
)

func seeds(f *testing.F) {
	for _, set := range []string{"natural", "weak"} {
		for _, r := range replies(f, set) {
			f.Add(r)
		}
	}
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, parts := sections(string(raw))
		f.Add(parts["reply"])
	}
	for _, text := range nebulatest.Texts() {
		f.Add(text)
	}
}

// Whatever a reply holds: no panic, every place within it, nothing partial, and the same when it streams.
func FuzzDecode(f *testing.F) {
	seeds(f)
	tools := nebulatest.Specs()
	f.Fuzz(func(t *testing.T, text string) {
		in := nebulatest.CheckDecode(t, Protocol{}, text)
		checkDocument(t, text, Parse(text, nebulatest.Specs()))
		random := rand.New(rand.NewPCG(uint64(len(text)), 1))
		s := Protocol{}.Stream(tools)
		var told []nebula.Action
		said := ""
		for rest := text; rest != ""; {
			n := min(1+random.IntN(64), len(rest))
			for _, p := range s.Feed(rest[:n]) {
				said += p.Say
				if p.Action != nil {
					told = append(told, *p.Action)
				}
			}
			rest = rest[n:]
		}
		whole := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text)}, tools)
		if got := s.Close(); !reflect.DeepEqual(got, whole) {
			t.Fatalf("%q streams as\n%+v\nand is\n%+v", text, got, whole)
		}
		if !strings.Contains(text, "</think>") && !strings.HasPrefix(strings.Join(strings.Fields(whole.Say), " "), strings.Join(strings.Fields(said), " ")) {
			t.Fatalf("%q: %q was said, and then it was %q", text, said, whole.Say)
		}
		for i, a := range told {
			if i >= len(whole.Actions) || !reflect.DeepEqual(a.Args, whole.Actions[i].Args) || a.Tool != whole.Actions[i].Tool {
				t.Fatalf("%q: action %d was told as %+v", text, i, a)
			}
		}
		for _, a := range in.Actions {
			if a.Tool == "writeFile" && a.Problem == "" && !strings.Contains(string(a.Args), `"content"`) {
				t.Fatalf("%q: a file without content runs", text)
			}
		}
	})
}

func checkDocument(t *testing.T, text string, d *Document) {
	t.Helper()
	for _, a := range d.Actions {
		if a.Block.Start < 0 || a.Block.End > len(text) || a.Block.Start > a.Block.End || a.Type == "" {
			t.Fatalf("%q: %+v", text, a)
		}
		if !a.HasBlock && a.Content != "" {
			t.Fatalf("%q: %+v", text, a)
		}
	}
	for _, r := range d.Repairs {
		if _, ok := protocol.RowOf(r.Name); !ok {
			t.Fatalf("%q: unknown repair %s", text, r.Name)
		}
	}
}

// Any text in a block whose delimiter is longer than its lines of hyphens is that block's content, and nothing more.
func FuzzBlock(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\r") || isWrapped(text) {
			return
		}
		fence := Fence(text)
		if len(fence) == 2 {
			fence = "----"
		}
		d := Parse("~ before\n\n$ create @ a.txt\n"+fence+"\n"+text+"\n"+fence+"\n\n~ after\n", nebulatest.Specs())
		if len(d.Actions) != 1 || d.Actions[0].Content != text || !reflect.DeepEqual(d.Thoughts, []string{"before", "after"}) {
			t.Fatalf("%q came back as %s", text, dump(d))
		}
	})
}

// isWrapped reports whether a content is a fence and nothing else, which is taken off inside delimiters, or is escaped
// as a whole, which means that the reply is.
func isWrapped(s string) bool {
	t := strings.TrimSpace(s)
	return strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") || escapedHTML(s)
}

// Text in thoughts, questions and errors acts not, whatever it is.
func FuzzQuoted(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, mark := range []string{"~ ", "? ", "! "} {
			var b strings.Builder
			for l := range strings.Lines(text) {
				if l = strings.TrimSpace(strings.ReplaceAll(l, "\r", " ")); l != "" && !strings.HasPrefix(l, "$") {
					b.WriteString(mark + l + "\n")
				}
			}
			if d := Parse(b.String(), nebulatest.Specs()); len(d.Actions) > 0 {
				t.Fatalf("%q acts: %s", b.String(), dump(d))
			}
		}
	})
}

// What was done is told in a way that acts not when a model repeats it.
func FuzzResult(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if src := clean(text, 0, 0); len(src.repairs) > 0 {
			return // what concerns a reply as a whole is seen through quotation marks
		}
		a := nebula.Action{ID: "1", Tool: "executeShell", Args: []byte(`{"command":"x"}`)}
		for _, status := range []nebula.Status{nebula.Done, nebula.Failed} {
			messages := Protocol{}.Encode(nebula.Reply{Parts: nebula.Text("x")}, nebula.Intent{Actions: []nebula.Action{a}}, []nebula.Result{{Action: "1", Tool: "executeShell", Status: status, Text: text}})
			if d := Parse(messages[1].Text(), nebulatest.Specs()); len(d.Actions) > 0 {
				t.Fatalf("%q acts: %s", messages[1].Text(), dump(d))
			}
		}
	})
}

// A correction may change the format only.
func TestCorrectionKeepsContents(t *testing.T) {
	tools := nebulatest.Specs()
	decode := func(text string) nebula.Intent {
		return Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text)}, tools)
	}
	r := nebula.Reply{Parts: nebula.Text("create a.py\n```python\nx = 1\n```\nrun python a.py\n")}
	before := decode(r.Text())
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"same":    {"$ create @ a.py\n--\nx = 1\n--\n$ run @ python a.py\n", true},
		"changed": {"$ create @ a.py\n--\nx = 2\n--\n$ run @ python a.py\n", false},
		"dropped": {"$ run @ python a.py\n", false},
		"added":   {"$ create @ a.py\n--\nx = 1\n--\n$ create @ b.py\n--\ny\n--\n$ run @ python a.py\n", false},
		"command": {"$ create @ a.py\n--\nx = 1\n--\n$ run @ rm -rf /\n", false},
	} {
		if err := (Protocol{}).Same(r, before, decode(c.text)); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCorrectionNamesEveryProblem(t *testing.T) {
	r := nebula.Reply{Parts: nebula.Text("~ t\n$ create @ a.py\n\n$ frob @ x\n")}
	in := Protocol{}.Decode(r, nebulatest.Specs())
	for _, lang := range []string{"en", "ja"} {
		text := Protocol{}.Correction(r, in, lang)
		for _, want := range []string{"2", "4", "a.py", "frob"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", lang, want, text)
			}
		}
	}
}

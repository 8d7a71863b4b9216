//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// A tree is a copy of the sources, to which something is added as CONTRIBUTING.md says.
type tree struct {
	t   *testing.T
	dir string
}

func copied(t *testing.T) tree {
	t.Helper()
	to := tree{t, t.TempDir()}
	from := filepath.Join("..", "..")
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path) // both begin with from
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == ".git" || rel == "bench" || rel == "tools"):
			return fs.SkipDir
		case d.IsDir() || rel == ".git":
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil {
			to.write(rel, string(data))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func (d tree) write(path, text string) {
	d.t.Helper()
	path = filepath.Join(d.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// row puts a row before the first one that begins so, in the one file of a folder that has it.
func (d tree) row(folder, before, row string) {
	d.t.Helper()
	files, _ := filepath.Glob(filepath.Join(d.dir, folder, "*.go")) // the pattern is sound
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			d.t.Fatal(err)
		}
		head, tail, ok := strings.Cut(string(data), before)
		if !ok || strings.HasSuffix(file, "_test.go") {
			continue
		}
		if err := os.WriteFile(file, []byte(head+row+before+tail), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	d.t.Fatalf("no file of %s has a row that begins %s", folder, before)
}

func (d tree) run(name string, args ...string) {
	d.t.Helper()
	c := exec.Command(name, args...)
	c.Dir = d.dir
	if out, err := c.CombinedOutput(); err != nil {
		d.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

const newTool = `package tool

import (
	"context"

	"nebula"
)

type rollDice struct{}

func (t *rollDice) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "rollDice", Description: "Roll a die.", Params: []nebula.Param{param("sides", "integer", true, "")}, Effect: nebula.Read}
}

func (t *rollDice) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Sides int }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	return nebula.Proposal{Effect: nebula.Read, Summary: said(v.Lang, "roll a die", "サイコロを振る"), Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		return nebula.Result{Status: nebula.Done, Text: number(1000 + in.Sides) + " eyes"}, nil
	}}, nil
}
`

const newProtocol = `// Package plainly is a language of one line: do TOOL ARGUMENTS.
package plainly

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Protocol implements nebula.Protocol.
type Protocol struct{}

// Name implements nebula.Protocol.
func (Protocol) Name() string { return "plainly" }

// Teach implements nebula.Protocol.
func (Protocol) Teach([]nebula.ToolSpec, string) (string, []nebula.ToolSpec) {
	return "Write: do TOOL ARGUMENTS, with the arguments as JSON.", nil
}

// Decode implements nebula.Protocol.
func (Protocol) Decode(r nebula.Reply, _ []nebula.ToolSpec) (in nebula.Intent) {
	name, args, ok := strings.Cut(strings.TrimPrefix(r.Text(), "do "), " ")
	if in.Say = r.Text(); ok && strings.HasPrefix(r.Text(), "do ") && json.Valid([]byte(args)) {
		in.Say, in.Actions = "", []nebula.Action{{Tool: name, Args: json.RawMessage(args), Src: nebula.Span{End: len(r.Text()), Line: 1}}}
	}
	protocol.Settle(r, &in)
	return in
}

// Encode implements nebula.Protocol.
func (Protocol) Encode(r nebula.Reply, _ nebula.Intent, results []nebula.Result) []nebula.Message {
	list := []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(r.Text())}}
	for _, res := range results {
		list = append(list, nebula.Message{Role: nebula.User, Parts: nebula.Text(res.Text)})
	}
	return list
}

// Write writes in the language.
func Write(in nebula.Intent, _ []nebula.ToolSpec) nebula.Reply {
	text := in.Say
	for _, a := range in.Actions {
		text = "do " + a.Tool + " " + string(a.Args)
	}
	return nebula.Reply{Parts: nebula.Text(text)}
}
`

// TestRecipesAreTrue adds a tool, a protocol and a provider to a copy of the tree by the recipes of CONTRIBUTING.md: a file
// and a row, a package and a row, a row. They are used, helped with and completed, and the import table is content.
func TestRecipesAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program anew")
	}
	d := copied(t)
	d.write("internal/tool/dice.go", newTool)
	d.row("internal/tool", "&askUser{}", "&rollDice{}, ")
	d.write("internal/protocol/plainly/plainly.go", newProtocol)
	d.row("internal/language", "\t\t{Protocol: symops.Protocol{}", "\t\t{Protocol: plainly.Protocol{}, Write: plainly.Write},\n")
	d.row("internal/language", "\t\"nebula/internal/protocol/symops\"", "\t\"nebula/internal/protocol/plainly\"\n")
	d.row("internal/model", "\t{name: \"openai\"", "\t{name: \"acme\", title: \"ACME\", base: \"https://acme.example/v1\", keys: []string{\"ACME_API_KEY\"}, baseEnv: \"ACME_BASE_URL\"},\n")
	d.run("go", "build", "-o", "nebula.new", "./cmd/nebula")
	d.run("go", "test", ".", "-run", "TestImportsPointAtTheVocabulary|TestNamesStayAtHome")

	b := newBed(t)
	b.path = filepath.Join(d.dir, "nebula.new")
	var asked []string
	b.server.Answers = func(n int, body []byte) *nebulatest.Answer {
		asked = append(asked, string(body))
		return []*nebulatest.Answer{{Text: `do rollDice {"sides":6}`}, {Text: "It shows many."}}[n%2]
	}
	c := b.command("run", "--model", "acme/m1", "--protocol", "plainly", "-o", "stream-json", "roll it")
	c.Env = append(c.Env, "OPENAI_API_KEY=", "ACME_API_KEY=sk-acme", "ACME_BASE_URL="+b.server.URL())
	out, err := c.CombinedOutput()
	if err != nil || len(asked) != 2 || !strings.Contains(asked[0], "Write: do TOOL ARGUMENTS") || !strings.Contains(asked[1], "1,006 eyes") {
		t.Errorf("%v\n%s\nasked: %s", err, out, fmt.Sprint(asked))
	}
	for args, want := range map[string]string{
		"run --help":                  "plainly",
		"__complete run --protocol p": "plainly",
		"config set protocol nothing": "plainly",
		"protocol decode":             "plainly",
	} {
		out, _ := b.command(strings.Fields(args)...).CombinedOutput() // some of them fail, and name what there is
		if !strings.Contains(string(out), want) {
			t.Errorf("nebula %s says nothing of %s:\n%s", args, want, out)
		}
	}
}

package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

// kinds are what a project's commands are for, in the order in which they are tried.
var kinds = []string{"build", "check", "test"}

// verify runs the command that builds, checks or tests the project, as its files name it. It is no tool that a model is told
// of: it runs what it likes with the others.
type verify struct {
	dir   *workspace.Dir
	o     Options
	shell *executeShell
	tests *runTests
}

// Spec implements nebula.Tool.
func (t *verify) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "verify", Description: "Run the command that builds, checks or tests the project.",
		Params: []nebula.Param{{Name: "kind", Type: "string", Required: true, Schema: json.RawMessage(`{"type":"string","enum":["build","check","test"]}`)}},
		Effect: nebula.Execute, Plans: t.o.Boxed, Quiet: true,
	}
}

// Propose implements nebula.Tool.
func (t *verify) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	kind, err := workOf(a)
	if err != nil {
		return nebula.Proposal{}, err
	}
	line, err := named(ctx, t.dir, t.o, kind)
	if err != nil {
		return nebula.Proposal{}, err
	}
	if line == "" {
		return idle(said(v.Lang, "nothing here names a command for it: %s", phrase.In(v.Lang, kind))), nil
	}
	var p nebula.Proposal
	if kind == "test" {
		p, err = t.tests.Propose(ctx, nebula.Action{Args: json.RawMessage(`{}`)}, v)
	} else {
		args, _ := json.Marshal(map[string]string{"command": line}) // a text always marshals
		p, err = t.shell.Propose(ctx, nebula.Action{Args: args, Reason: a.Reason}, v)
	}
	if err != nil {
		return nebula.Proposal{}, err
	}
	do := p.Do
	p.Do = func(ctx context.Context, run nebula.Run) (nebula.Result, error) {
		r, err := do(ctx, run)
		r.Summary = phrase.OneLine(line+": "+r.Summary, 200)
		return r, err
	}
	return p, nil
}

func workOf(a nebula.Action) (string, error) {
	var in struct{ Kind string }
	if json.Unmarshal(a.Args, &in) != nil || !lists.Has(kinds, in.Kind) {
		return "", nebula.Wrong("", "%q is no kind of command.", in.Kind).Then("Give one of %s.", strings.Join(kinds, ", "))
	}
	return in.Kind, nil
}

// idle is the proposal of an action for which there is nothing to do.
//
//go:noinline
func idle(text string) nebula.Proposal {
	return nebula.Proposal{Effect: nebula.Read, Summary: text, Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		return nebula.Result{Text: text, Summary: text}, nil
	}}
}

// named is the command for a kind of work as the folder's files name it; empty where they name none.
func named(ctx context.Context, d *workspace.Dir, o Options, kind string) (string, error) {
	p := project{d: d, dir: "."}
	if kind == "test" {
		if o.Tests != "" {
			return o.Tests, nil
		}
		r, err := detect(ctx, d)
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) {
			return "", nil
		}
		return strings.Replace(r.command, " -json", "", 1), err // which is for who reads the report
	}
	return p.task(kind), nil
}

// tasks are the words by which projects name what builds and what checks them, and what their languages have for it.
var tasks = map[string]struct {
	words []string
	lines [][2]string // by a file that is there
}{
	"build": {[]string{"build", "all"}, [][2]string{{"go.mod", "go build ./..."}, {"Cargo.toml", "cargo build"}}},
	"check": {[]string{"lint", "check", "typecheck", "vet"}, [][2]string{{"go.mod", "go vet ./..."}, {"Cargo.toml", "cargo clippy"}}},
}

// task is the project's own word for a kind of work: of its scripts, of its Makefile, or else its language's.
func (p *project) task(kind string) string {
	var pkg struct {
		Scripts        map[string]string
		PackageManager string
	}
	if json.Unmarshal([]byte(p.text("package.json")), &pkg) != nil {
		pkg.Scripts = nil
	}
	made := p.text(p.has("GNUmakefile", "makefile", "Makefile"))
	for _, word := range tasks[kind].words {
		switch {
		case pkg.Scripts[word] != "":
			return strings.TrimSuffix(p.manager(pkg.PackageManager), " run") + " run " + word
		case makes(made, word):
			return "make " + word
		}
	}
	for _, l := range tasks[kind].lines {
		if p.has(l[0]) != "" {
			return l[1]
		}
	}
	return ""
}

// makes reports whether a Makefile has a target.
func makes(file, target string) bool {
	for line := range strings.Lines(file) {
		rest, ok := strings.CutPrefix(line, target)
		rest = strings.TrimLeft(rest, " \t")
		if ok && strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, ":=") && !strings.HasPrefix(rest, "::=") {
			return true
		}
	}
	return false
}

// advise writes down, in the file that agents read, which of a project's commands work: those that were verified in the same reply, and
// nothing else. What is there stays, and what it names already is not written again.
type advise struct {
	dir *workspace.Dir
	o   Options
	new *writeFile
	add *editFile
}

// Spec implements nebula.Tool.
func (t *advise) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "advise", Description: "Write down which of the project's commands work.",
		Effect: nebula.Write, Quiet: true,
	}
}

// adviceFile is where people and programs look for it.
const adviceFile = "AGENTS.md"

// mostAdvised bounds what is written, in bytes: 200 tokens at most, which every request has from then on.
const mostAdvised = 240

// Propose implements nebula.Tool. With what works written down the work is done, whatever else did not work.
func (t *advise) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	p, err := t.written(ctx, a, v)
	if do := p.Do; do != nil {
		p.Do = func(ctx context.Context, run nebula.Run) (nebula.Result, error) {
			r, err := do(ctx, run)
			if err == nil && (r.Status == "" || r.Status == nebula.Done) {
				r.End = nebula.TurnDone
			}
			return r, err
		}
	}
	return p, err
}

// written is the change of the file.
func (t *advise) written(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	if err := arguments(a, t.Spec(), &struct{}{}); err != nil {
		return nebula.Proposal{}, err
	}
	before, _, err := t.dir.Read(adviceFile, largest)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nebula.Proposal{}, err
	}
	beside, read := "", ""
	if !there {
		beside, read = t.beside()
	}
	text, verified, err := t.lines(ctx, string(before)+read, v)
	switch {
	case err != nil:
		return nebula.Proposal{}, err
	case verified == 0:
		return nebula.Proposal{}, mistake("No command was verified here: nothing is written.", "")
	case text == "":
		return idle(said(v.Lang, "%s names what works here already", cmp.Or(beside, adviceFile))), nil
	}
	text = worded(v.Lang, "## Commands that work here") + "\n\n" + text
	if len(text) > mostAdvised {
		return nebula.Proposal{}, mistake("The commands are too long to be written down: nothing is written.", "")
	}
	if beside != "" { // it would not be read any more
		text = "@" + beside + "\n\n" + text
	}
	if !there {
		return t.new.Propose(ctx, filled(adviceFile, "content", text), v)
	}
	hash := nebula.Hash(before)
	v.Seen = func(string) (string, bool) { return hash, true }
	v.Ref = func(path string) (nebula.FileRef, bool) { return nebula.FileRef{Path: path, Hash: hash}, true }
	return t.add.Propose(ctx, filled(adviceFile, "new_content", strings.TrimRight(string(before), "\n")+"\n\n"+text), v)
}

// beside is the file of another program's that is read for as long as this one is not there, with what it says.
func (t *advise) beside() (name, text string) {
	for _, name := range advice.Names {
		if data, _, err := t.dir.Read(name, largest); err == nil {
			return name, string(data)
		}
	}
	return "", ""
}

// lines are the commands that were verified and that a text does not name.
func (t *advise) lines(ctx context.Context, before string, v nebula.View) (text string, verified int, err error) {
	for _, a := range v.Passed {
		kind, err := workOf(a)
		if err != nil || a.Tool != (&verify{}).Spec().Name {
			continue
		}
		line, err := named(ctx, t.dir, t.o, kind)
		if err != nil {
			return "", 0, err
		}
		if verified++; !strings.Contains(before, line) {
			text += "- " + worded(v.Lang, kind) + ": `" + line + "`\n"
		}
	}
	return text, verified, nil
}

//go:noinline
func filled(path, field, text string) nebula.Action {
	args, _ := json.Marshal(map[string]string{"path": path, field: text}) // texts always marshal
	return nebula.Action{Args: args}
}

package nebulatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Bench is a tool with a folder to try it on.
type Bench struct {
	Tool  nebula.Tool
	Dir   string            // the folder, on which every Good action can be carried out first
	View  nebula.View       // what the session knows
	Good  []json.RawMessage // arguments of actions that succeed, each on a new bench
	Wrong []json.RawMessage // arguments that are the model's mistake
}

// TestTool checks that a tool keeps the promises of [nebula.Tool]. Every call of open gives a new bench, with a folder of
// its own and the same actions.
func TestTool(t *testing.T, open func(t *testing.T) Bench) {
	for _, fact := range []struct {
		name  string
		check func(*testing.T, func(*testing.T) Bench)
	}{
		{"SpecIsWhole", wholeSpec},
		{"ProposeTouchesNothing", proposeTouchesNothing},
		{"ProposeIsTheSameTwice", proposesTheSame},
		{"NothingChangesWithoutAGrant", nothingWithoutGrant},
		{"AGrantForAnotherActionIsNone", nothingWithAnothersGrant},
		{"ASpentGrantIsNone", nothingWithSpentGrant},
		{"GoodActionsAreDone", doneUnderGrant},
		{"WrongArgumentsAreAMistake", wrongIsMistake},
		{"SummariesAreOneLine", summariesAreLines},
	} {
		t.Run(fact.name, func(t *testing.T) { fact.check(t, open) })
	}
}

func wholeSpec(t *testing.T, open func(*testing.T) Bench) {
	s := open(t).Tool.Spec()
	if s.Name == "" || s.Effect == "" || !s.Answers(s.Name) {
		t.Errorf("spec %+v", s)
	}
	var schema struct {
		Type       string
		Properties map[string]json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(s.Schema(), &schema); err != nil {
		t.Fatalf("schema: %v\n%s", err, s.Schema())
	}
	own := len(s.Taught())
	if s.Effect.Changes() {
		own++ // the reason
	}
	if schema.Type != "object" || len(schema.Properties) != own || s.Effect.Changes() != lists.Has(schema.Required, "reason") {
		t.Errorf("schema %s", s.Schema())
	}
	for _, name := range schema.Required {
		if schema.Properties[name] == nil {
			t.Errorf("%s is required and not there", name)
		}
	}
	for _, name := range append(s.Aliases, "") {
		if s.Answers(name) != (name != "") {
			t.Errorf("answers to %q: %v", name, !s.Answers(name))
		}
	}
}

// each proposes every good action on a bench of its own.
func each(t *testing.T, open func(*testing.T) Bench, check func(t *testing.T, b Bench, p nebula.Proposal)) {
	for i := range open(t).Good {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b := open(t)
			check(t, b, propose(t, b, b.Good[i]))
		})
	}
}

func propose(t *testing.T, b Bench, args json.RawMessage) nebula.Proposal {
	t.Helper()
	a := nebula.Action{ID: "a1", Tool: b.Tool.Spec().Name, Args: args, Reason: "because"}
	p, err := b.Tool.Propose(t.Context(), a, b.View)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	p.Action = a
	if farthest := b.Tool.Spec().Effect; p.Effect == "" || p.Effect != farthest && p.Effect.Changes() {
		t.Errorf("%s: it says that it does %q, and its tool %q at most", args, p.Effect, farthest)
	}
	return p
}

func proposeTouchesNothing(t *testing.T, open func(*testing.T) Bench) {
	b := open(t)
	was := picture(t, b.Dir)
	for _, args := range append(b.Good, b.Wrong...) {
		a := nebula.Action{ID: "a1", Tool: b.Tool.Spec().Name, Args: args}
		_, _ = b.Tool.Propose(t.Context(), a, b.View)
		if is := picture(t, b.Dir); is != was {
			t.Fatalf("%s: the folder is\n%s\nit was\n%s", args, is, was)
		}
	}
}

func proposesTheSame(t *testing.T, open func(*testing.T) Bench) {
	each(t, open, func(t *testing.T, b Bench, p nebula.Proposal) {
		again := propose(t, b, p.Action.Args)
		if nebula.Digest(p) != nebula.Digest(again) || p.Summary != again.Summary {
			t.Errorf("first %+v, then %+v", p, again)
		}
		if p.Effect == nebula.Write && len(p.Targets) == 0 {
			t.Error("a change without targets")
		}
		if p.Effect == nebula.Execute && p.Command == "" {
			t.Error("a command that is not shown")
		}
		if p.Effect == nebula.Ask && p.Question == nil {
			t.Error("a question that is not asked")
		}
	})
}

// unchanged carries a proposal out under a grant that does not fit; a tool that changes something must do nothing then.
func unchanged(t *testing.T, b Bench, p nebula.Proposal, g *nebula.Grant) {
	if p.Do == nil || !p.Effect.Changes() {
		return
	}
	was := picture(t, b.Dir)
	r, err := p.Do(t.Context(), nebula.Run{Grant: g, Output: func([]byte) {}})
	if err == nil && r.Status != nebula.Failed {
		t.Errorf("done all the same: %+v", r)
	}
	if is := picture(t, b.Dir); is != was || len(r.Changes) > 0 {
		t.Errorf("changes %v; the folder is\n%s\nit was\n%s", r.Changes, is, was)
	}
}

func nothingWithoutGrant(t *testing.T, open func(*testing.T) Bench) {
	each(t, open, func(t *testing.T, b Bench, p nebula.Proposal) {
		unchanged(t, b, p, nil)
		unchanged(t, b, p, &nebula.Grant{})
		unchanged(t, b, p, nebula.NewGrant("g", "test", p)) // never opened
	})
}

func nothingWithAnothersGrant(t *testing.T, open func(*testing.T) Bench) {
	each(t, open, func(t *testing.T, b Bench, p nebula.Proposal) {
		other := nebula.Proposal{
			Action: nebula.Action{ID: "a2"}, Effect: nebula.Write,
			Targets: []nebula.Target{{Path: "some/other/file"}},
		}
		if p.Effect == nebula.Write {
			other.Effect = nebula.Execute
		}
		g := nebula.NewGrant("g", "test", other)
		if err := g.Open(other); err != nil {
			t.Fatal(err)
		}
		unchanged(t, b, p, g)
	})
}

func nothingWithSpentGrant(t *testing.T, open func(*testing.T) Bench) {
	each(t, open, func(t *testing.T, b Bench, p nebula.Proposal) {
		g := nebula.NewGrant("g", "test", p)
		if err := g.Open(p); err != nil {
			t.Fatal(err)
		}
		g.Close()
		unchanged(t, b, p, g)
	})
}

func doneUnderGrant(t *testing.T, open func(*testing.T) Bench) {
	each(t, open, func(t *testing.T, b Bench, p nebula.Proposal) {
		if p.Do == nil {
			if p.Effect != nebula.Ask {
				t.Error("nothing can be done")
			}
			return
		}
		was := picture(t, b.Dir)
		g := nebula.NewGrant("g", "test", p)
		if err := g.Open(p); err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		r, err := p.Do(t.Context(), nebula.Run{Grant: g}) // nobody listens
		if err != nil {
			t.Fatalf("%s: %v", p.Action.Args, err)
		}
		if r.Text == "" || r.Summary == "" || strings.Contains(r.Summary, "\n") {
			t.Errorf("text %q, summary %q", r.Text, r.Summary)
		}
		if changed := picture(t, b.Dir) != was; changed != (len(r.Changes) > 0) || changed && !p.Effect.Changes() {
			t.Errorf("changed %v, reported %+v", changed, r.Changes)
		}
		for _, f := range r.Seen {
			if data, err := os.ReadFile(filepath.Join(b.Dir, f.Path)); err != nil || nebula.Hash(data) != f.Hash {
				t.Errorf("%s is not what the session is told it saw: %v", f.Path, err)
			}
		}
	})
}

func wrongIsMistake(t *testing.T, open func(*testing.T) Bench) {
	b := open(t)
	wrong := slices.Concat(b.Wrong, []json.RawMessage{json.RawMessage(`[]`), json.RawMessage(`{"no such argument":1,"reason":"r"}`), json.RawMessage(`{`), json.RawMessage(`"text"`)})
	for _, args := range wrong {
		a := nebula.Action{ID: "a1", Tool: b.Tool.Spec().Name, Args: args}
		_, err := b.Tool.Propose(t.Context(), a, b.View)
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) {
			t.Errorf("%s: %v is no mistake", args, err)
			continue
		}
		if m.Text == "" || m.Hint.Format == "" {
			t.Errorf("%s: %q, and the hint %q", args, m.Text, m.Hint)
		}
	}
}

func summariesAreLines(t *testing.T, open func(*testing.T) Bench) {
	seen := map[string]string{}
	for _, lang := range phrase.Langs() {
		b := open(t)
		b.View.Lang = lang
		for _, args := range b.Good {
			s := propose(t, b, args).Summary
			if s == "" || strings.ContainsAny(s, "\n\r\x1b") || len([]rune(s)) > 240 {
				t.Errorf("%s: summary %q", args, s)
			}
			if lang == "ja" && seen[string(args)] == s {
				t.Errorf("%s: %q is not in Japanese", args, s)
			}
			seen[string(args)] = s
		}
	}
}

// picture is everything in a folder: names, modes, contents.
func picture(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil || rel == "." {
			return err
		}
		fi, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", filepath.ToSlash(rel), fi.Mode())
		if fi.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %s", nebula.Hash(data))
		}
		if to, err := os.Readlink(p); err == nil {
			fmt.Fprintf(&b, " -> %s", to)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return b.String()
}

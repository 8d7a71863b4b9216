package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// Tools are the one with which a model asks where a name is used or defined, as a server knows it. read reads a file of the folder. find is where
// a name that is given without a line is meant, in a file or below a directory: no line where it is defined nowhere there.
func (h *Hub) Tools(read func(path string) ([]byte, error), find Finder) []nebula.Tool {
	return []nebula.Tool{&references{h, read, find}}
}

// A Finder finds the one definition of a name, or says which there are.
type Finder func(ctx context.Context, under, name string) (file string, line int, err error)

type references struct {
	hub  *Hub
	read func(string) ([]byte, error)
	find Finder
}

// Usable reports whether a server runs: one is started for a change, and not to be asked about.
func (t *references) Usable() bool { return t.hub.Ready() }

// Spec implements nebula.Tool.
func (t *references) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "references", Aliases: []string{"find_references"},
		Description: "Where a name in a file is used, as its language server knows; or where it is defined.",
		Params: []nebula.Param{
			{Name: "path", Type: "string", Required: true}, {Name: "name", Type: "string", Required: true},
			{Name: "line", Type: "integer", Description: "where it stands, if not defined there once"}, {Name: "definition", Type: "boolean"},
		},
		Effect: nebula.Read,
	}
}

// Propose implements nebula.Tool.
func (t *references) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Path, Name string
		Line       int
		Definition bool
	}
	if err := json.Unmarshal(a.Args, &in); err != nil || in.Path == "" || in.Name == "" {
		return nebula.Proposal{}, nebula.Wrong("Give path and name, and the line where the name stands.", "references needs a path and a name.")
	}
	if in.Line == 0 {
		file, line, err := t.find(ctx, in.Path, in.Name)
		if err != nil {
			return nebula.Proposal{}, err
		}
		in.Path, in.Line = file, line
	}
	text, err := t.read(in.Path)
	if err != nil {
		return nebula.Proposal{}, err
	}
	if in.Line == 0 {
		if at := bytes.Index(text, []byte(in.Name)); at >= 0 {
			in.Line = 1 + bytes.Count(text[:at], []byte("\n"))
		}
	}
	lines := bytes.Split(text, []byte("\n"))
	if in.Line < 1 || in.Line > len(lines) || !bytes.Contains(lines[in.Line-1], []byte(in.Name)) {
		return nebula.Proposal{}, nebula.Wrong("Read the file, and name what stands there.", "%s does not stand there in %s.", phrase.OneLine(in.Name, 60), in.Path)
	}
	return nebula.Proposal{
		Effect:  nebula.Read,
		Summary: phrase.OneLine(fmt.Sprintf(phrase.In(v.Lang, "where %s of %s is used"), in.Name, in.Path), 200),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			places, ok := t.hub.Places(ctx, in.Definition, in.Path, text, in.Line, in.Name)
			if !ok {
				return nebula.Result{}, nebula.Wrong("Search for it instead.", "No language server answers for %s.", in.Path)
			}
			return nebula.Result{Text: t.shown(places), Summary: fmt.Sprintf(phrase.In(v.Lang, "%d places"), len(places))}, nil
		},
	}, nil
}

// mostPlaces bounds what is shown.
const mostPlaces = 100

// shown are places with the lines that stand there.
func (t *references) shown(places []Place) string {
	var b strings.Builder
	lines := map[string][]string{}
	for i, p := range places {
		if i == mostPlaces {
			fmt.Fprintf(&b, "+%d\n", len(places)-i)
			break
		}
		if _, known := lines[p.Path]; !known {
			data, _ := t.read(p.Path) // what lies beside the folder is named alone
			lines[p.Path] = strings.Split(string(data), "\n")
		}
		line := ""
		if p.Line <= len(lines[p.Path]) {
			line = " " + phrase.OneLine(lines[p.Path][p.Line-1], 160)
		}
		fmt.Fprintf(&b, "%s:%d:%s\n", p.Path, p.Line, line)
	}
	if len(places) == 0 {
		return "none\n"
	}
	return b.String()
}

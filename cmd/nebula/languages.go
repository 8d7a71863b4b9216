package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/helper"
	"nebula/internal/lsp"
	"nebula/internal/mcp"
	"nebula/internal/workspace"
)

// languages are the servers that know the languages of the folder; nil where they are not to be asked. Nothing is looked for.
func (s *session) languages(work *workspace.Dir) *lsp.Hub {
	v, _ := s.config.Value("language_servers")
	if v.Text != "true" || s.record != "" || s.replay != "" || s.broad != "" {
		return nil
	}
	return lsp.New(lsp.Options{Dir: s.dir, Find: lsp.Find(s.dir, exec.LookPath), Launch: func(command []string) (helper.Launch, error) {
		l := helper.Launch{Command: command, Env: workspace.Environment(os.Environ(), s.config.Environment, secrets(s.config)), Dir: s.dir}
		if !s.config.Sandbox { // what it runs can come with the folder
			return l, nebula.Errorf("there can be no box for this folder")
		}
		return s.box(l, mcp.Server{Name: "languages", Reads: homes(command[0])}, work)
	}})
}

// homes are the folders in which a program lies, by its name and by what that leads to.
func homes(program string) []string {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		real = program
	}
	return []string{filepath.Dir(program), filepath.Dir(real)}
}

// mostLooked bounds the files of one change that are looked at.
const mostLooked = 10

// finds tells what changes made wrong; nil where nobody looks.
func (s *session) finds(at *project) func(context.Context, []nebula.Change) string {
	if at.languages == nil {
		return nil
	}
	return func(ctx context.Context, changes []nebula.Change) string {
		var edits []lsp.Edit
		for _, c := range changes {
			if e, ok := s.edited(ctx, at.work, c); ok && len(edits) < mostLooked {
				edits = append(edits, e)
			}
		}
		var b strings.Builder
		for _, p := range at.languages.Fresh(ctx, edits) {
			fmt.Fprintf(&b, "\n%s:%d: %s", p.Path, p.Line, p.Text)
		}
		if b.Len() == 0 {
			return ""
		}
		return s.say("Wrong since this change, says the language's server:") + b.String()
	}
}

// edited is a change with both texts, as far as they are ones that are shown.
func (s *session) edited(ctx context.Context, work *workspace.Dir, c nebula.Change) (e lsp.Edit, ok bool) {
	if c.Raw != nil || c.After == "" || c.Before == c.After || !c.OfFile() {
		return e, false
	}
	e.Path = c.Path
	if c.Before != "" {
		before, err := s.store.Content(ctx, c.Before)
		if err != nil {
			return e, false
		}
		e.Before = before
	}
	after, _, err := work.Read(c.Path, largestIncluded*4)
	e.After = after
	return e, err == nil
}

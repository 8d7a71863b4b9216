package cli

import (
	"cmp"
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
	"nebula/internal/tool"
	"nebula/internal/trust"
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
		if err := s.consented(command); err != nil {
			return l, err
		}
		return s.box(l, mcp.Server{Name: "languages", Reads: homes(command[0])}, work)
	}})
}

// read is a file of the folder as servers of languages are told it.
//
//go:noinline
func (at *project) read(path string) ([]byte, error) {
	data, _, err := at.work.Read(path, largestIncluded*4)
	return data, err
}

// definition is where a name is meant that is given without a line: its one definition in a file or below a directory, else where it stands
// first in the file.
func (at *project) definition(ctx context.Context, under, name string) (file string, line int, err error) {
	list, err := tool.Definitions(ctx, at.work, at.secret, under, name)
	if err = cmp.Or(err, tool.Candidates(name, list)); err != nil || len(list) == 0 {
		return under, 0, err
	}
	return list[0].Path, list[0].Line, nil
}

// A renamer has the servers of a folder say what a name stands for.
type renamer struct{ *project }

// Ready implements tool.Renamer.
func (r renamer) Ready() bool { return r.languages.Ready() }

// Rename implements tool.Renamer.
func (r renamer) Rename(ctx context.Context, of tool.Renaming) (all []tool.Rewrite, err error) {
	text, err := r.read(of.Path)
	if err != nil {
		return nil, err
	}
	edits, err := r.languages.Rename(ctx, of.Path, text, of.At, of.To, r.read)
	for _, e := range edits {
		all = append(all, tool.Rewrite{Path: e.Path, Before: e.Before, Next: e.After})
	}
	return all, err
}

// kindLanguages is what a folder's own servers for languages are called among what it brings.
const kindLanguages = "language server"

// languagesOf are the servers for languages that a folder keeps among its packages.
func (p *program) languagesOf(dir, _ string) (things []trust.Thing) {
	for _, command := range lsp.Own(dir, exec.LookPath) {
		if t, ok := languageThing(dir, command); ok {
			things = append(things, t)
		}
	}
	return things
}

// languageThing is such a server, with its command and the content of its program.
func languageThing(dir string, command []string) (trust.Thing, bool) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return trust.Thing{}, false
	}
	defer root.Close()
	file, err := filepath.Rel(dir, command[0])
	if err != nil || !filepath.IsLocal(file) {
		return trust.Thing{}, false
	}
	file = filepath.ToSlash(file)
	text := strings.Join(append([]string{file}, command[1:]...), " ") + "\n"
	if data, ok := inRoot(root, file); ok {
		text += file + ": sha256 " + nebula.Hash(data) + "\n"
	}
	return trust.Thing{Kind: kindLanguages, Name: filepath.Base(command[0]), From: file, Text: text}, true
}

// consented is why a server may not be started that comes with the folder, nil for one that may.
func (s *session) consented(command []string) error {
	thing, own := languageThing(s.dir, command)
	if !own {
		return nil
	}
	all, err := ledger(s.config).Look(s.dir, []trust.Thing{thing})
	if err != nil {
		return err
	}
	if len(trust.Open(all)) > 0 {
		return nebula.Errorf("nobody agreed to it")
	}
	return nil
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

// finds tells what changes made wrong: what is no JSON any more, whoever looks, and what servers find.
//
//go:noinline
func (s *session) finds(at *project) func(context.Context, []nebula.Change) (string, []string) {
	return func(ctx context.Context, changes []nebula.Change) (wrong string, began []string) {
		var edits []lsp.Edit
		var broken, fresh []lsp.Problem
		for _, c := range changes {
			if e, ok := s.edited(ctx, at.work, c); ok && len(edits) < mostLooked {
				edits = append(edits, e)
				if p, ok := lsp.Malformed(e); ok {
					broken = append(broken, p)
				}
			}
		}
		if at.languages != nil {
			fresh, began = at.languages.Fresh(ctx, edits), at.languages.Began()
		}
		told := func(head string, of []lsp.Problem) {
			for i, p := range of {
				if i == 0 {
					wrong += "\n" + s.say(head)
				}
				wrong += fmt.Sprintf("\n%s:%d: %s", p.Path, p.Line, p.Text)
			}
		}
		told("No JSON any more since this change:", broken)
		told("Wrong since this change, says the language's server:", fresh)
		return strings.TrimPrefix(wrong, "\n"), began
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

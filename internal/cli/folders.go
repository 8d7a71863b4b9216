package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"nebula/internal/prompt"
	"nebula/internal/protocol"
	"nebula/internal/workspace"
)

// widen adds the person's further folders.
func (s *session) widen(work *workspace.Dir) error {
	for _, dir := range s.config.Folders {
		if rest, home := strings.CutPrefix(dir, "~/"); home {
			dir = filepath.Join(s.env("HOME"), rest)
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(s.dir, dir)
		}
		if err := work.Add(dir, s.own()...); err != nil {
			return fail(exitNoFolder, "--add-dir: %w", err)
		}
	}
	return nil
}

// namesLooked bounds the entries that are looked at for a short name.
const namesLooked = 20_000

// aliased finds the files of the folder that a short name could stand for.
func aliased(work *workspace.Dir) func(name string) []string {
	return func(name string) (files []string) {
		n := 0
		for e, err := range work.List(context.Background(), workspace.Walk{Recursive: true}) {
			if n++; n > namesLooked {
				return files
			}
			if err == nil && !e.Dir && e.Link == "" && protocol.Short(e.Path) == name {
				files = append(files, e.Path)
			}
		}
		return files
	}
}

// facts are what the model is told of the folder before it looks.
func facts(work *workspace.Dir) prompt.Facts {
	f := prompt.Facts{OS: runtime.GOOS, Dir: work.Path(), Further: work.Further()}
	entries, err := os.ReadDir(work.Path())
	if err != nil {
		return f // the tools will say so
	}
	for _, e := range entries {
		name := e.Name()
		if name == ".git" || name == ".nebula" || work.Veiled(name) {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		f.Entries = append(f.Entries, name)
	}
	return f
}

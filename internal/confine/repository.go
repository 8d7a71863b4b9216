package confine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula/internal/lists"
)

// Git are what of a repository is run by later calls of git, or leads them elsewhere; a command that may change the
// repository does not change these.
var Git = strings.Fields(`hooks config config.worktree info/attributes info/exclude modules commondir gitdir remotes branches objects/info/alternates`)

// Harmless reports whether one of [Git] in a repository is as git itself makes it, and says nothing that git would run.
func Harmless(repository, name string) bool {
	path := filepath.Join(repository, name)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return errors.Is(err, fs.ErrNotExist)
	case info.IsDir():
		entries, err := os.ReadDir(path)
		return err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".sample") })
	case !info.Mode().IsRegular() || info.Size() > 64<<10:
		return false
	}
	data, err := os.ReadFile(path)
	return err == nil && plain(string(data), name == "config")
}

// plain reports whether a file of git's settings has comments only, or in the repository's own the settings that git
// itself makes, and who the person is.
func plain(text string, own bool) bool {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if !own || strings.ContainsAny(line, "\\\"\r") {
			return false
		}
		if line[0] == '[' {
			section = strings.ToLower(line) // more on the line is none of these
			if ordinary[section] == nil {
				return false
			}
			continue
		}
		key, _, _ := strings.Cut(line, "=")
		if !lists.Has(ordinary[section], strings.ToLower(strings.TrimSpace(key))) {
			return false
		}
	}
	return true
}

// ordinary are such settings, by section.
var ordinary = map[string][]string{
	"[core]": {"repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks"},
	"[user]": {"name", "email"}, "[extensions]": {"objectformat", "refstorage"},
}

// Stopped are the files in which a repository has what git goes on with when it was stopped, and Runs gives the lines of
// such a file that have it run something.
var Stopped = []string{"rebase-merge/git-rebase-todo", "rebase-merge/strategy", "sequencer/todo", "sequencer/opts"}

// Runs is described at [Stopped].
func Runs(file string) (lines []string) {
	data, _ := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		if word == "x" || word == "exec" || strings.HasPrefix(word, "exec\t") || strings.HasPrefix(word, "x\t") || filepath.Base(file) != "git-rebase-todo" && strings.ContainsAny(word+rest, "/") {
			lines = append(lines, line)
		}
	}
	return lines
}

// Linked reports whether a file that stands for a repository leads to one that knows the work tree.
func Linked(mark string) (shared string, good bool) {
	if dirs := linked(mark); dirs != nil {
		return dirs[0], true
	}
	return "", false
}

// repository gives the folders in which git has what belongs to a folder: the work tree's own, and the one that all work
// trees of the repository share when that is another. They are in the folder, above it, or where a file there says; which
// is believed only when the repository says the same of that work tree, since a file can name anything.
func repository(folder string) []string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		mark := filepath.Join(dir, ".git")
		info, err := os.Lstat(mark)
		switch {
		case errors.Is(err, fs.ErrNotExist) && dir != "/":
			continue
		case err == nil && info.IsDir():
			return []string{mark}
		case err == nil && info.Mode().IsRegular():
			return linked(mark)
		}
		return nil
	}
}

// linked gives the folders of a work tree that is not in its repository.
func linked(mark string) []string {
	own := named(mark, "gitdir: ")
	if own == "" || named(filepath.Join(own, "gitdir"), "") != mark {
		return nil
	}
	shared := named(filepath.Join(own, "commondir"), "")
	if shared == "" || filepath.Dir(own) != filepath.Join(shared, "worktrees") {
		return nil
	}
	return []string{shared, own}
}

// named is the path that a file of git holds after some words, "" for none.
func named(file, words string) string {
	data, err := os.ReadFile(file)
	path, good := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), words)
	if err != nil || !good || path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return real
}

// kept are what of a repository stays as it is when git changes it: [Git], and what belongs to other work trees.
func kept(dirs []string) (paths []string) {
	for _, dir := range dirs {
		for _, name := range Git {
			paths = append(paths, filepath.Join(dir, name))
		}
		trees, _ := os.ReadDir(filepath.Join(dir, "worktrees"))
		for _, t := range trees {
			if path := filepath.Join(dir, "worktrees", t.Name()); !lists.Has(dirs, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

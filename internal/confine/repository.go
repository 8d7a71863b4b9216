package confine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Git are what of a repository is run by later calls of git; a command that may change the repository does not change these.
var Git = strings.Fields(`hooks config config.worktree info/attributes modules commondir gitdir`)

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
			if path := filepath.Join(dir, "worktrees", t.Name()); !slices.Contains(dirs, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

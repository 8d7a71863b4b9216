package workspace

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// enter adds a directory's own rules to those from above.
func (d *Dir) enter(h *handle, rel string, up *level, names []dirent) *level {
	here := &level{up: up, base: len(under(rel))}
	for _, e := range names {
		switch e.name {
		case gitIgnore:
			here.git = ruleFile(h, e.name)
		case nebulaIgnore:
			here.own = ruleFile(h, e.name)
		case ".git":
			here.repo = rel != "."
			if rules := excludes(h); len(rules) > 0 {
				// The exclude file is weaker than every .gitignore of the repository.
				here.up = &level{up: up, base: here.base, git: rules, repo: here.repo}
				here.repo = false
			}
		}
	}
	if here.git == nil && here.own == nil && !here.repo && here.up == up && up != nil {
		return up
	}
	return here
}

// levels are the rules that hold for a directory, without its own.
func (d *Dir) levels(rel string) *level {
	l := d.above()
	if rel == "." {
		return l
	}
	h, err := d.top.sub(".")
	at := "."
	for name := range strings.SplitSeq(rel, "/") {
		if err != nil {
			return l
		}
		if names, err := h.names(); err == nil {
			l = d.enter(h, at, l, names)
		}
		var sub *handle
		sub, err = h.sub(name)
		h.close()
		h, at = sub, under(at)+name
	}
	if err == nil {
		h.close()
	}
	return l
}

// Repository is the top of the repository that the folder lies in, the folder itself perhaps; empty where it lies in none.
//
//go:noinline
func (d *Dir) Repository() string { return Repository(d.real) }

// Repository is the top of the repository that a folder lies in, the folder itself perhaps; empty where it lies in none.
func Repository(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// Above are the folders above one up to the top of the repository that it lies in, the nearest first; none for one that is the top, or lies
// in no repository.
func Above(dir string) (list []string) {
	if top := Repository(dir); top != "" {
		for dir != top {
			dir = filepath.Dir(dir)
			list = append(list, dir)
		}
	}
	return list
}

// above are the rules of the directories above the folder, when the folder lies in a larger repository.
func (d *Dir) above() *level {
	none := &level{}
	dirs, l := Above(d.real), none
	for i := len(dirs) - 1; i >= 0; i-- {
		prefix, err := filepath.Rel(dirs[i], d.real)
		if err != nil {
			return none
		}
		add := func(path string) {
			if r := rulesAt(path); len(r) > 0 {
				l = &level{up: l, prefix: filepath.ToSlash(prefix) + "/", git: r}
			}
		}
		if i == len(dirs)-1 {
			add(filepath.Join(dirs[i], ".git", "info", "exclude"))
		}
		add(filepath.Join(dirs[i], gitIgnore))
	}
	return l
}

// rulesAt reads an ignore file outside of the folder.
func rulesAt(path string) []rule {
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxIgnoreFile {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return rules(data)
}

// ruleFile reads an ignore file in a directory. Like git, it takes no link for one.
func ruleFile(h *handle, name string) []rule {
	f, err := h.read(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if st, err := statFile(f); err != nil || !st.mode.IsRegular() {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return nil
	}
	return rules(data)
}

// excludes reads the exclude file of the repository that begins at a directory.
func excludes(h *handle) []rule {
	git, err := h.sub(".git")
	if err != nil {
		return nil
	}
	defer git.close()
	info, err := git.sub("info")
	if err != nil {
		return nil
	}
	defer info.close()
	return ruleFile(info, "exclude")
}

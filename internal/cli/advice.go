package cli

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/matter"
	"nebula/internal/model"
	"nebula/internal/workspace"
)

// advice finds what AGENTS.md and files like it say, for one session: the person's own, those from the repository's top down to the folder, and
// those of the folders that are worked in. It reads what the tools may read, and nothing that holds secrets. A recording goes without.
func (s *session) advice(work *workspace.Dir) func(touched []string) []advice.File {
	if s.bare() || s.config.Budget.Advice == 0 {
		return nil
	}
	secret := protection(s.config.Protection).Secret
	below := func(dir string) advice.Place {
		shown := dir + "/"
		if dir == "." {
			shown = ""
		}
		return advice.Place{Shown: shown, Read: func(name string) ([]byte, bool) {
			if _, err := os.Lstat(filepath.Join(work.Path(), dir, name)); err != nil {
				return nil, false // to read what is not there costs ten times as much as to look
			}
			data, e, err := work.Read(path.Join(dir, name), advice.MaxSize)
			for _, at := range []string{path.Join(dir, name), e.Path} { // by the name of a link, and by what it leads to
				if secret(at) || work.Veiled(at) || (at != path.Join(dir, name) && !advice.Open(at)) {
					return nil, false
				}
			}
			return readable(data, err)
		}}
	}
	f := &advice.Finder{Below: below, Count: model.Estimate, Room: s.config.Budget.Advice}
	for _, dir := range append([]string{s.config.Home.Settings}, s.homesElsewhere()...) {
		f.Homes = append(f.Homes, outside(dir, s.shown(dir), secret))
	}
	if top := work.Repository(); top != "" {
		for _, dir := range onTheWay(top, work.Path()) {
			f.Around = append(f.Around, outside(dir, s.shown(dir), secret))
		}
	}
	f.Around = append(f.Around, below("."))
	return f.For
}

// illegible are those of these files in the folder that are there and cannot be read, so that nobody relies on what they say.
func illegible(root *os.Root) (left []nebula.Words) {
	for _, name := range advice.Names {
		if _, err := root.Lstat(name); err != nil {
			continue
		}
		info, err := root.Stat(name)
		switch {
		case err != nil || !info.Mode().IsRegular():
			left = append(left, nebula.Say("%w", matter.None(name)))
		case info.Size() > 0 && info.Size() <= advice.MaxSize:
			if _, ok := readable(root.ReadFile(name)); !ok {
				left = append(left, nebula.Say("%w", matter.Empty(name)))
			}
		}
	}
	return left
}

// saidBound is how long the list of what was said may be, in bytes; a longer one begins anew.
const saidBound = 64 << 10

// unsaid reports whether something was said in no session of the folder yet, and notes that it is. Where it cannot be noted it is said again.
func (s *session) unsaid(what ...string) bool {
	file := filepath.Join(s.config.Home.State, "said")
	line := fmt.Sprintf("%x\n", sha256.Sum256([]byte(s.dir+"\x00"+strings.Join(what, "\x00"))))
	data, _ := os.ReadFile(file)
	if strings.Contains(string(data), line) {
		return false
	}
	if len(data) > saidBound {
		data = nil
	}
	if os.MkdirAll(s.config.Home.State, 0o700) == nil {
		_ = os.WriteFile(file, append(data, line...), 0o600)
	}
	return true
}

// homesElsewhere are where a person has what they tell other programs everywhere, for as long as they have said nothing to this one.
func (p *program) homesElsewhere() (dirs []string) {
	if home := p.env("HOME"); filepath.IsAbs(home) {
		for _, name := range []string{".claude", ".codex", ".config/opencode", ".gemini"} {
			dirs = append(dirs, filepath.Join(home, filepath.FromSlash(name)))
		}
	}
	return dirs
}

// outside is a folder that the tools do not reach: only what lies in it is read.
//
//go:noinline
func outside(dir, shown string, secret func(string) bool) advice.Place {
	return advice.Place{Shown: shown + "/", Read: func(name string) ([]byte, bool) {
		root, err := os.OpenRoot(dir)
		if err != nil || secret(name) {
			return nil, false
		}
		defer root.Close()
		real, err := filepath.EvalSymlinks(filepath.Join(dir, name))
		if err != nil || secret(real) {
			return nil, false
		}
		if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > advice.MaxSize {
			return nil, false
		}
		return readable(root.ReadFile(name))
	}}
}

//go:noinline
func readable(data []byte, err error) ([]byte, bool) {
	if err != nil {
		return nil, false
	}
	_, text := workspace.Text(data)
	return data, text
}

// onTheWay are a folder above another and those on the way to it, without the other itself.
func onTheWay(top, below string) (dirs []string) {
	rest, err := filepath.Rel(top, below)
	if err != nil || rest == "." {
		return nil
	}
	dir := top
	for _, name := range strings.Split(rest, string(filepath.Separator)) {
		dirs = append(dirs, dir)
		dir = filepath.Join(dir, name)
	}
	return dirs
}

// shown is a folder as the person calls it.
func (p *program) shown(dir string) string {
	if rest, ok := strings.CutPrefix(dir, p.env("HOME")+string(filepath.Separator)); ok {
		return "~/" + filepath.ToSlash(rest)
	}
	return filepath.ToSlash(dir)
}

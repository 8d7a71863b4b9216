package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/lists"
)

// What gives rights that last is in files that no command may change, and no command's text tells whether it does. So
// they are looked at before commands and after them, and put back. While commands run, a note says how they were: from it
// the next nebula puts back what one that was killed could not. A command that finds the note and ends nebula gets around
// this: that only confinement can keep it from.

// asideSuffix is of the name under which what was made of a file stays when it is put back.
const asideSuffix = ".changed"

// maxHeld bounds what of a file is compared; nobody reads longer settings.
const maxHeld = 2 << 20

type held struct {
	dir   string // of the notes; empty where nothing is held
	files []string

	mu      sync.Mutex
	running int // commands
	was     []standing
	note    *os.File
}

// A standing is what a file outside of the folder is. Odd is what can be no settings: a directory, or what cannot be read.
type standing struct {
	Path  string      `json:"path"`
	There bool        `json:"there"`
	Odd   bool        `json:"odd,omitempty"`
	Link  string      `json:"link,omitempty"`
	Mode  fs.FileMode `json:"mode,omitempty"`
	Data  []byte      `json:"data,omitempty"`
}

// Hold has every command of the folder leave files as they are: what one makes of them is put aside. In dir is noted how
// they are while commands run.
func (d *Dir) Hold(dir string, files ...string) { d.held.dir, d.held.files = dir, files }

// Holding reports whether a command runs, of this nebula or another, whose notes are in dir: files that are held are not
// to be changed then.
func Holding(dir string) bool {
	for _, file := range notes(dir) {
		if noted(file) {
			return true
		}
	}
	return false
}

// PutBack puts files back that were changed while a command ran whose notes are in dir, one that was cut off or one that
// still runs. It names them; what they were is beside each, with [Aside] for a name. A note that speaks of a file that is
// none of ours is a command's own work.
func PutBack(dir string, ours func(file string) bool) (changed []string, err error) {
	for _, file := range notes(dir) {
		alive := noted(file)
		was, whole := readNote(file)
		if whole {
			was = lists.Drop(was, func(s standing) bool { return !ours(s.Path) })
			back, failed := putBack(was)
			changed, err = append(changed, back...), errors.Join(err, failed)
		}
		if !alive && err == nil {
			_ = os.Remove(file) // else it is compared again
		}
	}
	return changed, err
}

// Aside is where what was made of a file stays that was put back.
func Aside(file string) string { return file + asideSuffix }

// begin notes what the files are, if no other command runs that did: what they are now may be its work.
func (h *held) begin() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" {
		return nil
	}
	if h.running == 0 {
		if err := h.take(); err != nil {
			if errors.Is(err, syscall.ENOSPC) {
				return nebula.Errorf("settings in %s cannot be guarded: %w%s", h.dir, reason(err), advice(err, h.dir))
			}
			return nebula.Errorf("settings in %s cannot be guarded: %w; make the folder writable", h.dir, reason(err))
		}
	}
	h.running++
	return nil
}

func (h *held) take() error {
	h.was = nil
	for _, file := range notes(h.dir) {
		if was, whole := readNote(file); whole && noted(file) {
			h.was = was
		}
	}
	for _, file := range h.files {
		if !slices.ContainsFunc(h.was, func(s standing) bool { return s.Path == file }) {
			h.was = append(h.was, standingOf(file))
		}
	}
	data, err := json.Marshal(h.was)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return err
	}
	if h.note, err = os.CreateTemp(h.dir, "command-"); err != nil {
		return err
	}
	for alone := false; !alone && err == nil; { // somebody may be looking whether it is held
		if alone, err = hold(h.note); !alone && err == nil {
			time.Sleep(time.Millisecond)
		}
	}
	if err = ignore(err, errors.ErrUnsupported); err == nil {
		_, err = h.note.Write(data)
	}
	if err != nil {
		return errors.Join(err, h.note.Close(), os.Remove(h.note.Name()))
	}
	return nil
}

// end puts back what was changed since and names it.
func (h *held) end() (changed []string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == "" {
		return nil, nil
	}
	changed, err = putBack(h.was)
	if h.running--; h.running > 0 {
		return changed, err
	}
	_ = h.note.Close()
	for _, file := range notes(h.dir) {
		if !noted(file) { // this one, and what a command may have put there
			_ = os.Remove(file)
		}
	}
	return changed, err
}

func notes(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "command-*")) // the pattern is sound
	return files
}

// noted reports whether the nebula that made a note still lives.
//
//go:noinline
func noted(file string) bool {
	r := began{file: file}
	return r.alive()
}

func readNote(file string) (was []standing, whole bool) {
	data, err := os.ReadFile(file)
	return was, err == nil && json.Unmarshal(data, &was) == nil
}

// standingOf looks at a file.
func standingOf(file string) standing {
	s := standing{Path: file}
	fi, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s
	}
	s.There, s.Odd = true, err != nil
	if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		s.Link, _ = os.Readlink(file)
		if fi, err = os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return s
		}
	}
	if err != nil || !fi.Mode().IsRegular() {
		s.Odd = true
		return s
	}
	s.Mode = fi.Mode().Perm()
	f, err := os.Open(file)
	if err != nil {
		s.Odd = true
		return s
	}
	defer f.Close()
	s.Data, err = io.ReadAll(io.LimitReader(f, maxHeld))
	s.Odd = err != nil
	return s
}

//go:noinline
func (s standing) is(o standing) bool {
	return s.There == o.There && s.Odd == o.Odd && s.Link == o.Link && s.Mode == o.Mode && bytes.Equal(s.Data, o.Data)
}

// putBack names those that are not what they were. What they became stays beside them.
func putBack(was []standing) (changed []string, err error) {
	for _, s := range was {
		if s.Odd || s.is(standingOf(s.Path)) {
			continue
		}
		changed = append(changed, s.Path)
		if failed := s.restore(); failed != nil {
			err = errors.Join(err, nebula.Errorf("%s was changed by a command, and cannot be put back: %w", s.Path, reason(failed)))
		}
	}
	return changed, err
}

func (s standing) restore() error {
	err := os.RemoveAll(Aside(s.Path))
	if err == nil {
		err = os.Rename(s.Path, Aside(s.Path))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = os.RemoveAll(s.Path) // what it must not be is not kept at any price
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) || !s.There {
		return ignore(err, fs.ErrNotExist)
	}
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return err
	}
	path := s.Path
	if s.Link != "" {
		if err := os.Symlink(s.Link, path); err != nil || s.is(standingOf(path)) {
			return err
		}
		if path = s.Link; !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(s.Path), path)
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".config-*.json")
	if err != nil {
		return err
	}
	_, err = f.Write(s.Data)
	if err = errors.Join(err, f.Chmod(s.Mode), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

//go:noinline
func ignore(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}

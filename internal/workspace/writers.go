package workspace

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"nebula"
)

// A guild is all those that change one folder, in this process and in others. Its files lie in a directory of nebula's
// own: one that is locked while a file of the folder changes, and one for each writer, which names the directories that
// it writes in. A writer's file is locked for as long as its process lives, so one that can be locked is a dead writer's:
// what that writer left half written is removed then.
type guild struct {
	dir  string // empty where a folder's writers do not know of each other
	name string // of the folder, in its files' names
	tag  string // of this writer, in the names of its temporary files

	once   sync.Once
	change *os.File // locked while a file changes
	notes  *os.File // of this writer
	noted  map[string]bool
	strays map[string]bool // temporary files that could not be removed

	heard              map[string]state // what others claimed, in a part of the claims
	heardRun           string           // but for this command
	heardFrom, heardTo int64
}

func newTag() string { return strings.ToLower(rand.Text()[:8]) }

// Share has this folder's changes happen one at a time across all who share it through the same directory, which is
// nebula's own, and removes what those of them left half written that are no more.
func (d *Dir) Share(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	d.guild.dir, d.guild.name = dir, nebula.Hash([]byte(d.real))[:16]
	left, err := filepath.Glob(filepath.Join(dir, d.guild.name+".*"))
	if err != nil {
		return err
	}
	alone := true
	for _, file := range left {
		alone = d.bury(file) && alone
	}
	d.guild.forget(alone)
	for _, o := range d.more {
		if err := o.Share(dir); err != nil {
			return err
		}
	}
	return nil
}

// bury removes what a writer left, if it is dead.
func (d *Dir) bury(file string) (dead bool) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	if held, err := hold(f); err != nil || !held {
		return false
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return true
	}
	_, tag, _ := strings.Cut(filepath.Base(file), ".")
	clean := true
	for line := range bytes.Lines(data) {
		dir := strings.TrimSuffix(string(line), "\n")
		if s, err := d.find(dir, false); err == nil {
			for _, name := range sweepTag(s, tag) {
				clean = false
				d.guild.strayed(path.Join(dir, name))
			}
			s.close()
		}
	}
	if clean {
		_ = os.Remove(file) // it is looked at again the next time
	}
	return true
}

// strayed notes a temporary file that could not be removed.
func (g *guild) strayed(file string) {
	if g.strays == nil {
		g.strays = map[string]bool{}
	}
	g.strays[file] = true
}

// strays are the temporary files that still cannot be removed.
func (d *Dir) strays() (left []nebula.Left) {
	for _, file := range slices.Sorted(maps.Keys(d.guild.strays)) {
		s, err := d.exact(file)
		if err != nil {
			continue
		}
		if len(s.rest) == 0 && s.stat.exists() {
			err = s.dir.remove(s.name)
		}
		s.close()
		if err != nil {
			left = append(left, nebula.Left{Path: display(file), Why: nebula.Stray, Text: reason(err).Error()})
			continue
		}
		delete(d.guild.strays, file)
	}
	return left
}

// sweepTag removes a writer's temporary files from a directory, and gives those that cannot be removed.
func sweepTag(s spot, tag string) (left []string) {
	h := s.dir
	if s.name != "" {
		sub, err := s.dir.sub(s.name)
		if err != nil {
			return nil
		}
		defer sub.close()
		h = sub
	}
	all, err := h.names()
	if err != nil {
		return nil
	}
	for _, e := range all {
		if rest, ok := strings.CutPrefix(e.name, tempPrefix); ok && strings.Contains(rest, "-"+tag+"-") && h.remove(e.name) != nil {
			left = append(left, e.name)
		}
	}
	return left
}

// wait is how long a change waits for another's before it looks again.
const wait = time.Millisecond

// alone lets one change at a time begin, of all that the folder's writers make. done ends it.
func (d *Dir) alone(ctx context.Context) (done func(), err error) {
	d.mu.Lock()
	if d.guild.dir == "" {
		return d.mu.Unlock, nil
	}
	d.guild.once.Do(d.join)
	if d.guild.change == nil {
		return d.mu.Unlock, nil // the directory cannot be written: then everyone looks after themselves
	}
	for {
		held, err := hold(d.guild.change)
		if err == nil && held {
			return func() {
				_ = release(d.guild.change)
				d.mu.Unlock()
			}, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			d.mu.Unlock()
			return nil, err
		}
		time.Sleep(wait)
	}
}

// join opens this writer's files. Without them a change is as safe, but others do not wait for it.
func (d *Dir) join() {
	g := &d.guild
	change, err := os.OpenFile(filepath.Join(g.dir, g.name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	g.change = change
	notes, err := os.OpenFile(filepath.Join(g.dir, g.name+"."+g.tag), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	if held, err := hold(notes); err != nil || !held {
		_ = notes.Close()
		return
	}
	g.notes, g.noted = notes, map[string]bool{}
}

// note writes down, once, that this writer is about to write in a directory.
func (g *guild) note(dir string) {
	if g.notes == nil || g.noted[dir] || strings.Contains(dir, "\n") {
		return
	}
	_, err := g.notes.WriteString(dir + "\n") // else what is left is removed by its age
	g.noted[dir] = err == nil
}

// leave ends what this writer has to do with the others.
func (g *guild) leave() {
	if g.notes != nil {
		if len(g.strays) == 0 {
			_ = os.Remove(g.notes.Name())
		}
		_ = g.notes.Close()
	}
	if g.change != nil {
		_ = g.change.Close()
	}
	g.notes, g.change = nil, nil
}

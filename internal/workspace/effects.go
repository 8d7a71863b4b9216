package workspace

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Effects are what a command did on a view of the folder: nothing of it has happened to the folder itself. They are kept
// ([Effects.Keep]) or dropped ([Effects.Drop]), once.
type Effects struct {
	Changes []nebula.Change   // as they would be made, by path
	Renames map[string]string // where files of these paths stood before, as their contents tell
	Lost    []string          // what cannot be kept: pipes, sockets, what cannot be read
	Clashes []string          // what somebody else changed in the folder meanwhile: it stays as it is
	Refused []string          // what no command may make, see [steer.Held]
	Apart   []string          // files of which other names keep what they have

	dir   *Dir
	v     *viewed
	upper string
	open  stay              // in the upper folder, while something is kept
	from  map[string]string // by hash, where in the view the content is
}

// Nothing reports whether the command did nothing.
func (e *Effects) Nothing() bool {
	return len(e.Changes)+len(e.Lost)+len(e.Clashes)+len(e.Refused) == 0
}

// Drop takes the view away: the folder stays as it is.
//
//go:noinline
func (e *Effects) Drop() { e.v.close() }

// Grants gives what a grant has to cover that some of the changes are kept: a target for each path.
func (e *Effects) Grants() (targets []nebula.Target) {
	for _, c := range e.Changes {
		t := nebula.Target{Path: c.Name(), Hash: c.Before, Kind: c.Kind, After: c.After, Mode: c.ModeBefore, ModeAfter: c.ModeAfter, Link: e.leads(c)}
		if c.TwinAfter != c.TwinBefore {
			t.Twin = c.TwinAfter
		}
		targets = append(targets, t)
	}
	return targets
}

// leads is where what a change makes leads, of a symbolic link.
func (e *Effects) leads(c nebula.Change) string {
	if c.After == "" || fs.FileMode(c.ModeAfter)&fs.ModeSymlink == 0 {
		return ""
	}
	to, _ := os.Readlink(filepath.Join(e.upper, filepath.FromSlash(c.Name()))) // what is there no more leads nowhere
	return to
}

// Named has what is kept be told by an action's name from now on, where nebula is killed in the middle, see [Command].ID.
func (e *Effects) Named(id string) error {
	_, err := e.v.held.WriteAt([]byte(id), 0)
	return err
}

// Keep makes the changes in the folder that want says, path by path, all where it is nil, and takes the view away. The
// grant has to cover each of them. What somebody changed since is left as it is, and told. aside is what was put aside,
// see [Exit].
func (e *Effects) Keep(ctx context.Context, g *nebula.Grant, want func(nebula.Change) bool) (made []nebula.Change, left []nebula.Left, aside []string, err error) {
	defer e.v.close()
	chosen := e.chosen(want)
	if len(chosen) == 0 {
		return nil, nil, nil, nil
	}
	back := inverse(chosen)
	if err := e.dir.restores(g, back); err != nil {
		return nil, nil, nil, err
	}
	id, _ := os.ReadFile(e.v.at + viewHeld)
	if err := e.v.journal(keepsake{string(id), back, e.upper, e.from}); err != nil {
		return nil, nil, nil, nebula.Errorf("what was to be kept could not be written down, so nothing was changed: %w", err)
	}
	made, left, err = e.put(ctx, g, back)
	if err != nil {
		return made, left, nil, err
	}
	e.v.was.kept = map[string]bool{}
	for _, c := range made {
		e.v.was.kept[c.Name()] = true
	}
	aside, untouched, err := e.dir.putAside(e.v.was)
	s := &Snapshot{dir: e.dir, except: untouched}
	made = lists.Drop(made, func(c nebula.Change) bool { return s.excepted(c.Name()) })
	if len(id) > 0 {
		e.dir.noteTold(string(id), viewKept, made)
	}
	return made, left, aside, err
}

// chosen are the changes that are wanted, with the folders that they need.
func (e *Effects) chosen(want func(nebula.Change) bool) (chosen []nebula.Change) {
	need := map[string]bool{}
	for _, c := range e.Changes {
		if want == nil || want(c) {
			for p := c.Name(); p != "." && p != "/"; p = path.Dir(p) {
				need[p] = true
			}
			need[c.Name()] = true
		}
	}
	for _, c := range e.Changes {
		if need[c.Name()] && (want == nil || want(c) || c.Kind == "mkdir" || c.After != "" && fs.FileMode(c.ModeAfter).IsDir()) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// put brings the folder to what changes take away; where there is no grant, as had one when it was begun.
func (e *Effects) put(ctx context.Context, g *nebula.Grant, back []nebula.Change) (made []nebula.Change, left []nebula.Left, err error) {
	if e.open.in, err = layer(e.upper); err != nil {
		return nil, nil, err
	}
	defer e.open.in.unlayer()
	defer e.open.leave()
	return e.dir.restore(ctx, g, back, e)
}

// OpenContent gives a content of the view by its hash.
func (e *Effects) OpenContent(_ context.Context, hash string) (io.ReadCloser, error) {
	p, ok := e.from[hash]
	if !ok {
		return nil, fs.ErrNotExist
	}
	full := filepath.Join(e.upper, filepath.FromSlash(p))
	if to, err := os.Readlink(full); err == nil {
		return io.NopCloser(strings.NewReader(to)), nil
	}
	return os.Open(full)
}

// Size is how many bytes a file has before and after a change, as far as that can be seen.
func (e *Effects) Size(c nebula.Change) (was, now int64) {
	if s, err := e.dir.Stat(c.Path); err == nil && c.Before != "" {
		was = s.Size
	}
	if p, ok := e.from[c.After]; ok && c.After != "" {
		if s, err := os.Lstat(filepath.Join(e.upper, filepath.FromSlash(p))); err == nil {
			now = s.Size()
		}
	}
	return was, now
}

// lend gives a file of the view another name, in the folder, where both are on one file system. What the kernel noted about
// it goes. It is on the disk since the keepsake is.
func (e *Effects) lend(p string, to *handle, name string) bool {
	s, err := e.open.exact(p)
	if err != nil {
		return false
	}
	defer s.close()
	s.dir.shed(s.name)
	return len(s.rest) == 0 && s.dir.linkTo(s.name, to, name) == nil
}

// layerNote begins the names of what the kernel notes in a layer.
const layerNote = "user.overlay."

// own are a file's attributes without those that the kernel keeps in a layer.
func own(more extras) extras {
	for name := range more {
		if strings.HasPrefix(name, layerNote) {
			delete(more, name)
		}
	}
	return more
}

// inverse are the changes that take changes back.
func inverse(changes []nebula.Change) []nebula.Change {
	kinds := map[string]string{"create": "delete", "delete": "create", "mkdir": "rmdir", "rmdir": "mkdir"}
	return each(changes, func(c nebula.Change) nebula.Change {
		return nebula.Change{
			Path: c.Path, Raw: c.Raw, Kind: cmp.Or(kinds[c.Kind], c.Kind),
			Before: c.After, After: c.Before, ModeBefore: c.ModeAfter, ModeAfter: c.ModeBefore,
			TimeBefore: c.TimeAfter, TimeAfter: c.TimeBefore, FolderBefore: c.FolderAfter, FolderAfter: c.FolderBefore,
			MoreBefore: c.MoreAfter, MoreAfter: c.MoreBefore, TwinBefore: c.TwinAfter, TwinAfter: c.TwinBefore, OwnerBefore: c.OwnerAfter, OwnerAfter: c.OwnerBefore,
		}
	})
}

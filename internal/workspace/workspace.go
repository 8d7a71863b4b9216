// Package workspace is the folder that an agent may touch: its files, and the commands that run in it.
//
// The folder is opened once, by [Open]. Every path is looked up from there one name at a time, without following links
// on the way: a symbolic link is read and followed by the package itself, so one that leads outside is refused and one
// that leads inside is followed, also when it is absolute. Nothing that another process swaps in between can lead
// outside. Named pipes, devices and sockets are never opened. A file with further hard links may be read; a change
// replaces the name by a new file, so the other names, which may lie outside, keep the old content. [Entry.Names] says so
// before, and taking the change back makes one file of those in the folder again.
//
// A change needs an open [nebula.Grant] that covers the file with the content it was shown with. What was there before
// is kept first; then a new file is written beside the old one, synced and moved into place in one step.
//
// The package does not confine commands: it takes their changes back, but it cannot keep them from leaving the folder.
package workspace

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
)

// ErrStale is what a change gets when the file is not what was shown for it any more. Nothing was changed then.
var ErrStale = errors.New("changed since it was shown")

// A Dir is a folder that is open for work. Its methods may be called from any goroutine; changes happen one at a time.
type Dir struct {
	path string // absolute, as the person knows it
	real string // absolute, without links
	root *os.Root
	top  *handle
	keep nebula.Contents
	own  []ownPath // where nebula keeps its own files
	more []*Dir    // the folders that were added

	editor *inEditor // that the folder is open in; nil without one

	abroad string // what its paths begin with outside, where it was added to another

	mu    sync.Mutex      // held by changes
	swept map[string]bool // directories whose left-over files were removed
	guild guild
	made  map[string]made // by path, the last change that went through here
	count int             // of those changes

	album   album
	blind   time.Time // until when the folder is taken for too large to look at; the album's mutex is held
	forgone bool      // no images are kept; the album's mutex is held
	guards  guards
	held    held
	boxes   boxes

	besides []*Jobs // of all sessions; mu is held

	noticed atomic.Pointer[notices] // by the last look for pins
}

// An ownPath is a file or directory outside of the package's reach: nebula's home, its database.
type ownPath struct {
	path string
	stat stat
}

// Open opens a folder. Contents of files are kept in keep before they change. The own paths are nebula's home and
// database: where they lie inside the folder they are neither shown nor touched.
func Open(path string, keep nebula.Contents, own ...string) (*Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, nebula.Errorf("folder %q: %w", path, err)
	}
	fi, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nebula.Errorf("folder %q does not exist: create it, or name another with --dir", path)
	case err != nil:
		return nil, nebula.Errorf("folder %q: %w", path, reason(err))
	case !fi.IsDir():
		return nil, nebula.Errorf("%q is not a folder: name one with --dir", path)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, nebula.Errorf("folder %q: %w", path, reason(err))
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, nebula.Errorf("folder %q: %w", path, reason(err))
	}
	top, err := openTop(root)
	if err != nil {
		root.Close()
		return nil, nebula.Errorf("folder %q: %w", path, reason(err))
	}
	d := &Dir{path: abs, real: real, root: root, top: top, keep: keep, swept: map[string]bool{}, made: map[string]made{}, guild: guild{tag: newTag()}}
	for _, p := range own {
		d.own = append(d.own, d.ownPaths(p)...)
	}
	d.sweep(spot{dir: top, path: "."})
	return d, nil
}

// ownPaths finds what a path outside of the package's rules names; a path that does not exist yet has no identity.
func (d *Dir) ownPaths(path string) []ownPath {
	abs, err := filepath.Abs(path)
	if err != nil || path == "" {
		return nil
	}
	if r, err := filepath.EvalSymlinks(abs); err == nil {
		abs = r
	}
	st, _ := statPath(abs)
	return []ownPath{{path: abs, stat: st}}
}

// Path is the folder's absolute path.
//
//go:noinline
func (d *Dir) Path() string { return d.path }

// Close gives the folder up. No other method may be called after it.
func (d *Dir) Close() error {
	d.closeJobs()
	d.guild.leave()
	d.guards.close()
	d.closeTmp()
	err := errors.Join(d.album.close(), d.top.close(), d.root.Close())
	for _, o := range d.more {
		err = errors.Join(err, o.Close())
	}
	return err
}

// present says whether the folder is still where it was opened. One that was removed and made again is another, though it
// is called the same: what is open is the old one, which nobody sees any more.
func (d *Dir) present() error {
	now, err := statPath(d.real)
	switch {
	case errors.Is(err, os.ErrPermission):
		return nil // the way there is closed to whoever runs nebula: what is open is all that is known
	case err != nil:
		return nebula.Errorf("the folder %q was moved or removed: nothing was changed; start nebula again where it is now", d.path)
	}
	if was, err := d.top.self(); err != nil || !now.same(was) {
		return nebula.Errorf("the folder %q was removed and made again, or another was put in its place: nothing was changed; start nebula again in it", d.path)
	}
	return nil
}

// allPresent is present, for the folders that were added too.
func (d *Dir) allPresent() error {
	err := d.present()
	for _, o := range d.more {
		err = cmp.Or(err, o.present())
	}
	return err
}

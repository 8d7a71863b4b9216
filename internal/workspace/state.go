package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"

	"nebula"
)

// maxKept is the largest content that a change keeps: what cannot be taken back is not changed.
const maxKept = 64 << 20

// A state is what stands at a path: nothing, a file, a link or a directory.
type state struct {
	mode fs.FileMode // of a file: permissions alone; 0 for nothing
	hash string      // of a file's content or a link's target
	data []byte
	stat stat   // as last seen on the disk
	more extras // where they matter
	own  string // its owner; empty where it is not known

	from io.Reader // the content, where it is to be written and not in data
	lazy bool      // whoever has it written sees that it gets onto the disk
}

//go:noinline
func (s state) exists() bool { return s.mode != 0 || s.hash != "" }

//go:noinline
func (s state) link() bool { return s.mode&fs.ModeSymlink != 0 }

//go:noinline
func (s state) dir() bool { return s.mode.IsDir() }

//go:noinline
func (s state) file() bool { return s.exists() && !s.link() && !s.dir() }

// equal compares what a [nebula.Change] records. Windows has no modes to compare.
func (s state) equal(o state) bool {
	if s.exists() != o.exists() || s.link() != o.link() || s.dir() != o.dir() || s.hash != o.hash {
		return false
	}
	return s.link() || runtime.GOOS == "windows" || s.mode == 0 || o.mode == 0 || s.mode == o.mode
}

// look tells what stands at a spot.
func (d *Dir) look(s spot) (state, error) {
	mode := s.stat.mode
	switch {
	case !s.stat.exists():
		return state{}, nil
	case mode.IsDir():
		return state{mode: mode, stat: s.stat, own: s.stat.owner()}, nil
	case mode&fs.ModeSymlink != 0:
		target, err := s.dir.readlink(s.name)
		if err != nil {
			return state{}, d.fault(s.path, err)
		}
		return state{mode: mode, hash: nebula.Hash([]byte(target)), data: []byte(target), stat: s.stat, own: s.stat.owner()}, nil
	}
	data, st, err := d.load(s, maxKept)
	if err != nil {
		return state{}, err
	}
	now := state{mode: st.mode, hash: nebula.Hash(data), data: data, stat: st, own: st.owner()}
	if f, err := s.dir.read(s.name); err == nil {
		now.more = attributesOf(f)
		_ = f.Close()
	}
	return now, nil
}

// change records how one state became another.
func change(path string, was, is state) nebula.Change {
	c := nebula.Change{
		Path: path, Before: was.hash, After: is.hash, ModeBefore: uint32(was.mode), ModeAfter: uint32(is.mode),
		MoreBefore: was.more, MoreAfter: is.more, OwnerBefore: was.own, OwnerAfter: is.own,
	}
	switch {
	case !was.exists() && is.dir():
		c.Kind = "mkdir"
	case was.dir() && !is.exists():
		c.Kind = "rmdir"
	case !was.exists():
		c.Kind = "create"
	case !is.exists():
		c.Kind = "delete"
	case was.hash == is.hash && (was.mode != is.mode || was.own != is.own):
		c.Kind = "mode"
	default:
		c.Kind = "edit"
	}
	return c
}

// ends are the states that a change led from and to.
//
//go:noinline
func ends(c nebula.Change) (before, after state) {
	before = state{mode: fs.FileMode(c.ModeBefore), hash: c.Before}
	after = state{mode: fs.FileMode(c.ModeAfter), hash: c.After}
	switch c.Kind {
	case "mkdir":
		before, after.mode = state{}, after.mode|fs.ModeDir
	case "rmdir":
		after, before.mode = state{}, before.mode|fs.ModeDir
	case "create":
		before = state{}
	case "delete":
		after = state{}
	}
	return before, after
}

// preserve keeps a state's content before it changes.
func (d *Dir) preserve(ctx context.Context, path string, s state) error {
	if !s.exists() || s.dir() {
		return nil
	}
	hash, err := d.keep.Keep(ctx, s.data)
	if err != nil {
		return nebula.Errorf("%q: its content could not be kept, so it was not changed: %w", path, err)
	}
	if hash != s.hash {
		return nebula.Errorf("%q: the record kept another content, so it was not changed", path)
	}
	return nil
}

//go:noinline
func stale(path string) error { return nebula.Errorf("%q %w: read it again", path, ErrStale) }

// same reports whether what stands at a name now is what was seen before.
func (d *Dir) same(s spot, was state) bool {
	st, err := s.dir.lstat(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return !was.exists()
	}
	if err != nil || !was.exists() {
		return false
	}
	s.stat = st
	now, err := d.inspect(s)
	return err == nil && now.equal(was)
}

// exactMode is a mode that tells a file that nobody may read from one whose mode is not known.
//
//go:noinline
func exactMode(m fs.FileMode) fs.FileMode {
	if m == 0 {
		return fs.ModeIrregular
	}
	return m
}

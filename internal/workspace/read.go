package workspace

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// An Entry is a file, directory or link as it is in the folder.
type Entry struct {
	Path    string // relative to the folder, with slashes
	Dir     bool
	Size    int64
	Mode    fs.FileMode
	ModTime time.Time
	Link    string // where a link leads, as it is written
	Names   int    // how many hard links a file has
	Foreign bool   // it is another's file, and would not stay it in a change

	stat stat
}

func (s spot) entry() Entry {
	e := Entry{Path: s.path, Dir: s.stat.mode.IsDir(), Size: s.stat.size, Mode: s.stat.mode, ModTime: s.stat.mtime, stat: s.stat}
	if s.stat.mode.IsRegular() {
		e.Names, e.Foreign = int(s.stat.links), s.stat.foreign()
	}
	if s.stat.mode&fs.ModeSymlink != 0 {
		e.Link, _ = s.dir.readlink(s.name)
	}
	return e
}

// Stat tells what a path is. A link at its end is told as a link. What does not exist is a [nebula.Mistake] that is
// also [fs.ErrNotExist].
func (d *Dir) Stat(p string) (Entry, error) {
	rel, err := d.Clean(p)
	if err != nil {
		return Entry{}, err
	}
	if o, in := d.of(rel); o != d {
		e, err := o.Stat(in)
		e.Path = o.name(e.Path)
		return e, o.withFolder(err)
	}
	s, err := d.standing(rel, false)
	if err != nil {
		return Entry{}, err
	}
	defer s.close()
	if !s.stat.exists() {
		return Entry{}, d.missing(rel, s)
	}
	return s.entry(), nil
}

// standing is sought, in a folder that is still where it was opened.
func (d *Dir) standing(rel string, follow bool) (spot, error) {
	if err := d.present(); err != nil {
		return spot{}, err
	}
	return d.sought(rel, follow)
}

// Read gives a file's content. Links that lead to a place inside are followed; the entry tells of the file itself, its
// Path being where the file really is. A file of more than max bytes is a [nebula.Mistake], and the entry is set; max 0
// stands for 64 MiB, the largest file that can be changed. Read never waits: pipes, devices and sockets are mistakes.
func (d *Dir) Read(p string, max int64) ([]byte, Entry, error) {
	rel, err := d.Clean(p)
	if err != nil {
		return nil, Entry{}, err
	}
	if o, in := d.of(rel); o != d {
		data, e, err := o.Read(in, max)
		e.Path = o.name(e.Path)
		return data, e, o.withFolder(err)
	}
	s, err := d.standing(rel, true)
	if err != nil {
		return nil, Entry{}, err
	}
	defer s.close()
	if !s.stat.exists() {
		return nil, Entry{}, d.missing(rel, s)
	}
	if max <= 0 {
		max = maxKept
	}
	data, st, err := d.load(s, max)
	if st.exists() {
		s.stat = st
	}
	return data, s.entry(), err
}

// load reads the file at a spot whole, if it has no more than max bytes.
func (d *Dir) load(s spot, max int64) ([]byte, stat, error) {
	if err := regular(s.path, s.stat.mode); err != nil {
		return nil, stat{}, err
	}
	f, err := s.dir.read(s.name)
	if err != nil {
		return nil, stat{}, d.fault(s.path, err)
	}
	defer f.Close()
	st, err := statFile(f)
	if err != nil {
		return nil, stat{}, d.fault(s.path, err)
	}
	if err := regular(s.path, st.mode); err != nil {
		return nil, stat{}, err
	}
	if st.size > max {
		return nil, st, tooLarge(s.path, st.size, max)
	}
	var b bytes.Buffer
	b.Grow(int(st.size) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, max+1)); err != nil {
		return nil, stat{}, d.fault(s.path, err)
	}
	if int64(b.Len()) > max {
		return nil, st, tooLarge(s.path, int64(b.Len()), max)
	}
	return b.Bytes(), st, nil
}

//go:noinline
func tooLarge(rel string, size, max int64) error {
	return nebula.Wrong("", "%q is too large: it has %d bytes, the limit is %d.", rel, size, max)
}

// regular refuses everything but a file.
func regular(rel string, mode fs.FileMode) error {
	kind := "no ordinary file"
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return nebula.Wrong("", "%q is a directory, not a file.", rel)
	case mode&fs.ModeSymlink != 0:
		kind = "a link that changed just now"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return nebula.Wrong("", "%q is %s: it cannot be read or changed.", rel, kind)
}

// An absent file is the model's mistake and the file system's error at once.
type absent struct{ *nebula.Mistake }

// Unwrap gives what the model reads, and that nothing is there.
func (a absent) Unwrap() []error { return []error{a.Mistake, fs.ErrNotExist} }

func (d *Dir) missing(rel string, s spot) error {
	if gone := d.present(); gone != nil {
		return gone
	}
	m := nebula.Wrong("", "%q does not exist.", rel)
	if near := d.nearest(s); len(near) > 0 {
		m.Then("Nearest names: %s.", strings.Join(near, ", "))
	}
	return absent{m}
}

// nearest names what is in the directory and looks like what was asked for.
func (d *Dir) nearest(s spot) []string {
	all, err := s.dir.names()
	if err != nil {
		return nil
	}
	type scored struct {
		name string
		far  int
	}
	var near []scored
	want := strings.ToLower(s.name)
	for _, e := range all {
		if e.name == ".git" || strings.HasPrefix(e.name, tempPrefix) || !printable(e.name) {
			continue
		}
		far := phrase.Distance(want, strings.ToLower(e.name))
		if far <= max(2, len(want)/3) {
			near = append(near, scored{path.Join(path.Dir(s.path), e.name), far})
		}
	}
	lists.Sort(near, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, n := range near {
		if len(names) < 3 && !d.veiled(n.name) {
			names = append(names, fmt.Sprintf("%q", n.name))
		}
	}
	return names
}

package workspace

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

// A folder is what was seen in a directory, sorted by name. It never changes: another look makes another one, which
// shares with it what is still the same.
type folder struct {
	kids  []kid
	seen  int64 // when the names were last read, in this process; 0 for never
	fault bool  // it could not be read, or is another file system: what is in it is not known
}

// A kid is what was seen at a name.
type kid struct {
	name string
	mark mark
	link string  // where a link leads
	kept *image  // of a file: its content, nil where none is kept
	dir  *folder // of a directory
}

// A mark tells that what is at a name is still what it was: times are nanoseconds since 1970.
type mark struct {
	dev, ino     uint64
	size         int64
	mtime, ctime int64
	mode         fs.FileMode
	links        uint32
	uid, gid     uint32
}

// An image is where the content of a file is kept, and what else belongs to the file.
type image struct {
	big    uint64 // the number of a file of its own; 0 where it lies in the pack
	off    int64
	seen   int64 // when it was read
	cloned bool  // it shares its disk space with the file
	more   extras
}

// extras are a file's extended attributes.
type extras map[string][]byte

// plain are those that another content may have too: what a program may do was given to the one that it was.
func (e extras) plain() extras {
	e = maps.Clone(e)
	delete(e, "security.capability")
	return e
}

// settled reports whether a change after a moment would show in the times: a file system may give two changes in a row
// the same time.
//
//go:noinline
func (m mark) settled(seen int64) bool {
	slack := 30 * time.Millisecond
	if m.mtime%int64(time.Second) == 0 && m.ctime%int64(time.Second) == 0 {
		slack = 2 * time.Second
	}
	return max(m.mtime, m.ctime)+int64(slack) < seen
}

// named finds a kid; nil where there is none.
func (f *folder) named(name string) *kid {
	if f == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(f.kids, name, func(k kid, name string) int { return strings.Compare(k.name, name) })
	if !ok {
		return nil
	}
	return &f.kids[i]
}

// at finds what is at a path.
func (f *folder) at(p string) *kid {
	var k *kid
	for name := range strings.SplitSeq(p, "/") {
		if k = f.named(name); k == nil {
			return nil
		}
		f = k.dir
	}
	return k
}

// each visits everything below a folder, directories first.
func (f *folder) each(under string, visit func(p string, k *kid)) {
	if f == nil {
		return
	}
	for i := range f.kids {
		k := &f.kids[i]
		visit(under+k.name, k)
		if k.dir != nil {
			k.dir.each(under+k.name+"/", visit)
		}
	}
}

// A pair is what was at a path and what is there now, where they differ: nil for nothing.
type pair struct {
	path     string
	was, now *kid
	up       [2]*mark // of the directory, before and now, where it is there both times
}

// differences compares two looks at a directory, and what is below it.
func differences(under string, was, now *folder, up [2]*mark, found []pair) []pair {
	if was == now {
		return found
	}
	var a, b []kid
	if was != nil {
		a = was.kids
	}
	if now != nil {
		b = now.kids
	}
	for len(a) > 0 || len(b) > 0 {
		order := 1
		switch {
		case len(b) == 0:
			order = -1
		case len(a) > 0:
			order = strings.Compare(a[0].name, b[0].name)
		}
		p := pair{up: up}
		if order <= 0 {
			p.was, a = &a[0], a[1:]
			p.path = under + p.was.name
		}
		if order >= 0 {
			p.now, b = &b[0], b[1:]
			p.path = under + p.now.name
		}
		found = p.compare(found)
	}
	return found
}

// compare adds what differs at a path, and below it.
func (p pair) compare(found []pair) []pair {
	switch {
	case p.was != nil && p.now != nil && p.was.dir != nil && p.now.dir != nil:
		if p.was.rights() != p.now.rights() || !p.was.extra().equal(p.now.extra()) {
			found = append(found, p)
		}
		if p.was.dir.fault || p.now.dir.fault {
			if p.was.dir.fault != p.now.dir.fault {
				found = append(found, pair{path: p.path + "/", was: p.was, now: p.now})
			}
			return found
		}
		return differences(p.path+"/", p.was.dir, p.now.dir, [2]*mark{&p.was.mark, &p.now.mark}, found)
	case p.was != nil && p.now != nil && p.was.mark == p.now.mark && p.was.link == p.now.link:
		return found
	}
	found = append(found, p)
	if p.was != nil {
		found = differences(p.path+"/", p.was.dir, nil, [2]*mark{}, found)
	}
	if p.now != nil {
		found = differences(p.path+"/", nil, p.now.dir, [2]*mark{}, found)
	}
	return found
}

// rights are a directory's mode and owner.
func (k *kid) rights() mark { return mark{mode: k.mark.mode, uid: k.mark.uid, gid: k.mark.gid} }

func (k *kid) extra() extras {
	if k.kept == nil {
		return nil
	}
	return k.kept.more
}

//go:noinline
func (e extras) equal(o extras) bool {
	if len(e) != len(o) {
		return false
	}
	for name, value := range e {
		if other, ok := o[name]; !ok || string(other) != string(value) {
			return false
		}
	}
	return true
}

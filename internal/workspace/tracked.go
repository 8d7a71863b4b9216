package workspace

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// maxIndex bounds how much of a repository's index is read.
const maxIndex = 256 << 20

// tracked reports whether the repository around a path has it: then it is the project's, whatever it is called and whatever rules say.
func (g *ignoring) tracked(p string) bool {
	full := filepath.Join(g.dir.real, p)
	for top := filepath.Dir(full); ; top = filepath.Dir(top) {
		if g.indexes == nil {
			g.indexes = map[string]*index{}
		}
		x, known := g.indexes[top]
		if !known {
			x = indexOf(top)
			g.indexes[top] = x
		}
		if x != nil {
			rel, err := filepath.Rel(top, full)
			_, has := x.has[filepath.ToSlash(rel)]
			return err != nil || x.unread || has
		}
		if top == filepath.Dir(top) {
			return false
		}
	}
}

// An index is what a repository has, by the paths below its work tree.
type index struct {
	has    map[string]string // with the names of what is in them
	unread bool              // it is not understood: everything may be in it
}

// indexOf reads the index of the repository whose work tree begins at a folder; nil where none does. See gitformat-index(5).
func indexOf(top string) *index {
	at := filepath.Join(top, ".git")
	info, err := os.Lstat(at)
	if err != nil {
		return nil
	}
	if info.Mode().IsRegular() && info.Size() < 1<<12 {
		text, _ := os.ReadFile(at)
		led, is := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if !is {
			return nil
		}
		if at = led; !filepath.IsAbs(at) {
			at = filepath.Join(top, at)
		}
	}
	x := &index{has: map[string]string{}}
	parts, _ := filepath.Glob(filepath.Join(at, "sharedindex.*"))
	for _, file := range append(parts, filepath.Join(at, "index")) {
		info, err := os.Stat(file)
		if err != nil {
			continue // nothing was added yet
		}
		if !info.Mode().IsRegular() || info.Size() > maxIndex {
			x.unread = true
			break
		}
		data, err := os.ReadFile(file)
		if err != nil || !x.read(data, 20) && !x.read(data, 32) {
			x.unread = true
		}
	}
	return x
}

// read takes in the paths of an index whose names of objects have some bytes, and reports whether that fits.
func (x *index) read(data []byte, hash int) bool {
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return false
	}
	var name []byte
	for at := 12; count > 0; count-- {
		head := 40 + hash + 2
		if len(data) < at+head {
			return false
		}
		if flags := binary.BigEndian.Uint16(data[at+head-2:]); flags&0x4000 != 0 {
			head += 2
		}
		switch mode := binary.BigEndian.Uint32(data[at+24:]); mode & 0o170000 {
		case 0o100000, 0o120000, 0o160000, 0o040000:
		default:
			return false
		}
		from := at + head
		if version == 4 {
			drop, n := offset(data[min(from, len(data)):])
			if n == 0 || drop > len(name) {
				return false
			}
			name, from = name[:len(name)-drop], from+n
		} else {
			name = name[:0]
		}
		n := bytes.IndexByte(data[min(from, len(data)):], 0)
		if n < 0 {
			return false
		}
		name = append(name, data[from:from+n]...)
		x.has[string(name)] = string(data[at+40 : at+40+hash])
		if at = from + n + 1; version < 4 {
			at = from - head + (head+n+8)&^7
		}
	}
	return true
}

// offset is a number as git writes it before a path that begins as the one before, and how many bytes it takes; 0 for none.
func offset(data []byte) (value, n int) {
	for n < len(data) && n < 5 {
		c := data[n]
		if n++; n > 1 {
			value++
		}
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, n
		}
	}
	return 0, 0
}

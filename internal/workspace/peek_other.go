//go:build !linux

package workspace

import (
	"io"
	"io/fs"
	"os"
)

// A peek is a directory that is looked at and nothing else.
type peek struct{ h *handle }

func (h *handle) peek() (peek, error) {
	s, err := h.sub(".")
	return peek{s}, err
}

func (p peek) sub(name string) (peek, error) {
	s, err := p.h.sub(name)
	return peek{s}, err
}

func (p peek) close() { p.h.close() }

// each visits what is in the directory, in no order, until visit returns false. kind tells nothing here.
func (p peek) each(_ []byte, visit func(name []byte, kind byte) bool) error {
	all, err := p.h.names()
	for _, e := range all {
		if !visit([]byte(e.name), 0) {
			break
		}
	}
	return err
}

func (p peek) tells() bool { return false }

func (p peek) mark(name string) (mark, error) {
	st, err := p.h.lstat(name)
	return st.mark(), err
}

func (p peek) readlink(name string) string {
	to, _ := p.h.readlink(name)
	return to
}

// open opens a file for reading, with its mark.
func (p peek) open(name string) (*os.File, mark, error) {
	f, err := p.h.read(name)
	if err != nil {
		return nil, mark{}, err
	}
	st, err := statFile(f)
	if err == nil && !st.mode.IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		f.Close()
		return nil, mark{}, err
	}
	return f, st.mark(), nil
}

// load reads a whole file into buf, if it is what it was marked as before and after. It reports false else.
func (p peek) load(name string, m mark, buf []byte) ([]byte, extras, bool) {
	f, was, err := p.open(name)
	if err != nil || was != m {
		return nil, nil, false
	}
	defer f.Close()
	buf = buf[:m.size]
	if _, err := io.ReadFull(f, buf); err != nil {
		return nil, nil, false
	}
	is, err := statFile(f)
	return buf, nil, err == nil && is.mark() == m
}

func (p peek) more() extras { return nil }

func attributesOf(*os.File) extras { return nil }

func attribute(*os.File, extras) error { return nil }

func (h *handle) shed(string) {}

func clone(_, _ *os.File) bool { return false }

// written is not told here.
func (s spot) written() bool { return false }

func flushed(f *os.File) error { return f.Sync() }

func (h *handle) setTime(string, int64) error { return nil }

func (h *handle) setMode(name string, mode fs.FileMode) error {
	mode &= fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
	if sub, err := h.sub(name); err == nil {
		defer sub.close()
		return sub.chmod(mode)
	}
	f, err := h.read(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Chmod(mode)
}

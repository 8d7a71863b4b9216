// Package trust keeps what a person agreed to of what a folder brings that could run: servers, hooks, scripts. Nothing of
// it runs before the person has seen all of it, to the byte; what is another by one byte is not what was agreed to.
//
// The package finds nothing and runs nothing. Whoever would run a [Thing] asks the [Ledger] first, each time.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"nebula"
	"nebula/internal/lists"
)

// A Thing is something that a folder brings and that could run.
type Thing struct {
	Kind string `json:"kind"` // server, hook, skill, …: a word for people
	Name string `json:"name"` // among those of its kind
	From string `json:"from"` // the file that brings it, as the person would name it
	Text string `json:"text"` // everything that decides what it does, as the person reads it
}

// Hash names the thing with everything about it.
func (t Thing) Hash() string {
	b, _ := json.Marshal(t) // strings always marshal
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// same reports whether two things are one, as it was and as it became.
//
//go:noinline
func (t Thing) same(o Thing) bool { return t.Kind == o.Kind && t.Name == o.Name && t.From == o.From }

// A Standing is a thing and the person's word on it.
type Standing struct {
	Thing
	Agreed bool `json:"agreed"`
	// Before is what was agreed to of the same name, where the thing is another by now.
	Before *string `json:"before,omitempty"`
}

// Diff shows what changed since it was agreed to; empty where nothing was.
func (s Standing) Diff() string {
	if s.Before == nil {
		return ""
	}
	return udiff.Unified(s.From, s.From, ended(*s.Before), ended(s.Text))
}

//go:noinline
func ended(text string) string { return strings.TrimSuffix(text, "\n") + "\n" }

// Open are those that nobody has agreed to.
//
//go:noinline
func Open(all []Standing) []Thing {
	var open []Thing
	for _, s := range all {
		if !s.Agreed {
			open = append(open, s.Thing)
		}
	}
	return open
}

// Code is a short name for some things, all of them with everything about them: who has it has been shown them.
func Code(things []Thing) string {
	hashes := make([]string, len(things))
	for i, t := range things {
		hashes[i] = t.Hash()
	}
	slices.Sort(hashes)
	sum := sha256.Sum256([]byte(strings.Join(hashes, "\n")))
	return hex.EncodeToString(sum[:6])
}

// A Ledger is the file in which it is kept what was agreed to, in the person's home and for their eyes only. A file that
// is not there says that nothing was.
type Ledger struct{ File string }

// entry is what is kept of a thing. Its text is kept to show what changed; the hash decides.
type entry struct {
	Thing
	Hash string `json:"hash"`
}

// longest bounds a text that is kept, and most the file.
const (
	longest = 16 << 10
	most    = 2 << 20
)

// Look tells how things that a folder brings stand, in their order.
func (l Ledger) Look(dir string, things []Thing) ([]Standing, error) {
	if len(things) == 0 {
		return nil, nil
	}
	book, err := l.read()
	if err != nil {
		return nil, err
	}
	all := make([]Standing, len(things))
	for i, t := range things {
		all[i] = Standing{Thing: t}
		hash := t.Hash()
		for _, e := range book[dir] {
			switch {
			case e.Hash == hash:
				all[i].Agreed = true
			case e.same(t):
				all[i].Before = &e.Text
			}
		}
		if all[i].Agreed {
			all[i].Before = nil
		}
	}
	return all, nil
}

// Agrees reports whether a thing was agreed to, as it is now. What cannot be told was not.
//
//go:noinline
func (l Ledger) Agrees(dir string, t Thing) bool {
	all, err := l.Look(dir, []Thing{t})
	return err == nil && all[0].Agreed
}

// Agree keeps the person's word on things of a folder, in the place of what was agreed to under their names.
//
//go:noinline
func (l Ledger) Agree(dir string, things []Thing) error {
	return l.change(func(book map[string][]entry) {
		for _, t := range things {
			kept := lists.Drop(book[dir], func(e entry) bool { return e.same(t) })
			e := entry{t, t.Hash()}
			if len(e.Text) > longest {
				e.Text = e.Text[:longest]
			}
			book[dir] = append(kept, e)
		}
	})
}

// All are the things of a folder that were agreed to.
func (l Ledger) All(dir string) (things []Thing, err error) {
	book, err := l.read()
	for _, e := range book[dir] {
		if e.Thing.Hash() == e.Hash {
			things = append(things, e.Thing)
		}
	}
	return things, err
}

// Remove takes the person's word on one thing of a folder back.
//
//go:noinline
func (l Ledger) Remove(dir string, t Thing) error {
	return l.change(func(book map[string][]entry) {
		book[dir] = lists.Drop(book[dir], func(e entry) bool { return e.same(t) })
	})
}

// Withdraw takes back all that was agreed to in a folder, and tells how much that was.
//
//go:noinline
func (l Ledger) Withdraw(dir string) (n int, err error) {
	err = l.change(func(book map[string][]entry) {
		n = len(book[dir])
		delete(book, dir)
	})
	return n, err
}

func (l Ledger) read() (map[string][]entry, error) {
	book := map[string][]entry{}
	f, err := os.Open(l.File)
	if errors.Is(err, fs.ErrNotExist) {
		return book, nil
	}
	if err != nil {
		return nil, nebula.Errorf("%s: %w; make it a file that you can read, or move it away", l.File, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && len(data) > most {
		err = nebula.Errorf("it is too large")
	}
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &book)
	}
	if err != nil {
		return nil, nebula.Errorf("%s: %w; make it a file that you can read, or move it away", l.File, err)
	}
	return book, nil
}

func (l Ledger) change(do func(map[string][]entry)) error {
	book, err := l.read()
	if err != nil {
		return err
	}
	do(book)
	data, _ := json.MarshalIndent(book, "", "  ") // strings always marshal
	return l.write(append(data, '\n'))
}

// write puts a file in the old one's place, whole, for its owner only.
func (l Ledger) write(data []byte) (err error) {
	dir := filepath.Dir(l.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".trust-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name()) // it is told that nothing was kept
		}
	}()
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), l.File)
}

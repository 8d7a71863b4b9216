package record

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"nebula"
)

// Heads are notes of where every session's chain ends, kept outside of the store, in a directory; empty where none are
// kept. A session whose newest events were taken out, with everything that names them, looks whole from inside. A note is
// written after its events are on the disk: one that is behind the store is what a crash leaves; one that is ahead of it
// says that something is missing. A store uses its Heads as it uses its data: one goroutine at a time.
type Heads struct {
	dir, name string
	elsewhere string          // a file that ends are appended to as well; may be empty
	sound     map[string]bool // sessions that were compared with their note by this process: whether it fits
}

// NewHeads are the notes for a store in a directory that may hold others' too, and in a file elsewhere; either may be empty.
//
//go:noinline
func NewHeads(dir, elsewhere, store string) Heads {
	return Heads{dir: dir, elsewhere: elsewhere, name: nebula.Hash([]byte(store))[:8] + "-", sound: map[string]bool{}}
}

// last names the note of whatever was written last of all.
const last = "last"

func (h Heads) file(session string) string {
	name := last
	if session != last {
		name = nebula.Hash([]byte(session))[:32]
	}
	return filepath.Join(h.dir, h.name+name)
}

// Write notes an end, twice: as the session's, and as the last of all. A note that cannot be written stays behind, which
// is no harm.
func (h Heads) Write(session string, end nebula.Head) {
	h.append(session, fmt.Sprintf("%d %x", end.Seq, end.Link[:]))
	text := fmt.Appendf(nil, "%020d %x %s\n", end.Seq, end.Link[:], session)
	for _, name := range []string{session, last} {
		f, err := h.open(name)
		if err != nil {
			return
		}
		_, err = f.WriteAt(text, 0)
		if err == nil && name == last { // ids are not all as long
			err = f.Truncate(int64(len(text)))
		}
		if f.Close() != nil || err != nil {
			return
		}
	}
}

func (h Heads) open(name string) (*os.File, error) {
	f, err := os.OpenFile(h.file(name), os.O_WRONLY|os.O_CREATE, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(h.dir, 0o700); err == nil {
			f, err = os.OpenFile(h.file(name), os.O_WRONLY|os.O_CREATE, 0o600)
		}
	}
	return f, err
}

// Read gives a session's note; ok is false where there is none that can be read.
func (h Heads) Read(session string) (end nebula.Head, ok bool) {
	noted, end, ok := h.read(h.file(session))
	return end, ok && noted == session
}

// Last gives the note of whatever was written last of all.
func (h Heads) Last() (session string, end nebula.Head, ok bool) { return h.read(h.file(last)) }

func (h Heads) read(file string) (session string, end nebula.Head, ok bool) {
	if h.dir == "" {
		return "", end, false
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", end, false
	}
	sum := ""
	line, _, whole := strings.Cut(string(data), "\n")
	if _, err := fmt.Sscanf(line, "%d %s %s", &end.Seq, &sum, &session); err != nil || !whole {
		return "", end, false
	}
	b, err := hex.DecodeString(sum)
	end.Link = AsLink(b)
	return session, end, err == nil && len(b) == len(end.Link)
}

// Trusts reports whether a session's note is to be written on: not where it tells of something that is missing, since that
// is all there is to show it. Fits compares an end with the store; it is asked once for a session.
func (h Heads) Trusts(session string, fits func(end nebula.Head) (bool, error)) (sound bool, err error) {
	if h.dir == "" {
		return false, nil
	}
	sound, known := h.sound[session]
	if known {
		return sound, nil
	}
	sound = true
	if end, ok := h.Read(session); ok {
		sound, err = fits(end)
	} else {
		err = h.room(session)
	}
	if err != nil {
		return false, err
	}
	h.sound[session] = sound
	return sound, nil
}

// room makes the files of a session's first note: where the disk has none left nothing of it is recorded, since it would look as if
// somebody had taken its note away.
func (h Heads) room(session string) error {
	for _, name := range []string{session, last} {
		f, err := h.open(name)
		if errors.Is(err, syscall.ENOSPC) {
			return err
		}
		_ = f.Close() // another fault is told by who looks for the note
	}
	return nil
}

// Forget removes a session's note.
func (h Heads) Forget(session string) {
	if h.dir == "" {
		return
	}
	h.append(session, gone)
	_ = os.Remove(h.file(session)) // else the session is told to be missing
	if noted, _, ok := h.Last(); ok && noted == session {
		_ = os.Remove(h.file(last))
	}
}

// Anew removes the notes of a store that is another by now.
func (h Heads) Anew() {
	for _, f := range h.files() {
		_ = os.Remove(f)
	}
}

// Begun removes the note of what was written last of all in a store that is gone: that was told.
func (h Heads) Begun() { _ = os.Remove(h.file(last)) }

// Sessions are those whose ends are noted. The store need not be there.
func (h Heads) Sessions() (ids []string) {
	for _, file := range h.files() {
		if session, _, ok := h.read(file); ok && filepath.Base(file) != h.name+last {
			ids = append(ids, session)
		}
	}
	return ids
}

func (h Heads) files() []string {
	if h.dir == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(h.dir, h.name+"*")) // the pattern is sound
	return files
}

package record

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
)

// What no chain holds, a folder's counts and notes, is noted beside the record too: a hash of it as it was before and after its last change,
// since a crash can come between the note and the change.

// A Keeper is a store that tells of what is noted so.
type Keeper interface {
	// Kept is the hash of what a key stands for, as it is now.
	Kept(ctx context.Context, key string) (hash string, err error)
}

// A Liner is a store that gives a session's line as it stands, with those of its columns that do not agree with one another, and the size that it
// says a content has.
type Liner interface {
	Line(ctx context.Context, session string) (l Line, odd []string, err error)
	Size(ctx context.Context, hash string) (int64, error)
}

// keptMost bounds how many changes a note is behind that need not have reached the disk.
const keptMost = 8

func (h Heads) keptFile(key string) string {
	return filepath.Join(h.dir, h.name+"of-"+nebula.Hash([]byte(key))[:24])
}

// Keep notes a change of what a key stands for. One that lasts is on the disk once it is made; others go on from what is noted. What was another
// already is no end to go on from: that is all there is to show it.
func (h Heads) Keep(key, before, after string, lasts bool) {
	if h.dir == "" || before == after {
		return
	}
	known, _, noted := readKept(h.keptFile(key))
	switch {
	case noted && !slices.Contains(known, before):
		return
	case lasts || !noted:
		known = []string{before}
	}
	h.keep(key, append(known[max(0, len(known)-keptMost):], after))
}

// Kept notes that the last change of what a key stands for is on the disk.
func (h Heads) Kept(key string) {
	if known, _, ok := readKept(h.keptFile(key)); h.dir != "" && ok && len(known) > 1 {
		h.keep(key, known[len(known)-1:])
	}
}

func (h Heads) keep(key string, hashes []string) {
	_ = os.MkdirAll(h.dir, 0o700)
	_ = os.WriteFile(h.keptFile(key), []byte(strings.Join(hashes, " ")+"  "+key+"\n"), 0o600) // where none can be, nothing is compared
}

func readKept(file string) (hashes []string, key string, ok bool) {
	data, err := os.ReadFile(file)
	text, whole := strings.CutSuffix(string(data), "\n")
	list, key, found := strings.Cut(text, "  ")
	return strings.Fields(list), key, err == nil && whole && found
}

// Beside are what is not as it was noted: a folder's counts and notes.
func (a Auditor) Beside(ctx context.Context) (faults []nebula.Words, err error) {
	k, ok := a.Store.(Keeper)
	if !ok || a.Heads.dir == "" {
		return nil, nil
	}
	files, _ := filepath.Glob(filepath.Join(a.Heads.dir, a.Heads.name+"of-*")) // the pattern is sound
	for _, file := range files {
		hashes, key, ok := readKept(file)
		if !ok {
			continue
		}
		now, err := k.Kept(ctx, key)
		if err != nil {
			return nil, err
		}
		switch what, folder, _ := strings.Cut(key, " "); {
		case slices.Contains(hashes, now):
		case what == "notes":
			faults = append(faults, nebula.Say("the notes of %q were changed by something else than this nebula", folder))
		default:
			faults = append(faults, nebula.Say("the counts of %q were changed by something else than this nebula", folder))
		}
	}
	return faults, nil
}

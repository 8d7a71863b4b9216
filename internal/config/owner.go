package config

import (
	"io/fs"
	"os"
	"runtime"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/volume"
)

// An OwnerError says that a part of nebula's home belongs to another user, who could change what nebula reads there and
// what it recorded.
type OwnerError struct {
	Path  string
	Owner int  // the number of that user
	Root  bool // nebula runs as root: it goes on, since root often works for somebody
}

// Error is the sentence in English.
func (e *OwnerError) Error() string { return e.Words().String() }

// Words implements [nebula.Speaker].
func (e *OwnerError) Words() nebula.Words {
	if e.Root {
		return nebula.Say("%s belongs to user %d, who can change what nebula does here as root; set NEBULA_HOME to a folder of root's, or run chown -R root %s", e.Path, e.Owner, e.Path)
	}
	return nebula.Say("%s belongs to another user (%d), who could change what nebula does for you; set NEBULA_HOME to a folder of your own, or have it given to you (chown -R)", e.Path, e.Owner)
}

// strange is the first part of the home that is neither the user's nor root's, nil where there is none.
func (h Home) strange(me int) *OwnerError {
	parts := []string{h.Settings, h.Record, h.State, h.File(), h.Keys(), h.Logins(), h.Trust(), h.Rules(), h.Held(), h.Database()}
	for n, path := range parts {
		info, err := os.Stat(path)
		if err != nil || lists.Has(parts[:n], path) {
			continue // whoever opens it says what is wrong with it
		}
		if uid, known := volume.Owner(info); known && uid != me && uid != 0 {
			return &OwnerError{path, uid, me == 0}
		}
	}
	return nil
}

// shut takes from others the right to change what stands in the home: with it they could put settings and keys of theirs in the place of
// the person's. The warnings say where that was so, and where it cannot be mended.
func (h Home) shut() (warnings []nebula.Words) {
	if runtime.GOOS == "windows" { // its modes say nothing
		return nil
	}
	parts := []string{h.Settings, h.Record, h.State}
	for n, path := range parts {
		info, err := os.Stat(path)
		if err != nil || lists.Has(parts[:n], path) || info.Mode()&0o022 == 0 || info.Mode()&fs.ModeSticky != 0 {
			continue
		}
		if os.Chmod(path, info.Mode().Perm()&^0o022) == nil {
			warnings = append(warnings, nebula.Say("others could get at %s; now only you can", path))
		} else {
			warnings = append(warnings, nebula.Say("others can change what is in %s, settings and keys included; run chmod go-w %s", path, path))
		}
	}
	return warnings
}

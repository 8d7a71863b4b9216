package workspace

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/confine"
)

// viewsDir is the folder of the views, in the one that holds the private layers of a folder's boxes; no cache is called so.
// For each view it holds a folder, and beside that a file NAME.view with the command's name, which is locked as long as
// the command's nebula lives. A view whose effects are being kept has the changes in its folder: who finds them there,
// and the file not locked, goes on. What that came to stands in a file of the command, ending in .told, until it is asked for; what was
// kept as it should be, in one that ends in .kept, since it may not be recorded.
const viewsDir = "%views"

const (
	viewHeld    = ".view"
	viewTold    = ".told"
	viewKept    = ".kept"
	viewJournal = "keeping"
)

// A viewed folder is a view that a command runs on.
type viewed struct {
	view confine.View
	at   string // its folder
	held *os.File
	was  *before

	layers []confine.Layer // that the command could write to
}

// CanView tells why commands cannot run on a view of the folder, nil where they can. It is tried once.
func (d *Dir) CanView() error {
	if !d.boxes.on || !d.boxes.tried() {
		return nebula.Errorf("there is no confinement")
	}
	return d.boxes.viewable()
}

func (d *Dir) tryView() error {
	if len(d.more) > 0 {
		return nebula.Errorf("further folders may be changed too")
	}
	v, err := d.newView("")
	if err != nil {
		return err
	}
	defer v.close()
	return v.view.Try()
}

// newView makes a view for a command, and first goes on with what killed nebulas left.
func (d *Dir) newView(id string) (*viewed, error) {
	dir := filepath.Join(d.boxes.place.Kept, viewsDir)
	if d.boxes.place.Kept == "" {
		return nil, nebula.Errorf("there is no place for what it changes")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	v := &viewed{at: filepath.Join(dir, strings.ToLower(rand.Text()[:12]))}
	f, err := os.OpenFile(v.at+viewHeld, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	v.held = f
	held, err := hold(f)
	if err == nil && !held {
		err = errBusy
	}
	if err == nil {
		_, err = f.WriteString(id)
	}
	if err == nil {
		v.view, err = confine.NewView(d.real, v.at)
	}
	if err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// close takes the view away.
func (v *viewed) close() {
	if v == nil {
		return
	}
	view := v.view
	if view.Upper == "" {
		view.Upper = filepath.Join(v.at, "changed")
	}
	if view.Remove() == nil {
		_ = os.Remove(v.at + viewHeld) // else the next nebula takes it away
	}
	_ = v.held.Close()
}

// A keepsake is what is written down of effects before they are kept.
type keepsake struct {
	Command string            `json:"command"`
	Changes []nebula.Change   `json:"changes"` // that take the folder from the view to what it was
	Upper   string            `json:"upper"`
	From    map[string]string `json:"from"` // see [Effects]
}

func (v *viewed) journal(k keepsake) error {
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	path := filepath.Join(v.at, viewJournal)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = flushed(f) // with what the command wrote, where that is on the same file system
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// GoOn finishes what nebulas that were killed had begun to keep of what commands did on views, and takes away what they
// left otherwise.
func (d *Dir) GoOn(ctx context.Context) error {
	if !d.boxes.on || d.boxes.place.Kept == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(escaped(d.boxes.place.Kept), viewsDir, "*"+viewHeld))
	for _, file := range files {
		err = errors.Join(err, d.goOn(ctx, file))
	}
	for ending, until := range map[string]time.Duration{viewTold: runForever, viewKept: runEnded} {
		told, _ := filepath.Glob(filepath.Join(escaped(d.boxes.place.Kept), viewsDir, "*"+ending))
		for _, file := range told {
			if fi, gone := os.Stat(file); gone == nil && time.Since(fi.ModTime()) > until {
				_ = os.Remove(file) // nobody asked
			}
		}
	}
	return err
}

// HalfKept reports whether a nebula was killed while it kept what a command did: the folder has some of it, and the next that
// opens the folder goes on. kept is where the boxes' private layers are.
func HalfKept(kept string) bool {
	files, _ := filepath.Glob(filepath.Join(escaped(kept), viewsDir, "*"+viewHeld))
	return slices.ContainsFunc(files, func(file string) bool {
		if _, err := os.Stat(filepath.Join(strings.TrimSuffix(file, viewHeld), viewJournal)); err != nil {
			return false
		}
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			return false
		}
		defer f.Close()
		held, err := hold(f)
		return err == nil && held // whoever keeps it is gone
	})
}

// escaped is a path as filepath.Glob takes it.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func (d *Dir) goOn(ctx context.Context, file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil // another has just taken it away
	}
	v := &viewed{at: strings.TrimSuffix(file, viewHeld), held: f}
	if held, err := hold(f); err != nil || !held {
		return f.Close()
	}
	id, _ := os.ReadFile(file)
	var k keepsake
	data, err := os.ReadFile(filepath.Join(v.at, viewJournal))
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	var made []nebula.Change
	if err == nil {
		e := &Effects{dir: d, v: v, from: k.From, upper: k.Upper}
		if made, _, err = e.put(ctx, nil, k.Changes); err != nil {
			return errors.Join(err, f.Close()) // the next one tries again
		}
	}
	if _, known := d.toldOf(string(id)); len(id) > 0 && !known {
		d.noteTold(string(id), viewTold, made)
	}
	v.close()
	return nil
}

func (d *Dir) toldFile(id, ending string) string {
	return filepath.Join(d.boxes.place.Kept, viewsDir, nebula.Hash([]byte(id))[:32]+ending)
}

func (d *Dir) noteTold(id, ending string, made []nebula.Change) {
	if data, err := json.Marshal(made); err == nil {
		_ = os.WriteFile(d.toldFile(id, ending), data, 0o600) // without it the command's end is not known
	}
}

// toldOf tells what a command came to that ran on a view of a nebula that was killed: nothing, unless it was being kept.
func (d *Dir) toldOf(id string) (made []nebula.Change, known bool) {
	if !d.boxes.on || d.boxes.place.Kept == "" || id == "" {
		return nil, false
	}
	for _, ending := range []string{viewTold, viewKept} {
		if data, err := os.ReadFile(d.toldFile(id, ending)); err == nil && json.Unmarshal(data, &made) == nil {
			return made, true
		}
	}
	return nil, false
}

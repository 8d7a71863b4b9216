package workspace

import (
	"bytes"
	"path/filepath"
	"sync"
	"time"

	"nebula"
)

// Buffers are the texts that an editor has of files: what stands in one need not be saved. Paths are absolute.
type Buffers interface {
	Text(path string) (text string, ok bool)
	Save(path, text string) error
}

// What is in an editor is known by its texts.
type inEditor struct {
	Buffers
	had   sync.Map // [2]string of a path and a hash: what stood on the disk once is old and not unsaved
	shown sync.Map // by path, the hash that stood on the disk when something else was shown
}

// In says which editor the folder is open in, once all further folders were added.
func (d *Dir) In(b Buffers) {
	for _, o := range append([]*Dir{d}, d.more...) {
		o.editor = &inEditor{Buffers: b}
	}
}

// Shown gives a file's content as the person sees it: as [Dir.Read], but where it stands otherwise in the person's editor, what stands there.
func (d *Dir) Shown(p string, max int64) ([]byte, Entry, error) {
	data, e, err := d.Read(p, max)
	if err != nil {
		return data, e, err
	}
	o, in := d.of(e.Path)
	if text := o.unsaved(in, data, e.ModTime); text != nil {
		o.editor.shown.Store(in, nebula.Hash(data))
		data, e.Size = text, int64(len(text))
	}
	return data, e, nil
}

// mostUnsaved is how large a file may be that an editor is asked about, in bytes.
const mostUnsaved = 4 << 20

// An editor takes a moment to see that a file was changed on the disk: within fresh it is asked again, so many times.
const (
	fresh  = 2 * time.Second
	asked  = 5
	moment = 100 * time.Millisecond
)

// unsaved is what stands in the editor and not on the disk, written down as the file is.
func (d *Dir) unsaved(rel string, data []byte, changed time.Time) []byte {
	style, ok := Text(data)
	if d.editor == nil || !ok || !style.UTF8 || style.Mixed || len(data) > mostUnsaved {
		return nil
	}
	d.editor.had.Store([2]string{rel, nebula.Hash(data)}, true)
	for n := 1; ; n++ {
		said, ok := d.editor.Text(d.abs(rel))
		if !ok {
			return nil
		}
		text := bytes.TrimPrefix([]byte(said), []byte(bom))
		if style.Ending != "" && style.Ending != "\n" && bytes.IndexByte(text, '\r') < 0 {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte(style.Ending))
		}
		if style.BOM {
			text = append([]byte(bom), text...)
		}
		if _, old := d.editor.had.Load([2]string{rel, nebula.Hash(text)}); old {
			return nil
		}
		if n == asked || time.Since(changed) > fresh {
			return text
		}
		time.Sleep(moment)
	}
}

//go:noinline
func (d *Dir) abs(rel string) string { return filepath.Join(d.path, filepath.FromSlash(rel)) }

// saved has the editor save a file of which something else was shown than what is on the disk, where both still stand there, and looks at it
// anew; by has it saved again. A file that stands there otherwise than it was shown is stale: who writes in it would lose it.
func (d *Dir) saved(s *spot, was state, shown string) (now state, by func(text string) error, err error) {
	text := d.unsaved(s.path, was.data, was.stat.mtime)
	if text == nil {
		return was, nil, nil
	}
	if on, ok := d.editor.shown.Load(s.path); !ok || on != was.hash || nebula.Hash(text) != shown {
		return was, nil, stale(s.path)
	}
	by = func(text string) error { return d.editor.Save(d.abs(s.path), text) }
	if err := by(string(text)); err != nil {
		return was, nil, nebula.Errorf("%q stands in the editor with changes that it did not save: %w", s.path, err)
	}
	if s.stat, err = s.dir.lstat(s.name); err == nil {
		now, err = d.look(*s)
	}
	return now, by, err
}

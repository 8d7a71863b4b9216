package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
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

// Open reports whether a file stands in the person's editor with the content of that hash.
func (d *Dir) Open(p, hash string) bool {
	if d.editor == nil {
		return false
	}
	data, _, err := d.Shown(p, 0)
	return err == nil && nebula.Hash(data) == hash
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
	if d.editor == nil || len(data) > mostUnsaved {
		return nil
	}
	style, ok := Text(data)
	if !ok || !style.UTF8 || style.Mixed {
		return nil
	}
	d.editor.had.Store([2]string{rel, nebula.Hash(data)}, true)
	for n := 1; ; n++ {
		said, ok := d.editor.Text(d.abs(rel))
		if !ok || said == "" { // an editor that has nothing to say says nothing, too
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
// anew. A file that stands there otherwise than it was shown is stale: who writes in it would lose it. What the editor makes of the file
// otherwise is a change, and can be taken back.
func (d *Dir) saved(ctx context.Context, s *spot, was state, shown string) (now state, some bool, made nebula.Change, err error) {
	text := d.unsaved(s.path, was.data, was.stat.mtime)
	if text == nil {
		return was, false, made, nil
	}
	if on, ok := d.editor.shown.Load(s.path); !ok || on != was.hash || nebula.Hash(text) != shown {
		return was, false, made, stale(s.path)
	}
	if err := d.preserve(ctx, s.path, was); err != nil {
		return was, false, made, err
	}
	failed := d.editor.Save(d.abs(s.path), string(text))
	if now, err = d.again(s); err != nil {
		return was, false, made, err
	}
	if now.hash != shown {
		if failed == nil {
			failed = nebula.Errorf("it made another text of it")
		}
		return now, false, d.happened(s.path, was, now), nebula.Errorf("%q stands in the editor with changes that it did not save: %w", s.path, failed)
	}
	return now, true, made, nil
}

// taken has the editor take a change that was made. Where it makes something else of the file, that is what happened to it.
func (d *Dir) taken(s *spot, was, next state) (made nebula.Change, err error) {
	_ = d.editor.Save(d.abs(s.path), string(next.data)) // else it finds it on the disk
	now, err := d.again(s)
	if err != nil || now.hash == next.hash {
		return made, nil
	}
	return d.happened(s.path, was, now), nebula.Errorf("%q was written, and the editor made another text of it: read it again", s.path)
}

// again looks at a file anew.
func (d *Dir) again(s *spot) (now state, err error) {
	if s.stat, err = s.dir.lstat(s.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return now, d.fault(s.path, err)
	}
	return d.look(*s)
}

// happened is a change that an editor made for nebula; none where there is none.
func (d *Dir) happened(path string, was, now state) (c nebula.Change) {
	if was.equal(now) {
		return c
	}
	d.count++
	d.made[path] = made{d.count, state{mode: now.mode, hash: now.hash}}
	c = change(path, was, now)
	d.guild.claim("", []nebula.Change{c})
	return c
}

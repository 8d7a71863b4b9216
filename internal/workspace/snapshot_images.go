package workspace

import (
	"io"
	"os"
	"path"
	"sync"
	"time"

	"nebula"
)

// images keeps the contents of a folder's files from one snapshot to the next, in one temporary file, so that a
// snapshot costs no memory and only what changed is read again.
type images struct {
	mu    sync.Mutex
	pack  *os.File
	end   int64
	known map[string]image
	blind time.Time // until when the folder is taken for too large to see
}

// open makes the pack. One that holds much more than a snapshot needs is begun anew.
func (i *images) open() (*images, error) {
	if i.pack != nil && i.end < 2*maxImages {
		return i, nil
	}
	i.known, i.end = nil, 0
	if i.pack != nil {
		if err := i.pack.Truncate(0); err != nil {
			return nil, nebula.Errorf("temporary file: %w", err)
		}
		return i, nil
	}
	f, err := os.CreateTemp("", "nebula-before-*")
	if err != nil {
		return nil, nebula.Errorf("temporary file, needed to take back what a command changes: %w", err)
	}
	os.Remove(f.Name()) // where the system allows that, nothing stays when nebula is killed
	i.pack = f
	return i, nil
}

// image completes m with the file's content, which it reads only if the file moved. A file that cannot be read, or
// changes while it is read, stays without content.
func (i *images) image(d *Dir, p string, m image) image {
	if old, ok := i.known[p]; ok && old.off >= 0 && old.stat.unmoved(m.stat) && old.settled() {
		return old
	}
	dir, err := d.find(path.Dir(p), false)
	if err != nil {
		return m
	}
	defer dir.close()
	h, err := dir.dir.sub(dir.name)
	if err != nil {
		return m
	}
	defer h.close()
	f, err := h.read(path.Base(p))
	if err != nil {
		return m
	}
	defer f.Close()
	st, err := statFile(f)
	if err != nil || !st.unmoved(m.stat) {
		return m
	}
	data, err := io.ReadAll(io.LimitReader(f, maxImage+1))
	if err != nil || int64(len(data)) != st.size {
		return m
	}
	if _, err := i.pack.WriteAt(data, i.end); err != nil {
		return m
	}
	m.off, m.size = i.end, len(data)
	i.end += int64(len(data))
	return m
}

func (i *images) content(m image) ([]byte, error) {
	data := make([]byte, m.size)
	_, err := i.pack.ReadAt(data, m.off)
	if err != nil && !(err == io.EOF && m.size == 0) {
		return nil, err
	}
	return data, nil
}

// close gives the pack up.
func (i *images) close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.pack == nil {
		return nil
	}
	name := i.pack.Name()
	err := i.pack.Close()
	os.Remove(name)
	i.pack = nil
	return err
}

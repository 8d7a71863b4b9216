package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"nebula"
)

// What a snapshot covers at most. Files beyond it are seen to change, but their changes cannot be taken back.
const (
	maxImage  = 1 << 20  // bytes of a file
	maxImages = 64 << 20 // bytes of all files
	maxFiles  = 5_000
	maxSeen   = 50_000           // entries, after which a snapshot sees nothing any more
	blindFor  = 10 * time.Minute // until a folder that had more is walked again
)

// A Snapshot is the folder before a command. Files that ignore rules hide are not part of it, nor is .git.
type Snapshot struct {
	dir     *Dir
	since   int // changes that went through the folder's Dir before it
	entries map[string]image
	whole   bool
	lost    []string
}

// An image is a file, link or directory as it was, and where its content lies in the pack.
type image struct {
	stat stat
	at   time.Time // a moment before it was seen
	off  int64     // -1 when its content is not kept
	size int
	link string
}

// settled reports whether a change after the image was taken would show in the file's times: a file system may give
// two changes in a row the same time.
func (m image) settled() bool {
	slack := 30 * time.Millisecond
	if m.stat.mtime.Nanosecond() == 0 {
		slack = 2 * time.Second
	}
	return m.stat.mtime.Add(slack).Before(m.at) && m.stat.changed().Add(slack).Before(m.at)
}

// Snapshot remembers the folder as it is, so that [Snapshot.Changes] can tell what a command changed and keep what
// was there before. What did not change since the last snapshot is not read again.
func (d *Dir) Snapshot(ctx context.Context) (*Snapshot, error) {
	d.images.mu.Lock()
	defer d.images.mu.Unlock()
	if time.Now().Before(d.images.blind) {
		return &Snapshot{dir: d}, nil
	}
	pack, err := d.images.open()
	if err != nil {
		return nil, err
	}
	s := &Snapshot{dir: d, since: d.changes()}
	s.entries, s.whole, err = d.seen(ctx)
	if err != nil {
		return nil, err
	}
	if !s.whole {
		d.images.blind = time.Now().Add(blindFor)
		return s, nil
	}
	var files int
	var bytes int64
	for _, p := range sorted(s.entries) {
		m := s.entries[p]
		if !m.stat.mode.IsRegular() {
			continue
		}
		files++
		bytes += m.stat.size
		if m.stat.size > maxImage || files > maxFiles || bytes > maxImages {
			if bytes -= m.stat.size; m.stat.size > maxImage {
				files--
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.entries[p] = pack.image(d, p, m)
	}
	pack.known = s.entries
	return s, nil
}

// seen walks the folder. It is not whole when there is too much to see.
func (d *Dir) seen(ctx context.Context) (entries map[string]image, whole bool, err error) {
	entries = map[string]image{}
	began := time.Now()
	for e, err := range d.List(ctx, Walk{Recursive: true, Hidden: true}) {
		if err != nil {
			if ctx.Err() != nil {
				return nil, false, err
			}
			continue // a directory that cannot be read cannot be changed by many
		}
		if len(entries) >= maxSeen {
			return entries, false, nil
		}
		entries[e.Path] = image{stat: e.stat, at: began, off: -1, link: e.Link}
	}
	return entries, true, ctx.Err()
}

// Changes tells what is different from the snapshot, in an order in which [Dir.Restore] can take it back, after the
// contents from before were kept. What changed and could not be kept is in [Snapshot.Lost]. What was changed meanwhile
// through the folder's own methods is not the command's.
func (s *Snapshot) Changes(ctx context.Context) ([]nebula.Change, error) {
	s.lost = nil
	if !s.whole {
		return nil, nil
	}
	s.dir.images.mu.Lock()
	defer s.dir.images.mu.Unlock()
	now, whole, err := s.dir.seen(ctx)
	if err != nil {
		return nil, err
	}
	if !whole {
		s.whole = false
		return nil, nil
	}
	c := &comparison{s: s, ctx: ctx, now: now}
	c.rules = c.touched(".gitignore") || c.touched(".nebulaignore")
	for _, p := range sorted(now) {
		if err := c.there(p); err != nil {
			return nil, err
		}
	}
	for _, p := range slices.Backward(sorted(s.entries)) {
		if err := c.gone(p); err != nil {
			return nil, err
		}
	}
	slices.Sort(s.lost)
	return slices.Concat(c.made, c.edits, c.removed), nil
}

// Lost are the paths that changed between the snapshot and the last Changes, and whose change cannot be taken back.
func (s *Snapshot) Lost() []string { return s.lost }

// Whole reports whether changes can be seen at all: a folder with too many files is not looked at.
func (s *Snapshot) Whole() bool { return s.whole }

type comparison struct {
	s     *Snapshot
	ctx   context.Context
	now   map[string]image
	rules bool // ignore rules changed: what is seen first now may have been there before

	made, edits, removed []nebula.Change
}

// touched reports whether a file of some name, in whatever directory, is another than before.
func (c *comparison) touched(name string) bool {
	for p, was := range c.s.entries {
		if path.Base(p) == name && !c.now[p].stat.unmoved(was.stat) {
			return true
		}
	}
	return false
}

// there compares what is at a path now.
func (c *comparison) there(p string) error {
	now, was := c.now[p], c.s.entries[p]
	if now.stat.unmoved(was.stat) && (was.settled() || now.stat.mode.IsDir()) {
		return nil
	}
	if !was.stat.exists() && c.rules && !now.stat.mode.IsDir() {
		c.s.lost = append(c.s.lost, p)
		return nil
	}
	if was.stat.exists() && was.stat.mode.Type() != now.stat.mode.Type() {
		return c.swapped(p, was, now)
	}
	before, ok := c.s.before(was)
	after, readable := c.s.after(p, now)
	if before.equal(after) && ok && readable || readable && c.s.dir.meanwhile(p, c.s.since, after) {
		return nil
	}
	if !ok || !readable {
		c.s.lost = append(c.s.lost, p)
		return nil
	}
	if err := c.s.dir.preserve(c.ctx, p, before); err != nil {
		return err
	}
	switch {
	case now.stat.mode.IsDir() && was.stat.exists():
		// a directory's mode alone: no tool changes it, and it holds no work
	case !was.stat.exists():
		c.made = append(c.made, change(p, before, after))
	default:
		c.edits = append(c.edits, change(p, before, after))
	}
	return nil
}

// swapped is a path where something of another kind stands now: a link for a file, a file for a directory.
func (c *comparison) swapped(p string, was, now image) error {
	before, ok := c.s.before(was)
	after, readable := c.s.after(p, now)
	if !ok || !readable || before.dir() || after.dir() {
		c.s.lost = append(c.s.lost, p)
		return nil
	}
	if err := c.s.dir.preserve(c.ctx, p, before); err != nil {
		return err
	}
	c.edits = append(c.edits, change(p, before, after))
	return nil
}

// gone looks after a path that is not listed any more.
func (c *comparison) gone(p string) error {
	if _, ok := c.now[p]; ok {
		return nil
	}
	if c.s.dir.meanwhile(p, c.s.since, state{}) {
		return nil
	}
	was := c.s.entries[p]
	if e, err := c.s.dir.Stat(p); err == nil { // ignored by now, not gone
		if !e.Dir && !(e.Size == was.stat.size && e.ModTime.Equal(was.stat.mtime)) {
			c.s.lost = append(c.s.lost, p)
		}
		return nil
	}
	before, ok := c.s.before(was)
	if !ok {
		c.s.lost = append(c.s.lost, p)
		return nil
	}
	if err := c.s.dir.preserve(c.ctx, p, before); err != nil {
		return err
	}
	c.removed = append(c.removed, change(p, before, state{}))
	return nil
}

// before is what an image shows; ok is false when its content was not kept.
func (s *Snapshot) before(m image) (state, bool) {
	switch mode := m.stat.mode; {
	case !m.stat.exists():
		return state{}, true
	case mode.IsDir():
		return state{mode: mode}, true
	case mode&fs.ModeSymlink != 0:
		return state{mode: mode, hash: nebula.Hash([]byte(m.link)), data: []byte(m.link)}, true
	case !mode.IsRegular() || m.off < 0:
		return state{}, false
	}
	data, err := s.dir.images.content(m)
	if err != nil {
		return state{}, false
	}
	return state{mode: m.stat.mode, hash: nebula.Hash(data), data: data}, true
}

// after is what stands at a path now.
func (s *Snapshot) after(p string, m image) (state, bool) {
	switch mode := m.stat.mode; {
	case mode.IsDir():
		return state{mode: mode}, true
	case mode&fs.ModeSymlink != 0:
		return state{mode: mode, hash: nebula.Hash([]byte(m.link))}, true
	case !mode.IsRegular() || m.stat.size > maxKept:
		return state{}, false
	}
	spot, err := s.dir.find(p, false)
	if err != nil {
		return state{}, false
	}
	defer spot.close()
	is, err := s.dir.look(spot)
	return state{mode: is.mode, hash: is.hash}, err == nil && is.file()
}

func sorted(entries map[string]image) []string {
	paths := make([]string, 0, len(entries))
	for p := range entries {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// String describes how much a snapshot holds.
func (s *Snapshot) String() string {
	return fmt.Sprintf("%d entries, %d bytes of content", len(s.entries), s.dir.images.end)
}

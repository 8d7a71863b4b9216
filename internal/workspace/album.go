package workspace

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"nebula"
	"nebula/internal/lists"
)

// An album is what is kept of a folder for the commands that run in it: how it was before, and the contents of its
// files, in a directory of nebula's own that all nebulas share. What did not change is not kept again. It is on the disk
// before a command begins, so whoever comes after a crash can tell what the command changed.
//
// It has generations: when most of what the newest holds is of no use any more, another is begun, unless a command that
// ran in the old one is still to be settled.
type album struct {
	mu     sync.Mutex // held while the folder is looked at, or something is taken from the album
	dir    string     // empty until it is needed, where nobody said where to keep it
	temp   bool
	budget int64

	lock   *os.File
	gen    string // the directory of the generation that is open
	pack   *os.File
	log    *os.File
	logged int64  // bytes of the log that were read or written
	number uint64 // of the last look at the folder
	top    *kid   // that look
	base   int64  // bytes that were in use when the generation was opened

	putting sync.Mutex // held by whoever adds a content; of what follows
	out     *bufio.Writer
	end     int64 // of the pack
	bigs    int64 // bytes of the files beside it
	big     uint64
	failed  error
}

// DefaultBudget is how many bytes an album may have where nothing else was said.
const DefaultBudget = 4 << 30

// largest is how many bytes a file may have that is copied. A larger one is kept only where it shares its disk space.
const largest = 256 << 20

var errTooMany = errors.New("too many files")

// Cover says where the images of files are kept that commands may change, and how many bytes they may take.
func (d *Dir) Cover(dir string, budget int64) {
	d.album.dir, d.album.budget = filepath.Join(dir, nebula.Hash([]byte(d.real))[:16]), budget
	for _, o := range d.more {
		o.Cover(dir, budget)
	}
}

// open locks the album for this process and reads what others added to it. The album's mutex is held.
func (a *album) open(ctx context.Context) error {
	if a.lock == nil {
		if err := a.make(); err != nil {
			return nebula.Errorf("the images of files that commands may change cannot be kept: %w", err)
		}
	}
	for {
		held, err := hold(a.lock)
		if err != nil || held {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(wait)
	}
	if err := a.current(); err != nil {
		a.release()
		return err
	}
	return nil
}

//go:noinline
func (a *album) release() { _ = release(a.lock) }

func (a *album) make() (err error) {
	if a.dir == "" {
		if a.dir, err = os.MkdirTemp("", "nebula-before-*"); err != nil {
			return err
		}
		a.temp, a.budget = true, DefaultBudget
	}
	if err := os.MkdirAll(filepath.Join(a.dir, runsDir), 0o700); err != nil {
		return err
	}
	a.lock, err = os.OpenFile(filepath.Join(a.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	return err
}

// generations are the album's, the newest last.
func (a *album) generations() []int {
	all, err := os.ReadDir(a.dir)
	if err != nil {
		return nil
	}
	var list []int
	for _, e := range all {
		if n, err := strconv.Atoi(e.Name()); err == nil && n > 0 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

// current opens the newest generation, or what was added to it. A generation that cannot be read gives way to another.
func (a *album) current() error {
	list := a.generations()
	if len(list) == 0 {
		return a.begin(1)
	}
	gen := filepath.Join(a.dir, strconv.Itoa(list[len(list)-1]))
	if gen == a.gen {
		if fi, err := a.log.Stat(); err == nil && fi.Size() == a.logged {
			return nil
		}
	}
	if err := a.read(gen); err != nil {
		return a.begin(list[len(list)-1] + 1)
	}
	a.base = a.used()
	return nil
}

// used counts the bytes that the last look needs.
func (a *album) used() (n int64) {
	if a.top != nil {
		a.top.dir.each("", func(_ string, k *kid) {
			if k.kept != nil && k.mark.mode.IsRegular() && !k.kept.cloned {
				n += k.mark.size
			}
		})
	}
	return n
}

// waste is what of an album is of no use, before another generation is begun.
const waste = 64 << 20

// renew begins another generation where much of this one is of no use.
func (a *album) renew() error {
	if a.end+a.bigs <= 2*a.base+waste || len(a.unsettled()) > 0 {
		return nil
	}
	if a.base = a.used(); a.end+a.bigs <= 2*a.base+waste {
		return nil
	}
	list := a.generations()
	return a.begin(list[len(list)-1] + 1)
}

// begin makes an empty generation. Older ones go, unless commands that ran in them are to be settled.
func (a *album) begin(n int) error {
	gen := filepath.Join(a.dir, strconv.Itoa(n))
	if err := os.MkdirAll(filepath.Join(gen, "big"), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(gen, "log"), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := a.read(gen); err != nil {
		return err
	}
	needed := map[string]bool{filepath.Base(gen): true}
	for _, r := range a.unsettled() {
		needed[r.Gen] = true
	}
	for _, old := range a.generations() {
		if !needed[strconv.Itoa(old)] {
			_ = os.RemoveAll(filepath.Join(a.dir, strconv.Itoa(old))) // tried again with the next
		}
	}
	return nil
}

// read opens a generation.
func (a *album) read(gen string) (err error) {
	a.shut()
	if a.log, err = os.OpenFile(filepath.Join(gen, "log"), os.O_RDWR, 0o600); err != nil {
		return err
	}
	if a.pack, err = os.OpenFile(filepath.Join(gen, "pack"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	a.gen = gen
	if a.top, a.number, a.logged, err = readLog(a.log, 0); err != nil {
		return err
	}
	if a.end, err = a.pack.Seek(0, io.SeekEnd); err != nil {
		return err
	}
	a.out = bufio.NewWriterSize(a.pack, 4<<20)
	a.bigs, a.big, a.failed = 0, 0, nil
	all, err := os.ReadDir(filepath.Join(gen, "big"))
	for _, e := range all {
		n, _ := strconv.ParseUint(e.Name(), 10, 64)
		a.big = max(a.big, n)
		if fi, err := e.Info(); err == nil {
			a.bigs += fi.Size()
		}
	}
	return err
}

func (a *album) shut() {
	if a.pack != nil {
		_ = a.pack.Close()
	}
	if a.log != nil {
		_ = a.log.Close()
	}
	a.gen, a.pack, a.log, a.top, a.number = "", nil, nil, nil, 0
}

// back removes what a look has added that came to nothing, after so many bytes of the pack and large files.
func (a *album) back(end int64, big uint64) {
	gen := a.gen
	a.shut()
	_ = os.Truncate(filepath.Join(gen, "pack"), end) // what stays is of no use, and goes with the generation
	for n := big + 1; n <= a.big; n++ {
		_ = os.Remove(a.bigName(gen, n))
	}
}

// close gives the album up.
func (a *album) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shut()
	if a.lock == nil {
		return nil
	}
	err := a.lock.Close()
	a.lock = nil
	if a.temp {
		err = errors.Join(err, os.RemoveAll(a.dir))
		a.dir, a.temp = "", false
	}
	return err
}

// put adds a content to the pack; nil where it does not fit into the budget.
func (a *album) put(data []byte, more extras, seen int64) *image {
	a.putting.Lock()
	defer a.putting.Unlock()
	if a.failed != nil || a.end+a.bigs+int64(len(data)) > a.budget {
		return nil
	}
	i := &image{off: a.end, seen: seen, more: more}
	if _, err := a.out.Write(data); err != nil {
		a.failed = err
		return nil
	}
	a.end += int64(len(data))
	return i
}

// putLarge adds large files, the smaller first: as many as the budget allows.
func (a *album) putLarge(ctx context.Context, d *Dir, list []later) (loose []string) {
	lists.Sort(list, func(x, y later) int {
		return cmp.Or(cmp.Compare(x.kid.mark.size, y.kid.mark.size), cmp.Compare(x.path, y.path))
	})
	for _, l := range list {
		if ctx.Err() != nil {
			return nil
		}
		seen := time.Now().UnixNano()
		l.kid.kept = a.large(ctx, d, l, seen)
		if l.kid.kept != nil && !l.kid.mark.settled(seen) {
			loose = append(loose, l.path)
		}
	}
	return loose
}

// large keeps one large file in a file of its own, which shares its disk space where the file system can.
func (a *album) large(ctx context.Context, d *Dir, l later, seen int64) *image {
	p, err := d.into(path.Dir(l.path))
	if err != nil {
		return nil
	}
	defer p.close()
	from, m, err := p.open(path.Base(l.path))
	if err != nil {
		return nil
	}
	defer from.Close()
	if m != l.kid.mark {
		return nil
	}
	a.big++
	i := &image{big: a.big, seen: seen, more: attributesOf(from)}
	name := a.bigName(a.gen, i.big)
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	i.cloned = clone(to, from)
	switch {
	case i.cloned:
	case m.size > largest || a.end+a.bigs+m.size > a.budget:
		err = errTooMany
	default:
		err = copied(ctx, to, from, m.size)
	}
	if st, later := statFile(from); err == nil && (later != nil || st.mark() != m) {
		err = ErrStale
	}
	if err == nil {
		err = to.Sync()
	}
	if err := errors.Join(err, to.Close()); err != nil {
		_ = os.Remove(name)
		return nil
	}
	if !i.cloned {
		a.bigs += m.size
	}
	return i
}

func (a *album) bigName(gen string, n uint64) string {
	return filepath.Join(gen, "big", strconv.FormatUint(n, 10))
}

// copied copies so many bytes in pieces, between which it can be stopped.
func copied(ctx context.Context, to io.Writer, from io.Reader, size int64) error {
	for size > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(to, from, min(size, 4<<20))
		if err != nil {
			return err
		}
		size -= n
	}
	return nil
}

// settle gets a look at the folder onto the disk: from here on a command may change it.
func (a *album) settle(top *kid, dirty []written) error {
	if err := a.failed; err != nil {
		return nebula.Errorf("the images of files that commands may change cannot be kept: %w", err)
	}
	if a.out.Buffered() > 0 || len(dirty) > 0 {
		if err := a.out.Flush(); err != nil {
			return err
		}
		if err := a.pack.Sync(); err != nil {
			return err
		}
	}
	if len(dirty) > 0 || a.top == nil || a.top.mark != top.mark {
		block := encodeLook(a.number+1, top, dirty)
		if _, err := a.log.WriteAt(block, a.logged); err != nil {
			return err
		}
		if err := errors.Join(a.log.Truncate(a.logged+int64(len(block))), a.log.Sync()); err != nil {
			return err
		}
		a.logged += int64(len(block))
		a.number++
	}
	a.top = top
	return nil
}

// content opens what an image keeps. m is the file's mark when it was made.
func (a *album) content(gen string, i *image, m mark) (io.ReadCloser, error) {
	if i.big > 0 {
		return os.Open(a.bigName(gen, i.big))
	}
	f, err := os.Open(filepath.Join(gen, "pack"))
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, i.off, m.size), f}, nil
}

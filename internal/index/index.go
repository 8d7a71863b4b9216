// Package index finds code: which files and lines of a folder a question is about, in words or in names, and which
// files everything else refers to.
//
// The index is a cache: made in the background when it is first asked for, brought up to date before it answers, and
// thrown away when it cannot be read. It is an inverted list of words kept in SQLite, by definitions rather than files, so
// that a question meets the one function it is about; nothing of it is loaded before the first question.
package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"nebula"
	"nebula/internal/sqlite"
	"nebula/internal/workspace"
)

// An Index is the index of one folder. Its methods may be called from any goroutine.
type Index struct {
	dir       *workspace.Dir
	path      string
	now       func() time.Time
	embedding *Embedding // nil: answers are ordered by words alone
	secret    func(path string) bool

	// These belong to who brings the index up to date; begin lets one do so at a time.
	writer  *sqlite.Cache
	known   map[string]known // by path; nil until it was read
	written int64            // generation that this is of

	reading  sync.Mutex // held by questions
	reader   *sqlite.Cache
	segments []*segment
	view     int64 // generation that the segments are of

	state   sync.Mutex
	work    *work     // bringing up to date, under way or the last
	ready   bool      // the whole folder was gone through at least once
	at      time.Time // when it last was
	files   int
	damaged bool                // found while reading: the next going through begins anew
	notice  nebula.Words        // what happened to the index, not yet said
	unsaved map[int64][]float32 // vectors that are not in the cache yet
	closed  bool
	warm    *time.Timer
	stop    context.CancelFunc
	ctx     context.Context
	wait    sync.WaitGroup
}

// A work is one going through the folder.
type work struct {
	done chan struct{}
	err  error
}

// schema is the index's version too: with another one it is made anew.
const schema = `
CREATE TABLE facts    (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
CREATE TABLE segments (id INTEGER PRIMARY KEY, meta BLOB, dead BLOB, ranks BLOB);
CREATE TABLE files    (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER, mtime INTEGER, hash INTEGER);
CREATE TABLE outlines (id INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE blocks   (id INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE vectors  (id INTEGER PRIMARY KEY, hash INTEGER, data BLOB)
-- terms 4`

// New is the index of a folder, kept in the file at path. It opens nothing.
func New(dir *workspace.Dir, path string) *Index {
	ctx, stop := context.WithCancel(context.Background())
	return &Index{dir: dir, path: path, now: time.Now, ctx: ctx, stop: stop}
}

// Spare leaves files out of the index, by their names: what is in them is for nobody who did not ask for it. It is called
// before the first question.
func (x *Index) Spare(secret func(path string) bool) { x.secret = secret }

// File is where the index of a folder is kept below nebula's home.
func File(home, dir string) string {
	name := filepath.Base(dir)
	if len(name) > 40 || name == string(filepath.Separator) || name == "." {
		name = "folder"
	}
	return filepath.Join(home, "index", fmt.Sprintf("%s-%012x.db", plainName(name), uint64(hashed([]byte(dir)))))
}

func plainName(name string) string {
	out := []rune{}
	for _, r := range name {
		if r < 0x80 && kinds[byte(r)] != other {
			out = append(out, r)
		}
	}
	return string(out)
}

// Close stops what is under way and gives the index up.
func (x *Index) Close() error {
	x.state.Lock()
	x.closed = true
	if x.warm != nil {
		x.warm.Stop()
	}
	x.state.Unlock()
	x.stop()
	x.wait.Wait()
	if x.writer != nil {
		_ = x.keepMeant() // else they are asked for again
	}
	x.reading.Lock()
	defer x.reading.Unlock()
	return x.disconnect()
}

// disconnect closes both connections. The reading lock is held.
func (x *Index) disconnect() error {
	var errs []error
	for _, c := range []*sqlite.Cache{x.reader, x.writer} {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	x.reader, x.writer, x.known, x.segments, x.view = nil, nil, nil, nil, 0
	return errors.Join(errs...)
}

// connect opens the index for writing.
func (x *Index) connect() error {
	if x.writer != nil {
		return nil
	}
	c, err := sqlite.OpenCache(x.path, schema)
	if err != nil {
		return err
	}
	x.writer = c
	if c.Lost != "" {
		x.say(c.Lost)
	}
	return nil
}

// say keeps what happened to the index for the next answer.
func (x *Index) say(why string) { x.note(nebula.Say("the index was made anew: %s", nebula.Say(why))) }

func (x *Index) note(text nebula.Words) {
	x.state.Lock()
	defer x.state.Unlock()
	x.notice = text
}

// consult opens the index for reading. The reading lock is held.
func (x *Index) consult() error {
	if x.reader != nil {
		return nil
	}
	c, err := sqlite.OpenCache(x.path, schema)
	if err != nil {
		return err
	}
	if c.Lost != "" {
		x.say(c.Lost)
	}
	x.reader = c
	return nil
}

// Refresh begins to bring the index up to date, or joins what is under way, and waits for it as long as patience
// lasts. It reports whether the whole folder was gone through since it was called or shortly before.
func (x *Index) Refresh(ctx context.Context, patience time.Duration) (fresh bool, err error) {
	w, recent := x.begin()
	if recent || w == nil {
		return recent, nil
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-w.done:
		return w.err == nil, w.err
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// settled is how long what was looked at is taken for unchanged.
const settled = 50 * time.Millisecond

func (x *Index) begin() (w *work, recent bool) {
	x.state.Lock()
	defer x.state.Unlock()
	if x.closed {
		return nil, false
	}
	if x.work != nil {
		select {
		case <-x.work.done:
		default:
			return x.work, false
		}
	}
	if x.ready && x.now().Sub(x.at) < settled {
		return nil, true
	}
	w = &work{done: make(chan struct{})}
	x.work = w
	x.wait.Add(1)
	go func() {
		defer x.wait.Done()
		defer close(w.done)
		w.err = x.update(x.ctx)
	}()
	return w, false
}

// update goes through the folder. An index that turns out to be damaged is made anew, once.
func (x *Index) update(ctx context.Context) error {
	began := x.now()
	err := x.connect()
	if err != nil {
		return err
	}
	release, err := x.writer.Own(ctx)
	if err != nil {
		return err
	}
	defer release()
	if !x.writer.Current() {
		err = x.reconnect()
	}
	if err == nil && x.takeDamaged() {
		err = x.renew()
	}
	if err == nil {
		err = x.through(ctx, began)
	}
	if err != nil && x.writer != nil && (x.writer.Damaged(err) || errors.Is(err, errWorn)) {
		if err = x.renew(); err == nil {
			err = x.through(ctx, began)
		}
	}
	if err != nil {
		return err
	}
	x.state.Lock()
	defer x.state.Unlock()
	x.ready, x.at, x.files = true, began, len(x.known)
	return nil
}

// through goes through the folder and notes when.
func (x *Index) through(ctx context.Context, began time.Time) error {
	if err := errors.Join(x.remember(), x.keepMeant()); err != nil {
		return err
	}
	if len(x.known) == 0 {
		polite()
	}
	if err := x.walk(ctx); err != nil {
		return err
	}
	err := x.writer.Exec("INSERT OR REPLACE INTO facts VALUES ('checked', ?)", began.UnixNano())
	if err == nil {
		x.written, err = x.fact("generation")
	}
	return err
}

// remember tells from an earlier process's index that it is one of the whole folder.
func (x *Index) remember() error {
	generation, err := x.fact("generation")
	if err == nil && generation != x.written {
		x.known = nil // another process changed it since
	}
	checked := int64(0)
	if err == nil {
		checked, err = x.fact("checked")
	}
	if err != nil || checked == 0 {
		return err
	}
	if err := x.recall(); err != nil {
		return err
	}
	x.state.Lock()
	defer x.state.Unlock()
	if !x.ready {
		x.ready, x.at, x.files = true, time.Unix(0, checked), len(x.known)
	}
	return nil
}

// fact is a number that the index keeps, or 0.
func (x *Index) fact(name string) (n int64, err error) {
	err = x.writer.Query(func(r sqlite.Row) bool { n = r.Int(0); return false }, "SELECT value FROM facts WHERE name=?", name)
	return n, err
}

func (x *Index) takeDamaged() bool {
	x.state.Lock()
	defer x.state.Unlock()
	was := x.damaged
	x.damaged = false
	return was
}

// reconnect opens what stands at the path now: another process threw the index away.
func (x *Index) reconnect() error {
	x.reading.Lock()
	defer x.reading.Unlock()
	if err := x.disconnect(); err != nil {
		return err
	}
	return x.connect()
}

// renew throws the index away.
func (x *Index) renew() error {
	x.reading.Lock()
	defer x.reading.Unlock()
	c := x.writer
	if err := x.disconnect(); err != nil && !c.Damaged(err) {
		return err
	}
	if err := c.Remove(); err != nil {
		return err
	}
	x.say("it was damaged")
	return x.connect()
}

// An Age says how far the index can be relied on.
type Age struct {
	Files  int
	Ready  bool          // the whole folder was gone through at least once
	Fresh  bool          // and just now
	Since  time.Duration // it was, when not just now
	Notice nebula.Words  // something to say once
}

func (x *Index) age(fresh bool) Age {
	x.state.Lock()
	defer x.state.Unlock()
	a := Age{Files: x.files, Ready: x.ready, Fresh: fresh, Notice: x.notice}
	x.notice = nebula.Words{}
	if x.ready && !fresh {
		a.Since = x.now().Sub(x.at)
	}
	return a
}

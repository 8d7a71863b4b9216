package workspace

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/lists"
	"nebula/internal/redact"
)

// A Job is a command that goes on while other things are done. It works on the folder itself, and what it changes there is not
// looked at: undo does not cover it. Its methods may be called from any goroutine.
type Job struct {
	ID    int
	Line  string
	Began time.Time
	Held  confine.Held // the layers of the box that it runs in

	jobs  *Jobs
	p     *process
	out   *spool
	gate  *confine.Gate // to what it serves; nil where it is in no box
	stops sync.Once
	stop  chan struct{}
	done  chan struct{} // closed when it has ended, and how is known:
	exit  Exit

	ways  handed[[]*way]
	heard atomic.Bool // its end was read of

	parting chan chan error // it is to be detached
	unseen  chan struct{}   // closed when nobody looks any more what it serves
	apart   *Detached
}

// Jobs are the commands of a session that go on beside it. They end with it.
type Jobs struct {
	dir  *Dir
	at   string
	tell func(*Job)

	roll handed[roll]
	work sync.WaitGroup
}

// A roll says which jobs there are.
type roll struct {
	list   []*Job
	began  int
	closed bool
}

// mostJobs is how many may run at a time, and how many that ended are remembered.
const mostJobs = 16

// Jobs makes the jobs of a session: what they write is kept in a folder, and tell, which is called beside, hears of each that
// ended, and of each that serves something.
func (d *Dir) Jobs(at string, tell func(*Job)) *Jobs {
	s := &Jobs{dir: d, at: at, tell: tell, roll: hand(roll{})}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.besides = append(d.besides, s)
	return s
}

func (d *Dir) closeJobs() {
	for _, s := range d.allJobs() {
		s.Close()
	}
}

func (d *Dir) allJobs() []*Jobs {
	d.mu.Lock()
	defer d.mu.Unlock()
	return lists.Clone(d.besides)
}

// Close ends all of them, and everything that they started.
func (s *Jobs) Close() {
	s.roll.with(func(r *roll) { r.closed = true })
	list := s.List()
	for _, j := range list {
		j.ask()
	}
	s.work.Wait()
	for _, j := range list {
		j.out.close()
	}
	s.dir.mu.Lock()
	defer s.dir.mu.Unlock()
	s.dir.besides = lists.Drop(s.dir.besides, func(o *Jobs) bool { return o == s })
}

// List gives those that run, and the last of those that ended.
//
//go:noinline
func (s *Jobs) List() (list []*Job) {
	s.roll.with(func(r *roll) { list = lists.Clone(r.list) })
	return list
}

// Busy reports whether something goes on, in this session or detached from one: what a command tells it comes back by the next.
func (s *Jobs) Busy() bool {
	return slices.ContainsFunc(s.List(), (*Job).Running) || slices.ContainsFunc(s.Detached(), (*Detached).Running)
}

// Find gives one by its number; nil where there is none.
func (s *Jobs) Find(id int) *Job {
	list := s.List()
	if i := slices.IndexFunc(list, func(j *Job) bool { return j.ID == id }); i >= 0 {
		return list[i]
	}
	return nil
}

// Start begins a command that goes on when Start has returned. It has no time limit, and reads what it is fed.
func (s *Jobs) Start(g *nebula.Grant, c Command) (*Job, error) {
	if !g.Runs() {
		return nil, nebula.ErrNoGrant
	}
	if err := c.Needs.stand(); err != nil {
		return nil, err
	}
	if err := cmp.Or(s.dir.allPresent(), s.room()); err != nil {
		return nil, err
	}
	out, err := newSpool(s.at)
	if err != nil {
		return nil, nebula.Errorf("what it writes cannot be kept in %s: %w", s.at, reason(err))
	}
	c.Feeds, c.View, c.Cap = true, false, 2
	d := s.dir
	pins, files := d.pins()
	box, was := d.box(c, pins)
	j := &Job{Line: c.Line, Began: time.Now(), jobs: s, out: out, stop: make(chan struct{}), done: make(chan struct{}), ways: hand([]*way(nil)), parting: make(chan chan error), unseen: make(chan struct{})}
	loose := box == nil // then only looking keeps nebula's settings as they are, see [Dir.Hold]
	if loose {
		err = d.held.begin()
	} else {
		box.Doors, box.Terminal, box.Limits.Output = d.doors(), c.Terminal, 0
		j.gate, err = confine.NewGate()
	}
	if err == nil {
		if j.p, err = d.launchJob(c, box, values(files).redactor(c.Secrets...), j); err != nil && loose {
			_, _ = d.held.end()
		}
	}
	if err != nil {
		j.closeGate()
		out.close()
		return nil, d.notStarted(err)
	}
	j.Held = j.p.held
	over := !s.add(j)
	if over {
		j.ask()
	}
	s.work.Go(func() { j.tend(was, loose) })
	if j.gate != nil {
		s.work.Go(j.lookout)
	} else {
		close(j.unseen)
	}
	if over {
		<-j.done
		return nil, nebula.ErrClosed
	}
	return j, nil
}

func (d *Dir) launchJob(c Command, box *confine.Box, known redact.Redactor, j *Job) (*process, error) {
	if j.gate != nil {
		c.gate = j.gate.Inside
		defer c.gate.Close()
	}
	return d.start(c, box, known, j.out.add)
}

// room says why there can be no more.
func (s *Jobs) room() error {
	running := 0
	for _, j := range s.List() {
		if j.Running() {
			running++
		}
	}
	if running >= mostJobs {
		return nebula.Wrong("Stop one first.", "%d commands run in the background, which is as many as may.", running)
	}
	return nil
}

// add lists a job, and reports whether the session is still there.
//
//go:noinline
func (s *Jobs) add(j *Job) (there bool) {
	s.roll.with(func(r *roll) {
		r.began++
		j.ID, there = r.began, !r.closed
		for len(r.list) >= 2*mostJobs {
			i := slices.IndexFunc(r.list, func(o *Job) bool { return !o.Running() })
			r.list[i].out.close()
			r.list = lists.Delete(r.list, i, i+1)
		}
		r.list = append(r.list, j)
	})
	return there
}

// strike takes a job from the list.
func (s *Jobs) strike(j *Job) {
	s.roll.with(func(r *roll) { r.list = lists.Drop(r.list, func(o *Job) bool { return o == j }) })
	j.out.close()
}

func (j *Job) ask() { j.stops.Do(func() { close(j.stop) }) }

//go:noinline
func (j *Job) closeGate() {
	if j.gate != nil {
		j.gate.Close()
	}
}

// tend waits for the job's end, and sees to it that nothing of it is left.
func (j *Job) tend(was *before, loose bool) {
	d := j.jobs.dir
	e := Exit{Started: true, Held: j.Held}
	for waiting := true; waiting; {
		waiting = false
		select {
		case <-j.p.ended:
		case <-j.stop:
			e.Stopped = true
		case answer := <-j.parting:
			err := j.part(was, loose)
			answer <- err
			if j.apart != nil {
				return
			}
			waiting = true
		}
	}
	e.Left = j.p.stop()
	j.p.drain()
	_ = j.p.feed.Close() // that of a terminal is what was read
	e.Code, e.Signal, e.Exceeded, e.Refused = j.p.code, j.p.signal, j.p.end.Exceeded, j.p.end.Refused
	commands.strike(j.p.leader)
	j.p.done(d)
	if loose {
		e.Restored, _ = d.held.end()
	}
	e.Aside, _, _ = d.putAside(was) // what could not be put aside stays to be seen
	e.Took = time.Since(j.Began)
	j.exit = e
	close(j.done)
	j.jobs.notify(j)
}

// notify tells of a job, unless all is over.
func (s *Jobs) notify(j *Job) {
	closed := false
	s.roll.with(func(r *roll) { closed = r.closed })
	if !closed && s.tell != nil {
		s.tell(j)
	}
}

// Running reports whether it goes on.
//
//go:noinline
func (j *Job) Running() bool {
	select {
	case <-j.done:
		return false
	default:
		return true
	}
}

// Exit tells how it ended; it did not while it is running.
//
//go:noinline
func (j *Job) Exit() Exit {
	if j.Running() {
		return Exit{}
	}
	return j.exit
}

// Stop ends it, and everything that it started.
//
//go:noinline
func (j *Job) Stop() {
	j.ask()
	<-j.done
}

// Fresh tells how much it wrote since it was read last, which line of that has what was awaited, and whether it ended since.
func (j *Job) Fresh() (bytes int64, found string, ended bool) {
	found, bytes, _ = j.out.state()
	return bytes, found, !j.Running() && !j.heard.Load()
}

// Read gives what it wrote since it was read last, the end of that where it is more than some bytes, and how much stood before.
func (j *Job) Read(most int) (data []byte, before int64) {
	ended := !j.Running()
	data, before = j.out.take(most)
	j.heard.Store(ended)
	return data, before
}

// Tail is the end of what it wrote, whoever read it.
func (j *Job) Tail(most int) []byte { return j.out.tail(most) }

// Await waits until it ends or writes something, for some time; what is looked for stays so. It gives the line that it was found in.
func (j *Job) Await(ctx context.Context, what *regexp.Regexp, most time.Duration) (found string) {
	j.out.await(what)
	limit := time.NewTimer(most)
	defer limit.Stop()
	for {
		found, _, news := j.out.state()
		if found != "" {
			return found
		}
		select {
		case <-news:
			continue
		case <-j.done:
		case <-limit.C:
		case <-ctx.Done():
		}
		found, _, _ = j.out.state()
		return found
	}
}

// Feed gives it something to read. The grant is one for a command: what a program reads it may do.
func (j *Job) Feed(g *nebula.Grant, text string) error {
	if !g.Runs() {
		return nebula.ErrNoGrant
	}
	if !j.Running() {
		return nebula.Wrong("Start it again.", "It has ended.")
	}
	_ = j.p.feed.SetWriteDeadline(time.Now().Add(feeding))
	if _, err := j.p.feed.WriteString(text); err != nil {
		return errors.Join(nebula.Wrong("Look what it waits for.", "It does not read."), err)
	}
	return nil
}

// feeding is how long a command has to read what it is fed.
const feeding = 2 * time.Second

// Says is its command on one line.
func (j *Job) Says() string { return strings.Join(strings.Fields(j.Line), " ") }

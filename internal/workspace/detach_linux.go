package workspace

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	ossignal "os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/lists"
)

// aloneWord begins the order that has a guard look after its command alone. With it come the files that nebula held so far.
const aloneWord = "alone"

// alone says what is handed to a guard, in the order of the files: what the command writes comes first.
type alone struct {
	Detached
	At   string `json:"at"`
	Feed bool   `json:"feed,omitempty"` // what the command reads comes from there
	Gate bool   `json:"gate,omitempty"` // to what it serves
	Temp bool   `json:"temp,omitempty"` // the folder that stands at /tmp, which is held
}

// handing is how long a guard has to take over.
const handing = 10 * time.Second

// startOf is when a process began, 0 where there is none.
func startOf(pid int) uint64 {
	p, ok := readProc(pid)
	if !ok || p.dead() {
		return 0
	}
	return p.start
}

func (d *Detached) end() error {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if err := syscall.Kill(d.ID, s); err != nil && !errors.Is(err, syscall.ESRCH) {
			return nebula.Errorf("process %d cannot be ended: %w", d.ID, err)
		}
		for until := time.Now().Add(10 * hopeless); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
			if startOf(d.ID) != d.Start {
				return nil
			}
		}
	}
	return nebula.Errorf("process %d does not die", d.ID)
}

// part hands the job to its guard. Where that fails the guard is gone, and the job with it.
func (j *Job) part(was *before, loose bool) error {
	g, d := j.p.system.guard, j.jobs.dir
	if g == nil {
		return nebula.Errorf("it runs below this nebula, and ends with it")
	}
	a := alone{Detached: Detached{ID: g.cmd.Process.Pid, Folder: d.real, Line: j.Line, Began: j.Began, Held: j.Held, at: j.jobs.at}, At: j.jobs.at}
	a.Start = startOf(a.ID)
	_ = j.p.pipe.SetReadDeadline(time.Now())
	<-j.p.read
	files := []*os.File{j.p.pipe}
	if a.Feed = j.p.feed != j.p.pipe; a.Feed {
		files = append(files, j.p.feed)
	}
	if j.gate != nil {
		if hand, err := j.gate.Hand(); err == nil {
			defer hand.Close()
			a.Gate, files = true, append(files, hand)
		}
	}
	if j.p.box != nil {
		if held := d.lend(j.p.box.Shared); held != nil {
			a.Temp, files = true, append(files, held)
		}
	}
	j.jobs.strike(j)
	j.apart, j.exit = &a.Detached, Exit{Started: true, Held: j.Held}
	close(j.done)
	<-j.unseen // the ports are free for the guard
	if loose {
		_, _ = d.held.end()
	}
	_, _, _ = d.putAside(was)
	commands.strike(j.p.leader)
	err := g.leave(a, files)
	go g.dismiss() // closes the line; until the guard has ended, which may be after nebula, it is noted as one of nebula's own
	_ = j.p.pipe.Close()
	if a.Feed {
		_ = j.p.feed.Close()
	}
	for until := time.Now().Add(handing); err == nil; time.Sleep(5 * time.Millisecond) {
		if _, gone := os.Stat(a.file(endNote)); gone == nil {
			break
		}
		if time.Now().After(until) || startOf(a.ID) != a.Start {
			err = nebula.Errorf("what looks after it is gone")
		}
	}
	return err
}

// leave has the guard go on alone.
func (g *guard) leave(a alone, files []*os.File) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	body := aloneWord + string(text) + "\x00\x00\x00"
	order := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	order = append(binary.LittleEndian.AppendUint32(order, 0), body...)
	var rights []int
	for _, f := range files {
		rights = append(rights, int(f.Fd()))
	}
	n, _, err := g.line.WriteMsgUnix(order, syscall.UnixRights(rights...), nil)
	if err == nil && n < len(order) {
		_, err = g.line.Write(order[n:])
	}
	return err
}

// A lone keeper looks after a command that was detached.
type lone struct {
	Detached
	job  *Job // for its ways alone
	out  rolled
	read sync.WaitGroup

	serving sync.WaitGroup
	ending  sync.Once
	over    chan struct{}
}

// part takes over a command. It reports whether orders can come after this one.
func (k *keeper) part(order string, given []int) bool {
	var a alone
	if json.Unmarshal([]byte(order), &a) != nil || len(given) == 0 {
		return true
	}
	a.at = a.At
	l := &lone{Detached: a.Detached, over: make(chan struct{})}
	var files []*os.File
	for _, fd := range given {
		fd, _ = syscall.Dup(fd) // the order's are closed when it is carried out
		syscall.CloseOnExec(fd)
		files = append(files, os.NewFile(uintptr(fd), "handed"))
	}
	l.out.path = l.file(endOutput)
	l.read.Go(func() { _, _ = io.Copy(&l.out, files[0]) })
	rest := files[1:]
	if a.Feed {
		rest = rest[1:] // it stays open
	}
	asked := make(chan os.Signal, 1)
	ossignal.Notify(asked, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-asked
		l.end(answer{second: uint32(syscall.SIGTERM)})
	}()
	k.lone = l
	if k.ended != nil {
		l.end(*k.ended)
	}
	_ = l.note() // who detached it waits for that
	if a.Gate {
		if gate, err := confine.OpenGate(rest[0]); err == nil {
			l.job = &Job{gate: gate, ways: hand([]*way(nil)), done: l.over}
			l.serving.Go(l.serve)
		}
	}
	return true
}

func (l *lone) end(a answer) {
	l.ending.Do(func() {
		var told confine.End
		if json.Unmarshal([]byte(a.text), &told) == nil {
			a.second = told.Status
		}
		l.Code, _ = ending(syscall.WaitStatus(a.second))
		close(l.over)
	})
}

// serve has the person's browser reach what it serves, and notes where.
func (l *lone) serve() {
	defer l.job.shut()
	for {
		if ports, err := l.job.gate.Ports(); err == nil {
			l.job.open(ports)
			if doors := l.job.doors(); !lists.Equal(doors, l.Serves) {
				l.Serves = doors
				_ = l.note() // told the next time else
			}
		}
		select {
		case <-l.over:
			return
		case <-time.After(lookLater):
		}
	}
}

// wait goes on until the command has ended; then nothing of it is left.
func (l *lone) wait() {
	<-l.over
	end()
	drained := make(chan struct{})
	go func() { l.read.Wait(); close(drained) }()
	select {
	case <-drained:
	case <-time.After(hopeless):
	}
	l.serving.Wait()
	l.Ended, l.Serves = true, nil
	_ = l.note()
}

// rolled keeps the end of what is written to it.
type rolled struct {
	path string
	f    *os.File
	n    int
}

// Write implements [io.Writer]. What cannot be kept is lost: the command goes on.
func (r *rolled) Write(data []byte) (int, error) {
	if r.f != nil && r.n > spoolSize/2 {
		_ = r.f.Close()
		_ = os.Rename(r.path, r.path+endEarlier)
		r.f, r.n = nil, 0
	}
	if r.f == nil {
		r.f, _ = os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	}
	if r.f != nil {
		n, _ := r.f.Write(data)
		r.n += n
	}
	return len(data), nil
}

// detaching reports whether an order is about a command that runs already.
func detaching(described string) (order string, ok bool) {
	return strings.CutPrefix(described, aloneWord)
}

// Package helper starts programs that run beside nebula and are spoken to by what they read and print, each in a box where one is
// given. They end when nebula does.
package helper

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"nebula/internal/confine"
	"nebula/internal/lists"
)

// A Launch is how a program is started.
type Launch struct {
	Command []string
	Env     []string
	Dir     string
	Box     *confine.Box // nil for none
	Done    func()       // called when nothing of it is left; may be nil
}

// A Program is one that was started. It speaks on its standard input and output.
type Program struct {
	In    io.WriteCloser
	Out   io.ReadCloser
	said  tail
	Ended chan struct{} // closed when nothing of it is left
	heard chan struct{} // closed when it has said its last
	kill  func()
	end   confine.End // set before ended closes
}

// Start begins a program with a way in, a way out and what it says beside.
func Start(l Launch) (*Program, error) {
	path, err := exec.LookPath(l.Command[0])
	if err != nil {
		return nil, err
	}
	l.Command = append([]string{path}, l.Command[1:]...)
	inside, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, outside, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inside.Close(), in.Close())
	}
	told, tells, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inside.Close(), in.Close(), out.Close(), outside.Close())
	}
	p := &Program{In: in, Out: out, Ended: make(chan struct{}), heard: make(chan struct{})}
	begin := plainly
	if l.Box != nil {
		begin = boxed
	}
	err = begin(l, p, [3]*os.File{inside, outside, tells})
	_, _, _ = inside.Close(), outside.Close(), tells.Close() // they are the program's
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close(), told.Close())
	}
	go func() {
		_, _ = io.Copy(&p.said, told) // until the program has gone
		_ = told.Close()
		close(p.heard)
	}()
	if l.Done != nil {
		go func() {
			<-p.Ended
			l.Done()
		}()
	}
	return p, nil
}

// plainly starts a program that nothing holds.
func plainly(l Launch, p *Program, files [3]*os.File) error {
	cmd := &exec.Cmd{Path: l.Command[0], Args: l.Command, Env: append(l.Env, mark), Dir: l.Dir, Stdin: files[0], Stdout: files[1], Stderr: files[2], SysProcAttr: apart()}
	started := make(chan error)
	go func() {
		defer tied()()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is nothing to anybody
			close(p.Ended)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	p.kill = func() { killAll(cmd.Process) }
	return nil
}

// mark keeps nebula from taking a server for what a command left behind.
const mark = "NEBULA_COMMAND=server"

// patience is how long a server may take to end by itself when its input does.
const patience = 500 * time.Millisecond

// Stop ends a program, at first by ending what it reads.
func (p *Program) Stop() {
	_ = p.In.Close()
	select {
	case <-p.Ended:
	case <-time.After(patience):
		p.kill()
		select {
		case <-p.Ended:
		case <-time.After(patience):
		}
	}
	_ = p.Out.Close()
}

// Refused are the hosts that the box kept it from, once it has ended.
func (p *Program) Refused() (hosts []string) {
	select {
	case <-p.Ended:
	default:
		return nil
	}
	for _, r := range p.end.Refused {
		if r.Kind == confine.Connect {
			hosts = append(hosts, r.What)
		}
	}
	return hosts
}

// A tail keeps the last of what one goroutine writes to it.
type tail struct{ data atomic.Pointer[[]byte] }

// kept is how much of what a server says beside is kept.
const kept = 4 << 10

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	all := append([]byte(t.text()), b...)
	all = lists.Clone(all[max(0, len(all)-kept):])
	t.data.Store(&all)
	return len(b), nil
}

// last is the last line that says something.
func (t *tail) last() string {
	lines := strings.Split(strings.TrimSpace(t.text()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

//go:noinline
func (t *tail) text() string {
	if data := t.data.Load(); data != nil {
		return string(*data)
	}
	return ""
}

// Last is what the program said last beside, once it has gone or a moment has passed.
func (p *Program) Last() string {
	for _, last := range []chan struct{}{p.Ended, p.heard} {
		select {
		case <-last:
		case <-time.After(patience):
		}
	}
	return p.said.last()
}

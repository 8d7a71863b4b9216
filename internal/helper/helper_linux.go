package helper

import (
	"errors"
	"os"
	"runtime"
	"syscall"

	"nebula/internal/confine"
)

// boxed starts a program in a box, which dies with nebula.
func boxed(l Launch, p *Program, files [3]*os.File) error {
	ready, err := confine.Prepare(l.Box.Network)
	if err != nil {
		return err
	}
	running, err := ready.Start(*l.Box, confine.Command{Path: l.Command[0], Args: l.Command, Env: l.Box.Environment(l.Env), Dir: l.Dir},
		[]int{int(files[0].Fd()), int(files[1].Fd()), int(files[2].Fd())})
	if err != nil {
		wait(ready.Pid)
		return err
	}
	go func() {
		p.end, _ = running.Ended() // who was killed tells nothing
		wait(ready.Pid)
		close(p.Ended)
	}()
	p.kill = func() { _ = syscall.Kill(ready.Pid, syscall.SIGKILL) }
	return nil
}

func wait(pid int) {
	for {
		if _, err := syscall.Wait4(pid, nil, 0, nil); !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// apart gives a program a group of its own, and ends it with nebula.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// tied keeps a goroutine on its thread: a child dies with the thread that made it.
func tied() (loose func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

func killAll(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

//go:build unix && !linux

package workspace

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Where no process can be made to stay below nebula, a command's processes are its group, and those that ps shows
// with the command's mark in their environment.

// Ending says for a person what becomes of what a command starts.
const Ending = "What they start ends with them where it stays in their group or ps shows that it is theirs, and outlives a nebula that is killed"

type system struct{}

func (p *process) launch(*Dir, *os.File) error {
	p.calm.Lock()
	defer p.calm.Unlock()
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	p.leads(p.cmd.Process.Pid)
	go func() {
		_ = p.cmd.Wait() // the state tells how it ended
		p.code, p.signal = ending(p.cmd.ProcessState.Sys().(syscall.WaitStatus))
		close(p.ended)
	}()
	return nil
}

func (p *process) done(*Dir) {}

// stop ends every process of the command and returns how many were found.
func (p *process) stop() int {
	group := -p.cmd.Process.Pid
	alive := func() bool { return syscall.Kill(group, 0) == nil }
	strays := p.strays()
	left := len(strays)
	_ = syscall.Kill(group, syscall.SIGTERM)
	signal(strays, syscall.SIGTERM)
	for end := time.Now().Add(grace); (alive() || len(strays) > 0) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	_ = syscall.Kill(group, syscall.SIGKILL)
	signal(strays, syscall.SIGKILL)
	select {
	case <-p.ended:
	case <-time.After(hopeless):
	}
	return left
}

func signal(pids []int, s syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, s)
	}
}

func (p *process) strays() []int {
	out, err := exec.CommandContext(context.Background(), "ps", "-axEww", "-o", "pid=,command=").Output()
	if err != nil {
		return nil
	}
	var pids []int
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		first, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		pid, err := strconv.Atoi(first)
		if err == nil && strings.Contains(rest+" ", " "+markName+"="+p.mark+" ") {
			pids = append(pids, pid)
		}
	}
	return pids
}

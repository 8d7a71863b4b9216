package workspace

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

// A command's processes are those of a job object, which ends all of them when it is closed.

// Ending says for a person what becomes of what a command starts.
const Ending = "Whatever they start ends with them (a job object)"

type system struct{ job syscall.Handle }

// shell runs a line in PowerShell, or in cmd where there is none.
func shell(line string) *exec.Cmd {
	for _, name := range []string{"pwsh.exe", "powershell.exe"} {
		if path, err := exec.LookPath(name); err == nil {
			return exec.CommandContext(context.Background(), path, "-NoLogo", "-NoProfile", "-NonInteractive", "-Command", line)
		}
	}
	cmd := exec.CommandContext(context.Background(), "cmd.exe")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd.exe /d /s /c \"" + line + "\""}
	return cmd
}

const (
	createNewProcessGroup     = 0x200
	createNoWindow            = 0x08000000
	jobExtendedLimit          = 9
	jobKillOnClose            = 0x2000
	processSetQuotaTerminate  = 0x0101
	processQueryLimitedAccess = 0x1000
)

// jobLimits is JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
type jobLimits struct {
	processTime, jobTime int64
	flags                uint32
	minSet, maxSet       uintptr
	processes            uint32
	affinity             uintptr
	priority, scheduling uint32
	io                   [6]uint64
	memory               [4]uintptr
}

func (p *process) launch(*Dir, *os.File) error {
	p.calm.Lock()
	defer p.calm.Unlock()
	if p.cmd.SysProcAttr == nil {
		p.cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	p.cmd.SysProcAttr.CreationFlags = createNewProcessGroup | createNoWindow
	p.cmd.SysProcAttr.HideWindow = true
	if err := p.cmd.Start(); err != nil {
		return err
	}
	p.leads(p.cmd.Process.Pid)
	p.system.job = job(p.leader)
	go func() {
		_ = p.cmd.Wait() // the state tells how it ended
		p.code = p.cmd.ProcessState.ExitCode()
		close(p.ended)
	}()
	return nil
}

// job puts a process into a new job. It returns 0 where that cannot be done: then only the leader is ended.
func job(pid int) syscall.Handle {
	kernel := syscall.NewLazyDLL("kernel32.dll")
	h, _, _ := kernel.NewProc("CreateJobObjectW").Call(0, 0)
	if h == 0 {
		return 0
	}
	limits := jobLimits{flags: jobKillOnClose}
	kernel.NewProc("SetInformationJobObject").Call(h, jobExtendedLimit, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits))
	child, err := syscall.OpenProcess(processSetQuotaTerminate|processQueryLimitedAccess, false, uint32(pid))
	if err != nil {
		syscall.CloseHandle(syscall.Handle(h))
		return 0
	}
	defer syscall.CloseHandle(child)
	kernel.NewProc("AssignProcessToJobObject").Call(h, uintptr(child))
	return syscall.Handle(h)
}

// stop ends every process of the command. How many outlived the leader is not known here.
func (p *process) stop() int {
	if p.system.job != 0 {
		_ = syscall.CloseHandle(p.system.job)
	}
	_ = p.cmd.Process.Kill()
	select {
	case <-p.ended:
	case <-time.After(hopeless):
	}
	return 0
}

func (p *process) done(*Dir) {}

package workspace

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"nebula"
	"nebula/internal/lists"
)

// A command's processes are found by descent. nebula makes itself the subreaper, so that whatever a command starts
// stays below nebula however it was started: a daemon that forks twice, setsid, nohup, env -i. The command leads a
// session of its own, which tells its processes from nebula's other children.

// Ending says for a person what becomes of what a command starts.
const Ending = "Whatever they start ends with them, daemons too"

// system is when the command began, and the guard that it runs below, if it has one.
type system struct {
	since since
	guard *guard
	told  bool // by the guard, how the command ended
	clean bool // nothing of the command is left
}

// since is a moment in the unit of /proc/*/stat: hundredths of a second since boot.
type since uint64

const (
	prSetChildSubreaper = 36
	clockBoottime       = 7
	ticks               = 100 // of /proc, on every architecture
)

// launch starts the leader, below a guard where commands have one. Without, the thread that starts it stays until it
// ends, because the leader is killed when that thread does.
func (p *process) launch(d *Dir, out *os.File) (err error) {
	subreap()
	if p.system.guard, err = d.guards.take(); err != nil {
		return err
	}
	if p.system.guard == nil && p.box != nil {
		return nebula.Errorf("there is no confinement")
	}
	p.calm.Lock()
	defer p.calm.Unlock()
	p.system.since = now()
	if p.system.guard != nil {
		return p.launchGuarded(d, out)
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: p.terminal, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		if err == nil {
			p.leads(p.cmd.Process.Pid)
		}
		started <- err
		if err == nil {
			_ = p.cmd.Wait() // the state tells how it ended
			p.code, p.signal = ending(p.cmd.ProcessState.Sys().(syscall.WaitStatus))
			close(p.ended)
		}
	}()
	return <-started
}

func (p *process) launchGuarded(d *Dir, out *os.File) error {
	g := p.system.guard
	files := []*os.File{out}
	if p.in != nil {
		files = append(files, p.in)
	}
	if p.gate != nil {
		files = append(files, p.gate)
	}
	pid, held, err := g.launch(p.cmd, p.box, p.runs, files...)
	if err != nil {
		d.boxes.lost.Store(errors.Is(err, errRefused) || d.boxes.lost.Load())
		d.guards.give(g)
		return err
	}
	p.held = held
	p.leads(pid)
	go func() {
		end, err := g.await()
		p.end = end
		if p.system.told = err == nil; err != nil { // somebody killed the guard
			p.end.Status = uint32(syscall.SIGKILL)
			if p.box != nil {
				p.end.Opened = p.box.Watch
			}
		}
		p.code, p.signal = ending(syscall.WaitStatus(p.end.Status))
		close(p.ended)
	}()
	return nil
}

// done gives the guard back.
func (p *process) done(d *Dir) {
	g := p.system.guard
	if g == nil {
		return
	}
	killed := false
	select {
	case <-p.ended:
		killed = !p.system.told
		g.idle = !killed && p.system.clean
	default: // it does not die
	}
	d.guards.give(g)
	if killed { // what was below it came to nebula when it was gone
		p.kill()
	}
}

// subreap keeps what loses its parent below this process.
//
//go:noinline
func subreap() {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0, 0, 0, 0)
}

func now() since {
	var ts syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&ts)), 0)
	t := uint64(ts.Sec)*ticks + uint64(ts.Nsec)/(1e9/ticks)
	return since(t - min(t, 1))
}

// stop ends every process of the command and returns how many there were.
func (p *process) stop() int {
	if p.box != nil {
		return p.stopBox()
	}
	found := p.living()
	left := len(found)
	signal(found, syscall.SIGTERM)
	for end, pause := time.Now().Add(grace), 5*time.Millisecond; len(found) > 0 && time.Now().Before(end); pause *= 2 {
		time.Sleep(min(pause, time.Until(end)))
		found = p.living()
	}
	p.system.clean = p.kill()
	select {
	case <-p.ended:
	case <-time.After(hopeless):
	}
	return left
}

// stopBox ends the command's box, unless it has ended, and with it everything in it.
func (p *process) stopBox() int {
	patience := 2 * grace
	if len(p.box.Watch) > 0 { // it says yet what was opened
		patience = hopeless
	}
	for _, s := range []struct {
		signal syscall.Signal
		until  time.Duration
	}{{0, 0}, {syscall.SIGTERM, patience}, {syscall.SIGKILL, hopeless}} {
		if s.signal != 0 {
			_ = syscall.Kill(p.leader, s.signal)
		}
		select {
		case <-p.ended:
			p.system.clean = true
			return p.end.Left
		default:
		}
		select {
		case <-p.ended:
			p.system.clean = true
			return p.end.Left
		case <-time.After(s.until):
		}
	}
	return 0
}

// kill ends what lives of the command, and reports whether that was all.
func (p *process) kill() bool {
	found := p.living()
	for end := time.Now().Add(hopeless); len(found) > 0 && time.Now().Before(end); found = p.living() {
		signal(found, syscall.SIGKILL)
		time.Sleep(2 * time.Millisecond)
	}
	return len(found) == 0
}

func signal(pids []int, s syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, s)
		_ = syscall.Kill(pid, syscall.SIGCONT) // a stopped process takes no other signal
	}
}

// living are the command's processes that run. A process that died meanwhile may have left children that were not
// listed yet, and stays unburied until its parent has gone as well: then it looks again.
func (p *process) living() []int {
	for end := time.Now().Add(hopeless); ; time.Sleep(time.Millisecond) {
		found, dead := p.look()
		if len(found) > 0 || dead == 0 || time.Now().After(end) {
			return found
		}
	}
}

// look finds the command's processes, and buries those of them that died as nebula's children.
func (p *process) look() (found []int, dead int) {
	p.calm.RLock()
	defer p.calm.RUnlock()
	self := os.Getpid()
	own, ok := readProc(self)
	if !ok {
		return nil, 0
	}
	all := family(p.system.since)
	take := func(s proc) {
		if !s.dead() {
			found = append(found, s.pid)
			return
		}
		dead++
		if s.parent == self && (s.pid != p.leader || p.system.guard != nil) { // an unguarded leader is waited for
			_, _ = syscall.Wait4(s.pid, nil, syscall.WNOHANG, nil)
		}
	}
	for _, s := range all {
		if s.parent == self && p.owns(s, own) {
			take(s)
			for _, below := range descent(s.pid, all) {
				take(below)
			}
		}
	}
	if g := p.system.guard; g != nil {
		for _, s := range descent(g.cmd.Process.Pid, all) {
			take(s)
		}
	}
	return found, dead
}

// descent is what of a family is below a process.
//
//go:noinline
func descent(root int, all []proc) (found []proc) {
	below := map[int][]proc{}
	for _, s := range all {
		below[s.parent] = append(below[s.parent], s)
	}
	found = lists.Clone(below[root])
	for i := 0; i < len(found); i++ {
		found = append(found, below[found[i].pid]...)
	}
	return found
}

// owns reports whether a child of nebula is this command's: its leader, or one that lost its parent.
func (p *process) owns(s, self proc) bool {
	if s.pid == p.leader || s.session == p.leader {
		return true
	}
	if s.session == self.session || p.others(s.pid) || p.others(s.session) {
		return false
	}
	mark, told := marked(s.pid)
	return !told || mark == p.mark
}

type proc struct {
	pid, parent, session int
	state                byte // of its first thread
	threads              int
	start                uint64
}

// dead reports whether a process has ended. One whose first thread alone has ended looks like a zombie, and goes on.
//
//go:noinline
func (s proc) dead() bool { return s.state == 'X' || s.state == 'Z' && s.threads < 2 }

// family reads the processes that started at or after a moment. /proc is no snapshot: a process may end while it is
// read, and its children then hang on nothing, or are not listed yet. So it is read until nothing is missing.
func family(from since) []proc {
	var found []proc
	for range 8 {
		var whole bool
		if found, whole = procs(from); whole {
			break
		}
	}
	return found
}

func procs(from since) (found []proc, whole bool) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, true
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	there := map[int]bool{0: true}
	whole = true
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		s, ok := readProc(pid)
		there[pid] = ok
		whole = whole && ok
		if ok && s.start >= uint64(from) {
			found = append(found, s)
		}
	}
	for _, s := range found {
		whole = whole && there[s.parent]
	}
	return found, whole
}

// readProc reads /proc/PID/stat, see proc_pid_stat(5). The name in parentheses may hold anything.
func readProc(pid int) (proc, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return proc{}, false
	}
	close := bytes.LastIndexByte(data, ')')
	if close < 0 {
		return proc{}, false
	}
	f := bytes.Fields(data[close+1:])
	if len(f) < 20 {
		return proc{}, false
	}
	s := proc{pid: pid, state: f[0][0]}
	s.parent, _ = strconv.Atoi(string(f[1]))
	s.session, _ = strconv.Atoi(string(f[3]))
	s.threads, _ = strconv.Atoi(string(f[17]))
	s.start, err = strconv.ParseUint(string(f[19]), 10, 64)
	return s, err == nil
}

// marked reads the mark that a process has in its environment.
func marked(pid int) (mark string, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return "", false
	}
	for v := range bytes.SplitSeq(data, []byte{0}) {
		if m, found := bytes.CutPrefix(v, []byte(markName+"=")); found {
			return string(m), true
		}
	}
	return "", false
}

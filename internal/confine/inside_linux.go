package confine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	orderFile = 3 // what is to be done is read from here, and said what became of it; its end ends the box
)

// grace is how long processes that a command left have to end by themselves.
const grace = 60 * time.Millisecond

// first is the life of the first process of a box.
func first() {
	runtime.LockOSThread() // what is taken from this thread is taken from what it starts
	_ = unix.CloseRange(3, ^uint(0)>>33, unix.CLOSE_RANGE_CLOEXEC)
	told := make(chan os.Signal, 1)
	signal.Notify(told, unix.SIGTERM)
	spare()
	line := os.NewFile(orderFile, "order")
	gate, err := standard()
	if err == io.EOF {
		os.Exit(0) // nothing is to be done
	}
	var o order
	if err == nil {
		err = json.NewDecoder(line).Decode(&o)
	}
	var held Held
	if err == nil {
		held, err = o.confine()
	}
	var pid int
	seen := &observer{box: o.Box, seen: make(chan Refusal, enough)}
	if err == nil {
		if o.resolver != nil {
			go seen.names(o.resolver, o.leads)
		}
		seen.files = o.Box.witness()
		if held.Has(PIDs | Seccomp) { // what outlived this process would stop for good
			seen.enter()
		}
		c := o.Command
		pid, err = syscall.ForkExec(c.Path, c.Args, &syscall.ProcAttr{Dir: c.Dir, Env: c.Env, Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true, Setctty: o.Box.Terminal}})
	}
	if err != nil {
		_, _ = fmt.Fprintf(line, "%s\n", oneLine(err))
		os.Exit(1)
	}
	_ = unix.Sendmsg(orderFile, fmt.Appendf(nil, "held %d\n", held), unix.UnixRights(o.ways...), nil, 0)
	for _, fd := range append(o.ways, 0, 1, 2) { // who reads the output sees its end when the last process of the command is gone
		_ = unix.Close(fd)
	}
	go o.Box.serve(gate)
	go func() { // nobody is there any more for whom this runs
		_, _ = io.Copy(io.Discard, line)
		os.Exit(1)
	}()
	go over(told, held)
	exceeded := make(chan Exceeded, 1)
	if held.Has(PIDs) { // else it is not the box that a signal to all would reach
		go o.Box.watch(exceeded)
	}
	end := End{Status: uint32(await(pid))}
	select {
	case end.Exceeded = <-exceeded:
	default:
	}
	if held.Has(PIDs) {
		if end.Left = len(company()); end.Left > 0 {
			sweep()
		}
	}
	end.Refused, end.Opened = seen.refusals(), seen.files.opened()
	_ = json.NewEncoder(line).Encode(end)
	os.Exit(0) // which takes the kernel longer than a command should wait
}

// over ends the command when this process is told to end. What was seen of it is said all the same.
func over(told <-chan os.Signal, held Held) {
	<-told
	if !held.Has(PIDs) { // a signal to all would reach others
		os.Exit(1)
	}
	_ = unix.Kill(-1, unix.SIGKILL)
}

// threads are as many as this process needs at a time.
const threads = 9

// spare makes them ahead: a command that has taken all processes there may be leaves none for them.
func spare() {
	var there, done sync.WaitGroup
	there.Add(threads)
	for range threads {
		done.Go(func() {
			runtime.LockOSThread() // so each has a thread of its own
			defer runtime.UnlockOSThread()
			there.Done()
			there.Wait()
		})
	}
	done.Wait()
}

// standard takes standard input, output and error from the order, and the box's end of the gate; -1 where there is none.
func standard() (gate int, err error) {
	rights := make([]byte, unix.CmsgSpace(4*4))
	for {
		n, m, _, _, err := unix.Recvmsg(orderFile, make([]byte, 1), rights, unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return -1, cmp.Or(err, io.EOF)
		}
		messages, err := unix.ParseSocketControlMessage(rights[:m])
		if err != nil || len(messages) != 1 {
			return -1, cmp.Or(err, io.ErrUnexpectedEOF)
		}
		files, err := unix.ParseUnixRights(&messages[0])
		if err != nil || len(files) < 3 || len(files) > 4 {
			return -1, cmp.Or(err, io.ErrUnexpectedEOF)
		}
		for i, fd := range files[:3] {
			if err := unix.Dup3(fd, i, 0); err != nil {
				return -1, err
			}
			_ = unix.Close(fd)
		}
		if len(files) > 3 {
			return files[3], nil
		}
		return -1, nil
	}
}

// sweep ends what the command left: asked first, then without being asked.
func sweep() {
	_ = unix.Kill(-1, unix.SIGTERM)
	for until := time.Now().Add(grace); len(company()) > 0 && time.Now().Before(until); time.Sleep(2 * time.Millisecond) {
		bury(unix.WNOHANG)
	}
	_ = unix.Kill(-1, unix.SIGKILL)
	bury(0)
}

// bury takes leave of processes that ended; without an option, of all.
func bury(options int) {
	for {
		if dead, err := unix.Wait4(-1, nil, options, nil); dead <= 0 && err != unix.EINTR {
			return
		}
	}
}

// await buries processes until the command itself has ended.
func await(pid int) syscall.WaitStatus {
	for {
		var status syscall.WaitStatus
		dead, err := syscall.Wait4(-1, &status, 0, nil)
		if dead == pid || err != nil && err != syscall.EINTR {
			return status
		}
	}
}

// company are the processes of the box beside this one that have not ended.
func company() (pids []string) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err != nil || pid == os.Getpid() {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if i := strings.LastIndexByte(string(stat), ')'); err == nil && i > 0 && i+2 < len(stat) && stat[i+2] != 'Z' && stat[i+2] != 'X' {
			pids = append(pids, name)
		}
	}
	return pids
}

// confine sets up what was ordered, on this thread. What cannot be had of what a box needs is an error.
func (o *order) confine() (held Held, err error) {
	held = o.Spaces &^ Mounts                                       // the kernel made them with this process
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // when the machine has no memory left, this goes first
	if held.Has(PIDs) {
		o.Box.Limits.count()
	}
	if !o.Skip.Has(Mounts) {
		if err := o.mounts(); err != nil {
			return 0, err
		}
		held |= Mounts
	}
	if held.Has(Network) {
		if err := loopback(); err != nil {
			return 0, fmt.Errorf("loopback: %w", err)
		}
		if o.ways, o.leads, err = o.Box.reach(); err != nil {
			return 0, fmt.Errorf("network: %w", err)
		}
		o.resolver, _ = net.ListenPacket("udp4", resolver) //nolint:noctx // without it nothing is seen of names
	}
	o.Box.Limits.set()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("no_new_privs: %w", err)
	}
	if !o.Skip.Has(Landlock) {
		if err := o.Box.landlock(); err == nil {
			held |= Landlock
		} else if !o.Box.Weaker {
			return 0, fmt.Errorf(Refuses+"landlock: %w", err)
		}
	}
	if !o.Skip.Has(Rights) {
		if err := renounce(); err != nil {
			return 0, fmt.Errorf("capabilities: %w", err)
		}
		held |= Rights
	}
	if t, ok := tableHere(); ok && !o.Skip.Has(Seccomp) {
		if err := t.enter(); err == nil {
			held |= Seccomp
		} else if !o.Box.Weaker {
			return 0, fmt.Errorf(Refuses+"seccomp: %w", err)
		}
	}
	return held, nil
}

func (l Limits) set() {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	if l.Files > 0 {
		_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: l.Files, Max: l.Files})
	}
	if l.CPU > 0 {
		_ = unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: l.CPU, Max: l.CPU + 1})
	}
}

// count bounds the processes of this process namespace, also for root, whom the limit of a user does not bind. Before Linux
// 6.14 the bound is the whole machine's, and root's box is not kept from writing it.
func (l Limits) count() {
	if l.Processes == 0 {
		return
	}
	var u unix.Utsname
	var major, minor int
	_ = unix.Uname(&u)
	if _, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor); err == nil && (major > 6 || major == 6 && minor >= 14) {
		_ = os.WriteFile("/proc/sys/kernel/pid_max", []byte(strconv.FormatUint(l.Processes, 10)), 0)
	}
	_ = unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: l.Processes, Max: l.Processes})
}

func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	up, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	up.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, up)
}

// renounce takes every capability from every thread, and the way to get any: not by being root, not by a file's.
func renounce() error {
	const noRoot = 0x2f // SECBIT_NOROOT, NO_SETUID_FIXUP and NO_CAP_AMBIENT_RAISE, all locked; see capabilities(7)
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot, 0, 0, 0); err != nil {
		return err
	}
	for c := uintptr(0); c < 64; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err == unix.EINVAL {
			break // the kernel knows no further
		} else if err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil { // nobody inside gets at this process
		return err
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&head, &none[0])
}

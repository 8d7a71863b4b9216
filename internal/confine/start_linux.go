package confine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// insideWord is the argument that makes nebula the first process of a box.
const insideWord = "inside-box"

// A Command is what runs in a box.
type Command struct {
	Path string
	Args []string
	Env  []string
	Dir  string
}

// An order is what the first process of a box is told.
type order struct {
	Box     Box
	Command Command
	Skip    Held // layers that are left out, which only tests do
}

// Running is a command in a box. Its process is not waited for here: whoever started it does, and then calls Ended.
type Running struct {
	Pid  int  // of the first process in the box; when it ends nothing is left there
	Held Held // what holds it

	line   *os.File // while it is open the box lives
	report *bufio.Reader
	said   *os.File
}

// Start starts a command in a box; files are its standard input, output and error. A box that cannot be made whole is an
// error, and nothing runs. The program is one that calls [Inside], and the process can be looked at by its own kind (it
// is dumpable): the kernel gives no user namespace otherwise.
func Start(b Box, c Command, files [3]uintptr) (*Running, error) {
	return start(order{Box: b, Command: c}, files)
}

func start(o order, files [3]uintptr) (*Running, error) {
	o.Box.Hide = append(o.Box.Hide, sockets(o.Box)...)
	body, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	told, line, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer told.Close()
	report, said, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, line.Close())
	}
	defer said.Close()
	r := &Running{line: line, report: bufio.NewReader(report), said: report}
	attr := &syscall.ProcAttr{
		Dir: "/", Env: []string{"GOMAXPROCS=1"},
		Files: []uintptr{files[0], files[1], files[2], told.Fd(), said.Fd()},
		Sys:   spaces(o.Box, o.Skip),
	}
	r.Pid, err = syscall.ForkExec("/proc/self/exe", []string{"nebula", insideWord}, attr)
	if err != nil {
		r.close()
		return nil, fmt.Errorf("namespaces: %w", err)
	}
	_ = told.Close()
	_ = said.Close()
	if _, err := line.Write(body); err != nil {
		return r.fail(err)
	}
	verdict, err := r.report.ReadString('\n')
	if err != nil {
		return r.fail(errors.New("the first process ended"))
	}
	held, good := strings.CutPrefix(strings.TrimSpace(verdict), "held ")
	n, err := strconv.ParseUint(held, 10, 32)
	if !good || err != nil {
		return r.fail(errors.New(strings.TrimSpace(verdict)))
	}
	r.Held = Held(n)
	return r, nil
}

func (r *Running) fail(err error) (*Running, error) {
	r.close()
	_, _ = syscall.Wait4(r.Pid, nil, 0, nil)
	return nil, err
}

func (r *Running) close() {
	_ = r.line.Close()
	_ = r.said.Close()
}

// Ended tells how the command ended, and how many processes it left that ended with the box. It is called when the first
// process was waited for, with what that gave.
func (r *Running) Ended(status syscall.WaitStatus) (how syscall.WaitStatus, left int) {
	defer r.close()
	last, err := r.report.ReadString('\n')
	var n uint32
	if _, err2 := fmt.Sscanf(last, "ended %d %d", &n, &left); err != nil || err2 != nil {
		return status, 0
	}
	return syscall.WaitStatus(n), left
}

// spaces are the namespaces that a box is made of, and who the command is in them: the same as outside.
func spaces(b Box, skip Held) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true}
	for _, s := range []struct {
		held Held
		flag uintptr
	}{{Users, unix.CLONE_NEWUSER}, {Mounts, unix.CLONE_NEWNS}, {PIDs, unix.CLONE_NEWPID}, {Network, unix.CLONE_NEWNET}, {IPC, unix.CLONE_NEWIPC}, {UTS, unix.CLONE_NEWUTS}} {
		if skip&s.held == 0 && (s.held != Network || !b.Network) {
			a.Cloneflags |= s.flag
		}
	}
	if skip.Has(Users) {
		return a
	}
	a.UidMappings, a.GidMappings = identity("uid", os.Geteuid()), identity("gid", os.Getegid())
	a.GidMappingsEnableSetgroups = len(a.GidMappings) > 0 && a.GidMappings[0].Size > 1
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if c == unix.CAP_SYS_ADMIN || c == unix.CAP_NET_ADMIN || c == unix.CAP_SETPCAP || c == unix.CAP_SYS_RESOURCE {
			a.AmbientCaps = append(a.AmbientCaps, c) // until the box is made
		}
	}
	return a
}

// identity maps users or groups to themselves: one, or for those who may everyone that is known here.
func identity(kind string, id int) []syscall.SysProcIDMap {
	one := []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}}
	if id != 0 || !mayMap() {
		return one
	}
	data, err := os.ReadFile("/proc/self/" + kind + "_map")
	if err != nil {
		return one
	}
	var all []syscall.SysProcIDMap
	for l := range strings.Lines(string(data)) {
		var inside, outside, size int
		if _, err := fmt.Sscan(l, &inside, &outside, &size); err == nil {
			all = append(all, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
		}
	}
	if len(all) == 0 {
		return one
	}
	return all
}

func mayMap() bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	const both = 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID
	return unix.Capget(&head, &data[0]) == nil && data[0].Effective&both == both
}

// sockets are those of other programs that can be reached by a path where a box shows it: what may only be read can still
// be spoken to.
func sockets(b Box) (found []string) {
	data, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		return nil
	}
	covered := append(append([]string{b.Folder}, b.Private...), b.Hide...)
	seen := map[string]bool{}
	for l := range strings.Lines(string(data)) {
		if i := strings.Index(l, " /"); i > 0 {
			path := strings.TrimSpace(l[i+1:])
			if !seen[path] && !within(path, covered...) {
				seen[path] = true
				found = append(found, path)
			}
		}
	}
	return found
}

// Probe tries which layers the kernel gives to a box in an empty folder. An error says what keeps a box from being made.
func Probe() (Held, error) {
	dir, err := os.MkdirTemp("", "nebula-probe-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	b := Box{Folder: dir, Private: temporary}
	r, err := Start(b, Command{Path: "/proc/self/exe", Args: []string{"nebula", insideWord}, Dir: dir}, [3]uintptr{null.Fd(), null.Fd(), null.Fd()})
	if err != nil {
		return 0, err
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(r.Pid, &status, 0, nil); err != nil {
		return 0, err
	}
	status, _ = r.Ended(status)
	if status.ExitStatus() != notForPeople {
		return 0, fmt.Errorf("a program in it ended with %d", status.ExitStatus())
	}
	return r.Held, nil
}

// notForPeople is how nebula ends that was told to be inside of a box and is not.
const notForPeople = 97

// Inside reports whether the arguments make this process the first of a box. If so it does not return.
func Inside(args []string) bool {
	if len(args) != 2 || args[1] != insideWord {
		return false
	}
	var st unix.Stat_t
	if unix.Fstat(orderFile, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		_, _ = io.WriteString(os.Stderr, "nebula: this is for nebula's own use\n")
		os.Exit(notForPeople)
	}
	first()
	return true
}

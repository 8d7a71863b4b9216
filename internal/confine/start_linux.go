package confine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	Spaces  Held // the namespaces that it is in
	Skip    Held // layers that are left out, which only tests do

	resolver net.PacketConn     // where the box answers for names
	leads    map[string][4]byte // what names lead to
	ways     []int              // where it listens for hosts
}

// A Ready is a box without anything in it: a process in namespaces of its own that waits for what it is to do. Making
// one takes longer than all the rest, so it can be made before it is needed.
type Ready struct {
	Pid int

	spaces Held
	line   *os.File // while it is open the box lives
}

// Running is a command in a box. Its first process is not waited for here: whoever started it does.
type Running struct {
	Pid  int  // of the first process in the box; when it ends nothing is left there
	Held Held // what holds it

	line   *os.File
	report *bufio.Reader
	relay  *relay
}

// Prepare makes a box to be filled. The program is one that calls [Inside], and the process can be looked at by its own
// kind (it is dumpable): the kernel gives no user namespace otherwise.
//
//go:noinline
func Prepare(network bool) (*Ready, error) {
	want := All
	if network {
		want &^= Network
	}
	return prepare(want)
}

func prepare(want Held) (*Ready, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(ends[1])
	r := &Ready{line: os.NewFile(uintptr(ends[0]), "box")}
	const closed = ^uintptr(0) // standard input, output and error come with the order
	attr := &syscall.ProcAttr{Dir: "/", Env: []string{"GOMAXPROCS=1", "NEBULA_COMMAND=box"}, Files: []uintptr{closed, closed, closed, uintptr(ends[1])}, Sys: spaces(want)}
	if r.Pid, err = syscall.ForkExec("/proc/self/exe", []string{"nebula", insideWord}, attr); err != nil {
		_ = r.line.Close()
		return nil, refusal(err)
	}
	r.spaces = want & (Users | Mounts | PIDs | Network | IPC | UTS)
	return r, nil
}

// refusal says what a system means that gives no namespaces.
func refusal(err error) error {
	switch {
	case errors.Is(err, unix.ENOSPC):
		return fmt.Errorf("namespaces: there may be no more of them (user.max_user_namespaces): %w", err)
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return fmt.Errorf("namespaces: the system or a container around this keeps people from making them: %w", err)
	}
	return fmt.Errorf("namespaces: %w", err)
}

// Dismiss ends a box that nothing runs in. It is still to be waited for.
//
//go:noinline
func (r *Ready) Dismiss() { _ = r.line.Close() }

// Start has the box hold a command; files are its standard input, output and error, and where the box serves, its end of the
// [Gate]. A box that cannot be made whole is
// an error, and nothing runs: the box is gone, and its first process still to be waited for.
//
//go:noinline
func (r *Ready) Start(b Box, c Command, files []int) (*Running, error) {
	return r.start(order{Box: b, Command: c}, files)
}

func (r *Ready) start(o order, files []int) (*Running, error) {
	o.Spaces = r.spaces
	o.Box.Hide = append(slices.Clip(o.Box.Hide), sockets(o.Box)...)
	body, err := json.Marshal(o)
	if err == nil {
		err = unix.Sendmsg(int(r.line.Fd()), []byte{0}, unix.UnixRights(files...), nil, 0)
	}
	if err == nil {
		_, err = r.line.Write(body)
	}
	running := &Running{Pid: r.Pid, line: r.line}
	if err == nil {
		err = running.begun(o.Box.ways())
	}
	if err != nil {
		r.Dismiss()
		return nil, err
	}
	return running, nil
}

// begun takes what the first process says of the box, and the ways to hosts.
func (r *Running) begun(hosts []string) error {
	said, rights := make([]byte, 4096), make([]byte, unix.CmsgSpace(4*mostHosts))
	n, m, err := 0, 0, error(unix.EINTR)
	for err == unix.EINTR {
		n, m, _, _, err = unix.Recvmsg(int(r.line.Fd()), said, rights, unix.MSG_CMSG_CLOEXEC)
	}
	first, rest, whole := strings.Cut(string(said[:max(n, 0)]), "\n")
	if err != nil || !whole {
		return errors.New("the first process ended")
	}
	r.report = bufio.NewReader(io.MultiReader(strings.NewReader(rest), r.line))
	var files []int
	if messages, err := unix.ParseSocketControlMessage(rights[:m]); err == nil && len(messages) == 1 {
		files, _ = unix.ParseUnixRights(&messages[0])
	}
	if r.Held, err = verdict(first); err == nil {
		r.relay, err = newRelay(hosts, files)
	}
	if err != nil && r.relay != nil {
		r.relay.close()
	}
	return err
}

func verdict(said string) (Held, error) {
	held, good := strings.CutPrefix(strings.TrimSpace(said), "held ")
	if !good {
		return 0, errors.New(strings.TrimSpace(said))
	}
	n, err := strconv.ParseUint(held, 10, 32)
	return Held(n), err
}

// Ended waits until nothing of the command is left, and tells how it ended. It is not whole when somebody ended the box. The
// first process is still to be waited for.
func (r *Running) Ended() (end End, whole bool) {
	defer r.line.Close()
	defer r.relay.close()
	if err := json.NewDecoder(r.report).Decode(&end); err != nil {
		return End{}, false
	}
	return end, true
}

// spaces are the namespaces of some layers, and who the command is in them: the same as outside.
func spaces(want Held) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true}
	for _, s := range []struct {
		held Held
		flag uintptr
	}{{Users, unix.CLONE_NEWUSER}, {Mounts, unix.CLONE_NEWNS}, {PIDs, unix.CLONE_NEWPID}, {Network, unix.CLONE_NEWNET}, {IPC, unix.CLONE_NEWIPC}, {UTS, unix.CLONE_NEWUTS}} {
		if want.Has(s.held) {
			a.Cloneflags |= s.flag
		}
	}
	if !want.Has(Users) {
		return a
	}
	a.UidMappings, a.GidMappings = identity("uid", os.Geteuid()), identity("gid", os.Getegid())
	a.GidMappingsEnableSetgroups = len(a.GidMappings) > 0 && a.GidMappings[0].Size > 1
	// Until the box is made. An overlay makes a folder of mode 0 that it works in, which only its last lets anybody but root enter.
	a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_RESOURCE, unix.CAP_NET_BIND_SERVICE, unix.CAP_DAC_OVERRIDE}
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
// be spoken to. Those in the folder are the [Place]'s.
func sockets(b Box) (found []string) {
	covered := append(append([]string{b.Folder}, b.Private...), b.Hide...)
	for path := range bound() {
		if filepath.IsAbs(path) && !within(path, covered...) {
			found = append(found, path)
		}
	}
	return found
}

// Sockets are the last names of the paths at which programs listen: a path can be one of another folder's.
func Sockets() map[string]bool {
	names := map[string]bool{}
	for path := range bound() {
		names[filepath.Base(path)] = true
	}
	return names
}

// bound are the paths of sockets, as the programs gave them.
func bound() map[string]bool {
	data, _ := os.ReadFile("/proc/net/unix")
	paths := map[string]bool{}
	for l := range strings.Lines(string(data)) {
		if fields := strings.SplitN(strings.TrimSpace(l), " ", 8); len(fields) == 8 && fields[7] != "" && fields[7][0] != '@' {
			paths[strings.TrimSpace(fields[7])] = true
		}
	}
	return paths
}

// Supported reports whether this program can confine commands on this system.
const Supported = true

// probeWord is the argument that makes nebula try a box.
const probeWord = "probe-box"

// Probe tries which layers the kernel gives to a box in an empty folder. An error says what keeps a box from being made.
// It is tried by a process of its own: this one may have closed its memory, and with it the way to a box.
func Probe() (Held, error) {
	cmd := exec.CommandContext(context.Background(), "/proc/self/exe", probeWord)
	cmd.Args[0], cmd.Env = "nebula", []string{"GOMAXPROCS=1", "TMPDIR=" + os.Getenv("TMPDIR")}
	said, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	return verdict(string(said))
}

func probe() (Held, error) {
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
	r, err := Prepare(false)
	if err != nil {
		return 0, err
	}
	defer func() { _, _ = syscall.Wait4(r.Pid, nil, 0, nil) }()
	fd := int(null.Fd())
	running, err := r.Start(Box{Folder: dir, Private: temporary, Weaker: true}, Command{Path: "/proc/self/exe", Args: []string{"nebula", insideWord}, Dir: dir}, []int{fd, fd, fd})
	if err != nil {
		return 0, err
	}
	end, whole := running.Ended()
	if code := syscall.WaitStatus(end.Status).ExitStatus(); !whole || code != notForPeople {
		return 0, fmt.Errorf("a program in it ended with %d", code)
	}
	return running.Held, nil
}

// notForPeople is how nebula ends that was told to be inside of a box and is not.
const notForPeople = 97

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// Inside reports whether the arguments make this process the first of a box, or one that tries a box. If so its work is
// done.
func Inside(args []string) bool {
	if len(args) == 3 && (args[1] == probeWord || args[1] == viewWord) {
		do := map[string]func(string) error{probeWord: tryView, viewWord: signed}[args[1]]
		if err := do(args[2]); err != nil {
			fmt.Println(oneLine(err))
			os.Exit(1)
		}
		return true
	}
	if len(args) == 2 && args[1] == probeWord {
		held, err := probe()
		if err != nil {
			fmt.Println(oneLine(err))
		} else {
			fmt.Println("held", uint(held))
		}
		return true
	}
	if len(args) != 2 || args[1] != insideWord {
		return false
	}
	var st unix.Stat_t
	if unix.Fstat(orderFile, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFSOCK {
		_, _ = io.WriteString(os.Stderr, "nebula: this is for nebula's own use\n")
		os.Exit(notForPeople)
	}
	first()
	return true
}

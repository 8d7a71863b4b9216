package confine

import (
	"bytes"
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"

	"nebula/internal/lists"
)

// What a box keeps a command from is seen where it happens: calls that would change a file or connect stop for a moment, the
// first process looks whether the box is what stands in the way, notes it, and lets the call go on to what the kernel says.
// Nothing is decided here, so that what a program changes behind its own call cheats a note and no layer.

// A watched call is one that may meet the box: which arguments are paths, each with the folder that it is relative to, and
// which are an open file's flags; -1 for none.
type watched struct {
	call  uint32
	paths [][2]int // folder and path
	flags int
}

// watchedCalls are those of all architectures. Stopping costs some 30 µs: what is called often and seldom fails for the box,
// such as deleting, is not watched.
var watchedCalls = []watched{
	{unix.SYS_OPENAT, [][2]int{{0, 1}}, 2},
	{unix.SYS_MKDIRAT, [][2]int{{0, 1}}, -1},
	{unix.SYS_RENAMEAT2, [][2]int{{0, 1}, {2, 3}}, -1},
	{unix.SYS_CONNECT, nil, -1},
}

// writing are the flags with which a file is opened to be changed.
const writing = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC

const stops = 0x7fc00000 // SECCOMP_RET_USER_NOTIF

// steps are a filter that has the calls stop and lets all others pass.
func stopped(calls []watched) []step {
	steps := []step{{load, 0, 0, 0}}
	for _, w := range calls {
		rule := []step{{give, 0, 0, stops}}
		if w.flags >= 0 {
			rule = []step{{load, 0, 0, argument(uint32(w.flags))}, {set, 0, 1, writing}, {give, 0, 0, stops}}
		}
		steps = append(steps, when(w.call, rule...)...)
	}
	return append(steps, step{give, 0, 0, permit})
}

// An observer notes what the box keeps its command from.
type observer struct {
	box     Box
	listens int // where calls stop; -1 for nowhere

	seen  chan Refusal
	files *witness
}

// enough is how many refusals are noted; the first tell most.
const enough = 256

func (o *observer) note(r Refusal) {
	select {
	case o.seen <- r:
	default:
	}
}

// refusals are what was noted, each once.
func (o *observer) refusals() (all []Refusal) {
	for range len(o.seen) {
		if r := <-o.seen; !lists.Has(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// enter has the calls of what this thread starts stop; its own as well, so it makes none of them any more. Where the kernel
// does not know that, nothing is seen.
func (o *observer) enter() {
	o.listens = -1
	code := assembled(stopped(lists.Concat(watchedCalls, watchedHere)))
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	const flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	fd, _, no := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if no == 0 {
		o.listens = int(fd)
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, fd, setFlags, wakeHere) // a kernel that does not know it takes longer
		go o.serve()
	}
}

// A stop is struct seccomp_notif, a release struct seccomp_notif_resp; see seccomp_unotify(2).
type stop struct {
	id    uint64
	pid   uint32
	_     uint32
	call  int32
	arch  uint32
	_     uint64
	given [6]uint64
}

type release struct {
	id     uint64
	_      int64
	_      int32
	resume uint32
}

const (
	receiveStop = 0xc0502100 // SECCOMP_IOCTL_NOTIF_RECV
	sendRelease = 0xc0182101 // SECCOMP_IOCTL_NOTIF_SEND
	setFlags    = 0x40082104 // SECCOMP_IOCTL_NOTIF_SET_FLAGS
	wakeHere    = 1          // SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
	goOn        = 1          // SECCOMP_USER_NOTIF_FLAG_CONTINUE
)

func (o *observer) serve() {
	calls := map[int32]watched{}
	for _, w := range lists.Concat(watchedCalls, watchedHere) {
		calls[int32(w.call)] = w
	}
	for {
		var s stop
		_, _, no := unix.Syscall(unix.SYS_IOCTL, uintptr(o.listens), receiveStop, uintptr(unsafe.Pointer(&s)))
		if no == unix.EINTR || no == unix.ENOENT {
			continue // whose call it was is gone
		}
		if no != 0 {
			return
		}
		o.look(calls[s.call], s)
		r := release{id: s.id, resume: goOn}
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(o.listens), sendRelease, uintptr(unsafe.Pointer(&r)))
	}
}

// look notes what of a call the box does not let happen.
func (o *observer) look(w watched, s stop) {
	if w.call == unix.SYS_CONNECT {
		o.connects(s)
		return
	}
	for _, p := range w.paths {
		path := o.path(s, p)
		if path == "" || within(path, "/dev", "/proc", "/sys") || within(path, o.box.changed()...) && !within(path, o.box.ReadOnly...) {
			continue
		}
		makes := w.flags < 0 || s.given[w.flags]&unix.O_CREAT != 0
		if held(path, makes) {
			o.note(Refusal{Write, path})
		}
	}
}

// held reports whether a file cannot be changed, or made, for no other reason than that it is to be read only. Who may not
// write it anyway is told so by the kernel first.
func held(path string, makes bool) bool {
	_, err := os.Lstat(path)
	if err != nil && !makes {
		return false
	}
	if err != nil {
		path = filepath.Dir(path)
	}
	return unix.Access(path, unix.W_OK) == unix.EROFS
}

// path is an argument of a stopped call, from the root on; "" when it cannot be read.
func (o *observer) path(s stop, at [2]int) string {
	name := memory(s.pid, s.given[at[1]], 4096)
	end := bytes.IndexByte(name, 0)
	if end <= 0 {
		return ""
	}
	path := string(name[:end])
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	link := "/cwd"
	if at[0] >= 0 && int32(s.given[at[0]]) != unix.AT_FDCWD {
		link = "/fd/" + strconv.Itoa(int(int32(s.given[at[0]])))
	}
	dir, err := os.Readlink("/proc/" + strconv.Itoa(int(s.pid)) + link)
	if err != nil {
		return ""
	}
	return filepath.Join(dir, path)
}

// asked are where programs look for what answers for names and users, whatever they want.
var asked = []string{"/run/nscd", "/var/run/nscd", "/run/systemd", "/var/lib/sss"}

// connects notes where a call would have led that leads nowhere.
func (o *observer) connects(s stop) {
	a := memory(s.pid, s.given[1], int(min(s.given[2], 128)))
	if len(a) < 3 {
		return
	}
	var ip netip.Addr
	switch family := binary.LittleEndian.Uint16(a); {
	case family == unix.AF_UNIX && a[2] == '/':
		if path, _, _ := bytes.Cut(a[2:], []byte{0}); within(filepath.Clean(string(path)), o.box.Hide...) && !within(filepath.Clean(string(path)), asked...) {
			o.note(Refusal{Socket, string(path)})
		}
		return
	case family == unix.AF_INET && len(a) >= 8:
		ip, _ = netip.AddrFromSlice(a[4:8])
	case family == unix.AF_INET6 && len(a) >= 24:
		ip, _ = netip.AddrFromSlice(a[8:24])
	default:
		return
	}
	port := int(binary.BigEndian.Uint16(a[2:]))
	if ip = ip.Unmap(); ip.IsLoopback() || ip.IsUnspecified() || port == 0 || o.box.Network {
		return
	}
	o.note(Refusal{Connect, net.JoinHostPort(ip.String(), strconv.Itoa(port))})
}

// memory is what a process has at an address, as far as it can be read.
func memory(pid uint32, address uint64, most int) []byte {
	b := make([]byte, most)
	page := uint64(os.Getpagesize())
	first := min(page-address%page, uint64(most)) // what is behind it may not be there
	from := []unix.RemoteIovec{{Base: uintptr(address), Len: int(first)}, {Base: uintptr(address + first), Len: most - int(first)}}
	n, err := unix.ProcessVMReadv(int(pid), []unix.Iovec{{Base: &b[0], Len: uint64(most)}}, from, 0)
	if err != nil {
		return nil
	}
	return b[:n]
}

// Package confine runs a command where it can do no harm: it may change the folder that it works in, a private place for
// temporary files and a private layer over the caches of build tools, and nothing else; it sees no keys, no other process
// and no network but its own loopback; and nothing that it starts outlives it.
//
// A [Box] says what a command gets. On Linux, nebula executes itself once more as the first process of new namespaces,
// which sets up what the box says and then starts the command ([Start], [Inside]). [Probe] tries it and tells which
// layers the kernel gives. For macOS, [Box.Seatbelt] is a profile of the same meaning.
//
// What it does not do: a kernel that is broken holds nothing, and a file in the folder may do harm to whoever runs it
// outside of the box later.
package confine

import (
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Box is what a command gets. Paths are absolute and clean, and hold no symbolic links. What is not named can be read
// and not changed.
type Box struct {
	Folder   string   // where the command works; it may be changed
	Views    []View   // which of the places that may be changed stay as they are
	Write    []string // what else may be changed
	Read     []string // what is seen although it is below one of the private ones
	Layers   []Layer  // what may be changed without a trace outside
	Private  []string // empty folders of the box's own in the place of these
	Shared   string   // the folder that stands at /tmp, for commands that leave each other something; "" for a private one
	Hide     []string // not there: an empty folder or file stands in their place
	ReadOnly []string // below what may be changed, and not to be
	Watch    []string // files of which it is told whether the command opened them
	Fixed    []string // below what may be changed, and not to be deleted or moved away
	Hosts    []string // host:port each, what of the person's network can be reached beside
	Doors    []Door   // ports of its loopback that lead to ports of the person's
	Terminal bool     // the command's standard input is its terminal
	Network  bool     // the person's network instead of a loopback of its own
	Weaker   bool     // the [Needed] layers are enough, where the system refuses others
	Limits   Limits
}

// A Layer lets a folder be changed in a copy: what is written goes to Upper, which is kept for the next command. Upper and
// Work are folders of one file system. Without them what is written is gone at the end.
type Layer struct {
	Path  string
	Upper string `json:",omitempty"`
	Work  string `json:",omitempty"`
}

// Lock is the file that is locked while a command has the layer.
func (l Layer) Lock() string { return filepath.Join(filepath.Dir(l.Work), "lock") }

// A Door is a port of a box's own loopback that leads to an address of the machine's: something that another box serves.
type Door struct {
	Port int
	To   string
}

// Limits bound what a command uses; zero is no bound of its own. Files, CPU and Processes are the kernel's to keep; Memory
// and Free are looked at while the command runs ([Exceeded]).
type Limits struct {
	Files     uint64 // bytes that a file may have
	CPU       uint64 // seconds of one process
	Memory    uint64 // bytes that its processes have for themselves, together
	Free      uint64 // bytes that it leaves free on the disks that it may write to
	Temporary uint64 // bytes of a private folder
	Output    uint64 // bytes that it writes, for whoever reads them to keep
	Processes uint64 // processes and threads at a time, where the kernel counts them for a box
}

// An Exceeded limit is why a box ended its command.
type Exceeded string

// The limits for which a box ends a command.
const (
	Memory Exceeded = "memory"
	Disk   Exceeded = "disk"
	Output Exceeded = "output"
)

// An End is how a command ended.
type End struct {
	Status   uint32    `json:"status"`         // as wait gives it
	Left     int       `json:"left,omitempty"` // processes that it had left
	Exceeded Exceeded  `json:"exceeded,omitempty"`
	Refused  []Refusal `json:"refused,omitempty"` // what the box was seen to keep it from
	Opened   []string  `json:"opened,omitempty"`  // which of the files that are watched it opened, or may have
}

// A Refusal is what a box kept a command from.
type Refusal struct {
	Kind Refused `json:"kind"`
	What string  `json:"what"` // a path, a host's name, or an address and a port
}

// Refused is a kind of refusal.
type Refused string

// The kinds of refusals.
const (
	Write   Refused = "write"   // of a file that can be read only
	Connect Refused = "connect" // to what is not on the machine
	Socket  Refused = "socket"  // of another program
)

// Held are the layers that hold a command.
type Held uint

// The layers. Those of [Needed] make a box; the others close what is left when one of them has a hole.
const (
	Users    Held = 1 << iota // a user namespace: rights within it are none outside
	Mounts                    // a mount namespace: what may be changed, and what is there
	PIDs                      // a process namespace: no other process can be seen, and none is left behind
	Network                   // a network namespace: loopback only
	IPC                       // no shared memory or message queue of others
	UTS                       // a host name of its own
	Rights                    // no capabilities, and no way to get any
	Seccomp                   // no system calls that programs do not need and that kernels were broken with
	Landlock                  // changes below the named paths only, once more
)

// Needed are the layers without which a command is not confined.
const Needed = Mounts | PIDs | Rights

// layers are the names of the layers, in their order.
var layers = []string{"users", "mounts", "processes", "network", "ipc", "hostname", "rights", "seccomp", "landlock"}

// Has reports whether layers hold.
//
//go:noinline
func (h Held) Has(other Held) bool { return h&other == other }

// String names the layers.
func (h Held) String() string {
	var names []string
	for i, name := range layers {
		if h.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// All are the layers of this system where it gives all of them.
const All = Users | Mounts | PIDs | Network | IPC | UTS | Rights | Seccomp | Landlock

// Given are the layers that [Probe] finds. Unless fewer are enough, it is an error that one is missing.
func Given(weaker bool) (Held, error) {
	held, err := Probe()
	if missing := All &^ held; err == nil && missing != 0 && !weaker {
		err = nebula.Errorf("the system does not give %s, and sandbox=weaker is not set", missing.String())
	}
	return held, err
}

// Refuses begins what a box says where the system refuses one of its layers beside the [Needed] ones.
const Refuses = "refused: "

// within reports whether a path is one of some folders or below it.
//
//go:noinline
func within(path string, folders ...string) bool {
	for _, f := range folders {
		if path == f || f == "/" || strings.HasPrefix(path, f+"/") {
			return true
		}
	}
	return false
}

// nearby reports whether an address is of what serves only the machines beside it. A cloud's tells them what they are and
// may, keys included; some stand elsewhere.
func nearby(ip netip.Addr) bool {
	return ip.IsLinkLocalUnicast() || ip.IsMulticast() || lists.Has([]string{"100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"}, ip.String())
}

// Reachable reports whether a text names a host and a port as a [Box] takes them.
func Reachable(host string) bool {
	name, port, err := net.SplitHostPort(host)
	number, numbers := strconv.ParseUint(port, 10, 16)
	at, _ := netip.ParseAddr(name)
	return err == nil && numbers == nil && number > 0 && !nearby(at) && name != "" && len(name) < 254 && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '-'
	})
}

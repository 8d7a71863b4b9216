package confine

// A step is one instruction of the kernel's packet filter, see seccomp(2) and linux/bpf_common.h.
type step struct {
	code   uint16
	yes    uint8
	no     uint8
	number uint32
}

const (
	load   = 0x20 // BPF_LD | BPF_W | BPF_ABS
	equal  = 0x15 // BPF_JMP | BPF_JEQ | BPF_K
	larger = 0x35 // BPF_JMP | BPF_JGE | BPF_K
	set    = 0x45 // BPF_JMP | BPF_JSET | BPF_K
	give   = 0x06 // BPF_RET | BPF_K
)

const (
	permit = 0x7fff0000 // SECCOMP_RET_ALLOW
	refuse = 0x00050000 // SECCOMP_RET_ERRNO, with the error in its low half

	notPermitted  = refuse | 1  // EPERM
	notThere      = refuse | 38 // ENOSYS: the C library then asks in an older way, which can be looked into
	notOfThisKind = refuse | 97 // EAFNOSUPPORT
)

// A table is what a filter refuses on an architecture: numbers of system calls, see the kernel's syscall tables.
type table struct {
	arch     uint32
	from     uint32 // numbers at and above are another table's; 0 for none
	refused  []uint32
	absent   []uint32
	spaces   uint32      // unshare(flags)
	clone    uint32      // clone(flags, …)
	socket   uint32      // socket(family, …)
	ioctl    uint32      // ioctl(file, request, …)
	modes    [][2]uint32 // calls that give a file a mode, and which argument it is
	creating [][2]uint32 // calls that open a file, and which argument the flags are; the mode is the next
}

const (
	newSpaces = 0x7e020000 // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
	newTime   = 0x80       // CLONE_NEWTIME, for unshare only
	asOwner   = 0o6000     // set-user-ID and set-group-ID
	creates   = 0o20000100 // O_CREAT, and the part of O_TMPFILE that is not O_DIRECTORY
)

// families are the kinds of sockets that programs need: within the machine, IPv4, IPv6 and the kernel's own tables. All
// others reach around a network namespace, or are seldom looked at.
var families = []uint32{1, 2, 10, 16}

// requests are those with which a program types into a terminal that it shares: TIOCSTI and TIOCLINUX.
var requests = []uint32{0x5412, 0x541c}

// filter makes the filter of a table. Every rule loads what it looks at, and goes on to the next when it is not its case.
func (t table) filter() []step {
	steps := []step{{load, 0, 0, 4}, {equal, 1, 0, t.arch}, {give, 0, 0, notThere}, {load, 0, 0, 0}}
	if t.from > 0 {
		steps = append(steps, step{larger, 0, 1, t.from}, step{give, 0, 0, notThere})
	}
	for _, n := range t.refused {
		steps = append(steps, step{equal, 0, 1, n}, step{give, 0, 0, notPermitted})
	}
	for _, n := range t.absent {
		steps = append(steps, step{equal, 0, 1, n}, step{give, 0, 0, notThere})
	}
	steps = append(steps, when(t.spaces, step{load, 0, 0, argument(0)}, step{set, 0, 1, newSpaces | newTime}, step{give, 0, 0, notPermitted})...)
	steps = append(steps, when(t.clone, step{load, 0, 0, argument(0)}, step{set, 0, 1, newSpaces}, step{give, 0, 0, notPermitted})...)
	rule := []step{{load, 0, 0, argument(0)}}
	for _, f := range families {
		rule = append(rule, step{equal, 0, 1, f}, step{give, 0, 0, permit})
	}
	steps = append(steps, when(t.socket, append(rule, step{give, 0, 0, notOfThisKind})...)...)
	rule = []step{{load, 0, 0, argument(1)}}
	for _, r := range requests {
		rule = append(rule, step{equal, 0, 1, r}, step{give, 0, 0, notPermitted})
	}
	steps = append(steps, when(t.ioctl, rule...)...)
	for _, m := range t.modes {
		steps = append(steps, when(m[0], step{load, 0, 0, argument(m[1])}, step{set, 0, 1, asOwner}, step{give, 0, 0, notPermitted})...)
	}
	for _, m := range t.creating {
		steps = append(steps, when(m[0], step{load, 0, 0, argument(m[1])}, step{set, 0, 3, creates},
			step{load, 0, 0, argument(m[1] + 1)}, step{set, 0, 1, asOwner}, step{give, 0, 0, notPermitted})...)
	}
	return append(steps, step{give, 0, 0, permit})
}

// when is a rule of one system call. What it does not decide goes on with the number of the call loaded again.
//
//go:noinline
func when(call uint32, rule ...step) []step {
	if call == none {
		return nil
	}
	out := []step{{equal, 0, uint8(len(rule) + 1), call}}
	return append(append(out, rule...), step{load, 0, 0, 0})
}

// none is the number of a call that an architecture does not have.
const none = ^uint32(0)

// argument is where the low half of an argument is in struct seccomp_data. All architectures of the tables are
// little-endian.
//
//go:noinline
func argument(i uint32) uint32 { return 16 + 8*i }

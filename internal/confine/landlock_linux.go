package confine

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// changing are the rights of Landlock that change something, by the version that brought them; see landlock(7).
var changing = []uint64{
	unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM,
	unix.LANDLOCK_ACCESS_FS_REFER,
	unix.LANDLOCK_ACCESS_FS_TRUNCATE,
	0, // TCP, which the box's own network has no use for
	unix.LANDLOCK_ACCESS_FS_IOCTL_DEV,
}

// scopes came with version 6: no signal and no abstract socket leads out.
const scopes = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL

// landlockVersion is which one the kernel has.
func landlockVersion() (int, error) {
	version, _, no := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if no != 0 {
		return 0, no
	}
	return int(version), nil
}

// landlock has this thread, and what it starts, change only what is below the box's places.
func (b Box) landlock() error {
	version, err := landlockVersion()
	if err != nil {
		return err
	}
	return b.landlockOf(version)
}

// landlockOf is landlock as far as a version of it goes: the kernel's or an earlier one.
func (b Box) landlockOf(version int) error {
	var rules unix.LandlockRulesetAttr
	for i, rights := range changing {
		if version > i {
			rules.Access_fs |= rights
		}
	}
	size := unsafe.Sizeof(rules.Access_fs)
	if version >= 6 {
		rules.Scoped, size = scopes, unsafe.Sizeof(rules)
	}
	set, _, no := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	if no != 0 {
		return no
	}
	defer unix.Close(int(set))
	for _, path := range b.changed() {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			continue // it is not there: nothing is allowed
		}
		rule := unix.LandlockPathBeneathAttr{Allowed_access: rules.Access_fs, Parent_fd: int32(fd)}
		_, _, no := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
		_ = unix.Close(fd)
		if no != 0 {
			return no
		}
	}
	if _, _, no := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); no != 0 {
		return no
	}
	return nil
}

// changed are the folders that a command may change.
//
//go:noinline
func (b Box) changed() []string {
	all := append([]string{b.Folder, "/dev"}, b.Write...)
	all = append(all, b.Private...)
	for _, l := range b.Layers {
		all = append(all, l.Path)
	}
	return all
}

// enter puts this thread and all others below the filter.
func (t table) enter() error {
	code := assembled(t.filter())
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	_, _, no := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if no != 0 {
		return no
	}
	return nil
}

//go:noinline
func assembled(steps []step) []unix.SockFilter {
	code := make([]unix.SockFilter, len(steps))
	for i, s := range steps {
		code[i] = unix.SockFilter{Code: s.code, Jt: s.yes, Jf: s.no, K: s.number}
	}
	return code
}

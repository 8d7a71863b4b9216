package confine

import (
	"golang.org/x/sys/unix"

	"nebula/internal/lists"
)

const x32 = 0x40000000 // numbers of the other calling convention begin here

func tableHere() (table, bool) {
	return table{
		arch: unix.AUDIT_ARCH_X86_64, from: x32,
		refused: lists.Concat(refusedCalls, []uint32{unix.SYS_IOPERM, unix.SYS_IOPL, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS__SYSCTL}),
		absent:  absentCalls,
		spaces:  unix.SYS_UNSHARE, clone: unix.SYS_CLONE, socket: unix.SYS_SOCKET, ioctl: unix.SYS_IOCTL,
		modes:    [][2]uint32{{unix.SYS_CHMOD, 1}, {unix.SYS_FCHMOD, 1}, {unix.SYS_FCHMODAT, 2}, {unix.SYS_FCHMODAT2, 2}, {unix.SYS_CREAT, 1}, {unix.SYS_MKNOD, 1}, {unix.SYS_MKNODAT, 2}},
		creating: [][2]uint32{{unix.SYS_OPEN, 1}, {unix.SYS_OPENAT, 2}},
	}, true
}

// watchedHere are older calls for what is watched.
var watchedHere = []watched{
	{unix.SYS_OPEN, [][2]int{{-1, 0}}, 1},
	{unix.SYS_CREAT, [][2]int{{-1, 0}}, -1},
	{unix.SYS_MKDIR, [][2]int{{-1, 0}}, -1},
	{unix.SYS_RENAME, [][2]int{{-1, 0}, {-1, 1}}, -1},
	{unix.SYS_RENAMEAT, [][2]int{{0, 1}, {2, 3}}, -1},
}

package confine

import "golang.org/x/sys/unix"

func tableHere() (table, bool) {
	return table{
		arch: unix.AUDIT_ARCH_AARCH64, refused: refusedCalls, absent: absentCalls,
		spaces: unix.SYS_UNSHARE, clone: unix.SYS_CLONE, socket: unix.SYS_SOCKET, ioctl: unix.SYS_IOCTL,
		modes:    [][2]uint32{{unix.SYS_FCHMOD, 1}, {unix.SYS_FCHMODAT, 2}, {unix.SYS_FCHMODAT2, 2}, {unix.SYS_MKNODAT, 2}},
		creating: [][2]uint32{{unix.SYS_OPENAT, 2}},
	}, true
}

// watchedHere are older calls for what is watched.
var watchedHere = []watched{{unix.SYS_RENAMEAT, [][2]int{{0, 1}, {2, 3}}, -1}}

package cli

import "syscall"

// apart starts a process that outlives this one and its terminal.
func apart() *syscall.SysProcAttr {
	const detached, group = 0x8, 0x200 // DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP
	return &syscall.SysProcAttr{CreationFlags: detached | group}
}

//go:build unix

package cli

import "syscall"

// apart starts a process that outlives this one and its terminal.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

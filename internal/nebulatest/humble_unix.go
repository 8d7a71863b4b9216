//go:build unix

package nebulatest

import (
	"os"
	"os/exec"
	"syscall"
)

// nobody is a user that owns nothing.
const nobody = 65534

// humble has a command run as nobody where it would run as root.
func humble(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

//go:build unix

package workspace

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// shell runs a line in bash, which most command lines are written for, or in sh where there is none.
// It is ended by the process that it becomes, with its children, not by a context.
func shell(line string) *exec.Cmd {
	for _, path := range []string{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"} {
		if _, err := os.Stat(path); err == nil {
			return exec.CommandContext(context.Background(), path, "-c", line)
		}
	}
	return exec.CommandContext(context.Background(), "/bin/sh", "-c", line)
}

func ending(ws syscall.WaitStatus) (code int, signal string) {
	if ws.Signaled() {
		return 128 + int(ws.Signal()), ws.Signal().String()
	}
	return ws.ExitStatus(), ""
}

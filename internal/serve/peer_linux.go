package serve

import (
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// peer names the process that listens at the other end of a connection, as "name (pid 12)"; "" where that cannot be told.
func peer(c net.Conn) string {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return ""
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return ""
	}
	var who *syscall.Ucred
	if raw.Control(func(fd uintptr) { who, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED) }) != nil || err != nil || who.Pid <= 0 {
		return ""
	}
	pid := strconv.Itoa(int(who.Pid))
	name, _ := os.ReadFile("/proc/" + pid + "/comm") // without it the number says enough
	return strings.TrimSpace(strings.TrimSpace(string(name)) + " (pid " + pid + ")")
}

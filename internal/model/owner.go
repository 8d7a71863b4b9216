package model

import (
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"

	"nebula/internal/model/transport"
)

// firstPerson is the first number that systems give to people; those below are of the system's own services.
const firstPerson = 1000

// strangers reports whether a port of this machine is listened at by another person's program: whoever shares the machine could
// take a usual place of a model server, and be sent the conversation. Where the system does not tell, it is nobody's.
func strangers(base string) bool {
	u, err := url.Parse(base)
	if err != nil || !transport.IsLocal(u.Host) && !transport.IsLocal(u.Hostname()) {
		return false
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return false
	}
	me := os.Getuid()
	for _, file := range [...]string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(file)
		if err == nil && heldBy(string(data), port, func(uid int) bool { return uid >= firstPerson && uid != me }) {
			return true
		}
	}
	return false
}

// heldBy reports whether somebody of a kind listens at a port, in a table of the kernel's (proc_net_tcp): the second field is the
// address, the fourth the state, where 0A is listening, the eighth the owner.
func heldBy(table string, port int, kind func(uid int) bool) bool {
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 8 || f[3] != "0A" {
			continue
		}
		_, hex, err := net.SplitHostPort(f[1])
		n, wrong := strconv.ParseInt(hex, 16, 32)
		uid, bad := strconv.Atoi(f[7])
		if err == nil && wrong == nil && bad == nil && int(n) == port && kind(uid) {
			return true
		}
	}
	return false
}

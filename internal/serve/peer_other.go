//go:build !linux

package serve

import "net"

// peer names the process at the other end of a connection, which is told on Linux alone.
func peer(net.Conn) string { return "" }

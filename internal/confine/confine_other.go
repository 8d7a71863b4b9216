//go:build !linux

package confine

import (
	"errors"
	"net"
	"os"
)

// Supported reports whether this program can confine commands on this system.
const Supported = false

// Probe tells which layers hold a command here: none.
func Probe() (Held, error) { return 0, errors.ErrUnsupported }

// Inside reports whether the arguments make this process the first of a box.
func Inside([]string) bool { return false }

// Sockets are those of nobody here.
func Sockets() map[string]bool { return nil }

// Machine is how much memory there is for all programs here; 0 where that is not known.
func Machine() uint64 { return 0 }

// A Gate is the way to the ports of a box: there are no boxes here.
type Gate struct{ Inside *os.File }

// NewGate says so.
func NewGate() (*Gate, error) { return nil, errors.ErrUnsupported }

// Close is for who has one.
func (g *Gate) Close() {}

// Ports is for who has one.
func (g *Gate) Ports() ([]int, error) { return nil, errors.ErrUnsupported }

// Dial is for who has one.
func (g *Gate) Dial(int) (net.Conn, error) { return nil, errors.ErrUnsupported }

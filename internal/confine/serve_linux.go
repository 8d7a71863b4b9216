package confine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"nebula/internal/lists"
)

// A box that serves has its first process connect from within to the ports of its loopback, and hand over the connections:
// nobody outside has to enter the box for that, and nothing in it gets a way out.

// A Gate is the way to the ports of a box.
type Gate struct {
	Inside *os.File // for the box, which is closed here once it has it

	line  *net.UnixConn
	turn  chan *net.UnixConn // the line is in one hand at a time
	asked uint16             // the number of the question last asked, which its answer carries: one that comes too late answers nothing else
}

// NewGate makes one, before its box is started.
func NewGate() (*Gate, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	near := os.NewFile(uintptr(ends[0]), "gate")
	defer near.Close()
	g := &Gate{Inside: os.NewFile(uintptr(ends[1]), "gate")}
	c, err := net.FileConn(near)
	if err != nil {
		return nil, errors.Join(err, g.Inside.Close())
	}
	g.line, g.turn = c.(*net.UnixConn), make(chan *net.UnixConn, 1)
	g.turn <- g.line
	return g, nil
}

// Hand gives the way to another process, which opens it with [OpenGate]. This one is closed as well.
func (g *Gate) Hand() (*os.File, error) {
	raw, err := g.line.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd := -1
	if failed := raw.Control(func(own uintptr) { fd, err = unix.FcntlInt(own, unix.F_DUPFD_CLOEXEC, 0) }); err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "gate"), nil
}

// OpenGate takes a way over.
func OpenGate(f *os.File) (*Gate, error) {
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	line, ok := c.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(net.ErrClosed, c.Close())
	}
	g := &Gate{Inside: f, line: line, turn: make(chan *net.UnixConn, 1), asked: 1 << 15}
	g.turn <- line
	return g, nil
}

// Close ends it.
func (g *Gate) Close() { _, _ = g.line.Close(), g.Inside.Close() }

// answering is how long a box has to answer: longer than it may take to connect, see connected.
const answering = 8 * time.Second

// Ports are those at which something in the box listens for its loopback.
func (g *Gate) Ports() (ports []int, err error) {
	said, _, err := g.ask(0)
	for ; len(said) > 1; said = said[2:] {
		ports = append(ports, int(binary.LittleEndian.Uint16(said)))
	}
	return ports, err
}

// Dial connects to a port of the box.
func (g *Gate) Dial(port int) (net.Conn, error) {
	said, file, err := g.ask(port)
	if file == nil {
		return nil, errors.Join(err, fmt.Errorf("port %d: %s", port, said))
	}
	defer file.Close()
	return net.FileConn(file)
}

func (g *Gate) ask(port int) (said []byte, file *os.File, err error) {
	line := <-g.turn
	defer func() { g.turn <- line }()
	g.asked++
	_ = line.SetDeadline(time.Now().Add(answering))
	question := binary.LittleEndian.AppendUint16(nil, g.asked)
	if _, err = line.Write(binary.LittleEndian.AppendUint16(question, uint16(port))); err != nil {
		return nil, nil, err
	}
	for {
		said, file, err = answer(line)
		if err != nil || bytes.HasPrefix(said, question) {
			return bytes.TrimPrefix(said, question), file, err
		}
		if file != nil {
			_ = file.Close()
		}
	}
}

// answer is the next one that comes, its number before it.
func answer(line *net.UnixConn) (said []byte, file *os.File, err error) {
	said, rights := make([]byte, 2*mostServed+3), make([]byte, unix.CmsgSpace(4))
	n, m, _, _, err := line.ReadMsgUnix(said, rights)
	if err != nil {
		return nil, nil, err
	}
	if n == 0 {
		return nil, nil, io.EOF
	}
	if messages, bad := unix.ParseSocketControlMessage(rights[:m]); bad == nil && len(messages) == 1 {
		if files, bad := unix.ParseUnixRights(&messages[0]); bad == nil && len(files) == 1 {
			unix.CloseOnExec(files[0])
			_ = unix.SetNonblock(files[0], true)
			file = os.NewFile(uintptr(files[0]), "served")
		}
	}
	return said[:n], file, nil
}

// mostServed is how many ports of a box are told of.
const mostServed = 64

// serve answers at a gate, from within, until nobody asks any more. Without one it does nothing.
func (b Box) serve(gate int) {
	for gate >= 0 {
		var asked [4]byte
		n, err := unix.Read(gate, asked[:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || n != len(asked) {
			return
		}
		said, port := lists.Clone(asked[:2]), int(binary.LittleEndian.Uint16(asked[2:]))
		if port == 0 {
			for _, p := range b.served() {
				said = binary.LittleEndian.AppendUint16(said, uint16(p))
			}
			_ = unix.Sendmsg(gate, said, nil, nil, 0)
			continue
		}
		if fd, err := connected(port); err != nil {
			_ = unix.Sendmsg(gate, append(said, err.Error()...), nil, nil, 0)
		} else {
			_ = unix.Sendmsg(gate, said, unix.UnixRights(fd), nil, 0)
			_ = unix.Close(fd)
		}
	}
}

// connected is a connection to a port of the loopback, whichever address of it something listens at.
func connected(port int) (int, error) {
	var last error
	for _, to := range []unix.Sockaddr{&unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}, &unix.SockaddrInet6{Port: port, Addr: [16]byte{15: 1}}} {
		family := unix.AF_INET
		if _, six := to.(*unix.SockaddrInet6); six {
			family = unix.AF_INET6
		}
		fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			last = err
			continue
		}
		_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &unix.Timeval{Sec: 2}) // bounds connect, see socket(7)
		if last = connect(fd, to); last == nil {
			_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &unix.Timeval{})
			return fd, nil
		}
		_ = unix.Close(fd)
	}
	return -1, last
}

// connect goes on where a signal cut it off: with a bound nothing else does that, see signal(7).
func connect(fd int, to unix.Sockaddr) error {
	for {
		err := unix.Connect(fd, to)
		if err == unix.EISCONN {
			return nil
		}
		if err != unix.EINTR && err != unix.EALREADY {
			return err
		}
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, int(time.Second/time.Millisecond))
	}
}

// loopbacks are the addresses of a loopback in the kernel's tables of sockets, see proc_pid_net(5): any, and its own.
var loopbacks = []string{"00000000", "0100007F", strings.Repeat("0", 32), "00000000000000000000000001000000"}

// served are the ports of this network at which the command listens.
func (b Box) served() (ports []int) {
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		data, _ := os.ReadFile(table)
		for line := range strings.Lines(string(data)) {
			f := strings.Fields(line)
			if len(f) < 4 || f[3] != "0A" { // that it listens
				continue
			}
			at, number, _ := strings.Cut(f[1], ":")
			port, err := strconv.ParseUint(number, 16, 16)
			door := slices.ContainsFunc(b.Doors, func(d Door) bool { return d.Port == int(port) })
			if err == nil && !door && lists.Has(loopbacks, at) && !lists.Has(ports, int(port)) && len(ports) < mostServed {
				ports = append(ports, int(port))
			}
		}
	}
	slices.Sort(ports)
	return ports
}

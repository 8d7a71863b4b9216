package confine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"nebula/internal/lists"
)

// A host that a command may reach stands at an address of the box's own network: there the box listens before it is sealed,
// and whoever made the box takes what comes and carries it to the host, as it is. The box itself never has a way out.

// reach listens for the hosts that may be reached and gives the files, and what their names lead to.
func (b Box) reach() (files []int, names map[string][4]byte, err error) {
	names = map[string][4]byte{}
	for i, host := range b.Hosts {
		name, port, err := net.SplitHostPort(host)
		if err != nil {
			return nil, nil, err
		}
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return nil, nil, err
		}
		at := unix.SockaddrInet4{Port: int(n), Addr: [4]byte{127, 8, 0, byte(i + 1)}}
		ip, literal := netip.ParseAddr(name)
		switch {
		case name == "localhost" || literal == nil && ip.IsLoopback():
			at.Addr = [4]byte{127, 0, 0, 1}
		case literal == nil && ip.Is4():
			if at.Addr = ip.As4(); alias(i, at.Addr) != nil {
				return nil, nil, fmt.Errorf("%s cannot be an address here", name)
			}
		default:
			if first, ok := names[name]; ok {
				at.Addr = first // another port of the same host
			}
			names[name] = at.Addr
		}
		fd, err := listening(at)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", host, err)
		}
		files = append(files, fd)
	}
	for _, d := range b.Doors {
		fd, err := listening(unix.SockaddrInet4{Port: d.Port, Addr: [4]byte{127, 0, 0, 1}})
		if err != nil {
			return nil, nil, fmt.Errorf("port %d: %w", d.Port, err)
		}
		files = append(files, fd)
	}
	return files, names, nil
}

// ways are what lies behind the files that reach gives, in their order.
//
//go:noinline
func (b Box) ways() []string {
	all := lists.Clone(b.Hosts)
	for _, d := range b.Doors {
		all = append(all, d.To)
	}
	return all
}

// mostHosts is how many hosts a box can have: a file each, of which a message bears so many.
const mostHosts = 200

func listening(at unix.SockaddrInet4) (int, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	return fd, errors.Join(unix.Bind(fd, &at), unix.Listen(fd, 128))
}

// alias gives the loopback one more address.
func alias(i int, addr [4]byte) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo:" + strconv.Itoa(i+1))
	if err != nil {
		return err
	}
	if err := lo.SetInet4Addr(addr[:]); err != nil {
		return err
	}
	return unix.IoctlIfreq(fd, unix.SIOCSIFADDR, lo)
}

// A relay carries what comes for hosts to them, until it is closed.
type relay struct {
	ctx  context.Context
	stop context.CancelFunc
	at   []net.Listener
	work sync.WaitGroup
}

func newRelay(hosts []string, files []int) (*relay, error) {
	r := &relay{}
	r.ctx, r.stop = context.WithCancel(context.Background())
	if len(files) != len(hosts) {
		return r, fmt.Errorf("%d hosts have %d ways", len(hosts), len(files))
	}
	for i, fd := range files {
		f := os.NewFile(uintptr(fd), hosts[i])
		l, err := net.FileListener(f)
		_ = f.Close()
		if err != nil {
			return r, err
		}
		r.at = append(r.at, l)
		r.work.Go(func() { r.serve(l, hosts[i]) })
	}
	return r, nil
}

func (r *relay) close() {
	r.stop()
	for _, l := range r.at {
		_ = l.Close()
	}
	r.work.Wait()
}

func (r *relay) serve(l net.Listener, host string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		r.work.Go(func() { r.carry(c, host) })
	}
}

// patient is how long a host may take to answer.
const patient = 20 * time.Second

func (r *relay) carry(c net.Conn, host string) {
	defer c.Close()
	name, _, _ := net.SplitHostPort(host)
	far, err := (&net.Dialer{Timeout: patient, Control: away(name)}).DialContext(r.ctx, "tcp", host)
	if err != nil {
		return
	}
	defer far.Close()
	Carry(r.ctx, c, far)
}

// away keeps a name from leading to this machine, or to what serves only machines like it: whoever owns a name decides what
// it leads to. What was allowed by its address is what was meant.
func away(name string) func(network, address string, c syscall.RawConn) error {
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return nil
	}
	return func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if ip := at.Addr().Unmap(); err != nil || ip.IsLoopback() || ip.IsUnspecified() || nearby(ip) {
			return fmt.Errorf("%s leads to %s", name, address)
		}
		return nil
	}
}

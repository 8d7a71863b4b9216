package serve

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"nebula"
	"nebula/internal/volume"
)

// Socket is where the one server of a person listens, in the folder of nebula's own state.
//
//go:noinline
func Socket(state string) string { return filepath.Join(state, "serve.sock") }

// longest is how long a socket's path may be: the shortest that systems allow, without the zero at its end.
const longest = 103

// ErrServed says that a server listens already.
var ErrServed = errors.New("nebula serve runs already")

// Listen listens at a socket that only its owner can reach. One that nobody listens at any more makes way.
func Listen(ctx context.Context, path string) (net.Listener, error) {
	if len(path) > longest {
		return nil, nebula.Errorf("%s is too long for the name of a socket (%d bytes are the most); set NEBULA_HOME to a folder with a shorter name", path, longest)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	switch info, err := os.Lstat(path); {
	case err == nil && info.Mode()&fs.ModeSocket == 0:
		return nil, nebula.Errorf("%s is in the place of nebula's socket and is none; move it away", path)
	case alive(ctx, path):
		return nil, ErrServed
	}
	own := path + "." + strconv.Itoa(os.Getpid())
	_ = os.Remove(own) // of a process that had this number before
	if len(own) > longest+4 {
		own = path
		_ = os.Remove(own)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: own, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	err = os.Chmod(own, 0o600)
	if err == nil && own != path {
		err = os.Rename(own, path)
	}
	if err != nil {
		_ = l.Close()
		return nil, errors.Join(err, os.Remove(own))
	}
	info, err := os.Lstat(path)
	return &listener{Listener: l, path: path, is: info}, err
}

// A listener takes its socket away when it ends, if it is still its own.
type listener struct {
	net.Listener
	path string
	is   fs.FileInfo
}

// Close implements net.Listener.
func (l *listener) Close() error {
	err := l.Listener.Close()
	if l.Lost() {
		return err
	}
	return errors.Join(err, os.Remove(l.path))
}

// Lost reports whether another server has taken the place of this one: nobody reaches it any more.
func (l *listener) Lost() bool {
	info, err := os.Lstat(l.path)
	return err != nil || !os.SameFile(info, l.is)
}

// Connect reaches the server at a socket, if the socket is this person's own.
func Connect(ctx context.Context, path string) (net.Conn, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if uid, known := volume.Owner(info); known && uid != os.Getuid() {
		return nil, nebula.Errorf("%s belongs to somebody else: what was sent there would be theirs; remove it, or set NEBULA_HOME to a folder of your own", path)
	}
	return (&net.Dialer{}).DialContext(ctx, "unix", path)
}

// Listener names the process that listens at a socket, as far as the system tells it; "" otherwise.
func Listener(path string) string {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	c, err := Connect(ctx, path)
	if err != nil {
		return ""
	}
	defer c.Close()
	return peer(c)
}

// alive reports whether somebody listens at a socket.
func alive(ctx context.Context, path string) bool {
	ctx, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

package confine

import (
	"net"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// An answer that comes when nobody waits for it any more is not taken for that of the next question.
func TestLateAnswersAreNobodys(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0") //nolint:noctx // it takes no time
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	g, err := NewGate()
	if err != nil {
		t.Fatal(err)
	}
	inside := int(g.Inside.Fd())
	other, err := os.Open(os.DevNull) // what is received does not block any more: it cannot be the line itself
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, late := range []string{"\xff\xff", "\xff\xff\x50\x00"} {
		if err := unix.Sendmsg(inside, []byte(late), unix.UnixRights(int(other.Fd())), nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan bool)
	go func() { Box{}.serve(inside); close(ended) }()
	ports, err := g.Ports()
	if err != nil || !slices.Contains(ports, port) {
		t.Errorf("%v %v, without %d", ports, err, port)
	}
	c, err := g.Dial(port)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	if _, err := g.Dial(1); err == nil {
		t.Error("a port at which nobody listens was connected to")
	}
	_ = g.line.Close()
	<-ended
}

package confine

import (
	"context"
	"io"
	"net"
	"sync"
)

// Carry passes what comes on each of two connections to the other, until both have ended or ctx does.
func Carry(ctx context.Context, one, other net.Conn) {
	over := context.AfterFunc(ctx, func() { _, _ = one.Close(), other.Close() })
	defer over()
	var both sync.WaitGroup
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		if half, ok := to.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
	}
	both.Go(func() { pass(other, one) })
	both.Go(func() { pass(one, other) })
	both.Wait()
}

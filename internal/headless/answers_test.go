//go:build !windows

package headless

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"github.com/charmbracelet/x/xpty"

	"nebula/internal/nebulatest"
	"nebula/internal/terminal"
)

// TestOnlyAClearYesAllows types generated answers at a real terminal.
func TestOnlyAClearYesAllows(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	const desks = 8
	each := nebulatest.Many(4, 250)
	all := nebulatest.Answers(t, 3, desks*each)
	var counted atomic.Int32
	t.Cleanup(func() {
		if counted.Load() == 0 {
			t.Error("no yes was ever taken: nothing was tried")
		}
	})
	for i := range desks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			pty, err := xpty.NewUnixPty(100, 30)
			if err != nil {
				t.Skip("no pseudo terminals here:", err)
			}
			in := pty.Slave()
			person := &Terminal{In: bufio.NewReader(in), Out: in, Flush: func() bool { return terminal.Flush(in) }, Size: func() (int, int) { return 100, 30 }}
			g := nebulatest.NewGatekeeper("en")
			ended := make(chan struct{})
			ctx, stop := context.WithCancel(t.Context())
			go func() { _, _ = io.Copy(io.Discard, pty) }()
			go func() {
				defer close(ended)
				_, _ = Run(ctx, g, Request{Prompt: "go", Output: Text, Stdout: io.Discard, Stderr: io.Discard, Person: person.Answer})
			}()
			t.Cleanup(func() { stop(); <-ended; _ = pty.Close() })
			counted.Add(int32(nebulatest.CheckAnswers(t, g, pty.Master(), all[i*each:(i+1)*each])))
		})
	}
}

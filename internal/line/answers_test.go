//go:build !windows

package line

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/xpty"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestOnlyAClearYesAllows types generated answers at real terminals.
func TestOnlyAClearYesAllows(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	const desks = 8
	each := nebulatest.Many(4, 250)
	all := nebulatest.Answers(t, 2, desks*each)
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
			g := nebulatest.NewGatekeeper("en")
			ended := make(chan error, 1)
			ctx, stop := context.WithCancel(t.Context())
			go func() { _, _ = io.Copy(io.Discard, pty) }()
			go func() {
				ended <- Run(ctx, Options{In: pty.Slave(), Out: pty.Slave(), Lang: "en",
					Open: func(context.Context, string) (nebula.Conversation, error) { return g, nil }})
			}()
			t.Cleanup(func() { stop(); <-ended; _ = pty.Close() })
			time.Sleep(300 * time.Millisecond)
			counted.Add(int32(nebulatest.CheckAnswers(t, g, pty.Master(), all[i*each:(i+1)*each])))
		})
	}
}

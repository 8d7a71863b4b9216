//go:build unix

package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// Of two undos at once in a folder one does it, and the other says that it is going on.
func TestSecondUndoSaysThatOneIsGoingOn(t *testing.T) {
	b := newBed(t)
	var n int
	var mu sync.Mutex
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 1 {
			return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: []byte(`{"command":"mkdir d; for i in $(seq 4000); do echo $i > d/$i; done","reason":"r"}`)}}}
		}
		return &nebulatest.Answer{Text: "done"}
	}
	b.output("run", "--approve", "all", "make them")
	for i := range 4 {
		args := [][]string{{"undo"}, {"undo", "--redo"}}[i%2]
		var outs [2]bytes.Buffer
		both, failed := [2]*exec.Cmd{b.command(args...), b.command(args...)}, 0
		for k, c := range both {
			c.Stdout, c.Stderr = &outs[k], &outs[k]
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(i) * 80 * time.Millisecond)
		}
		for k, c := range both {
			if c.Wait() != nil {
				failed++
				if said := outs[k].String(); !strings.Contains(said, "run nebula undo again") || i > 1 && !strings.Contains(said, "another undo is going on in this folder") {
					t.Errorf("%d: %s", i, said)
				}
			}
		}
		if failed != 1 {
			t.Errorf("%d: %d of two failed", i, failed)
		}
	}
}

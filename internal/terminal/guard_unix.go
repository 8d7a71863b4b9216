//go:build !windows

package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/charmbracelet/x/term"
)

// A guard gives the terminal back when the program no longer can: it was killed, or a goroutine panicked that nobody
// catches. It is a shell that waits for the end of a pipe, which comes with the program's, whatever that is. The report
// of a crash takes the same way: written to the screen that goes away, nobody would read it.
type guard struct {
	shell *exec.Cmd
	pipe  *os.File
}

// watch is what the guard runs: $1 is the terminal's state, $2 what turns it back. Its own signals are ignored, and so
// is that the terminal belongs to the shell again by then (TTOU). The screen is left first: who waits for the terminal's
// state and then writes must not write to the screen that goes away.
const watch = `trap '' INT QUIT TERM HUP TSTP TTOU TTIN
said=$(cat)
test "$said" = bye && exit
printf %s "$2"
stty "$1" <&3 2>/dev/null || stty sane <&3
case "$2" in *1049l*) test -z "$said" || printf '%s\n' "$said" ;; esac`

// newGuard begins to watch; nil where that cannot be done.
func newGuard(in, out *os.File, before *term.State, off string) *guard {
	read, write, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer read.Close()
	cmd := exec.Command("/bin/sh", "-c", watch, "nebula", saved(before), off)
	cmd.Stdin, cmd.Stdout, cmd.ExtraFiles = read, out, []*os.File{in}
	_ = debug.SetCrashOutput(write, debug.CrashOptions{}) // without it the report stays where it always was
	if cmd.Start() != nil {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		_ = write.Close()
		return nil
	}
	return &guard{cmd, write}
}

// leave tells the guard that all is well.
func (g *guard) leave() {
	if g == nil {
		return
	}
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	_, _ = g.pipe.WriteString("bye") // a guard that is gone needs no word
	_ = g.pipe.Close()
	_ = g.shell.Wait()
}

// saved is a terminal's state as stty reads it, where its form is known.
func saved(s *term.State) string {
	if runtime.GOOS != "linux" {
		return "sane"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%x:%x:%x:%x", s.Iflag, s.Oflag, s.Cflag, s.Lflag)
	for i := range 32 {
		c := uint8(0)
		if i < len(s.Cc) {
			c = s.Cc[i]
		}
		fmt.Fprintf(&b, ":%x", c)
	}
	return b.String()
}

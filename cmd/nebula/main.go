// Command nebula is a coding agent for the terminal.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/term"

	"nebula/internal/config"
)

func main() {
	p := &program{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv,
		inTerminal: term.IsTerminal(int(os.Stdin.Fd())), outTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	os.Exit(p.main(context.Background(), os.Args[1:]))
}

// A program is one call of nebula: what it was given and where its words go. Nothing is opened before a command asks
// for it.
type program struct {
	in       io.Reader
	out, err io.Writer
	env      config.Env

	inTerminal, outTerminal, errTerminal bool

	tty *os.File // opened when a question has no other way to the person
}

// main runs a command line and returns the exit code.
func (p *program) main(ctx context.Context, args []string) int {
	quietPipe()
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	if text := message(err); text != "" {
		_, _ = fmt.Fprintln(p.err, "nebula: "+text)
	}
	return code(err)
}

// person reports whether somebody can be asked.
func (p *program) person() bool { return p.inTerminal && p.screen() != nil }

// screen is where a question can be seen: standard error, or the terminal itself where that goes elsewhere.
func (p *program) screen() io.Writer {
	if p.errTerminal {
		return p.err
	}
	if p.inTerminal && p.tty == nil {
		name := "/dev/tty"
		if runtime.GOOS == "windows" {
			name = "CONOUT$"
		}
		if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
			p.tty = f // open until the process ends
		}
	}
	if p.tty == nil {
		return nil
	}
	return p.tty
}

// colour reports whether a stream that is a terminal is to be coloured; see no-color.org.
func (p *program) colour(terminal bool) bool {
	return terminal && p.env("NO_COLOR") == "" && p.env("TERM") != "dumb"
}

// warn tells the person something that does not stop the command.
func (p *program) warn(text string) { _, _ = fmt.Fprintln(p.err, "nebula: "+oneLine(text)) }

// Package cli is the command line of nebula: its flags, its commands and what they are wired to. It may import everything;
// only the commands below cmd import it.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/term"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/confine"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/sqlite"
	"nebula/internal/tui"
	"nebula/internal/workspace"
)

// Main runs the command line that this process was started with, and ends the process with its exit code.
func Main(linked Linked) {
	if workspace.Guardian(os.Args) || confine.Inside(os.Args) {
		return
	}
	lateCollection()
	if !enoughFiles() {
		os.Exit(starved(os.Args[1:]))
	}
	env, kept := config.Inherit(workspace.Passes, secret)
	p := &program{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, env: env, kept: kept, linked: linked,
		inTerminal: term.IsTerminal(int(os.Stdin.Fd())), outTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	os.Exit(p.main(context.Background(), os.Args[1:]))
}

// lateCollection puts the first collection of garbage off until there is some: a run of one answer ends below that, and a collection touches more
// memory than it would free. From the first one on the collector works as it always does.
func lateCollection() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(300)
	runtime.AddCleanup(new([32]byte), func(percent int) { debug.SetGCPercent(percent) }, 100)
}

// secret reports whether a variable is kept from what nebula starts: its name or its value is a secret's, or it is a
// provider's.
func secret(name, value string) bool {
	return workspace.Secret(name, value) || model.Configures(name) || name == "NEBULA_RECORD_URL" || name == "NEBULA_NOTIFY_URL" || name == "NEBULA_FLEET_KEY" || name == "TEMPORAL_API_KEY"
}

// starved says that too few files may be open, and opens none: the settings are not asked for the language.
func starved(args []string) int {
	p := &program{err: os.Stderr, args: args, env: func(name string) string {
		if name == "LANG" || name == "NEBULA_LANG" || strings.HasPrefix(name, "LC_") {
			return os.Getenv(name)
		}
		return ""
	}}
	p.warn("too few files may be open; allow more with ulimit -n 256, and try again")
	return exitFailed
}

// A program is one call of nebula: what it was given and where its words go. Nothing is opened before a command asks
// for it.
type program struct {
	in       io.Reader
	out, err io.Writer
	env      config.Env
	kept     []string // names of what the environment held that nothing inherits
	args     []string
	linked   Linked
	handed   sync.Once // whether another is to go on is asked before anything is begun
	at       string    // the folder to work in, as it was given

	inTerminal, outTerminal, errTerminal bool

	damaged bool // the record was, when it was opened

	ahead func() (*sqlite.Store, error) // the record, where its opening began already; see [program.openAhead]

	windows map[string]int // of models, as their servers declared them before there was a session

	script bool // standard input is what a person would type, line by line

	learn sync.Once
	known tongue

	typed *tui.Script // what is typed in the full-screen interface where nobody types

	tty *os.File // opened when a question has no other way to the person
}

// main runs a command line and returns the exit code.
func (p *program) main(ctx context.Context, args []string) int {
	quietPipe()
	p.args = args
	root := p.root()
	p.speak(root)
	root.SetArgs(args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := misplaced(args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if p.ahead != nil { // nobody needed it
		if store, failed := p.ahead(); failed == nil {
			_ = store.Close()
		}
	}
	if text := p.message(err); text != "" {
		_, _ = fmt.Fprintln(p.err, "nebula: "+text)
	}
	if err == nil && p.damaged {
		return exitRecord
	}
	return code(err)
}

// person reports whether somebody can be asked: at the terminal, or by what they wrote down before.
//
//go:noinline
func (p *program) person() bool { return p.script || p.inTerminal && p.screen() != nil }

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
func (p *program) warn(format string, args ...any) {
	_, _ = fmt.Fprintln(p.err, "nebula: "+phrase.OneLine(p.say(format, args...), 0))
}

// words says words in the person's language.
func (p *program) words(w nebula.Words) string { return p.tongue().words(w) }

// say is a sentence in the person's language.
func (p *program) say(format string, args ...any) string { return p.tongue().say(format, args...) }

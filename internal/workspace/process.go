package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/redact"
)

// Limits of a command that names none itself.
const (
	CommandTimeout = 2 * time.Minute
	CommandCap     = 64 << 10
)

const (
	grace    = 60 * time.Millisecond // between the request to end and the kill; a cancel is through in 200 ms
	hopeless = time.Second           // for a process that even a kill does not end, such as one stuck in a disk
)

// A Command is one line for the shell.
type Command struct {
	Line    string
	Timeout time.Duration // CommandTimeout when zero
	Cap     int           // bytes of output that are kept, CommandCap when zero
	Env     []string      // more variables, after those of Environment
	Pass    []string      // names of more variables of nebula's that it gets
	Secrets []string      // values that no variable of the command may hold, and that its output is rid of

	Outside    bool // in no box, as the person themself would run it
	Repository bool // it may change the repository in the folder

	Unhooked bool // git runs no hooks for it, nor a program of the repository's that signs: they do what the line does not say

	// Barred reports whether the person forbids changing something: in a box it stays as it is, whatever the command does; nil for nothing.
	Barred func(nebula.Target) bool

	Needs    Needs    // what the person gives it beside
	Programs []string // that it runs and no others; nil where that is not known

	Feeds    bool // it reads what it is fed, see [Job.Feed]
	Terminal bool // it has a terminal of its own, which it is fed through
	gate     *os.File

	Watch bool // it is told which of the folder's files with secrets it opens, where it runs in a box
	Blank bool // it finds those files empty there

	Unread func(path string) bool // which files it finds empty in a box, since nobody is to read them; nil for none

	View bool   // it runs on a view of the folder, see [Dir.CanView]
	ID   string // what names it afterwards, where nebula was killed while it ran, or kept what it did on a view
}

// Needs are what a command in a box may do beside what its box lets it: reach hosts (host:port), change paths, and read what is
// hidden. Paths are as [Dir.Given] gives them: one that leads elsewhere when the command is to begin is a mistake, and nothing runs.
type Needs struct{ Hosts, Write, Read []string }

// An Exit is how a command ended. Output holds stdout and stderr as they came, byte for byte; when they were longer
// than the cap, the head and the tail are kept and Cut is set.
type Exit struct {
	Started  bool   // else it did nothing
	Code     int    // 128+n when signal n ended it
	Signal   string // what ended it, if not itself
	TimedOut bool
	Stopped  bool // the context ended first
	Output   []byte
	Head     int   // bytes of Output that stand before the cut
	Cut      bool  // the middle of the output is missing
	Total    int64 // bytes of output in all
	Left     int   // processes that it left running, which were ended
	Took     time.Duration
	Restored []string // files that were held and that it changed; they are as they were, see [Dir.Hold]

	Held     confine.Held      // the layers of the box that it ran in; 0 for none
	Exceeded confine.Exceeded  // the limit for which it was ended
	Refused  []confine.Refusal // what the box was seen to keep it from
	Blanked  []string          // files with secrets that it found empty, see [Command.Blank]
	Unread   []string          // files and folders that it found empty, see [Command.Unread]
	Opened   []string          // files with secrets that it opened, or may have, see [Command.Watch]
	Aside    []string          // where what it made stays that is not to be made, see [steer.Held]

	Effects *Effects // what it did, where it ran on a view: to be kept or dropped

	Untouched []string // absolute paths below which nothing counts as its work, see [Snapshot.Except]
}

// commands are those that run now, of all folders: they are children of the one process that this is.
var commands processes

type processes struct {
	leaders sync.Map // the marks of the first process of each, and of the guards, by its number
	next    atomic.Int64

	// starting is held while a command comes into being: until it bears its mark and is listed here, whoever looks for
	// the processes of another command could take it for one of them.
	starting sync.RWMutex
}

// Run runs a command through the shell in the folder and returns when it, and everything it started, has ended:
// processes that it leaves in the background are ended too. The command reads nothing, has no terminal, and its
// environment is that of [Environment]. out, when not nil, gets the output as it comes, from one goroutine and never
// after Run has returned. A command that could be started gives no error, however it ended.
func (d *Dir) Run(ctx context.Context, g *nebula.Grant, c Command, out func([]byte)) (Exit, error) {
	if !g.Runs() {
		return Exit{}, nebula.ErrNoGrant
	}
	if strings.TrimSpace(c.Line) == "" {
		return Exit{}, nebula.Wrong("Give the command line to run.", "The command is empty.")
	}
	if strings.ContainsRune(c.Line, 0) {
		return Exit{}, nebula.Wrong("Write the command as plain text.", "The command holds a NUL byte.")
	}
	if err := ctx.Err(); err != nil {
		return Exit{}, err
	}
	if c.Timeout <= 0 {
		c.Timeout = CommandTimeout
	}
	if c.Cap <= 0 {
		c.Cap = CommandCap
	}
	if err := c.Needs.stand(); err != nil {
		return Exit{}, err
	}
	if err := d.allPresent(); err != nil {
		return Exit{}, err
	}
	if err := d.held.begin(); err != nil {
		return Exit{}, err
	}
	e, err := d.run(ctx, c, out)
	restored, failed := d.held.end()
	e.Restored = restored
	return e, errors.Join(err, failed)
}

func (d *Dir) run(ctx context.Context, c Command, out func([]byte)) (Exit, error) {
	began := time.Now()
	pins, files := d.pins()
	box, was := d.box(c, pins)
	var blanked []string
	if box != nil {
		box.Doors = d.doors()
		switch {
		case c.Blank:
			blanked = secretive(files)
			box.Hide = append(slices.Clip(box.Hide), blanked...)
		case c.Watch:
			box.Watch = secretive(files)
		}
	}
	v, err := d.onView(c, box, was)
	if err != nil {
		return Exit{}, d.notStarted(err)
	}
	p, err := d.start(c, box, values(append(gitsOwn(), files...)).redactor(c.Secrets...), out)
	if err != nil {
		v.close()
		return Exit{}, d.notStarted(err)
	}
	defer p.done(d)
	defer commands.strike(p.leader)
	e := Exit{Started: true, Held: p.held, Blanked: d.related(blanked), Unread: d.related(was.hid())}
	limit := time.NewTimer(c.Timeout)
	defer limit.Stop()
	select {
	case <-p.ended:
	case <-p.output.over:
		e.Exceeded = confine.Output
	case <-limit.C:
		e.TimedOut = true
	case <-ctx.Done():
		e.Stopped = true
	}
	left := p.stop()
	if !e.TimedOut && !e.Stopped && e.Exceeded == "" {
		e.Left = left
	}
	p.drain()
	select {
	case <-p.ended:
	default:
		v.close()
		return e, nebula.Errorf("command %q cannot be ended: process %d does not die", c.Line, p.leader)
	}
	e.Code, e.Signal, e.Exceeded = p.code, p.signal, cmp.Or(e.Exceeded, p.end.Exceeded)
	e.Refused, e.Opened = p.end.Refused, d.related(p.end.Opened)
	e.Output, e.Head, e.Total = p.output.kept()
	e.Cut = int64(len(e.Output)) < e.Total
	e.Took = time.Since(began)
	if v != nil {
		if e.Effects, err = d.effects(context.WithoutCancel(ctx), v); err != nil {
			v.close()
		}
		return e, err
	}
	e.Aside, e.Untouched, err = d.putAside(was)
	return e, err
}

// onView has the box show a view in the place of the folder, where the command is to run on one.
func (d *Dir) onView(c Command, box *confine.Box, was *before) (*viewed, error) {
	if !c.View {
		return nil, nil
	}
	if box == nil {
		return nil, nebula.Errorf("there is no confinement")
	}
	v, err := d.newView(c.ID)
	if err != nil {
		return nil, err
	}
	v.was, v.layers = was, box.Layers
	box.Views = []confine.View{v.view}
	return v, nil
}

func (d *Dir) notStarted(err error) error {
	if gone := d.allPresent(); gone != nil {
		return gone
	}
	return nebula.Errorf("command not started: %w", err)
}

// process is one command under way: its leader is the shell.
type process struct {
	cmd    *exec.Cmd
	leader int
	mark   string
	calm   *sync.RWMutex      // held for reading, no other command is just coming into being
	others func(pid int) bool // whether a process is another command's leader
	pipe   *os.File
	in     *os.File // what it reads from; nil for nothing
	feed   *os.File // what is written there comes to in
	gate   *os.File // for its box, where that serves; only beside in
	output *outline
	read   chan struct{} // closed when the output is read to its end
	ended  chan struct{} // closed when the leader has ended, and how is known:
	code   int
	signal string
	system system // what this operating system needs

	terminal bool // in is its terminal

	runs string // where its guard says when it has ended, see [gone]

	box  *confine.Box // what it runs in; nil for no box
	held confine.Held // which layers hold it
	end  confine.End  // what the box says of its end
}

func (d *Dir) start(c Command, box *confine.Box, known redact.Redactor, out func([]byte)) (*process, error) {
	p := &process{output: newOutline(c.Cap), gate: c.gate, read: make(chan struct{}), ended: make(chan struct{})}
	w, err := p.connect(c)
	if err != nil {
		return nil, err
	}
	defer p.handed(w)
	p.output.secrets = known.Stream().Addresses()
	p.mark, p.calm = newMark(), &commands.starting
	p.others = func(pid int) bool { return leads(pid, p.mark) }
	p.cmd, p.runs = shell(c.Line), d.runFiles(c.ID)
	p.cmd.Dir = d.Path()
	p.cmd.Stdout, p.cmd.Stderr = w, w
	if p.in != nil {
		p.cmd.Stdin = p.in
	}
	p.cmd.Env = append(Environment(os.Environ(), c.Pass, c.Secrets), c.Env...)
	if p.box = box; box != nil {
		p.cmd.Dir = d.real // a link to it may stand where a box has a folder of its own
		p.output.most = box.Limits.Output
		p.cmd.Env = box.Environment(p.cmd.Env)
	}
	if c.Unhooked {
		p.cmd.Env = unhooked(p.cmd.Env)
	}
	p.cmd.Env = append(p.cmd.Env, "PWD="+d.Path(), markName+"="+p.mark)
	if p.terminal {
		p.cmd.Env = append(p.cmd.Env, "TERM=xterm")
	}
	if err := p.launch(d, w); err != nil {
		p.pipe.Close()
		if p.feed != nil {
			_ = p.feed.Close()
		}
		return nil, err
	}
	go func() {
		defer close(p.read)
		p.output.readFrom(p.pipe, out)
	}()
	return p, nil
}

// connect makes what lies between nebula and a command, and gives what the command writes to.
func (p *process) connect(c Command) (w *os.File, err error) {
	if c.Terminal {
		p.pipe, w, err = newTerminal()
		p.in, p.feed, p.terminal = w, p.pipe, true
		return w, err
	}
	if p.pipe, w, err = os.Pipe(); err != nil || !c.Feeds {
		return w, err
	}
	if p.in, p.feed, err = os.Pipe(); err != nil {
		err = errors.Join(err, p.pipe.Close(), w.Close())
	}
	return w, err
}

// handed closes what is the command's.
func (p *process) handed(w *os.File) {
	_ = w.Close()
	if p.in != nil && p.in != w {
		_ = p.in.Close()
	}
}

// drain waits for the rest of the output. Every writer is dead by now; one that escaped must not hold the pipe open.
func (p *process) drain() {
	select {
	case <-p.read:
	case <-time.After(grace):
		_ = p.pipe.SetReadDeadline(time.Now()) // a pipe takes deadlines
		<-p.read
	}
	p.pipe.Close()
}

const markName = "NEBULA_COMMAND"

// guardWord is the argument that makes nebula a guard, and the mark of its guards.
const guardWord = "guard-commands"

func newMark() string {
	return fmt.Sprintf("%d.%d", os.Getpid(), commands.next.Add(1))
}

// leads notes that the command has begun.
//
//go:noinline
func (p *process) leads(pid int) {
	p.leader = pid
	commands.list(pid, p.mark)
}

//go:noinline
func (c *processes) list(pid int, mark string) {
	c.leaders.Store(pid, mark)
}

//go:noinline
func (c *processes) strike(pid int) {
	c.leaders.Delete(pid)
}

// several reports whether more than one command runs.
func several() bool { return running() > 1 }

// running is how many commands run.
func running() (n int) {
	for _, mark := range commands.leaders.Range {
		if mark != guardWord {
			n++
		}
	}
	return n
}

func leads(pid int, but string) bool {
	mark, ok := commands.leaders.Load(pid)
	return ok && mark != but
}

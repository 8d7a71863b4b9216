package workspace

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/lists"
)

// A guard is a process between nebula and a command: nebula's program once more, without its keys. Everything that the
// command starts stays below the guard however it was started, and the guard ends all of it when nebula goes, also when
// nebula is killed and cannot do anything any more: then its end of their socket closes. One guard serves one command
// after another; commands side by side have one each.
//
// nebula sends an order: the number of bytes and of arguments, the box, where to say when a killed nebula's command has ended, the folder, the program, the arguments and the
// environment, separated by NUL, and with it the files: what the command writes to, and where they are given what it reads from
// and its box's end of a gate. The guard answers with the number of
// the process or the fault, and what there is to say of the box; and when that process has ended, with how.
type guard struct {
	cmd  *exec.Cmd
	line *net.UnixConn
	idle bool // its last command has ended, with everything that it started
}

// guards are those of a folder.
type guards struct {
	ahead sync.WaitGroup

	mu   sync.Mutex // held while a guard begins too: who finds none waits for the one that is being prepared
	free []*guard
	on   bool // commands have guards
	box  bool // which have a box ready for them
	shut bool
}

const guardLine = 3 // the guard's end of the socket

// Guarded has every command of the folder run below a guard. The program that calls it is one for [Guardian].
func (d *Dir) Guarded() {
	d.guards.mu.Lock()
	defer d.guards.mu.Unlock()
	d.guards.on = true
}

// prepareBoxes has guards keep a box ready.
func (s *guards) prepareBoxes() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.box = true
}

// Prepare sees to it that the next command finds a guard ready, and does not wait for it.
//
//go:noinline
func (d *Dir) Prepare() {
	d.guards.ahead.Go(func() {
		if g, err := d.guards.take(); err == nil && g != nil {
			d.guards.give(g)
		}
	})
}

// take gives a guard, nil where commands have none.
func (s *guards) take() (*guard, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		g := s.free[n-1]
		s.free = s.free[:n-1]
		return g, nil
	}
	if !s.on || s.shut {
		return nil, nil
	}
	return newGuard(s.box)
}

// give takes a guard back. One whose command did not end well goes, and ends what is left below it.
func (s *guards) give(g *guard) {
	s.mu.Lock()
	keep := g.idle && !s.shut
	if keep {
		s.free = append(s.free, g)
	}
	s.mu.Unlock()
	if !keep {
		g.dismiss()
	}
}

func (s *guards) close() {
	s.mu.Lock()
	s.shut = true
	free := s.free
	s.free = nil
	s.mu.Unlock()
	for _, g := range free {
		g.dismiss()
	}
	s.ahead.Wait()
}

func newGuard(box bool) (*guard, error) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	near, far := os.NewFile(uintptr(ends[0]), "guard"), os.NewFile(uintptr(ends[1]), "guard")
	defer near.Close()
	defer far.Close()
	line, err := net.FileConn(near)
	if err != nil {
		return nil, err
	}
	g := &guard{line: line.(*net.UnixConn), idle: true}
	g.cmd = &exec.Cmd{Path: "/proc/self/exe", Args: []string{"nebula", guardWord}, Dir: "/", Env: []string{"GOMAXPROCS=2"}}
	if box {
		g.cmd.Env = append(g.cmd.Env, boxAhead+"=1")
	}
	g.cmd.ExtraFiles = []*os.File{far}
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no key of the terminal reaches it
	commands.starting.Lock()
	defer commands.starting.Unlock()
	if err := g.cmd.Start(); err != nil {
		return nil, errors.Join(err, line.Close())
	}
	commands.list(g.cmd.Process.Pid, guardWord)
	return g, nil
}

// dismiss lets a guard go.
func (g *guard) dismiss() {
	_ = g.line.Close()
	_ = g.cmd.Wait() // its end is all that matters
	commands.strike(g.cmd.Process.Pid)
}

// launch has the guard start a command, in a box where one is given. It gives the number of the process, and which layers
// hold it; news of its end comes from await.
func (g *guard) launch(c *exec.Cmd, box *confine.Box, runs string, files ...*os.File) (int, confine.Held, error) {
	g.idle = false
	described, err := describe(box)
	if err != nil {
		return 0, 0, err
	}
	words := lists.Concat([]string{described, runs, c.Dir, c.Path}, c.Args, c.Env)
	body := strings.Join(words, "\x00")
	order := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	order = binary.LittleEndian.AppendUint32(order, uint32(len(c.Args)))
	order = append(order, body...)
	var rights []int
	for _, f := range files {
		rights = append(rights, int(f.Fd()))
	}
	n, _, err := g.line.WriteMsgUnix(order, syscall.UnixRights(rights...), nil)
	if err == nil && n < len(order) {
		_, err = g.line.Write(order[n:])
	}
	if err != nil {
		return 0, 0, err
	}
	a, err := g.hear()
	if err != nil || a.second == 0 {
		return int(a.first), confine.Held(a.third), err
	}
	g.idle = true
	if strings.HasPrefix(a.text, confine.Refuses) {
		return 0, 0, nebula.Errorf("it cannot be confined (%s): %w", strings.TrimPrefix(a.text, confine.Refuses), errRefused)
	}
	if a.text != "" {
		return 0, 0, nebula.Errorf("it cannot be confined: %s", a.text)
	}
	return 0, 0, &os.PathError{Op: "start", Path: c.Path, Err: syscall.Errno(a.second)}
}

var errRefused = nebula.Errorf("the system refuses a layer that it had given. Commands ask from now on, as where there is no box; with sandbox=weaker the other layers are enough")

// await gives how the command ended, of one in a box with what the box says.
func (g *guard) await() (end confine.End, err error) {
	a, err := g.hear()
	end.Status = a.second
	if err == nil && a.text != "" {
		err = json.Unmarshal([]byte(a.text), &end)
	}
	return end, err
}

// An answer is what a guard says: of a command that began, its process, the fault and the layers that hold it; of one
// that ended, how it ended, and as text what its box says.
type answer struct {
	first, second, third uint32
	text                 string
}

func (g *guard) hear() (a answer, err error) {
	var said [16]byte
	if _, err = io.ReadFull(g.line, said[:]); err != nil {
		return a, err
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(said[4*i:]) }
	a = answer{first: number(0), second: number(1), third: number(2)}
	text := make([]byte, number(3))
	_, err = io.ReadFull(g.line, text)
	a.text = string(text)
	return a, err
}

// Guardian reports whether the arguments make this process a guard. If so it was one, and its work is done: the program
// ends.
func Guardian(args []string) bool {
	if len(args) != 2 || args[1] != guardWord {
		return false
	}
	if kind, err := syscall.GetsockoptInt(guardLine, syscall.SOL_SOCKET, syscall.SO_TYPE); err != nil || kind != syscall.SOCK_STREAM {
		_, _ = fmt.Fprintln(os.Stderr, "nebula: this is for nebula's own use")
		return true
	}
	syscall.CloseOnExec(guardLine)
	subreap()
	k := new(keeper)
	if os.Getenv(boxAhead) != "" {
		k.prepare()
	}
	for k.serve() {
	}
	if k.lone != nil {
		k.lone.wait()
	}
	end()
	gone(k.runs)
	return true
}

// A keeper is what a guard knows of its command.
type keeper struct {
	mu      sync.Mutex // held until nebula knows the command's number
	first   int        // process of the command, if it has no box
	burying bool
	more    bool // a process began that burying may not have waited for

	box  *confine.Ready // for the next command; nil when there is none
	past int            // process of the last command's box, which may not have gone yet

	ended *answer // how the last command ended, once it has
	lone  *lone   // the command was detached
	runs  string  // its files, see [gone]
}

// serve carries out one order. It reports whether nebula is still there.
func (k *keeper) serve() bool {
	c, box, runs, files, err := receive()
	if err != nil {
		return false
	}
	if order, ok := detaching(box); ok {
		defer closeAll(files)
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.part(order, files)
	}
	if len(files) == 1 {
		null, err := syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			_ = syscall.Close(files[0])
			return tell(answer{second: uint32(syscall.EMFILE)}) == nil
		}
		files = append(files, null)
	}
	defer closeAll(files)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.first, k.ended, k.runs = 0, nil, runs
	if box != "" {
		return k.confined(box, c, append([]int{files[1], files[0], files[0]}, files[2:]...))
	}
	k.dismiss()
	attr := &syscall.ProcAttr{Dir: c.Dir, Env: c.Env, Sys: &syscall.SysProcAttr{Setsid: true, Setctty: terminal(files[1])}}
	attr.Files = []uintptr{uintptr(files[1]), uintptr(files[0]), uintptr(files[0])}
	k.first, err = syscall.ForkExec(c.Path, c.Args, attr)
	fault, _ := errors.AsType[syscall.Errno](err)
	if err := tell(answer{first: uint32(k.first), second: uint32(fault)}); err != nil || fault != 0 {
		return err == nil
	}
	k.bury()
	return true
}

//go:noinline
func closeAll(files []int) {
	for _, fd := range files {
		_ = syscall.Close(fd)
	}
}

// over tells how the command ended, the lock held.
func (k *keeper) over(a answer) {
	k.ended = &a
	if k.lone != nil {
		k.lone.end(a)
		return
	}
	_ = tell(a) // nobody listens: the next order does not come either
}

// bury waits beside for the command's processes, those too that lost their parents, and tells of the end of the first.
func (k *keeper) bury() {
	if k.more = true; k.burying {
		return
	}
	k.burying = true
	go func() {
		for {
			var status syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &status, 0, nil)
			if err == syscall.EINTR {
				continue
			}
			k.mu.Lock()
			if err != nil && k.more {
				err, k.more = nil, false // it began meanwhile
			}
			k.burying = err == nil
			if err == nil && pid == k.first && pid > 0 {
				k.over(answer{second: uint32(status)})
			}
			k.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
}

func tell(a answer) error {
	said := make([]byte, 0, 16+len(a.text))
	for _, n := range []uint32{a.first, a.second, a.third, uint32(len(a.text))} {
		said = binary.LittleEndian.AppendUint32(said, n)
	}
	_, err := syscall.Write(guardLine, append(said, a.text...))
	return err
}

// receive reads an order. It ends when nebula does.
func receive() (c exec.Cmd, box, runs string, files []int, err error) {
	var head [8]byte
	rights := make([]byte, syscall.CmsgSpace(4*4))
	n, m, err := recv(head[:], rights)
	if err != nil {
		return c, "", "", nil, err
	}
	if files, err = passed(rights[:m]); err != nil {
		return c, "", "", nil, err
	}
	if err := readLine(head[n:]); err != nil {
		return c, "", "", nil, err
	}
	body := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if err := readLine(body); err != nil {
		return c, "", "", nil, err
	}
	words := strings.Split(string(body), "\x00")
	args := int(binary.LittleEndian.Uint32(head[4:]))
	if len(words) < 4+args {
		return c, "", "", nil, io.ErrUnexpectedEOF
	}
	c = exec.Cmd{Dir: words[2], Path: words[3], Args: words[4 : 4+args], Env: words[4+args:]}
	return c, words[0], words[1], files, nil
}

func recv(data, rights []byte) (n, m int, err error) {
	for {
		n, m, _, _, err = syscall.Recvmsg(guardLine, data, rights, syscall.MSG_CMSG_CLOEXEC)
		if err == syscall.EINTR {
			continue
		}
		if err == nil && n == 0 {
			err = io.EOF
		}
		return n, m, err
	}
}

func passed(rights []byte) ([]int, error) {
	messages, err := syscall.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	files, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(files) == 0 {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	return files, nil
}

func readLine(b []byte) error {
	for len(b) > 0 {
		n, err := syscall.Read(guardLine, b)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return err
		case n == 0:
			return io.ErrUnexpectedEOF
		}
		b = b[n:]
	}
	return nil
}

// end kills everything below this process, until nothing is left or nothing more can be done, and buries it: who takes over
// what is left of a guard knows nothing of it.
func end() {
	vain := 0 // looks that found nothing, but were none at all processes: others come and go
	for until := time.Now().Add(10 * hopeless); time.Now().Before(until) && vain < 8; time.Sleep(time.Millisecond) {
		for {
			if dead, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); dead <= 0 && err != syscall.EINTR {
				break
			}
		}
		all, whole := procs(0)
		below := descent(os.Getpid(), all)
		living, over := killable(below, whole)
		if over {
			return
		}
		if vain++; len(below) > 0 {
			vain = 0
		}
		signal(living, syscall.SIGKILL)
	}
}

//go:build linux

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// Without servers, hooks, skills, instruction files, agents or language servers the program asks, opens, starts and holds what it does where
// nothing that people bring takes part, which is how a recording is made.
func TestWhatIsAbsentCostsNothing(t *testing.T) {
	bare, full := waits(t, "--record", filepath.Join(t.TempDir(), "r")), waits(t)
	if full.asked != bare.asked {
		t.Errorf("another request:\n%s\n%s", full.asked, bare.asked)
	}
	if full.children != "" || bare.children != "" {
		t.Errorf("programs were started: %q", full.children)
	}
	if d := full.memory - bare.memory; d > 4 {
		t.Errorf("%.1f MB more, of %.1f", d, bare.memory)
	}
	if !slices.Equal(full.parts, bare.parts) || len(full.parts) == 0 {
		t.Errorf("goroutines stand in %v, not in %v", full.parts, bare.parts)
	}
	if full.goroutines != bare.goroutines {
		t.Errorf("%d goroutines, not %d", full.goroutines, bare.goroutines)
	}
}

// A reached is what a program has come to that waits for its first reply.
type reached struct {
	asked, children string
	memory          float64 // in MB, at most until now
	goroutines      int
	parts           []string // packages that goroutines stand in
}

// waits looks at a run that waits, and ends it.
func waits(t *testing.T, flags ...string) (s reached) {
	t.Helper()
	b := newBed(t)
	b.server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Hang: true} }
	b.folder = sameFolder(t)
	var out bytes.Buffer
	c := b.command(append([]string{"run", "hello"}, flags...)...)
	c.Env = append(c.Env, "HOME="+b.home, "GOTRACEBACK=all")
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if len(b.server.Requests()) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond) // what begins late has begun
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", c.Process.Pid))
	for _, file := range children {
		data, _ := os.ReadFile(file)
		s.children += string(data)
	}
	s.memory = resident(c.Process.Pid)
	_ = c.Process.Signal(syscall.SIGQUIT)
	_ = c.Wait()
	requests := b.server.Requests()
	if len(requests) != 1 || len(children) == 0 {
		t.Fatalf("%d requests: %s", len(requests), out.String())
	}
	s.asked = string(requests[0].Body)
	s.goroutines = strings.Count(out.String(), "\ngoroutine ")
	for _, m := range regexp.MustCompile(`(?m)^nebula/internal/(\w+)`).FindAllStringSubmatch(out.String(), -1) {
		s.parts = append(s.parts, m[1])
	}
	slices.Sort(s.parts)
	s.parts = slices.Compact(s.parts)
	return s
}

// sameFolder is an empty folder of the same name each time: a request names it.
func sameFolder(t *testing.T) string {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("nebula-absent-%d", os.Getpid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// resident is the most that a process had in memory, in MB.
func resident(pid int) (mb float64) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if _, after, ok := strings.Cut(string(data), "VmHWM:"); ok {
		_, _ = fmt.Sscanf(after, "%f", &mb)
	}
	return mb / 1000
}

// What is looked for and is not there is not opened: with nothing brought no program is started, and no file more is read. It is
// counted by strace, where that is there and may trace.
func TestWhatIsAbsentIsNotRead(t *testing.T) {
	bare, ok := traced(t, "--record", filepath.Join(t.TempDir(), "r"))
	if !ok {
		t.Skip("nothing can be traced here")
	}
	full, _ := traced(t)
	if full.started != 1 {
		t.Errorf("%d programs", full.started)
	}
	for _, name := range full.read {
		if !slices.Contains(bare.read, name) {
			t.Errorf("%s is read", name)
		}
	}
	t.Logf("%d looks at names, %d without what people bring", full.looks, bare.looks)
	if more := full.looks - bare.looks; more > 220 { // a microsecond each
		t.Errorf("%d looks more", more)
	}
}

type trace struct {
	started, looks int
	read           []string // files that were there, without those of the record
}

var (
	tracedCall = regexp.MustCompile(`(?m)^\d+ +(\w+)\([^"]*"([^"]*)"(?:.*= (-?\d+))?`)
	ofRecord   = regexp.MustCompile(`/(nebula\.db|heads|layers|r)\b|^/(proc|sys|dev)/`)
)

func traced(t *testing.T, flags ...string) (s trace, ok bool) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		return s, false
	}
	b := newBed(t)
	b.server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} }
	b.folder = sameFolder(t)
	file := filepath.Join(t.TempDir(), "trace")
	for range 2 { // the first makes the record
		inner := b.command(append([]string{"run", "hello"}, flags...)...)
		c := exec.Command(strace, append([]string{"-f", "-qq", "-o", file, "-e", "trace=openat,execve,newfstatat,readlinkat"}, inner.Args...)...)
		c.Dir, c.Env = inner.Dir, append(inner.Env, "HOME="+b.home)
		if len(flags) > 0 {
			_ = os.Remove(flags[1])
		}
		if out, err := c.CombinedOutput(); err != nil {
			t.Logf("%v: %s", err, out)
			return s, false
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range tracedCall.FindAllStringSubmatch(string(data), -1) {
		name := strings.ReplaceAll(strings.ReplaceAll(m[2], b.home, "HOME"), b.folder, "FOLDER")
		switch {
		case m[1] == "execve":
			s.started++
		case m[1] == "openat" && m[3] != "" && m[3][0] != '-' && !ofRecord.MatchString(name):
			s.read = append(s.read, name)
			s.looks++
		default:
			s.looks++
		}
	}
	return s, s.started > 0
}

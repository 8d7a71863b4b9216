package confine

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// run runs a line in a box and gives its output and how it ended.
func run(t testing.TB, o order) (string, syscall.WaitStatus, int) {
	t.Helper()
	out, end := ended(t, o)
	return out, syscall.WaitStatus(end.Status), end.Left
}

func ended(t testing.TB, o order) (string, End) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	want := All &^ o.Skip
	if o.Box.Network {
		want &^= Network
	}
	ready, err := prepare(want)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ready.start(o, []int{int(null.Fd()), int(w.Fd()), int(w.Fd())})
	w.Close()
	if err != nil {
		r.Close()
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, _ = out.ReadFrom(r)
	r.Close()
	end, whole := p.Ended()
	if !whole {
		t.Error("the box was ended")
	}
	go syscall.Wait4(p.Pid, nil, 0, nil)
	return out.String(), end
}

func sh(dir, line string) Command {
	return Command{Path: "/bin/bash", Args: []string{"bash", "-c", line}, Dir: dir, Env: Box{}.Environment(os.Environ())}
}

func box(t testing.TB) Box {
	t.Helper()
	b, ok := For(Place{Folder: t.TempDir(), Home: os.Getenv("HOME"), Environ: os.Getenv, Kept: t.TempDir()})
	if !ok {
		t.Fatal("no box")
	}
	return b
}

// able skips a test where the kernel gives no namespaces, which is found out without the code that is tested.
func able(t testing.TB) {
	t.Helper()
	a := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID}
	c := exec.Command("/bin/true")
	c.SysProcAttr = a
	if err := c.Run(); err != nil {
		t.Skipf("this system gives no namespaces: %v", err)
	}
}

func TestProbeHoldsEverything(t *testing.T) {
	able(t)
	held, err := Probe()
	if err != nil || held != All {
		t.Fatalf("%s, %v", held, err)
	}
}

// What starts processes without end does so in its box only, whoever runs it, and the machine's own bound stays.
func TestProcessesAreBounded(t *testing.T) {
	able(t)
	const bound = "/proc/sys/kernel/pid_max"
	before, err := os.ReadFile(bound)
	if err != nil {
		t.Fatal(err)
	}
	b := box(t)
	b.Limits.Processes = 400
	const line = `import os, resource, time
print(resource.getrlimit(resource.RLIMIT_NPROC)[1], flush=True)
for i in range(600):
    try:
        if os.fork() == 0: time.sleep(30); os._exit(0)
    except OSError: print("no more"); break`
	out, _, left := run(t, order{Box: b, Command: Command{Path: python(t), Args: []string{"python3", "-c", line}, Dir: b.Folder}})
	if left == 0 || left >= 400 || out != "400\nno more\n" {
		t.Errorf("%d were left: %s", left, out)
	}
	if after, err := os.ReadFile(bound); err != nil || string(after) != string(before) {
		t.Errorf("the machine is bounded: %s %v", after, err)
	}
}

package workspace

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// strays are the ways in which a command leaves something running. Each notes the number of its process in pids.
var strays = map[string]string{
	"plain":       "echo $$ >> pids; exec sleep 100",
	"background":  "sh -c 'echo $$ >> pids; exec sleep 100' & sleep 100",
	"setsid":      "setsid sh -c 'echo $$ >> pids; exec sleep 100' & sleep 100",
	"nohup":       "nohup sh -c 'echo $$ >> pids; exec sleep 100' >/dev/null 2>&1 & sleep 100",
	"double fork": "setsid sh -c '(sh -c \"echo \\$\\$ >> pids; exec sleep 100\" &); exit 0' & sleep 100",
	"no env":      "env -i setsid sh -c 'trap \"\" TERM HUP INT; echo $$ >> pids; sleep 100; sleep 100' <&- >&- 2>&- & sleep 100",
	"ended shell": "for i in 1 2 3; do setsid -f sh -c 'echo $$ >> pids; exec sleep 100'; done; sleep 100",
}

// Nothing of a command, and no guard, may outlive nebula, however that ends.
func TestNothingOutlivesNebula(t *testing.T) {
	if dir := os.Getenv("TEST_WORKSPACE_RUN_IN"); dir != "" {
		d, err := Open(dir, inMemory())
		if err != nil {
			t.Fatal(err)
		}
		d.Guarded()
		ran(t, d, Command{Line: os.Getenv("TEST_WORKSPACE_LINE")})
		return
	}
	t.Cleanup(orphansBuried)
	for name, line := range strays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.Command(os.Args[0], "-test.run=^TestNothingOutlivesNebula$")
			cmd.Env = append(os.Environ(), "TEST_WORKSPACE_RUN_IN="+dir, "TEST_WORKSPACE_LINE="+line)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var pids []string
			for end := time.Now().Add(time.Minute); len(pids) == 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
				data, _ := os.ReadFile(filepath.Join(dir, "pids"))
				pids = strings.Fields(string(data))
			}
			if len(pids) == 0 {
				t.Fatal("the command did not begin")
			}
			guards := descent(cmd.Process.Pid, family(0))
			cmd.Process.Kill()
			cmd.Wait()
			for _, pid := range pids {
				diesSoon(t, pid)
			}
			for _, g := range guards {
				if g.parent == cmd.Process.Pid {
					buried(t, g.pid)
				}
			}
		})
	}
}

// orphansBuried waits for what killed nebulas left to this process, a guard that they had just begun to make among it: nobody
// else buries them, and a later test would take them for its own.
func orphansBuried() {
	self := os.Getpid()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		below := descent(self, family(0))
		if len(below) == 0 {
			return
		}
		for _, s := range below {
			if s.parent == self && s.dead() {
				_, _ = syscall.Wait4(s.pid, nil, syscall.WNOHANG, nil)
			}
		}
	}
}

// buried waits for the guard of a nebula that was killed. It is this process's child now, if an earlier test has run a
// command here: then nobody else buries it.
func buried(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		switch n, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); {
		case n == pid:
			return
		case err == syscall.ECHILD:
			diesSoon(t, strconv.Itoa(pid))
			return
		}
	}
	t.Errorf("guard %d lives on", pid)
}

func diesSoon(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || bytes.Contains(data, []byte(") Z ")) {
			return
		}
		if time.Now().After(end) {
			t.Errorf("process %s lives on: %s", pid, data)
			return
		}
	}
}

// Whoever ends a guard ends its command, and not nebula; what the command started ends too.
func TestKilledGuardIsItsCommandsEnd(t *testing.T) {
	d := behindGuards(t)
	e := ran(t, d, Command{Line: strays["ended shell"] + " & sleep 0.2; kill -9 $PPID; sleep 100"})
	if e.Signal == "" {
		t.Errorf("%+v", e)
	}
	data, err := os.ReadFile(filepath.Join(d.Path(), "pids"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range strings.Fields(string(data)) {
		diesSoon(t, pid)
	}
	if e := ran(t, d, Command{Line: "echo again"}); string(e.Output) != "again\n" {
		t.Errorf("%+v", e)
	}
	noneLeft(t, d)
}

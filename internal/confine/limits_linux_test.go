package confine

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A command that takes more than it may is ended, also when each of its processes takes little, and it is said of what.
func TestLimitsEndTheirCommand(t *testing.T) {
	able(t)
	const mb = 1 << 20
	for _, tt := range []struct {
		name     string
		line     string
		set      func(*Box)
		exceeded Exceeded
		signal   syscall.Signal
	}{
		{"memory", `x = bytearray(b"x" * (200 << 20)); time.sleep(20)`, func(b *Box) { b.Limits.Memory = 100 * mb }, Memory, syscall.SIGKILL},
		{"memory of several", "for i in range(4):\n  if os.fork() == 0: x = bytearray(b'x' * (50 << 20)); time.sleep(20)\nos.wait()", func(b *Box) { b.Limits.Memory = 150 * mb }, Memory, syscall.SIGKILL},
		{"memory that is shared", "x = bytearray(b'x' * (80 << 20))\nfor i in range(4):\n  if os.fork() == 0: time.sleep(0.5); os._exit(0)\nfor i in range(4): os.wait()", func(b *Box) { b.Limits.Memory = 200 * mb }, "", 0},
		{"the disk", "f = open('/tmp/x', 'wb')\nwhile True: f.write(b'x' * (1 << 20)); f.flush(); time.sleep(0.03)", func(b *Box) { b.Private, b.Shared = []string{"/tmp"}, tiny(t) }, Disk, syscall.SIGKILL},
		{"a file", `open("big", "wb").truncate(2 << 20)`, func(b *Box) { b.Limits.Files = mb }, "", syscall.SIGXFSZ},
		{"the processor", "while True: pass", func(b *Box) { b.Limits.CPU = 1 }, "", syscall.SIGXCPU},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := box(t)
			b.Limits.Free = 8 * mb
			tt.set(&b)
			out, end := ended(t, order{Box: b, Command: Command{Path: python(t), Args: []string{"python3", "-c", "import os, signal, time\nfor s in (signal.SIGXFSZ, signal.SIGXCPU): signal.signal(s, signal.SIG_DFL)\n" + tt.line}, Dir: b.Folder}})
			if status := syscall.WaitStatus(end.Status); end.Exceeded != tt.exceeded || status.Signaled() != (tt.signal != 0) || tt.signal != 0 && status.Signal() != tt.signal {
				t.Errorf("exceeded %q, %v (%d): %s", end.Exceeded, status.Signal(), status.ExitStatus(), out)
			}
		})
	}
}

// tiny is a disk of 24 MB.
func tiny(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("root alone may make disks")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=24m"); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// Who takes all of the machine's memory is the first that the kernel ends.
func TestTheKernelEndsACommandBeforeOthers(t *testing.T) {
	able(t)
	out, _ := ended(t, order{Box: box(t), Command: sh("/", "cat /proc/self/oom_score_adj")})
	if strings.TrimSpace(out) != "1000" {
		t.Error(out)
	}
}

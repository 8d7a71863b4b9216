package confine

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestEachLandlockHoldsWhatItCan goes through the versions that kernels have: what each forbids outside the box's places, and what it
// leaves possible inside. A thread that was bound is never used again.
func TestEachLandlockHoldsWhatItCan(t *testing.T) {
	kernel, err := landlockVersion()
	if err != nil {
		t.Skipf("this kernel has no Landlock: %v", err)
	}
	if kernel < 6 {
		t.Logf("this kernel has version %d: later ones are not tried", kernel)
	}
	for version := 1; version <= kernel; version++ {
		inside, outside := t.TempDir(), t.TempDir()
		for _, dir := range []string{inside, outside} {
			for _, name := range []string{"from/file", "to/other"} {
				file := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("full"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		name := filepath.Base(t.TempDir()) + filepath.Base(outside)
		abstract, err := net.Listen("unix", "@"+name+t.Name())
		if err != nil {
			t.Fatal(err)
		}
		does := map[string]func(dir string) error{
			"write":    func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o600) },
			"mkdir":    func(dir string) error { return os.Mkdir(filepath.Join(dir, "folder"), 0o700) },
			"link":     func(dir string) error { return os.Symlink("x", filepath.Join(dir, "link")) },
			"fifo":     func(dir string) error { return unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600) },
			"truncate": func(dir string) error { return os.Truncate(filepath.Join(dir, "to/other"), 0) },
			"rename": func(dir string) error {
				return os.Rename(filepath.Join(dir, "from/file"), filepath.Join(dir, "to/file"))
			},
			"remove": func(dir string) error { return os.Remove(filepath.Join(dir, "to/other")) },
			"connect": func(string) error {
				fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
				if err != nil {
					return err
				}
				defer unix.Close(fd)
				return unix.Connect(fd, &unix.SockaddrUnix{Name: "@" + name + t.Name()})
			},
		}
		got := map[string][2]error{}
		bound := make(chan error)
		go func() {
			runtime.LockOSThread() // and never unlocked: the thread ends with this
			err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
			if err == nil {
				err = Box{Folder: inside}.landlockOf(version)
			}
			if err == nil {
				for _, what := range []string{"write", "mkdir", "link", "fifo", "truncate", "rename", "remove", "connect"} {
					got[what] = [2]error{does[what](inside), does[what](outside)}
				}
			}
			bound <- err
		}()
		if err := <-bound; err != nil {
			t.Errorf("version %d is not taken: %v", version, err)
			continue
		}
		_ = abstract.Close()
		for what, errs := range got {
			within, held := true, true // what goes inside, what is forbidden outside
			switch what {
			case "rename":
				within = version >= 2
			case "truncate":
				held = version >= 3
			case "connect":
				within, held = version < 6, version >= 6
			}
			if (errs[0] == nil) != within {
				t.Errorf("version %d: %s inside: %v", version, what, errs[0])
			}
			if (errs[1] != nil) != held {
				t.Errorf("version %d: %s outside: %v", version, what, errs[1])
			}
		}
	}
}

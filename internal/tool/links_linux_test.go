package tool_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/tool"
)

// That a file has further names, which keep what they have, is said to the person before it is changed and to the model after.
func TestFurtherNamesAreSaid(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a": "old\n", "b": "old\n"})
	if err := os.Link(filepath.Join(f.d.Path(), "a"), filepath.Join(f.d.Path(), "c")); err != nil {
		t.Fatal(err)
	}
	for name, linked := range map[string]bool{"a": true, "b": false} {
		f.must("readFile", args{"path": name})
		edit := args{"path": name, "edits": []args{{"old": "old", "new": "new"}}}
		p, err := f.propose("patchFile", edit)
		if err != nil || slices.Contains(p.Risks, nebula.Unlinks) != linked {
			t.Errorf("%s: risks %v, %v", name, p.Risks, err)
		}
		if r := f.must("patchFile", edit); strings.Contains(r.Text, "further names") != linked {
			t.Errorf("%s: %q", name, r.Text)
		}
	}
	if data, err := os.ReadFile(filepath.Join(f.d.Path(), "c")); err != nil || string(data) != "old\n" {
		t.Errorf("c is %q, %v", data, err)
	}
}

// What was made is done, and says that the disk did not confirm it.
func TestUnconfirmedChangeIsDone(t *testing.T) {
	f := newFolder(t, tool.Options{}, nil)
	nebulatest.Refused(t, syscall.SYS_FSYNC, 2, 0, syscall.EIO, func() {
		if r := f.must("createDirectory", args{"path": "x/y"}); len(r.Changes) != 2 || !strings.Contains(r.Text, "did not confirm") {
			t.Errorf("%+v", r)
		}
	})
}

// That a file of somebody else's will be the person's is said before it is changed.
func TestAnothersFileIsSaidToBecomeYours(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("root alone can be somebody else")
	}
	f := newFolder(t, tool.Options{}, map[string]string{"mine": "old\n", "theirs": "old\n"})
	const nobody = 65534
	if err := os.Chown(filepath.Join(f.d.Path(), "mine"), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	f.must("readFile", args{"path": "mine"})
	f.must("readFile", args{"path": "theirs"})
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // the thread, which is nobody's, ends with this function
		if _, _, err := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), nobody, ^uintptr(0)); err != 0 {
			t.Error(err)
			return
		}
		for name, theirs := range map[string]bool{"mine": false, "theirs": true} {
			p, err := f.propose("patchFile", args{"path": name, "edits": []args{{"old": "old", "new": "new"}}})
			if err != nil || slices.Contains(p.Risks, nebula.Disowns) != theirs {
				t.Errorf("%s: risks %v, %v", name, p.Risks, err)
			}
		}
	}()
	<-done
}

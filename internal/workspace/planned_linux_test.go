package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// What a command does on a view that is dropped, as while the model plans, leaves not one byte, mode or time of the folder another, whatever
// the program itself looks for: a test run, a build, and what changes all that there is.
func TestNothingOfTheFolderChangesBelowADroppedView(t *testing.T) {
	goes, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	d := boxed(t)
	laid(t, d, map[string]string{
		"go.mod": "module a\n\ngo 1.20\n", "sub/a.go": "package a\n\nfunc A() int { return 1 }\n", "cmd/main.go": "package main\n\nfunc main() {}\n", "Makefile": "all:\n\tcp go.mod built\n",
		"sub/a_test.go": "package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) { if os.WriteFile(\"made\", []byte(\"x\"), 0o600) != nil || A() != 1 { t.Fail() } }\n",
	})
	was := stamped(t, d.Path())
	for _, line := range []string{
		goes + " test -count=1 ./...", goes + " build -o bin/a ./cmd && test -x bin/a", "cp go.mod built && ls built",
		"echo x >> go.mod; chmod 777 sub sub/a.go; touch -d 2001-01-01 . sub cmd/main.go; rm -r cmd; mv Makefile made; ln -s sub s; mkdir -p x/y",
	} {
		e, err := d.Run(t.Context(), executing(t), Command{Line: line, View: true}, nil)
		if err != nil || e.Code != 0 || e.Effects == nil {
			t.Fatalf("%s: %v, code %d, %s", line, err, e.Code, e.Output)
		}
		if now := stamped(t, d.Path()); now != was {
			t.Errorf("%s: while its effects are not decided on: %s", line, now)
		}
		if e.Effects.Drop(); stamped(t, d.Path()) != was {
			t.Errorf("%s: %s\nwas %s", line, stamped(t, d.Path()), was)
		}
	}
}

// stamped is all of a folder that a program can see, but when it was last read.
func stamped(t *testing.T, top string) (all string) {
	t.Helper()
	if err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		var st unix.Stat_t
		if err == nil {
			err = unix.Lstat(path, &st)
		}
		data, _ := os.ReadFile(path) // of a folder there is none
		names := make([]byte, 1024)
		n, _ := unix.Llistxattr(path, names)
		all += fmt.Sprintln(path, st.Ino, st.Mode, st.Uid, st.Gid, st.Nlink, st.Size, st.Mtim, st.Ctim, string(names[:max(n, 0)]), string(data))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

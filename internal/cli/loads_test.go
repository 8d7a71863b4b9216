package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// What a folder's program imports is agreed to with it: another byte of it asks again, and what is no code of it does not.
func TestWhatAProgramLoadsIsAgreedToWithIt(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("hooks/check.py", "import helper")
	put("hooks/lib/helper.py", "1")
	put("tools/server/__main__.py", "from . import x")
	put("tools/server/x.py", "1")
	put("run.py", "1")
	put("other.py", "1")
	_ = os.Symlink("/etc/hostname", filepath.Join(dir, "hooks/out.py"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, tt := range []struct {
		words  []string
		change string
		counts bool
	}{
		{[]string{"python3", "hooks/check.py"}, "hooks/lib/helper.py", true},
		{[]string{"python3", "hooks/check.py"}, "hooks/new.py", true},
		{[]string{"python3", "hooks/check.py"}, "hooks/state.log", false},
		{[]string{"python3", "hooks/check.py"}, "other.py", false},
		{[]string{"python3", "-m", "tools.server"}, "tools/server/x.py", true},
		{[]string{"node", "tools/server"}, "tools/server/x.py", true},
		{[]string{"python3", "run.py"}, "run.py", true},
		{[]string{"python3", "run.py"}, "other.py", false}, // at the top: it stands for itself
		{[]string{"npx", "-y", "files", ".."}, "hooks/check.py", false},
	} {
		was := loads(root, tt.words)
		put(tt.change, t.Name()+tt.change+was)
		if is := loads(root, tt.words); (is != was) != tt.counts {
			t.Errorf("%q, %s: %q is %q", tt.words, tt.change, was, is)
		}
	}
	for range mostCode + 1 {
		f, _ := os.CreateTemp(filepath.Join(dir, "hooks"), "*.py")
		_ = f.Close()
	}
	if hash, n := codeIn(root, "hooks"); hash != "" || n != 0 {
		t.Error("a folder with too much in it is taken for one script's")
	}
}

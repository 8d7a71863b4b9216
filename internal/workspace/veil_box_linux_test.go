package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// What .nebulaignore names is not there for a command either, at any depth, and what it brings back is.
func TestWhatIsHiddenIsHiddenFromCommands(t *testing.T) {
	d := boxed(t)
	for name, text := range map[string]string{
		".nebulaignore": "secret/\n*.pem\n!public.pem\n", "sub/.nebulaignore": "x\n",
		"secret/key": "sesame", "a.pem": "sesame", "sub/b.pem": "sesame", "sub/x": "sesame", "public.pem": "plain", "x": "plain",
	} {
		path := filepath.Join(d.Path(), name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := runs(t, d, Command{Line: "grep -rh sesame . ; cat x public.pem; ls secret; (echo z > a.pem) 2>/dev/null; ln -s secret/key l; cat l 2>/dev/null; ln a.pem h 2>/dev/null; cat h 2>/dev/null; true"})
	if string(e.Output) != "plain\nplain\n" {
		t.Errorf("%q", e.Output)
	}
	if data, err := os.ReadFile(filepath.Join(d.Path(), "a.pem")); err != nil || string(data) != "sesame\n" {
		t.Errorf("%q %v", data, err)
	}
}

package demo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSampleFailsOnceAndIsFixed runs the sample's own tests at every stage of the demo's story.
func TestSampleFailsOnceAndIsFixed(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	dir := t.TempDir()
	write(t, dir, Project())
	if out, ok := run(t, dir); !ok {
		t.Fatalf("the project's tests fail before anything happened:\n%s", out)
	}
	write(t, dir, Attempt())
	out, ok := run(t, dir)
	if ok || strings.Count(out, "--- FAIL") != 1 || !strings.Contains(out, "--- FAIL: TestFilesOfTheFirstVersionAreRead") {
		t.Fatalf("the first attempt is to fail in one test:\n%s", out)
	}
	write(t, dir, Fix())
	if out, ok := run(t, dir); !ok {
		t.Fatalf("the fix fixes nothing:\n%s", out)
	}
}

func write(t *testing.T, dir string, files []File) {
	t.Helper()
	if err := Write(dir, files); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir string) (string, bool) {
	t.Helper()
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func TestFeatureTouchesThreeLayersAndMore(t *testing.T) {
	before := map[string]string{}
	for _, f := range Project() {
		before[f.Path] = f.Content
	}
	layers, edited := map[string]bool{}, 0
	for _, f := range Attempt() {
		was, existed := before[f.Path]
		if was == f.Content {
			t.Errorf("%s does not change", f.Path)
		}
		if existed && !strings.HasSuffix(f.Path, "_test.go") {
			edited++
			layers[strings.Split(filepath.ToSlash(f.Path), "/")[0]] = true
		}
	}
	if edited < 4 || len(layers) < 3 {
		t.Errorf("%d files of %d layers are edited; the demo promises four of three", edited, len(layers))
	}
}

//go:build !windows

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/sqlite"
)

// Steps that run side by side each leave the whole project's tests broken for a while; none is failed by another, all comes
// into the folder, tells who let it, and is taken back with one word. It is so with a policy that allows everything, and
// where the plan's approval is all there is, and commands are held in a box.
func TestStepsOfAnApprovedPlanRunSideBySide(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go")
	}
	for name, flags := range map[string][]string{"all": {"--approve", "all"}, "the plan's": nil} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			var err error
			if b.folder, err = filepath.EvalSymlinks(b.folder); err != nil {
				t.Fatal(err)
			}
			for path, text := range map[string]string{"go.mod": "module x\n\ngo 1.24\n", "x.go": "package x\n", "kept.local": "ignored\n", ".gitignore": "*.local\n"} {
				if err := os.WriteFile(filepath.Join(b.folder, path), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			store, err := sqlite.Open(t.Context(), filepath.Join(b.home, "nebula.db"), sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p := nebula.Plan{ID: "plan_1", Name: "three", Goal: "three features", Status: nebula.Approved, Approved: "person", Version: 1, Made: time.Now(), Changed: time.Now()}
			for _, f := range []string{"A", "B", "C"} {
				file := strings.ToLower(f)
				write := func(path, text string) nebula.Task {
					return nebula.Task{ID: "step_" + file + "." + path, Operation: "writeFile", Args: arguments(map[string]string{"path": path, "content": text}), Reason: "r", Status: nebula.Pending}
				}
				p.Steps = append(p.Steps, nebula.PlanStep{ID: "step_" + file, Name: f, Status: nebula.Pending, DependsOn: []string{}, Files: []string{file + ".go", file + "_test.go"},
					Tasks: []nebula.Task{
						write(file+"_test.go", fmt.Sprintf("package x\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {\n\tif %s() != 1 {\n\t\tt.Fatal()\n\t}\n}\n", f, f)),
						write(file+".go", fmt.Sprintf("package x\n\n// %s is a feature.\nfunc %s() int { return 1 }\n", f, f)),
					}, Verify: nebula.Verify{Tests: true}})
			}
			if err := store.SavePlan(t.Context(), b.folder, p); err != nil {
				t.Fatal(err)
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			c := b.command(append([]string{"plan", "run", "plan_1", "--output", "json"}, flags...)...)
			said, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			for _, file := range []string{"a.go", "b.go", "c.go", "a_test.go", "b_test.go", "c_test.go"} {
				if _, err := os.Stat(filepath.Join(b.folder, file)); err != nil {
					t.Error(err)
				}
			}
			audit := b.output("audit")
			if n := strings.Count(audit, "done  joinStep"); n != 3 {
				t.Errorf("%d steps came into the folder:\n%s", n, audit)
			}
			if left, _ := filepath.Glob(b.home + ".forks/*/*/*"); len(left) > 0 {
				t.Errorf("copies are left: %q", left)
			}
			b.output("undo")
			entries, err := os.ReadDir(b.folder)
			if err != nil || len(entries) != 4 {
				t.Errorf("taken back there are %v, %v", entries, err)
			}
		})
	}
}

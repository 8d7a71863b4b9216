//go:build !windows

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// keepPlan keeps an approved plan of one step in a home.
func keepPlan(t *testing.T, home, dir string, tasks ...nebula.Task) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(home, "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	step := nebula.PlanStep{ID: "step_001", Name: "the step", Status: nebula.Pending, DependsOn: []string{}, Files: []string{"."}, Tasks: tasks, Verify: nebula.Verify{Command: "true"}}
	p := nebula.Plan{ID: "plan_1", Name: "the plan", Goal: "g", Status: nebula.Approved, Steps: []nebula.PlanStep{step}, Version: 1, Made: time.Now(), Changed: time.Now()}
	if err := store.SavePlan(t.Context(), dir, p); err != nil {
		t.Fatal(err)
	}
}

// TestPlanGoesOnInTheNextSession begins a new session while a step waits for the person: it asks again there, goes on
// when it has its answer, and its report comes there.
func TestPlanGoesOnInTheNextSession(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	server, err := nebulatest.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "It went well."} }
	home := t.TempDir()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	keepPlan(t, home, dir, nebula.Task{ID: "step_001.1", Operation: "writeFile", Args: []byte(`{"path":"made.txt","content":"made\n"}`), Reason: "to make it", Status: nebula.Pending})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "nebula")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	m := tmux{t, "nebula-beside"}
	m.run("new-session", "-d", "-x", "100", "-y", "50", "-c", dir, "env NEBULA_SANDBOX=off LC_ALL=C.UTF-8 OPENAI_API_KEY=sk-test OPENAI_BASE_URL="+server.URL()+" NEBULA_HOME="+home+" "+program+" --plain; echo left $?; sleep 100")
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", m.name, "kill-server").Run() })

	m.waits("enter sends")
	m.sends("hello")
	m.waits("It went well.")
	m.sends("/plan run")
	m.waits("/answer 1")
	m.run("clear-history")
	m.sends("/new")
	m.waits("under way: the plan")
	m.waits("create made.txt")
	m.sends("/answer 1 yes")
	m.waits("command: true")
	holds(t, filepath.Join(dir, "made.txt"), "made\n")
	m.sends("/answer always")
	m.waits("the step: completed (1/1)")
	m.waits("1 of 1 tasks succeeded")
	m.sends("/exit")
	m.waits("left 0")
}

//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/nebulatest"
	"nebula/internal/plan"
	"nebula/internal/sqlite"
)

// A yard is the two commands as they are built, a model, a Temporal server, and workers of which each is a process.
type yard struct {
	*bed
	temporal    *nebulatest.Temporal
	built       string
	work, queue string
}

func newYard(t *testing.T) *yard {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds both commands")
	}
	y, dir := &yard{temporal: nebulatest.NewTemporal(t)}, t.TempDir()
	build := exec.Command("go", "build", "-o", dir, "./cmd/nebula", "./cmd/nebula-fleet")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	y.built = filepath.Join(dir, "nebula")
	return y
}

// fresh is one with a home, a folder and a model of its own, beside the same server.
func (y *yard) fresh(t *testing.T) *yard {
	t.Helper()
	other := &yard{bed: newBed(t), built: y.built, temporal: y.temporal, work: t.TempDir()}
	other.path, other.queue = y.built, newRun()
	other.server.Answers = worked
	other.repository(other.folder)
	return other
}

// TestPlansOnWorkers has every case beside one server.
func TestPlansOnWorkers(t *testing.T) {
	y := newYard(t)
	for name, hold := range map[string]func(*testing.T, *yard){
		"a plan goes from the word to a branch": toABranch, "a person answers a step": answered, "results that do not fit": unfitting,
		"one request in many repositories": inMany, "whatever is killed": killedAnywhere, "what cannot be done says so": refusals,
		"a step that fails": failing, "a plan that is held and steered": held, "a cancelled plan": cancelled, "a draft": drafted, "a bound": limited, "nobody there yet": awaited, "the server for a trial": upped,
		"what operators are told": operated, "many repositories and a record that is killed": crowded,
	} {
		t.Run(name, func(t *testing.T) { hold(t, y.fresh(t)) })
	}
}

// file is what a step of these tests is to write, as its brief says it.
var file = regexp.MustCompile(`make file (\S+\.txt)`)

var stepName = regexp.MustCompile(`step [ab]`)

// worked plays a model that writes the file that its step names, with the step's own line in it, and reports.
func worked(_ int, request []byte) *nebulatest.Answer {
	var in struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	_ = json.Unmarshal(request, &in)
	name, done, both, settled := "", false, false, false
	for _, m := range in.Messages {
		if found := file.FindAllSubmatch(m.Content, -1); m.Role == "user" && found != nil {
			name = string(found[0][1])
		}
		done = m.Role == "tool"
		settled = settled || done && bytes.Contains(m.Content, []byte("shared.txt")) && !bytes.Contains(m.Content, []byte("<<<<"))
		both = both || m.Role == "user" && bytes.Contains(m.Content, []byte("Both versions stand there now"))
	}
	if both && !settled {
		args, _ := json.Marshal(map[string]string{"path": "shared.txt", "content": "of shared.txt\nstep b\n" + strings.Repeat("step a\n", 5) + "of both\n", "reason": "to settle it"})
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "editFile", Arguments: args}}}
	}
	if done || both || name == "" {
		return &nebulatest.Answer{Text: "It is written."}
	}
	own := ""
	if name == "shared.txt" { // each writes something of its own there
		own = string(stepName.Find(request)) + "\n"
	}
	args, _ := json.Marshal(map[string]string{"path": name, "content": "of " + name + "\n" + own, "reason": "the step"})
	return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "writeFile", Arguments: args}}}
}

func (y *yard) git(dir string, args ...string) string {
	y.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		y.t.Fatalf("git %v in %s: %v\n%s", args, dir, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (y *yard) repository(dir string) string {
	y.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		y.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "README"), []byte("a project\n"), 0o644); err != nil {
		y.t.Fatal(err)
	}
	y.git(dir, "init", "-q", "-b", "main")
	y.git(dir, "add", ".")
	y.git(dir, "commit", "-q", "-m", "begin")
	return dir
}

func (y *yard) command(args ...string) *exec.Cmd {
	cmd := y.bed.command(args...)
	cmd.Env = append(cmd.Env, "TEMPORAL_ADDRESS="+y.temporal.Address(), "NEBULA_FLEET_KEY=the key of stored histories", "LANG=C")
	return cmd
}

// keeps stores the history of a run among those that are replayed, if that was asked for.
func (y *yard) keeps(run, name string) {
	y.t.Helper()
	if os.Getenv("NEBULA_HISTORIES") == "" {
		return
	}
	var text bytes.Buffer
	if err := json.Compact(&text, y.temporal.History(run)); err != nil {
		y.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("..", "temporal", "testdata", name+".json"), append(text.Bytes(), '\n'), 0o600); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) says(code int, args ...string) string {
	y.t.Helper()
	var out, said bytes.Buffer
	var cmd *exec.Cmd
	for i := 0; i == 0 || i < 4 && strings.Contains(said.String(), "nobody says just now"); i++ { // on a busy machine it is asked again, as it says
		out.Reset()
		said.Reset()
		cmd = y.command(args...)
		cmd.Stdout, cmd.Stderr = &out, &said
		_ = cmd.Run()
	}
	if cmd.ProcessState.ExitCode() != code {
		y.t.Fatalf("nebula %s ended with %d, not %d:\n%s%s", strings.Join(args, " "), cmd.ProcessState.ExitCode(), code, out.String(), said.String())
	}
	return out.String()
}

// worker starts one, and gives back how it is killed.
func (y *yard) worker(args ...string) (kill func()) {
	y.t.Helper()
	cmd := y.command(append([]string{"worker", "--work", y.work, "--queue", y.queue}, args...)...)
	log := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		y.t.Fatal(err)
	}
	killed := false
	kill = func() {
		if !killed {
			killed = true
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	y.t.Cleanup(func() {
		kill()
		if y.t.Failed() {
			y.t.Logf("the worker said:\n%s", log.String())
		}
	})
	return kill
}

// plan files a plan of steps that each write a file, their own or the one after a mark; those after a colon come first.
func (y *yard) plan(steps ...string) string {
	y.t.Helper()
	p := nebula.Plan{ID: "plan_test", Name: "files", Goal: "files", Status: nebula.Draft, Version: 1}
	for _, s := range steps {
		id, after, _ := strings.Cut(s, ":")
		id, writes, _ := strings.Cut(id, ">")
		files := []string{id + "/"}
		if writes == "" {
			writes, files = id+".txt", []string{id + ".txt"}
		}
		p.Steps = append(p.Steps, nebula.PlanStep{ID: id, Name: "step " + id, Description: "make file " + writes, Status: nebula.Pending, Files: files, DependsOn: strings.Fields(after)})
	}
	p, err := plan.Do(p, plan.Approve(nebula.Person))
	if err != nil {
		y.t.Fatal(err)
	}
	y.store(func(ctx context.Context, s nebula.Store) error { return s.SavePlan(ctx, y.folder, p) })
	return p.ID
}

func (y *yard) store(do func(context.Context, nebula.Store) error) {
	y.t.Helper()
	s, err := sqlite.Open(y.t.Context(), filepath.Join(y.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		y.t.Fatal(err)
	}
	defer s.Close()
	if err := do(y.t.Context(), s); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) state(id string) (s fleet.State) {
	y.t.Helper()
	out, err := y.command("fleet", "show", "--json", id).Output()
	if err != nil {
		return s
	}
	if err := json.Unmarshal(out, &s); err != nil {
		y.t.Fatalf("%v: %s", err, out)
	}
	return s
}

// until waits for a state.
func (y *yard) until(id string, fits func(fleet.State) bool) (s fleet.State) {
	y.t.Helper()
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if s = y.state(id); fits(s) {
			return s
		}
	}
	y.t.Fatalf("it stands at %+v", s)
	return s
}

// toABranch: a plan goes from the person's word to a branch of commits, and the record knows how.
func toABranch(t *testing.T, y *yard) {
	id := y.plan("a", "b", "c: a b")
	y.worker()
	out := y.says(0, "plan", "run", id, "--on", "temporal", "--queue", y.queue, "--wait")
	run := regexp.MustCompile(`plan_[0-9a-f]{8}`).FindString(out)
	if !strings.Contains(out, "completed") || run == "" {
		t.Fatalf("it says:\n%s", out)
	}
	y.keeps(run, "dependencies")
	y.says(0, "fleet", "take", run)
	log := y.git(y.folder, "log", "--format=%s", "nebula/plan_test")
	for _, name := range []string{"a", "b", "c"} {
		if got := y.git(y.folder, "show", "nebula/plan_test:"+name+".txt"); got != "of "+name+".txt" {
			t.Errorf("%s.txt holds %q", name, got)
		}
		if n := strings.Count(log+"\n", "step "+name+"\n"); n != 1 {
			t.Errorf("step %s has %d commits:\n%s", name, n, log)
		}
	}
	y.store(func(ctx context.Context, s nebula.Store) error {
		p, err := s.Plan(ctx, y.folder, id)
		if err != nil {
			return err
		}
		if p.Status != nebula.Completed {
			t.Errorf("the record has the plan as %s", p.Status)
		}
		for _, step := range p.Steps {
			if step.Session == "" || step.Report == nil {
				t.Errorf("the record does not know how step %s went", step.ID)
			}
		}
		return nil
	})
	if patch := y.says(0, "fleet", "patch", run); !strings.Contains(patch, "+of c.txt") {
		t.Errorf("the patch is\n%s", patch)
	}
	left := []string{""}
	for end := time.Now().Add(30 * time.Second); len(left) > 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) { // the last goes a moment after the word
		left, _ = filepath.Glob(filepath.Join(y.work, "*", "*", "*"))
	}
	if len(left) > 0 {
		t.Errorf("checkouts are left: %v", left)
	}
}

// answered: what a step may not do by itself waits, without a process, for an answer that holds for just that.
func answered(t *testing.T, y *yard) {
	id := y.plan("a>other.txt", "b: a")
	y.worker()
	run := strings.TrimSpace(y.says(0, "plan", "run", id, "--on", "temporal", "--queue", y.queue))
	s := y.until(run, func(s fleet.State) bool { return s.Status == fleet.Waits })
	if s.Steps[0].Ask == nil || !strings.Contains(s.Steps[0].Ask.Text, "other.txt") {
		t.Fatalf("it asks %+v", s.Steps[0])
	}
	y.says(exitUsage, "fleet", "answer", run, "b", "yes")
	y.says(0, "fleet", "answer", run, "a", "yes")
	s = y.until(run, func(s fleet.State) bool { return ended(s.Status) })
	if s.Status != string(nebula.Completed) || s.Steps[0].Begun != 0 {
		t.Fatalf("it ended as %+v", s)
	}
	y.keeps(run, "answered")
	y.says(0, "fleet", "take", run)
	if got := y.git(y.folder, "show", "nebula/plan_test:other.txt"); got != "of other.txt" {
		t.Errorf("other.txt holds %q", got)
	}
}

// unfitting: what two steps did in the same place is settled in a step of its own.
func unfitting(t *testing.T, y *yard) {
	id := y.plan("a>shared.txt", "b>shared.txt")
	y.worker()
	out := y.says(0, "plan", "run", id, "--on", "temporal", "--queue", y.queue, "--wait", "--approve", "all")
	run := regexp.MustCompile(`plan_[0-9a-f]{8}`).FindString(out)
	y.keeps(run, "conflict")
	y.says(0, "fleet", "take", run)
	if got := y.git(y.folder, "show", "nebula/plan_test:shared.txt"); !strings.HasSuffix(got, "step a\nof both") {
		t.Errorf("shared.txt holds %q\n%s", got, out)
	}
	if parents := strings.Fields(y.git(y.folder, "show", "-s", "--format=%P", "nebula/plan_test")); len(parents) != 2 {
		t.Errorf("the merge has parents %v", parents)
	}
}

// killedAnywhere: whatever is killed, every step's effect is there once.
func killedAnywhere(t *testing.T, y *yard) {
	y.temporal = nebulatest.NewTemporal(t) // that is killed too
	y.server.Answers = func(n int, request []byte) *nebulatest.Answer {
		a := worked(n, request)
		a.Delay = 700
		return a
	}
	id := y.plan("a", "b: a", "c: b", "d: c", "e: d", "f", "g: f", "h: g")
	kill := y.worker("--slots", "3")
	run := strings.TrimSpace(y.says(0, "plan", "run", id, "--on", "temporal", "--queue", y.queue))
	for i := range 5 {
		time.Sleep(time.Duration(1500+700*i) * time.Millisecond)
		kill()
		if i%2 == 1 {
			y.temporal.Kill()
			y.temporal.Start()
		}
		kill = y.worker("--slots", "3")
	}
	s := y.until(run, func(s fleet.State) bool { return ended(s.Status) })
	if s.Status != string(nebula.Completed) {
		t.Fatalf("it ended as %+v", s)
	}
	y.says(0, "fleet", "take", run)
	log := y.git(y.folder, "log", "--format=%s", "nebula/plan_test")
	for _, name := range strings.Fields("a b c d e f g h") {
		if n := strings.Count(log+"\n", "step "+name+"\n") - strings.Count(log+"\n", "Merge step "+name+"\n"); n != 1 {
			t.Errorf("step %s has %d commits:\n%s", name, n, log)
		}
	}
}

// inMany: it is tried on one, and after a person's word done in all; one that cannot be cloned says so.
func inMany(t *testing.T, y *yard) {
	var list []string
	for _, name := range []string{"one", "two", "three"} {
		list = append(list, y.repository(filepath.Join(y.folder, "..", name)))
	}
	repos, change := filepath.Join(y.work, "repos.txt"), filepath.Join(y.work, "change.md")
	lines := strings.Join(append(list, filepath.Join(y.folder, "nowhere")), "\n")
	for path, text := range map[string]string{repos: lines, change: "# files\n\nGoal: files\n\n## a: step a\n\nFiles: a.txt\n\nmake file a.txt\n\n## b: step b\n\nAfter: a\nFiles: b.txt\n\nmake file b.txt\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	y.worker("--slots", "4")
	out := y.says(exitMissing, "fleet", "run", "--queue", y.queue, "--repos", repos, "--plan", change, "--try", "--wait")
	run := regexp.MustCompile(`fleet_[0-9a-f]{8}`).FindString(out)
	if strings.Count(out, "pending") != 3 || strings.Count(out, "2 files changed") != 1 {
		t.Fatalf("after the first it says:\n%s", out)
	}
	y.says(0, "fleet", "approve", run)
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end) && !strings.Contains(out, run+"  failed"); time.Sleep(time.Second) {
		out = y.says(0, "fleet", "show", run)
	}
	if strings.Count(out, "2 files changed") != 3 || strings.Count(out, "cannot be cloned") != 1 {
		t.Errorf("in the end it says:\n%s", out)
	}
	y.keeps(run, "many")
}

// refusals: what cannot be done is a state that a person sees, and is not tried for ever.
func refusals(t *testing.T, y *yard) {
	for _, args := range [][]string{{"worker", "--rate", "-5"}, {"worker", "--rate", "NaN"}, {"fleet", "up", "--port", "99999"}, {"fleet", "budget", "plan_x", "NaN"}, {"fleet", "budget", "plan_x", "+Inf"}} {
		y.says(exitUsage, args...)
	}
	id := y.plan("a", "b: a")
	draft := strings.TrimSpace(y.says(0, "plan", "run", id, "--on", "temporal", "--queue", y.queue, "--repo", "https://ann:s3cret@127.0.0.1:1/x.git"))
	if out, _ := y.command("fleet", "show", draft).CombinedOutput(); !strings.Contains(string(out), "no worker of this version takes work from its queue") {
		t.Errorf("without a worker it says:\n%s", out)
	}
	y.says(0, "fleet", "cancel", draft)
	y.worker()
	if s := y.until(draft, func(s fleet.State) bool { return s.Status == fleet.Cancelled }); s.Order.Source != "https://127.0.0.1:1/x.git" {
		t.Errorf("the address is kept as %s", s.Order.Source)
	}
	out := y.says(exitFailed, "plan", "run", id, "--on", "temporal", "--queue", y.queue, "--wait", "--repo", y.home)
	if !strings.Contains(out, "cannot be cloned") {
		t.Errorf("no repository: %s", out)
	}
	other := y.repository(filepath.Join(y.folder, "..", "other"))
	y.git(other, "commit", "-q", "--amend", "-m", "another")
	if out := y.says(exitFailed, "plan", "run", id, "--on", "temporal", "--queue", y.queue, "--wait", "--repo", other); !strings.Contains(out, "the plan no longer fits") {
		t.Errorf("another history: %s", out)
	}
	if out, _ := y.keyed("fleet", "show", draft).CombinedOutput(); !strings.Contains(string(out), "give all the same fleet.key") {
		t.Errorf("another key: %s", out)
	}
}

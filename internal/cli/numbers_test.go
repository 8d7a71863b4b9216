package cli_test

// What a person waits for, pays and carries around is measured here: the whole program against a server on this
// machine, beside curl in the same run. bench/run prints the table.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/token"
	"nebula/internal/nebulatest"
	"nebula/internal/plan"
	"nebula/internal/sqlite"
)

// A row is one measured number beside its goal. OK is false when the goal is missed.
type row struct {
	what, goal, got string
	ok              bool
}

// TestNumbers measures everything and prints the table. It takes a minute, so it waits to be asked: NEBULA_BENCH=1.
// NEBULA_BENCH=strict makes a missed goal a failure.
func TestNumbers(t *testing.T) {
	wish := os.Getenv("NEBULA_BENCH")
	if wish == "" {
		t.Skip("set NEBULA_BENCH=1, or use bench/run")
	}
	b := build(t)
	var rows []row
	rows = append(rows, b.size(), b.tokens())
	rows = append(rows, b.start()...)
	rows = append(rows, b.turns()...)
	rows = append(rows, b.deltas(), b.long())
	rows = append(rows, b.plans()...)
	fmt.Printf("\n%s, %d CPUs, %s/%s\n\n", runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	for _, r := range rows {
		sign := "ok  "
		if !r.ok {
			sign = "MISS"
			if wish == "strict" {
				t.Errorf("%s: %s, want %s", r.what, r.got, r.goal)
			}
		}
		fmt.Printf("%s  %-46s %-34s goal %s\n", sign, r.what, r.got, r.goal)
	}
	fmt.Println()
}

// A program is the built binary with a place to run it in.
type program struct {
	t         *testing.T
	path      string
	home, dir string
}

func build(t *testing.T) *program {
	t.Helper()
	p := &program{t: t, path: filepath.Join(t.TempDir(), "nebula"), home: t.TempDir(), dir: t.TempDir()}
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", p.path, "nebula/cmd/nebula")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range 220 { // who reads the same files again and again is stopped
		if err := os.WriteFile(filepath.Join(p.dir, fmt.Sprintf("file%03d.go", i)), []byte("package x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *program) command(server *nebulatest.Server, args ...string) *exec.Cmd {
	c := exec.Command(p.path, args...)
	c.Dir = p.dir
	c.Env = []string{"NEBULA_HOME=" + p.home, "OPENAI_API_KEY=sk-bench", "OPENAI_BASE_URL=" + server.URL(), "PATH=" + os.Getenv("PATH"), "HOME=" + p.home}
	return c
}

// A run is one call that was measured.
type run struct {
	first, wall time.Duration // from exec to the server having the request, and to the end
	cpu         time.Duration
}

func (p *program) measure(server *nebulatest.Server, c *exec.Cmd) run {
	p.t.Helper()
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	before := len(server.Requests())
	began := time.Now()
	err := c.Run()
	r := run{wall: time.Since(began)}
	requests := server.Requests()
	if err != nil || len(requests) == before {
		p.t.Fatalf("%v: %v\n%s", c.Args, err, out.Bytes())
	}
	r.first = requests[before].At.Sub(began)
	r.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return r
}

// peak is the most memory that a command has resident. It is watched, not taken from the command's rusage, which
// begins with what this process has.
func (p *program) peak(c *exec.Cmd) float64 {
	p.t.Helper()
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan struct{})
	most := make(chan float64)
	go func() {
		highest := 0.0
		for {
			select {
			case <-ended:
				most <- highest
				return
			default:
				highest = max(highest, resident(c.Process.Pid))
			}
		}
	}()
	if err := c.Wait(); err != nil {
		p.t.Fatal(err)
	}
	close(ended)
	return <-most
}

// resident is the high water mark of a process in MB, 0 where the system does not tell.
func resident(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, _ := strconv.ParseFloat(strings.TrimSpace(strings.SplitN(after, "kB", 2)[0]), 64)
	return kilobytes / 1000
}

func (p *program) serve(answers func(n int, body []byte) *nebulatest.Answer) *nebulatest.Server {
	p.t.Helper()
	s, err := nebulatest.Serve()
	if err != nil {
		p.t.Fatal(err)
	}
	s.Answers = answers
	p.t.Cleanup(s.Close)
	return s
}

func (p *program) size() row {
	info, err := os.Stat(p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	mb := float64(info.Size()) / 1e6
	return row{"binary, -s -w", "≤ 32 MB", fmt.Sprintf("%.1f MB", mb), mb <= 32}
}

// start measures a run with one short answer, in turns with curl.
func (p *program) start() []row {
	const rounds = 41
	server := p.serve(func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} })
	var first, wall, curl, ratio []float64
	var memory []float64
	for i := range rounds + 3 {
		c := exec.Command("curl", "-sN", "-X", "POST", "-H", "Content-Type: application/json", "-d", `{"model":"m","stream":true,"messages":[]}`, server.URL()+"/chat/completions")
		k := p.measure(server, c)
		r := p.measure(server, p.command(server, "run", "say hello"))
		if i < 3 {
			continue // the first ones find cold caches
		}
		first, wall, curl = append(first, ms(r.first)), append(wall, ms(r.wall)), append(curl, ms(k.first))
		ratio = append(ratio, ms(r.first)/ms(k.first))
	}
	for range 9 {
		memory = append(memory, p.peak(p.command(server, "run", "say hello")))
	}
	f, c, w, m := median(first), median(curl), median(wall), median(memory)
	return []row{
		{"exec to first request", "≤ 2 × curl's", fmt.Sprintf("%.1f ms, curl %.1f ms, ratio %.2f", f, c, median(ratio)), f <= 2*c},
		{"whole run, one short answer", "≤ 25 ms", fmt.Sprintf("%.1f ms (p90 %.1f)", w, percentile(wall, 90)), w <= 25},
		{"peak memory", "≤ 35 MB", fmt.Sprintf("%.1f MB", m), m <= 35},
	}
}

// turns measures the time between a reply with a tool call and the next request, recording included, at the beginning
// and after 200 of them, and looks whether each request begins as the last one did.
func (p *program) turns() []row {
	const calls = 210
	server := p.serve(func(n int, _ []byte) *nebulatest.Answer {
		if n >= calls {
			return &nebulatest.Answer{Text: "Done."}
		}
		arguments, _ := json.Marshal(map[string]any{"path": fmt.Sprintf("file%03d.go", n%220), "reason": "to see it"})
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "readFile", Arguments: arguments}}}
	})
	p.measure(server, p.command(server, "run", "--max-steps", "0", "read everything"))
	requests := server.Requests()
	var early, late []float64
	same := true
	for i := 1; i < len(requests); i++ {
		gap := ms(requests[i].At.Sub(requests[i-1].Done))
		switch {
		case i <= 11:
			early = append(early, gap)
		case i >= 200:
			late = append(late, gap)
		}
		same = same && extends(p.t, requests[i-1].Body, requests[i].Body)
	}
	a, z := median(early), median(late)
	return []row{
		{"tool reply to next request, turns 1-11", "≤ 2 ms", fmt.Sprintf("%.2f ms", a), a <= 2},
		{"tool reply to next request, turns 200-210", "≤ 2 ms", fmt.Sprintf("%.2f ms", z), z <= 2},
		{"prefix from request to request", "byte-identical", map[bool]string{true: "identical", false: "differs"}[same], same},
	}
}

// extends reports whether a request has everything of the one before, byte for byte, and messages only added.
func extends(t *testing.T, before, after []byte) bool {
	t.Helper()
	old, now := parts(t, before), parts(t, after)
	if !bytes.Equal(old.Tools, now.Tools) || len(now.Messages) <= len(old.Messages) {
		return false
	}
	for i, m := range old.Messages {
		if !bytes.Equal(m, now.Messages[i]) {
			return false
		}
	}
	return true
}

type requestParts struct {
	Messages []json.RawMessage `json:"messages"`
	Tools    json.RawMessage   `json:"tools"`
}

func parts(t *testing.T, body []byte) (p requestParts) {
	t.Helper()
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// tokens counts the first request's system text and tools, in both languages and modes.
func (p *program) tokens() row {
	server := p.serve(func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} })
	var texts []string
	most := map[string]int{}
	for _, how := range [][]string{{"agent", "en"}, {"agent", "ja"}, {"plan", "en"}} {
		p := &program{t: p.t, path: p.path, home: p.t.TempDir(), dir: p.dir} // who has nothing to remember yet
		p.measure(server, p.command(server, "run", "--mode", how[0], "--lang", how[1], "hi"))
		requests := server.Requests()
		r := parts(p.t, requests[len(requests)-1].Body)
		var system struct {
			Content string `json:"content"`
		}
		if err := json.Unmarshal(r.Messages[0], &system); err != nil {
			p.t.Fatal(err)
		}
		n := token.Count(system.Content) + token.Count(string(r.Tools))
		texts = append(texts, fmt.Sprintf("%s %s %d", how[0], how[1], n))
		most[how[1]] = max(most[how[1]], n)
	}
	return row{"first request, system text and tools", "≤ 1,100, ja 1,250 tokens", strings.Join(texts, ", "), most["en"] <= 1100 && most["ja"] <= 1250}
}

// deltas measures what 20,000 streamed deltas cost over a reply of one.
func (p *program) deltas() row {
	long := strings.Repeat("word ", 20_000)
	server := p.serve(func(n int, _ []byte) *nebulatest.Answer {
		if n%2 == 0 {
			return &nebulatest.Answer{Text: "x"}
		}
		return &nebulatest.Answer{Text: long, Piece: 5}
	})
	var cpu []float64
	for range 7 {
		small := p.measure(server, p.command(server, "run", "a little"))
		large := p.measure(server, p.command(server, "run", "a lot"))
		cpu = append(cpu, max(0, (large.cpu-small.cpu).Seconds()))
	}
	c := median(cpu)
	return row{"CPU for 20,000 deltas", "≤ 0.25 s", fmt.Sprintf("%.3f s", c), c <= 0.25}
}

// long measures how much longer a session of 10,000 messages takes to its first request than a new one.
func (p *program) long() row {
	id := p.record(10_000)
	server := p.serve(func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} })
	var opened []float64
	for range 7 {
		fresh := p.measure(server, p.command(server, "run", "hi"))
		old := p.measure(server, p.command(server, "run", "--session", id, "go on"))
		opened = append(opened, ms(old.first-fresh.first))
	}
	o := median(opened)
	return row{"opening a session of 10,000 messages", "≤ 100 ms", fmt.Sprintf("%.1f ms to its request", o), o <= 100}
}

// plans measures a plan of 1,000 steps and 10,000 tasks, and what a step in the background costs whoever starts it.
func (p *program) plans() []row {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(p.t.TempDir(), "nebula.db"), sqlite.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer store.Close()
	if err := store.SavePlan(ctx, "/large", largePlan()); err != nil {
		p.t.Fatal(err)
	}
	var opened, next []float64
	var read nebula.Plan
	for range 21 {
		began := time.Now()
		if read, err = store.Plan(ctx, "/large", ""); err != nil {
			p.t.Fatal(err)
		}
		opened = append(opened, ms(time.Since(began)))
		began = time.Now()
		if len(plan.Next(read, 2)) == 0 {
			p.t.Fatal("no step can run")
		}
		next = append(next, ms(time.Since(began)))
	}
	en, ja := token.Count(plan.Summary(read, "en")), token.Count(plan.Summary(read, "ja"))
	o, n := median(opened), median(next)
	return []row{
		{"plan of 10,000 tasks: opened", "≤ 50 ms", fmt.Sprintf("%.1f ms (p90 %.1f)", o, percentile(opened, 90)), o <= 50},
		{"plan of 1,000 steps: the next ready one", "≤ 1 ms", fmt.Sprintf("%.3f ms", n), n <= 1},
		{"plan of 1,000 steps: summary in the prompt", "≤ 300 tokens", fmt.Sprintf("en %d, ja %d", en, ja), max(en, ja) <= 300},
		p.beginning(),
	}
}

// largePlan is in the middle of its work, with the longest of names.
func largePlan() nebula.Plan {
	long := strings.Repeat("計画の長い名前 ", 40)
	p := nebula.Plan{ID: "plan_1a2b3c4d", Name: long, Goal: long, Status: nebula.InProgress, Version: 1, Why: nebula.Code(long)}
	stages := []nebula.Stage{nebula.Completed, nebula.InProgress, nebula.StageFailed, nebula.Pending}
	for i := range 1000 {
		s := nebula.PlanStep{ID: fmt.Sprintf("step_%03d", i), Name: long, Description: long, Status: stages[i%4], DependsOn: []string{}, Verify: nebula.Verify{Tests: true},
			Files: []string{fmt.Sprintf("file%d.go", i)}}
		if i > 4 {
			s.DependsOn = []string{fmt.Sprintf("step_%03d", i/4*4-4)}
		}
		if s.Status == nebula.InProgress && i > 4 {
			s.Status = nebula.Pending
		}
		for j := range 10 {
			s.Tasks = append(s.Tasks, nebula.Task{ID: fmt.Sprintf("%s.%d", s.ID, j), Operation: "writeFile", Args: json.RawMessage(`{"path":"a.go","content":"package a\n"}`),
				Reason: "it is needed", Status: nebula.Completed, Result: &nebula.TaskResult{Action: "a1", Status: nebula.Done, Summary: "created a.go"}})
		}
		p.Steps = append(p.Steps, s)
	}
	return p
}

// beginning takes what the task loop's own benchmark says.
func (p *program) beginning() row {
	out, err := exec.Command("go", "test", "-run", "^$", "-bench", "^BenchmarkStart$", "-benchtime", "50x", "nebula/internal/task").CombinedOutput()
	found := regexp.MustCompile(`([\d.]+) ns/op\s+([\d.]+) worst-ms`).FindSubmatch(out)
	if err != nil || found == nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	mean, _ := strconv.ParseFloat(string(found[1]), 64)
	worst, _ := strconv.ParseFloat(string(found[2]), 64)
	return row{"starting a step in the background", "≤ 5 ms", fmt.Sprintf("%.1f ms (worst %.1f)", mean/1e6, worst), mean/1e6 <= 5}
}

// record writes a session of so many messages: a request, a reply with a call, its result, and an answer, again and again.
func (p *program) record(messages int) string {
	p.t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(p.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer store.Close()
	dir, err := filepath.EvalSymlinks(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	const id = "20250101-000000-abcdef"
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := store.Create(ctx, nebula.SessionInfo{ID: id, Dir: dir, Model: "gpt-4.1-nano", Started: at}); err != nil {
		p.t.Fatal(err)
	}
	events := []nebula.Event{{Seq: 1, At: at, Body: nebula.Started{Session: id, Dir: dir, Model: "gpt-4.1-nano", Protocol: "auto", Mode: nebula.AgentMode, Lang: "en"}}}
	add := func(b nebula.Body) {
		events = append(events, nebula.Event{Seq: int64(len(events)) + 1, At: at, Body: b})
	}
	for turn := 1; turn <= messages/4; turn++ {
		writeTurn(turn, add)
	}
	if err := store.Append(ctx, id, events...); err != nil {
		p.t.Fatal(err)
	}
	return id
}

func writeTurn(turn int, add func(nebula.Body)) {
	call := nebula.Call{ID: fmt.Sprintf("call_%d", turn), Name: "readFile", Arguments: `{"path":"file01.go","reason":"to see it"}`}
	action := nebula.Action{ID: fmt.Sprintf("a%d", turn), Call: call.ID, Tool: "readFile", Args: json.RawMessage(call.Arguments), Reason: "to see it", Confidence: 1}
	result := strings.Repeat("a line of the file as it was read\n", 8)
	text := "What the file says, in a sentence or two that a person can read."
	add(nebula.Submitted{Turn: turn, Text: "what is in file01.go?"})
	add(nebula.Replied{Turn: turn, Step: 1, Protocol: "toolcall", Reply: nebula.Reply{Parts: nebula.PartsOf("", "", call), Finish: "tool_calls"},
		Intent: nebula.Intent{Actions: []nebula.Action{action}, Strategy: nebula.Strict, Confidence: 1}})
	add(nebula.Finished{Result: nebula.Result{Action: action.ID, Call: call.ID, Tool: "readFile", Status: nebula.Done, Text: result, Summary: "file01.go"}})
	add(nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", call)}, {Role: nebula.ToolRole, CallID: call.ID, Parts: nebula.Text(result)}}})
	add(nebula.Replied{Turn: turn, Step: 2, Protocol: "toolcall", Reply: nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, Intent: nebula.Intent{Say: text, Strategy: nebula.Strict, Confidence: 1}})
	add(nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(text)}}})
	add(nebula.Ended{Outcome: nebula.Outcome{Turn: turn, Status: nebula.TurnDone, Text: text}})
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(values []float64) float64 { return percentile(values, 50) }

func percentile(values []float64, p int) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}

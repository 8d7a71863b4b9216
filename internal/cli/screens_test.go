//go:build linux

package cli_test

// What a person feels at the keyboard is measured here: the full-screen interface in a pseudo-terminal of 120 columns
// and 36 rows, against a server on this machine. bench/screens prints the table.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/xpty"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// TestScreens measures the interface and prints the table. NEBULA_BENCH=strict makes a missed goal a failure.
func TestScreens(t *testing.T) {
	wish := os.Getenv("NEBULA_BENCH")
	if wish == "" {
		t.Skip("set NEBULA_BENCH=1, or use bench/screens")
	}
	b := build(t)
	show := func(rows ...row) { tell(t, wish == "strict", rows) }
	show(b.ready()...)
	show(b.echo("a key is echoed", nil, nil))
	show(b.echo("… while a reply streams", nil, func(s *seat) { s.types("keep the pace\r"); s.waits("words here") }))
	show(b.beside("… while four steps stream", prompt, "/tasks run"), b.beside("… the same as lines", "enter sends", "/plan run", "--plain"))
	show(b.idle()...)
	show(b.burst()...)
	show(b.pace()...)
	long := b.longSession(1000, 100)
	show(b.echo("a key is echoed with 100,000 lines", []string{"--session", long}, func(s *seat) { s.waits("of turn 1000,") }))
	show(b.found("words are found in 100,000 lines", "--session", long))
}

// tell prints rows as they are measured.
func tell(t *testing.T, strict bool, rows []row) {
	t.Helper()
	for _, r := range rows {
		sign := "ok  "
		if !r.ok {
			sign = "MISS"
			if strict {
				t.Errorf("%s: %s, want %s", r.what, r.got, r.goal)
			}
		}
		fmt.Printf("%s  %-46s %-34s goal %s\n", sign, r.what, r.got, r.goal)
	}
}

// A seat is the interface in a terminal of its own.
type seat struct {
	t     *testing.T
	pty   *xpty.UnixPty
	pid   int
	end   func()
	began time.Time

	mu   sync.Mutex
	out  []byte
	more chan struct{}
	from int
}

func (p *program) sit(server *nebulatest.Server, args ...string) *seat {
	p.t.Helper()
	return sitting(p.t, p.command(server, args...))
}

// sitting is a command in a terminal.
func sitting(t *testing.T, c *exec.Cmd) *seat {
	t.Helper()
	pty, err := xpty.NewUnixPty(120, 36)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	c.Env = append(c.Env, "TERM=xterm-256color", "LANG=C.UTF-8")
	s := &seat{t: t, pty: pty, more: make(chan struct{}, 1), began: time.Now()}
	if err := pty.Start(c); err != nil {
		t.Fatal(err)
	}
	s.pid = c.Process.Pid
	go s.read()
	s.end = sync.OnceFunc(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		_ = pty.Close()
	})
	t.Cleanup(s.end)
	return s
}

func (s *seat) read() {
	var buf [1 << 16]byte
	for {
		n, err := s.pty.Read(buf[:])
		s.mu.Lock()
		s.out = append(s.out, buf[:n]...)
		s.mu.Unlock()
		select {
		case s.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (s *seat) types(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.pty, text); err != nil {
		s.t.Fatal(err)
	}
}

// waits until text was written since the last time.
func (s *seat) waits(text string) {
	s.t.Helper()
	for late := time.After(30 * time.Second); ; {
		s.mu.Lock()
		i := bytes.Index(s.out[s.from:], []byte(text))
		if i >= 0 {
			s.from += i + len(text)
		}
		s.mu.Unlock()
		if i >= 0 {
			return
		}
		select {
		case <-s.more:
		case <-late:
			s.t.Fatalf("%q never came:\n%q", text, s.out[max(len(s.out)-3000, 0):])
		}
	}
}

func (s *seat) written() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.out)
}

// catchUp looks only at what comes from now on.
func (s *seat) catchUp() {
	s.mu.Lock()
	s.from = len(s.out)
	s.mu.Unlock()
}

func (s *seat) leave() { s.end() }

// cpu is the time that the program has run so far.
func (s *seat) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.pid))
	if err != nil {
		s.t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // ticks are hundredths of a second on Linux
}

// pss is the program's share of memory in MB.
func (s *seat) pss() float64 {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", s.pid))
	if err != nil {
		s.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(rollup), "Pss:")
	kilobytes, _ := strconv.ParseFloat(strings.TrimSpace(strings.SplitN(after, "kB", 2)[0]), 64)
	return kilobytes / 1000
}

const prompt = "describe a change"

func (p *program) talker() *nebulatest.Server {
	return p.serve(func(_ int, body []byte) *nebulatest.Answer {
		asked := body[max(bytes.LastIndex(body, []byte(`"role":"user"`)), 0):]
		switch {
		case bytes.Contains(asked, []byte("make a burst")):
			return &nebulatest.Answer{Text: strings.Repeat("word after word in a line\n", 4999*9/26) + "\n¶", Piece: 9}
		case bytes.Contains(asked, []byte("keep the pace")):
			return &nebulatest.Answer{Text: strings.Repeat("some words here and there, in a line of prose that goes on\n\n", 400)[:1600*12] + "\n¶", Piece: 12, Pause: 5}
		}
		return &nebulatest.Answer{Text: "An answer."}
	})
}

func (p *program) ready() []row {
	server := p.talker()
	var first, answer []float64
	for i := range 18 {
		s := p.sit(server, "--dir", p.t.TempDir())
		s.waits(prompt)
		at := time.Since(s.began)
		s.types("hi\r")
		s.waits("An answer.")
		if i >= 3 {
			first, answer = append(first, ms(at)), append(answer, ms(time.Since(s.began)))
		}
		s.leave()
	}
	f, a := median(first), median(answer)
	return []row{
		{"exec to ready input", "≤ 30 ms", fmt.Sprintf("%.1f ms (p90 %.1f)", f, percentile(first, 90)), f <= 30},
		{"exec to a painted answer", "≤ 60 ms", fmt.Sprintf("%.1f ms (p90 %.1f)", a, percentile(answer, 90)), a <= 60},
	}
}

// echo measures how long a letter takes to the screen.
func (p *program) echo(what string, args []string, before func(*seat)) row {
	s := p.sit(p.talker(), args...)
	s.waits("describe a change")
	if before != nil {
		before(s)
	}
	took := s.echoes()
	s.leave()
	m := median(took)
	return row{what, "≤ 6 ms", fmt.Sprintf("%.1f ms (p90 %.1f)", m, percentile(took, 90)), m <= 6}
}

// found measures how long it takes from a letter to the place that it leads to.
func (p *program) found(what string, args ...string) row {
	s := p.sit(p.talker(), args...)
	s.waits("of turn 1000,")
	var took []float64
	for _, letter := range strings.Repeat("ewts", 8) {
		s.types("\x06\x15")
		time.Sleep(60 * time.Millisecond)
		s.catchUp()
		at := time.Now()
		s.types(string(letter))
		s.waits("older") // stands behind which place it is
		took = append(took, ms(time.Since(at)))
		s.types("\x1b")
		time.Sleep(60 * time.Millisecond)
	}
	s.leave()
	return row{what, "≤ 50 ms", fmt.Sprintf("%.1f ms (p90 %.1f)", median(took), percentile(took, 90)), percentile(took, 90) <= 50}
}

// beside measures the same while four steps of a plan write as fast as they can.
func (p *program) beside(what, ready, begin string, args ...string) row {
	dir, marks := p.t.TempDir(), p.t.TempDir()
	p.loudPlan(dir, marks)
	s := p.sit(p.talker(), append(args, "--dir", dir, "--approve", "all")...)
	s.waits(ready)
	s.types("hi\r")
	s.waits("An answer.")
	s.types(begin + "\r")
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if loud, _ := filepath.Glob(filepath.Join(marks, "loud-*")); len(loud) == 4 {
			break
		}
		if time.Now().After(end) {
			p.t.Fatalf("the steps did not begin: %q", s.out)
		}
	}
	took := s.echoes()
	s.leave()
	p90 := percentile(took, 90)
	return row{what, "≤ 16 ms", fmt.Sprintf("%.1f ms (p90 %.1f, worst %.1f)", median(took), p90, slices.Max(took)), p90 <= 16}
}

// loudPlan keeps a plan of four steps that run side by side, each in a copy of the folder, and leave a mark when they begin.
func (p *program) loudPlan(dir, marks string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.home, "config.json"), []byte(`{"plan":{"parallel":4}}`), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = os.Remove(filepath.Join(p.home, "config.json")) })
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	store, err := sqlite.Open(context.Background(), filepath.Join(p.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer store.Close()
	plan := nebula.Plan{ID: "plan_" + filepath.Base(dir), Name: "loud", Goal: "noise", Status: nebula.Approved, Version: 1, Made: time.Now(), Changed: time.Now()}
	for i := range 4 {
		id := fmt.Sprintf("step_%d", i)
		plan.Steps = append(plan.Steps, nebula.PlanStep{ID: id, Name: id, Status: nebula.Pending, DependsOn: []string{}, Files: []string{id}, Verify: nebula.Verify{Command: "true"},
			Tasks: []nebula.Task{{ID: id + ".1", Operation: "executeShell", Args: fmt.Appendf(nil, `{"command":"touch %s/loud-%d; yes as fast as it can be"}`, marks, i), Reason: "noise", Status: nebula.Pending}}})
	}
	if err := store.SavePlan(context.Background(), dir, plan); err != nil {
		p.t.Fatal(err)
	}
}

// echoes are the times that letters take to the screen.
func (s *seat) echoes() (took []float64) {
	s.t.Helper()
	for i := range 40 {
		time.Sleep(23 * time.Millisecond)
		letter := string(rune('A' + i%26))
		s.catchUp()
		at := time.Now()
		s.types(letter)
		s.waits(letter)
		took = append(took, ms(time.Since(at)))
	}
	return took
}

func (p *program) idle() []row {
	s := p.sit(p.talker())
	s.waits(prompt)
	s.types("hi\r")
	s.waits("An answer.")
	time.Sleep(2 * time.Second)
	before, wrote := s.cpu(), s.written()
	time.Sleep(5 * time.Second)
	cpu, bytes, mem := s.cpu()-before, s.written()-wrote, s.pss()
	s.leave()
	return []row{
		{"idle: CPU", "0.0 %", fmt.Sprintf("%.1f %%, %d bytes written", cpu.Seconds()*20, bytes), cpu == 0 && bytes == 0},
		{"idle: memory (PSS)", "≤ 45 MB", fmt.Sprintf("%.1f MB", mem), mem <= 45},
	}
}

func (p *program) burst() []row {
	server := p.talker()
	var took, wrote []float64
	for range 7 {
		s := p.sit(server, "--dir", p.t.TempDir())
		s.waits(prompt)
		time.Sleep(100 * time.Millisecond)
		before, at := s.written(), time.Now()
		s.types("make a burst\r")
		s.waits("¶")
		took = append(took, ms(time.Since(at)))
		time.Sleep(100 * time.Millisecond)
		wrote = append(wrote, float64(s.written()-before)/1000)
		s.leave()
	}
	m, w := median(took), median(wrote)
	return []row{
		{"5,000 deltas at once: last word", "≤ 150 ms", fmt.Sprintf("%.1f ms (p90 %.1f)", m, percentile(took, 90)), m <= 150},
		{"5,000 deltas at once: written", "≤ 10 KB", fmt.Sprintf("%.1f KB", w), w <= 10},
	}
}

func (p *program) pace() []row {
	server := p.talker()
	var share, wrote []float64
	for range 3 {
		s := p.sit(server, "--dir", p.t.TempDir())
		s.waits(prompt)
		time.Sleep(100 * time.Millisecond)
		before, cpu, at := s.written(), s.cpu(), time.Now()
		s.types("keep the pace\r")
		s.waits("¶")
		share = append(share, 100*float64(s.cpu()-cpu)/float64(time.Since(at)))
		wrote = append(wrote, float64(s.written()-before)/1000)
		s.leave()
	}
	c, w := median(share), median(wrote)
	return []row{
		{"200 deltas a second: CPU", "≤ 6 %", fmt.Sprintf("%.1f %%", c), c <= 6},
		{"200 deltas a second: written", "≤ 150 KB", fmt.Sprintf("%.0f KB", w), w <= 150},
	}
}

// longSession records so many turns with answers of so many lines.
func (p *program) longSession(turns, lines int) string {
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
	const id = "20250101-000000-fedcba"
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := store.Create(ctx, nebula.SessionInfo{ID: id, Dir: dir, Model: "gpt-4.1-nano", Started: at}); err != nil {
		p.t.Fatal(err)
	}
	events := []nebula.Event{{Seq: 1, At: at, Body: nebula.Started{Session: id, Dir: dir, Model: "gpt-4.1-nano", Protocol: "auto", Mode: nebula.AgentMode, Lang: "en"}}}
	add := func(b nebula.Body) {
		events = append(events, nebula.Event{Seq: int64(len(events)) + 1, At: at, Body: b})
	}
	for turn := 1; turn <= turns; turn++ {
		var text strings.Builder
		for i := range lines {
			fmt.Fprintf(&text, "line %d of turn %d, with some words in it\n", i, turn)
		}
		add(nebula.Submitted{Turn: turn, Text: "tell me more"})
		add(nebula.Replied{Turn: turn, Step: 1, Protocol: "toolcall", Reply: nebula.Reply{Parts: nebula.Text(text.String()), Finish: "stop"}, Intent: nebula.Intent{Say: text.String(), Strategy: nebula.Strict, Confidence: 1}})
		add(nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(text.String())}}})
		add(nebula.Ended{Outcome: nebula.Outcome{Turn: turn, Status: nebula.TurnDone, Text: text.String()}})
	}
	if err := store.Append(ctx, id, events...); err != nil {
		p.t.Fatal(err)
	}
	return id
}

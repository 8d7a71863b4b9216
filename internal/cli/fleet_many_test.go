//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/nebulatest"
	"nebula/internal/postgres"
)

// number is one of the environment, as bench/fleet sets it.
func number(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

// crowded: many repositories, several workers and a team's record in PostgreSQL. Whatever is killed meanwhile, each step's effect is
// there once, in git and in the record. It says how much of what the slots could do was done; bench/fleet runs it large.
func crowded(t *testing.T, y *yard) {
	repositories, steps, workers, slots := number("NEBULA_REPOSITORIES", 4), number("NEBULA_STEPS", 3), number("NEBULA_WORKERS", 2), number("NEBULA_SLOTS", 2)
	kills, lasts := number("NEBULA_KILLS", 3), time.Duration(number("NEBULA_STEP_MS", 600))*time.Millisecond
	y.temporal = nebulatest.NewTemporal(t)
	record := nebulatest.NewPostgres(t, true)
	record.Login(t, "ann")
	opened := func(address string) nebula.Store {
		s, err := postgres.Open(t.Context(), address, postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	opened(record.Database(t, "team", "owner")) // it makes the tables
	t.Setenv("NEBULA_RECORD_URL", record.Address("team", "ann"))
	y.server.Answers = func(n int, request []byte) *nebulatest.Answer {
		a := worked(n, request)
		a.Delay = int(lasts.Milliseconds() / 2) // a step is two requests
		return a
	}
	var list []string
	first := y.repository(filepath.Join(y.folder, "..", "repository"))
	for i := range repositories {
		dir := filepath.Join(y.work, "repositories", strconv.Itoa(i))
		y.git(first, "clone", "-q", "--no-hardlinks", ".", dir)
		list = append(list, dir)
	}
	change := "# files\n\nGoal: files\n"
	for i := range steps {
		change += fmt.Sprintf("\n## s%d: step %d\n\n", i, i)
		if i > 0 {
			change += fmt.Sprintf("After: s%d\n", i-1)
		}
		change += fmt.Sprintf("Files: f%d.txt\n\nmake file f%d.txt\n", i, i)
	}
	repos, asked := filepath.Join(y.work, "repos.txt"), filepath.Join(y.work, "change.md")
	for path, text := range map[string]string{repos: strings.Join(list, "\n"), asked: change} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stop := make([]func(), workers)
	work := func(i int) { stop[i] = y.worker("--slots", strconv.Itoa(slots)) }
	for i := range workers {
		work(i)
	}
	began := time.Now()
	out := y.says(0, "fleet", "run", "--queue", y.queue, "--repos", repos, "--plan", asked, "--at-once", strconv.Itoa(2*workers*slots))
	run := regexp.MustCompile(`fleet_[0-9a-f]{8}`).FindString(out)
	ideal := time.Duration(repositories*steps) * lasts / time.Duration(workers*slots)
	random := rand.New(rand.NewPCG(1, 1))
	var m fleet.ManyState
	for killed, next := 0, began; ; time.Sleep(200 * time.Millisecond) {
		out, err := y.command("fleet", "show", "--json", run).Output()
		if m = (fleet.ManyState{}); err == nil && json.Unmarshal(out, &m) == nil && ended(m.Status) {
			break
		}
		if time.Since(began) > 10*time.Minute+20*ideal {
			t.Fatalf("it does not end: %s %s", m.Status, m.Why)
		}
		if killed == kills || time.Now().Before(next) {
			continue
		}
		switch which := random.IntN(workers + 2); {
		case killed%(workers+2) == workers || kills > 3 && which == workers:
			y.temporal.Kill()
			y.temporal.Start()
		case killed%(workers+2) == workers+1 || kills > 3 && which == workers+1:
			record.Kill(t)
			record.Start(t)
		default:
			stop[killed%workers]()
			work(killed % workers)
		}
		killed++
		next = time.Now().Add(time.Duration(500+random.IntN(1500)) * time.Millisecond)
	}
	took := time.Since(began)
	t.Logf("%d repositories x %d steps of %v, %d workers x %d slots, %d kills: %v, ideal %v (%.0f %%)", repositories, steps, lasts, workers, slots, kills, took.Round(time.Millisecond), ideal, 100*ideal.Seconds()/took.Seconds())
	if os.Getenv("NEBULA_REPOSITORIES") != "" && kills == 0 && took > ideal*10/9 { // of bench/fleet alone: others may work on the machine
		t.Errorf("less than 90 %% of what the slots could do was done")
	}
	if m.Status != string(nebula.Completed) {
		t.Fatalf("it ended as %s: %s", m.Status, m.Why)
	}
	hub := fleet.Hub(filepath.Join(y.home, "fleet"))
	store := opened(record.Address("team", "ann"))
	for _, p := range m.Plans {
		kept, err := store.Plan(t.Context(), p.Order.Project, p.Order.Plan)
		if err != nil || kept.Status != nebula.Completed || slices.ContainsFunc(kept.Steps, func(s nebula.PlanStep) bool { return s.Session == "" || s.Status != nebula.Completed }) {
			t.Errorf("the record has plan %s as %s (%v)", p.Order.Plan, kept.Status, err)
		}
		log := y.git(hub.Of(p.Order.Source), "log", "--format=%(trailers:key=Nebula-Step,valueonly)", p.Branch)
		for i := range steps {
			if n := len(regexp.MustCompile(fmt.Sprintf(`(?m)^s%d$`, i)).FindAllString(log, -1)); n != 1 {
				t.Errorf("%s has step %d %d times", p.Order.Source, i, n)
			}
		}
	}
	cmd := y.command("audit", "--verify")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		t.Errorf("the record is not whole: %v\n%s", err, said.String())
	}
}

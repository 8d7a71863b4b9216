//go:build linux

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"nebula"
	"nebula/internal/language"
)

// An exercise is a small task with its tests, a solution, and a first attempt that misses something.
type exercise struct {
	name                    string
	files                   map[string]string
	solution, right, missed string
}

func (p *program) exercisesKept() (list []exercise) {
	paths, err := filepath.Glob("testdata/minds/*.txtar")
	if err != nil || len(paths) == 0 {
		p.t.Fatal(err, "no exercises")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			p.t.Fatal(err)
		}
		e := exercise{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), files: map[string]string{}}
		for _, f := range txtar.Parse(data).Files {
			kind, name, _ := strings.Cut(f.Name, "/")
			switch kind {
			case "task":
				e.files[name] = string(f.Data)
			case "right":
				e.solution, e.right = name, string(f.Data)
			case "wrong":
				e.missed = string(f.Data)
			}
		}
		list = append(list, e)
	}
	return list
}

// solver is a mind that reads what an exercise consists of, writes its solution with the tests behind it where it was told that
// a reply's actions run in order, corrects a first attempt when the tests say what it misses, and reports.
func (e exercise) solver(fails bool) mind {
	written, tested, attempt := false, false, e.right
	if fails {
		attempt = e.missed
	}
	report := "`" + e.solution + "` is implemented as INSTRUCTIONS.md says; all tests pass."
	write := func(text, reason string) nebula.Action {
		return why(action("editFile", map[string]any{"path": e.solution, "new_content": text}), reason)
	}
	return func(s sent) nebula.Intent {
		together := strings.Contains(s.system, "run in order")
		wrong := strings.Contains(s.news, "FAIL") || strings.Contains(s.news, "failed") || strings.Contains(s.news, "panic")
		switch {
		case !strings.Contains(s.all, strings.TrimSpace(e.files["INSTRUCTIONS.md"])[:60]):
			return does("I look at the task, the stub and the tests first.", reads("INSTRUCTIONS.md", e.solution, e.tests())...)
		case !written || tested && wrong && attempt != e.right:
			reason := "the solution, as the instructions say"
			if written {
				attempt, reason = e.right, "what the failing tests expect"
			}
			written, tested = true, together
			if strings.Contains(s.system+s.offer, "whenPassed") {
				return does("", write(attempt, reason), why(action("runTests", map[string]any{"whenPassed": report}), "to see whether it works"))
			}
			if together {
				return does("", write(attempt, reason), tests())
			}
			return does("", write(attempt, reason))
		case !tested:
			tested = true
			return does("", tests())
		}
		return does(report)
	}
}

func (e exercise) tests() string {
	for name := range e.files {
		if strings.Contains(name, "_test.") {
			return name
		}
	}
	return ""
}

// exercises plays all of them in every protocol and counts requests and tokens sent.
func (p *program) exercises() (rows []row) { return p.solve(false) }

// failing does so with a first attempt that the tests refuse.
func (p *program) failing() (rows []row) { return p.solve(true) }

func (p *program) solve(fails bool) (rows []row) {
	goals := map[string][2]int{"toolcall": {3, 8000}, "symops": {3, 5000}, "actionlist": {3, 10_000}, "dml": {3, 7500}}
	for _, protocol := range language.Names() {
		var requests, tokens []float64
		var bad []string
		for _, e := range p.exercisesKept() {
			g := p.game(e.files, protocol, 0, e.solver(fails))
			out, code := g.run("--approve", "all", "Implement what INSTRUCTIONS.md describes, in "+e.solution+". The tests are in "+e.tests()+".")
			if code != 0 || g.holds(e.solution) != e.right {
				bad = append(bad, fmt.Sprintf("%s: exit %d %.300s", e.name, code, out))
			}
			requests, tokens = append(requests, float64(len(g.requests))), append(tokens, float64(g.total()))
		}
		goal := goals[protocol]
		r, n := middle(requests), middle(tokens)
		w := row{"six exercises, " + protocol, fmt.Sprintf("≤ %d requests, ≤ %d tokens", goal[0], goal[1]), fmt.Sprintf("%g requests, %.0f tokens sent", r, n), r <= float64(goal[0]) && n <= float64(goal[1]) && len(bad) == 0}
		if fails {
			w.what, w.goal, w.ok = "a first attempt fails, "+protocol, "one request more", r <= float64(goal[0]+1) && len(bad) == 0
		}
		for _, b := range bad {
			p.t.Logf("%s: %s", protocol, b)
		}
		rows = append(rows, w)
	}
	return rows
}

// middle is the median; of an even number, what lies between the two in the middle.
func middle(values []float64) float64 {
	return (percentile(values, 50) + percentile(values, 49)) / 2
}

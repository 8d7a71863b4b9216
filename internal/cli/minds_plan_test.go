//go:build linux

package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"time"

	"nebula"
)

// A feature is a step of the plan with the files that it is to leave, in the order in which its mind comes to them.
type feature struct {
	id, name, says string
	files          [][2]string
}

// three are the features of a small cache. The first test of the second is wrong, and the third forgets the README at first.
var three = []feature{
	{"step_001", "Statistics", "Count hits and misses of the cache, with a test.", [][2]string{
		{"stats.go", "package lru\n\n// Stats are how often the cache knew a key.\ntype Stats struct{ Hits, Misses int }\n\n// Count looks a key up and counts it.\nfunc (c *Cache) Count(key string, s *Stats) {\n\tif _, ok := c.Get(key); ok {\n\t\ts.Hits++\n\t\treturn\n\t}\n\ts.Misses++\n}\n"},
		{"stats_test.go", "package lru\n\nimport \"testing\"\n\nfunc TestStats(t *testing.T) {\n\tc, s := New(2), Stats{}\n\tc.Add(\"a\", 1)\n\tc.Count(\"a\", &s)\n\tc.Count(\"b\", &s)\n\tif s != (Stats{1, 1}) {\n\t\tt.Fatalf(\"got %+v\", s)\n\t}\n}\n"},
	}},
	{"step_002", "Two queues", "A 2Q cache: what is used a second time moves to the frequent ones. With a test.", [][2]string{
		{"twoq.go", "package lru\n\n// A TwoQ keeps what is used often apart from what was used once.\ntype TwoQ struct{ recent, frequent *Cache }\n\n// NewTwoQ makes one for so many keys of each kind.\nfunc NewTwoQ(size int) *TwoQ { return &TwoQ{New(size), New(size)} }\n\n// Add puts a key in, or among the frequent ones when it is there.\nfunc (q *TwoQ) Add(key string, value int) {\n\tif _, ok := q.recent.Get(key); ok {\n\t\tq.frequent.Add(key, value)\n\t\treturn\n\t}\n\tq.recent.Add(key, value)\n}\n"},
		{"twoq_test.go", "package lru\n\nimport \"testing\"\n\nfunc TestTwoQ(t *testing.T) {\n\tq := NewTwoQ(2)\n\tq.Add(\"a\", 1)\n\tif _, ok := q.frequent.Get(\"a\"); !ok {\n\t\tt.Fatal(\"not frequent\")\n\t}\n}\n"},
	}},
	{"step_003", "Snapshots", "Snapshot copies what the cache holds, with a test and a section in the README.", [][2]string{
		{"snapshot.go", "package lru\n\n// Snapshot is a copy of what the cache holds.\nfunc (c *Cache) Snapshot() map[string]int {\n\tout := map[string]int{}\n\tfor k, v := range c.items {\n\t\tout[k] = v\n\t}\n\treturn out\n}\n"},
		{"snapshot_test.go", "package lru\n\nimport \"testing\"\n\nfunc TestSnapshot(t *testing.T) {\n\tc := New(2)\n\tc.Add(\"a\", 1)\n\tif c.Snapshot()[\"a\"] != 1 {\n\t\tt.Fatal(\"not in the snapshot\")\n\t}\n}\n"},
	}},
}

var lru = map[string]string{
	"go.mod":    "module lru\n\ngo 1.24\n",
	"README.md": "# lru\n\nA cache that forgets what was not used for the longest time.\n",
	"lru.go":    "package lru\n\n// A Cache holds so many keys.\ntype Cache struct {\n\tsize  int\n\titems map[string]int\n\torder []string\n}\n\n// New makes a cache.\nfunc New(size int) *Cache { return &Cache{size: size, items: map[string]int{}} }\n\n// Add puts a key in; the oldest one goes when there is no room.\nfunc (c *Cache) Add(key string, value int) {\n\tif _, ok := c.items[key]; !ok {\n\t\tif len(c.order) == c.size {\n\t\t\tdelete(c.items, c.order[0])\n\t\t\tc.order = c.order[1:]\n\t\t}\n\t\tc.order = append(c.order, key)\n\t}\n\tc.items[key] = value\n}\n\n// Get looks a key up.\nfunc (c *Cache) Get(key string) (int, bool) {\n\tv, ok := c.items[key]\n\treturn v, ok\n}\n",
}

// features is a plan of three features, one after another, in a process that is killed ten times: every deliverable is there
// in the end, nothing is called failed that is not, and nobody is asked anything but for the plan.
func (p *program) features() []row {
	const kills = 10
	g := p.game(lru, "toolcall", 0, nil)
	g.mind = g.planned
	if out, code := g.run("--plan", "statistics, a 2Q cache and snapshots for lru"); code != 0 && code != 3 {
		p.t.Fatalf("no plan: exit %d\n%s", code, out)
	}
	id := strings.Fields(g.must("plan", "list"))[0]
	g.must("plan", "approve", id)
	killed, code, asked := 0, 0, 1
	said := ""
	for n := 0; n < kills+5; n++ {
		c := g.command("plan", "run", id, "--cut-off", "again")
		var out strings.Builder
		c.Stdout, c.Stderr = &out, &out
		if err := c.Start(); err != nil {
			p.t.Fatal(err)
		}
		after := time.Minute
		if killed < kills {
			after = time.Duration(60+rand.IntN(600)) * time.Millisecond
		}
		at := time.AfterFunc(after, func() { _ = c.Process.Kill() })
		_ = c.Wait() // how it ended is read from its state
		at.Stop()
		said, code = out.String(), c.ProcessState.ExitCode()
		if code == -1 {
			killed++
			continue
		}
		asked += strings.Count(said, "needs approval")
		break
	}
	missing := 0
	for _, f := range three {
		for _, file := range f.files {
			if g.holds(file[0]) == "" {
				missing++
			}
		}
	}
	if !strings.Contains(g.holds("README.md"), "## Snapshots") {
		missing++
	}
	test := exec.Command("go", "test", "./...")
	test.Dir = g.dir
	tested, err := test.CombinedOutput()
	var shown nebula.Plan
	if err := json.Unmarshal([]byte(g.must("plan", "show", id, "--json")), &shown); err != nil {
		p.t.Fatal(err)
	}
	failed := 0
	for _, s := range shown.Steps {
		if s.Status != nebula.Completed {
			failed++
		}
	}
	ok := code == 0 && missing == 0 && failed == 0 && err == nil && asked <= 8
	if !ok {
		p.t.Logf("exit %d\n%s\n%s", code, said, tested)
	}
	return []row{{"three features, killed on the way", "all there, ≤ 8 answers, none failed", fmt.Sprintf("%d kills, %d missing, %d failed, %d answers, %d requests, %d tokens", killed, missing, failed, asked, len(g.requests), g.total()), ok}}
}

// planned plays the planner and the agents of the steps. An agent sees from what it is told which step it works on, and from
// the folder, as it would from its results, what is there already.
func (g *game) planned(s sent) nebula.Intent {
	if !s.tools {
		return does(g.proposed())
	}
	_, told, _ := strings.Cut(s.all, "### The step\n")
	for _, f := range three {
		if strings.HasPrefix(told, f.id) {
			return g.works(f, s)
		}
	}
	return does("I wait for the plan.")
}

// proposed is the plan as the planner writes it.
func (g *game) proposed() string {
	type verify struct {
		Tests bool `json:"tests"`
	}
	type step struct {
		ID          string   `json:"step_id"`
		Name        string   `json:"name"`
		Description string   `json:"description"`
		After       []string `json:"depends_on"`
		Files       []string `json:"files"`
		Verify      verify   `json:"verify"`
	}
	var steps []step
	for i, f := range three {
		one := step{ID: f.id, Name: f.name, Description: f.says, After: []string{}, Verify: verify{true}}
		if i > 0 {
			one.After = append(one.After, three[i-1].id)
		}
		for _, file := range f.files {
			one.Files = append(one.Files, file[0])
		}
		if i == len(three)-1 {
			one.Files = append(one.Files, "README.md")
		}
		steps = append(steps, one)
	}
	data, _ := json.Marshal(map[string]any{"name": "three features", "steps": steps}) // it is made of strings
	return string(data)
}

func (g *game) works(f feature, s sent) nebula.Intent {
	const wrong = "q.Add(\"a\", 1)\n\tif"
	var actions []nebula.Action
	for _, file := range f.files {
		if g.holds(file[0]) == "" {
			actions = append(actions, why(action("writeFile", map[string]any{"path": file[0], "content": file[1]}), f.name))
		}
	}
	switch {
	case len(actions) > 0:
		return does("", append(actions, tests())...)
	case strings.Contains(s.news, "not frequent") && strings.Contains(g.holds("twoq_test.go"), wrong):
		return does("The test must add the key twice.", patch("twoq_test.go", wrong, "q.Add(\"a\", 1)\n\tq.Add(\"a\", 1)\n\tif", "it is frequent from the second time on"), tests())
	case strings.Contains(s.news, "README.md was not changed") && !strings.Contains(g.holds("README.md"), "## Snapshots"):
		readme := g.holds("README.md")
		return does("", patch("README.md", readme, readme+"\n## Snapshots\n\n`Snapshot` copies what the cache holds.\n", "the section that was asked for"))
	case strings.Count(s.all, "Tests passed")+strings.Count(s.all, "Tests failed") == 0:
		return does("", tests())
	}
	return does(f.name + " is there, with its test.")
}

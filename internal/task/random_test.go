package task_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"nebula"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// Random plans with random failures: everything ends, no step runs before what it needs, and every step that ran has
// its report.
func TestRandomPlansEndWithEveryReport(t *testing.T) {
	plans := 20
	if testing.Short() {
		plans = 3
	}
	for n := range plans {
		r := rand.New(rand.NewPCG(uint64(n), 7))
		o := newOffice(t)
		o.set = func(s *task.Setup) { s.Side = 1 + r.IntN(4) }
		o.open()
		var steps []nebula.PlanStep
		for i := range 2 + r.IntN(7) {
			var after []string
			for j := range i {
				if r.IntN(3) == 0 {
					after = append(after, fmt.Sprintf("s%d", j))
				}
			}
			id := fmt.Sprintf("s%d", i)
			tasks := []nebula.Task{do("writeFile", "path", id+"/a", "content", id)}
			if r.IntN(5) == 0 {
				tasks = append(tasks, do("deleteFile", "path", id+"/nothing"))
			}
			s := step(id, after, tasks...)
			if r.IntN(2) == 0 {
				s.Files = nil
			}
			steps = append(steps, s)
		}
		o.planned(steps...)
		e := o.run(task.Request{})
		reports := map[string]int{}
		for _, b := range events[nebula.Reported](o) {
			reports[b.Step]++
		}
		for _, s := range e.Plan.Steps {
			ran := s.Status == nebula.Completed || s.Status == nebula.StageFailed
			if s.Status == nebula.InProgress || ran != (reports[s.ID] == 1) {
				t.Errorf("plan %d: step %s is %s with %d reports", n, s.ID, s.Status, reports[s.ID])
			}
			for _, d := range s.DependsOn {
				i, _ := plan.Index(e.Plan, d)
				if before := e.Plan.Steps[i]; ran && (before.Status != nebula.Completed || before.Ended.After(s.Began)) {
					t.Errorf("plan %d: step %s ran though %s is %s", n, s.ID, d, before.Status)
				}
			}
		}
		if ready := plan.Ready(e.Plan); len(ready) > 0 {
			t.Errorf("plan %d ended with %d steps that could run: %s", n, len(ready), stages(e.Plan))
		}
		o.close()
	}
}

// What starting a background step costs whoever asks for it.
func BenchmarkStart(b *testing.B) {
	o := newOffice(b).open()
	var worst time.Duration
	for b.Loop() {
		b.StopTimer()
		o.planned(step("a", nil, do("executeShell", "command", "sleep 0.05")))
		b.StartTimer()
		from := time.Now()
		if _, err := o.loop.Start(b.Context(), task.Request{By: "person"}); err != nil {
			b.Fatal(err)
		}
		worst = max(worst, time.Since(from))
		b.StopTimer()
		o.loop.Wait(b.Context())
		b.StartTimer()
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
}

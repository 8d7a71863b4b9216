package task_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/plan"
	"nebula/internal/task"
)

// Random plans in which tasks, verifications and the model fail, and which are cancelled on the way and run again:
// everything ends, no step begins before what it needs, and every step that ends has its report.
func TestRandomPlansEndWithEveryReport(t *testing.T) {
	plans := 100
	if testing.Short() && os.Getenv("NEBULA_LONG") == "" { // the race detector takes its time
		plans = 20
	}
	const lanes = 4 // they mostly wait for the disk
	for lane := range lanes {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			for n := lane; n < plans; n += lanes {
				randomPlan(t, n)
			}
		})
	}
}

func randomPlan(t *testing.T, n int) {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	o := newOffice(t)
	o.set = func(s *task.Setup) { s.Begin.Parallel = 1 + r.IntN(4) }
	broken := errors.New("the model is not there")
	var asks atomic.Int32
	failing := int32(r.IntN(12))
	o.fails = func() error {
		if asks.Add(1) == failing {
			return &nebula.APIError{Kind: "server", Text: broken.Error()}
		}
		return nil
	}
	o.agent = func(_ string, n int) []nebula.Task {
		if n > 0 {
			return nil
		}
		return []nebula.Task{do("executeShell", "command", "true")}
	}
	o.open()
	p := o.planned(randomSteps(r)...)
	cancels := r.IntN(3) == 0
	o.answer(func(q nebula.Queued) nebula.Answer { // what a cancel cut off may be run again
		return nebula.Answer{By: nebula.Person, Answer: nebula.Told, Text: q.Question.Options[0]}
	})
	ended := follow[nebula.Reported](o)
	for runs := 0; runs < 4 && p.Status != nebula.Completed; runs++ {
		o.begin()
		if cancels && runs == 0 {
			select {
			case <-ended:
			case <-time.After(20 * time.Millisecond):
			}
			if err := o.loop.Direct(t.Context(), nebula.Direct{Do: nebula.CancelPlan}); err != nil && !strings.Contains(err.Error(), "under way") {
				t.Error(err)
			}
		}
		hung := time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("plan %d hangs", n)) })
		e := o.ended()
		hung.Stop()
		p = e.Plan
		if ready := plan.Ready(p); len(ready) > 0 && e.Status == nebula.TurnFailed {
			t.Errorf("plan %d ended with %d steps that could run: %s %q", n, len(ready), stages(p), e.Why)
		}
	}
	heard(t, n, o, p)
	o.close()
}

func randomSteps(r *rand.Rand) (steps []nebula.PlanStep) {
	for i := range 2 + r.IntN(9) {
		var after []string
		for j := range i {
			if r.IntN(3) == 0 {
				after = append(after, fmt.Sprintf("s%d", j))
			}
		}
		id := fmt.Sprintf("s%d", i)
		list := []nebula.Task{do("writeFile", "path", id+"/a", "content", id)}
		s := step(id, after)
		switch r.IntN(8) {
		case 0:
			list = append(list, do("deleteFile", "path", id+"/nothing"))
		case 1:
			s.Verify.Command = "false"
		case 2:
			list = nil // its agent makes them
		case 3:
			list = append(list, do("executeShell", "command", "sleep 0.01"))
		}
		s.Tasks = step(id, after, list...).Tasks
		if r.IntN(2) == 0 {
			s.Files = nil
		}
		steps = append(steps, s)
	}
	return steps
}

// heard holds what the conversation was told of a plan against what became of it.
func heard(t *testing.T, n int, o *office, p nebula.Plan) {
	t.Helper()
	over := map[string]nebula.Stage{}
	ends, reports := map[string]int{}, map[string]int{}
	for _, b := range events[nebula.Stepped](o) {
		if over[b.Step.ID] == nebula.Completed {
			t.Errorf("plan %d: step %s was completed and is %s (%s)", n, b.Step.ID, b.Step.Status, b.Cause)
		}
		over[b.Step.ID] = b.Step.Status
		switch b.Step.Status {
		case nebula.Completed, nebula.StageFailed:
			ends[b.Step.ID]++
		case nebula.InProgress:
			for _, d := range b.Step.DependsOn {
				if over[d] != nebula.Completed {
					t.Errorf("plan %d: step %s began though %s is %q", n, b.Step.ID, d, over[d])
				}
			}
		}
	}
	for _, b := range events[nebula.Reported](o) {
		reports[b.Step]++
	}
	for _, s := range p.Steps {
		ran := s.Status == nebula.Completed || s.Status == nebula.StageFailed
		if s.Status == nebula.InProgress || reports[s.ID] != ends[s.ID] || ran != (s.Report != nil) || ran && ends[s.ID] == 0 {
			t.Errorf("plan %d: step %s is %s, ended %d times, with %d reports", n, s.ID, s.Status, ends[s.ID], reports[s.ID])
		}
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

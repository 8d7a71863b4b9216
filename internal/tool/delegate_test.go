package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"nebula"
)

// staff are aides of which one reads and one writes; each knows how many are at work.
type staff struct {
	atOnce, most atomic.Int32
	together     sync.WaitGroup // those that only read wait for one another
	begun        []string
	stays, knows bool // somebody stays to be told; who gave it may know what is secret
	ends         map[string]nebula.EndStatus
	fails        map[string]error
}

func (s *staff) Any() bool    { return true }
func (s *staff) Tell() string { return "reads, writes" }

func (s *staff) Brief(name, task string, exposed bool) (Errand, error) {
	s.knows = exposed
	e := Errand{Name: name, Reads: name == "reads", Do: func(context.Context) (string, nebula.EndStatus, error) {
		now := s.atOnce.Add(1)
		defer s.atOnce.Add(-1)
		for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
		}
		if name == "reads" {
			s.together.Done()
			s.together.Wait()
		}
		return "said of " + task, s.ends[task], s.fails[task]
	}}
	if s.stays {
		e.Begin = func() error { s.begun = append(s.begun, task); return nil }
	}
	return e, nil
}

// Several parts are done at once where they only read, and one after the other where they may meet; what is said comes in the order of the tasks, as
// what it is, and no more can be given than is bounded.
func TestPartsAreDoneByOthers(t *testing.T) {
	many := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint("t", i+1))
		}
		return list
	}
	for name, c := range map[string]struct {
		agent      string
		task       string
		more       []string
		background bool
		staff      *staff
		most       int32 // at once
		want       string
		status     nebula.Status
		end        nebula.EndStatus
		begun      int
	}{
		"one":            {agent: "reads", task: "t0", most: 1, want: "What reads reports, which is no instruction:\nsaid of t0\n"},
		"at once":        {agent: "reads", task: "t0", more: many(2), most: 3, want: "no instruction:\n## 1. t0\nsaid of t0\n## 2. t1\nsaid of t1\n## 3. t2\nsaid of t2\n"},
		"as many as can": {agent: "reads", task: "t0", more: many(7), most: 8, want: "## 8. t7\n"},
		"too many":       {agent: "reads", task: "t0", more: many(8), want: "9 tasks are too many at once"},
		"says nothing":   {agent: "reads", task: "t0", more: []string{" "}, want: "A task says nothing."},
		"in turn":        {agent: "writes", task: "t0", more: many(2), most: 1, want: "## 3. t2\nsaid of t2\n"},
		"some fail":      {agent: "writes", task: "t0", more: many(1), staff: &staff{fails: map[string]error{"t0": fmt.Errorf("no disk")}}, most: 1, want: "said of t0\nno disk\n## 2. t1\nsaid of t1\n"},
		"all fail":       {agent: "writes", task: "t0", staff: &staff{fails: map[string]error{"t0": fmt.Errorf("no disk")}}, most: 1, want: "no disk", status: nebula.Failed},
		"needs a yes":    {agent: "writes", task: "t0", staff: &staff{ends: map[string]nebula.EndStatus{"t0": nebula.NeedsApproval}}, most: 1, want: "said of t0", status: nebula.Failed, end: nebula.NeedsApproval},
		"beside":         {agent: "writes", task: "t0", more: many(1), background: true, staff: &staff{stays: true}, want: "writes is at work.", begun: 2},
		"nobody stays":   {agent: "writes", task: "t0", background: true, most: 1, want: "said of t0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.staff
			if s == nil {
				s = &staff{}
			}
			s.together.Add(1 + len(c.more))
			args, _ := json.Marshal(map[string]any{"agent": c.agent, "task": c.task, "more": c.more, "background": c.background})
			p, err := Delegate(s).Propose(t.Context(), nebula.Action{ID: "a1", Tool: "delegate", Args: args}, nebula.View{Lang: "en", Exposed: true})
			var r nebula.Result
			if err != nil {
				r.Text = err.Error()
			} else if r, err = p.Do(t.Context(), nebula.Run{}); err != nil || !s.knows {
				t.Fatalf("%v, told of secrets %v", err, s.knows)
			}
			if !strings.Contains(r.Text, c.want) || r.Status != c.status || r.End != c.end || s.most.Load() != c.most || len(s.begun) != c.begun {
				t.Errorf("%q, %q, %q, %d at once, begun %q", r.Text, r.Status, r.End, s.most.Load(), s.begun)
			}
		})
	}
}

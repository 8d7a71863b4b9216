package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/tool"
)

// A command in the background is begun by the tool that runs commands and looked after by one more, which is there only then.
func TestACommandGoesOnInTheBackground(t *testing.T) {
	f := newFolder(t, tool.Options{}, nil)
	if slices.ContainsFunc(f.tool("executeShell").Spec().Params, func(p nebula.Param) bool { return p.Name == "background" }) {
		t.Error("it can be asked for where nothing can be in the background")
	}
	jobs := f.d.Jobs(t.TempDir(), nil)
	f.tools = tool.Background(f.tools, jobs)
	control := tool.JobControl{Jobs: jobs}
	look := f.tool("backgroundJob")
	if look.(nebula.Occasional).Usable() || control.Told("en") != "" {
		t.Error("it is offered, and nothing is in the background")
	}
	if said := f.mistaken("backgroundJob", args{}); !strings.Contains(said, "Nothing runs") {
		t.Error(said)
	}
	r := f.must("executeShell", args{"command": "echo up; read l; echo got $l; read l; exit 3", "background": true})
	if r.Status != nebula.Done || r.Exit != nil || !r.Blind || !strings.Contains(r.Text, "job 1") || !strings.Contains(r.Text, "\nup") {
		t.Errorf("%+v", r)
	}
	if told := control.Told("en"); !look.(nebula.Occasional).Usable() || !strings.Contains(told, "job 1 (echo up;") || !strings.Contains(told, "running") {
		t.Errorf("%q", told)
	}
	if told := phrase.Told("en", phrase.Said(tool.Notice(jobs.Find(1)))); !strings.HasPrefix(told, "background: job 1 (echo up;") || strings.Contains(told, "%!") {
		t.Errorf("%q", told)
	}
	if r = f.must("backgroundJob", args{}); !strings.Contains(r.Text, "no new output") {
		t.Errorf("%q", r.Text)
	}
	r = f.must("backgroundJob", args{"id": 1, "input": "a\n", "until": "got"})
	if !strings.HasSuffix(r.Text, "\ngot a") {
		t.Errorf("%q", r.Text)
	}
	if r = f.must("backgroundJob", args{"id": 1, "until": "(never", "timeout": 0.1}); !strings.Contains(r.Text, "no new output") {
		t.Errorf("%q", r.Text)
	}
	if r = f.must("backgroundJob", args{"id": 1, "input": "b\n"}); r.Status != nebula.Failed || !strings.Contains(r.Text, "exit 3") {
		t.Errorf("%+v", r)
	}
	if told := control.Told("en"); told != "" {
		t.Errorf("told again: %q", told)
	}
	f.must("executeShell", args{"command": "sleep 0.9; echo came; sleep 100", "background": "yes"})
	f.must("backgroundJob", args{"id": 2, "until": "came", "timeout": 0.01})
	for end := time.Now().Add(time.Minute); !strings.Contains(control.Told("en"), "what you wait for came: came"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(control.Told("en"))
		}
	}
	if r = f.must("backgroundJob", args{"id": 2, "stop": true}); !strings.Contains(r.Text, "stopped") || !strings.Contains(r.Text, "came") {
		t.Errorf("%q", r.Text)
	}
}

// What is in the background is asked about for itself: what was allowed always was allowed to end.
func TestTheBackgroundIsAskedAboutForItself(t *testing.T) {
	f := newFolder(t, tool.Options{}, nil)
	jobs := f.d.Jobs(t.TempDir(), nil)
	f.tools = tool.Background(f.tools, jobs)
	plain, _ := f.propose("executeShell", args{"command": "make"})
	going, err := f.propose("executeShell", args{"command": "make", "background": "yes"})
	if err != nil || !going.Blind {
		t.Fatal(err)
	}
	for _, approve := range []gate.Approve{gate.Ask, gate.Edits} {
		rules := gate.Rules{Mode: nebula.AgentMode, Approve: approve, Approved: map[string]int64{plain.Key(): 1}}
		if v := gate.Judge(rules, going); v.Ruling != nebula.AskFirst || v.Why != nebula.Background {
			t.Errorf("%+v", v)
		}
		rules.Approved[going.Key()] = 1
		if v := gate.Judge(rules, going); v.Ruling != nebula.Allow {
			t.Errorf("%+v", v)
		}
	}
	if v := gate.Judge(gate.Rules{Mode: nebula.PlanMode, Approve: gate.All}, going); v.Ruling != nebula.Deny {
		t.Errorf("%+v", v)
	}
	f.must("executeShell", args{"command": "read l", "background": "yes"})
	raw, _ := json.Marshal(args{"id": 1, "input": "x\n"})
	feed, err := f.tool("backgroundJob").Propose(t.Context(), nebula.Action{ID: "a9", Tool: "backgroundJob", Args: raw}, f.view())
	if err != nil || gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits}, feed).Ruling != nebula.AskFirst {
		t.Errorf("%+v %v", feed, err)
	}
	if _, err := feed.Do(context.Background(), nebula.Run{}); !errors.Is(err, nebula.ErrNoGrant) {
		t.Error(err)
	}
}

// The person lists them, looks at the end of what one wrote, which the model still reads, and stops one.
func TestThePersonLooksAfterTheBackground(t *testing.T) {
	f := newFolder(t, tool.Options{}, nil)
	stopped := make(chan struct{}, 1)
	jobs := f.d.Jobs(t.TempDir(), nil)
	f.tools = tool.Background(f.tools, jobs)
	control := tool.JobControl{Jobs: jobs}
	if _, err := control.Do(nebula.Job{}); err == nil {
		t.Error("there is none")
	}
	f.must("executeShell", args{"command": "echo one; sleep 100", "background": "yes"})
	if said, err := control.Do(nebula.Job{ID: 1}); err != nil || !strings.HasSuffix(said.String(), "running\none") {
		t.Errorf("%q %v", said, err)
	}
	if said, err := control.Do(nebula.Job{}); err != nil || phrase.Told("ja", phrase.Said(said)) != "ジョブ 1 (echo one; sleep 100): 実行中" {
		t.Errorf("%q %v", said, err)
	}
	if _, err := control.Do(nebula.Job{ID: 7, Stop: true}); err == nil {
		t.Error("there is no such one")
	}
	if _, err := control.Do(nebula.Job{Stop: true}); err != nil {
		t.Error(err)
	}
	go func() { jobs.Find(1).Stop(); stopped <- struct{}{} }()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("it goes on")
	}
}

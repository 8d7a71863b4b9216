package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// TestEveryRowFits draws every view at every width: a row that is too long would stand on the next one, too.
func TestEveryRowFits(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		for width := 20; width <= 140; width++ {
			a := staged(lang, width)
			check := func(view string, rows ...string) {
				for _, r := range rows {
					if n := terminal.Bare(r); n > width {
						t.Fatalf("%s, width %d, %s: %d columns: %q", lang, width, view, n, terminal.Unpainted(r))
					}
				}
			}
			d := a.drawer()
			frame := func(view string) {
				rows, _, _ := a.dock(d, noon)
				check(view, rows...)
			}
			for i := range a.view.blocks {
				check("block", a.rowsOf(i)...)
			}
			frame("dock")
			for _, name := range []string{"help", "status", "tasks"} {
				a.run(name, nil)
				if a.page == nil {
					t.Fatalf("no page for %s", name)
				}
				check(name, a.page.window(d, 500)...)
				frame(name)
				a.page = nil
			}
			a.palette()
			frame("commands")
			a.setup("why")
			frame("setup")
			a.picker = nil
			a.editor.Set("/")
			a.complete()
			frame("completions")
			a.editor = terminal.Editor{}
			a.view.fold(nebula.Event{Body: nebula.Queued{Ask: "s/1", Title: "とても長い名前の手順 of a plan", Proposed: &nebula.Proposed{Proposal: nebula.Proposal{Command: "make a long command with words"}}}})
			check("strip", d.strip(a.view.Beside, noon))
			if width > 40 {
				check("panel", d.panel(a.view.Beside, 30, noon)...)
			}
			a.openWaiting(a.view.Beside.Waits[0])
			a.gate.block.why = true
			a.gate.block.stale()
			frame("gate")
			check("asked", a.rowsOf(len(a.view.blocks)-1)...)
			a.view.blocks = nil
			check("welcome", a.welcome(d, 30)...)
			a.home = []nebula.SessionInfo{{Title: "以前の長い依頼 with more words than fit", Model: "gpt-4.1-nano", Last: noon}}
			check("sessions", a.welcome(d, 30)...)
		}
	}
}

// staged is an interface in the middle of a conversation, without a terminal.
func staged(lang string, width int) *app {
	half := 0.3
	a := &app{options: Options{Now: func() time.Time { return noon }},
		folder: nebula.Folder{Dir: "/a/folder/with/a/long/path/of/many/parts", Providers: []nebula.KeySource{{Name: "x", Title: "Example", Where: "example.org/keys"}}},
		about:  nebula.ModelInfo{Name: "m", Window: 1000},
		words:  wordsFor(lang), style: styleFor(TrueColor, false), width: width, height: 40, view: newView(wordsFor(lang)), selected: -1, focused: true, history: &terminal.History{}}
	long := strings.Repeat("a long word 長い言葉 ", 12)
	diff := change("-\tif x := old(\"日本\"); x {", "+\tif y := new(\"日本語\"); y { // "+long)
	for _, b := range []nebula.Body{
		nebula.Started{Session: "s", Model: "a-model-with-a-rather-long-name", Protocol: "auto", Mode: nebula.AgentMode},
		nebula.Submitted{Turn: 1, Text: long}, nebula.Requested{Layers: []nebula.LayerCost{{Name: "history", Tokens: 999}}},
		nebula.Streamed{Kind: "thought", Text: long}, nebula.Streamed{Kind: "text", Text: "# " + long + "\n\n> " + long + "\n\n1. " + long + "\n\n```go\n" + long + "\n```\n\n|a|b|\n|-|-|\n|" + long + "|2|\n\n---\n\n" + long},
		nebula.Replied{Vitals: nebula.Vitals{Confidence: &half, Mood: &half, Focus: &half, Stamina: &half}},
		nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a", Reason: long}, Summary: long, Diff: diff}, Verdict: nebula.Verdict{Risk: "high", Risks: []nebula.Code{nebula.Code(long)}}},
		nebula.Began{Action: "a"}, nebula.Streamed{Kind: "output", Action: "a", Text: long},
		nebula.Moved{From: "PLANNING", To: "EXECUTION", Status: "ERROR"}, nebula.Switched{Approve: "all", Model: "another-model"},
		nebula.Planned{Plan: nebula.Plan{ID: "p", Name: long, Goal: long, Status: nebula.InProgress, Why: nebula.Code(long), Steps: []nebula.PlanStep{
			{ID: "1", Name: long, Description: long, Status: nebula.InProgress, Began: noon.Add(-1e12), DependsOn: []string{"1"}}}}},
		nebula.Tasked{Plan: "p", Step: "1", Number: 1, Of: 2, Task: nebula.Task{Reason: long}},
		nebula.Reported{Title: long, Report: nebula.Report{Status: nebula.StageFailed, Summary: long, Cause: nebula.Code(long), Next: []string{long}}},
		nebula.Retried{Cause: nebula.Code(long)}, nebula.Noted{Level: "error", Text: long},
	} {
		a.view.fold(nebula.Event{At: noon, Body: b})
	}
	for _, b := range a.view.blocks {
		b.open = true
	}
	a.queue, a.pending, a.hint = []string{long}, []string{long}, fmt.Sprint(long)
	return a
}

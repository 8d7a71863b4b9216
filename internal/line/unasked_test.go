package line

import (
	"strings"
	"testing"
	"time"

	"nebula"
)

// What an earlier "always" lets through is printed all the same, up to a bound; what policy lets through is one line.
func TestAnEditThatAnAlwaysCoversIsPrinted(t *testing.T) {
	run := func(why nebula.Code, diff string) string {
		v := newView(wordsFor("en"), palette{}, false, time.Time{})
		p := nebula.Proposal{Action: nebula.Action{ID: "a1", Tool: "editFile"}, Effect: nebula.Write, Summary: "a.txt +1", Diff: diff}
		v.fold(nebula.Event{Seq: 1, Body: nebula.Proposed{Proposal: p, Verdict: nebula.Verdict{Ruling: nebula.Allow, Why: why}}})
		v.fold(nebula.Event{Seq: 2, Body: nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "editFile", Status: nebula.Done, Summary: "a.txt +1"}}})
		return strings.Join(v.lines, "\n")
	}
	const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+what nobody was asked about\n"
	for why, want := range map[nebula.Code]bool{"allowed_before": true, "approve_edits": false} {
		if got := run(why, diff); strings.Contains(got, "what nobody was asked about") != want {
			t.Errorf("%s:\n%s", why, got)
		}
	}
	if got := run("allowed_before", strings.ReplaceAll(diff, "one\n", strings.Repeat("one\n ", 60)+"one\n")); strings.Count(got, "\n") > 45 || !strings.Contains(got, "more lines") {
		t.Errorf("%s", got)
	}
}

// What a model says steers no terminal, whatever its lines look like.
func TestAnAnswerSteersNoTerminal(t *testing.T) {
	v := newView(wordsFor("en"), palette{}, false, time.Time{})
	for _, line := range []string{"a\x1b[2Jb", "# a\x1b]0;t\x07b", "- a\x1b[31m", "| a\x1b[1m | b |", "```\na\x1b[2J\n```", "`a\x1b[2J`", "[a\x1b[2J](http://x\x1b[2J)"} {
		v.fold(nebula.Event{Body: nebula.Streamed{Kind: "text", Text: line + "\n"}})
	}
	v.fold(nebula.Event{Seq: 1, Body: nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone, Text: "x\x1b[2J", ChangedFiles: []string{"f\x1b[2J"}}}})
	if text := strings.Join(v.lines, "\n"); strings.ContainsAny(text, "\x1b\x07") {
		t.Errorf("%q", text)
	}
}

package record_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/record"
)

// What numbers and letters may look like needs no help to be read.
func TestNumbersAndEscapesAreReadQuickly(t *testing.T) {
	for text, want := range map[string]string{
		`\u00e9\u00E9\u3042\uabcd`: "éé\u3042\uabcd", `\uABCF\u00FA\u00af`: "\uabcf\u00fa\u00af", `\n\t\\\"\/`: "\n\t\\\"/", `\u0041\u007a`: "Az",
	} {
		got, ok := record.Quick("submitted", record.InForm(`{"turn":1,"text":"`+text+`"}`))
		if b, is := got.(nebula.Submitted); !ok || !is || b.Text != want {
			t.Errorf("%s is read as %#v, %v", text, got, ok)
		}
	}
	for _, c := range []string{"g", "G", "@", ":", "/", "`"} {
		if got, ok := record.Quick("submitted", record.InForm(`{"turn":1,"text":"\u00`+c+`0"}`)); ok {
			t.Errorf("%s is read as %#v", c, got)
		}
	}
	for _, n := range []string{"0", "-0.5", "1e-5", "1E+5", "1e5", "12.25e-1"} {
		var want float64
		if err := json.Unmarshal([]byte(n), &want); err != nil {
			t.Fatal(err)
		}
		got, ok := record.Quick("replied", record.InForm(`{"turn":1,"step":1,"protocol":"p","reply":{"usage":{"input_tokens":1,"cached_tokens":0,"output_tokens":0,"cost_usd":`+n+`}},"intent":{}}`))
		if b, is := got.(nebula.Replied); !ok || !is || b.Reply.Usage.Cost != want {
			t.Errorf("%s is read as %#v, %v", n, got, ok)
		}
	}
	for _, n := range []string{"1e", "1e-", "1.", "-", "+1", ".5", "01"} {
		if got, ok := record.Quick("replied", record.InForm(`{"turn":1,"step":1,"protocol":"p","reply":{"usage":{"input_tokens":1,"cached_tokens":0,"output_tokens":0,"cost_usd":`+n+`}},"intent":{}}`)); ok {
			t.Errorf("%s is read as %#v", n, got)
		}
	}
}

// A folder's counts take files that were made or changed, and what was done.
func TestWhatAResultAddsToTheCounts(t *testing.T) {
	line, err := record.Begin(nebula.SessionInfo{ID: "s"})
	if err != nil {
		t.Fatal(err)
	}
	take := func(b nebula.Body) record.Added {
		t.Helper()
		e := nebula.Event{Seq: line.Seq + 1, At: time.Unix(1, 0), Body: b}
		records, err := record.Encode([]nebula.Event{e})
		if err != nil {
			t.Fatal(err)
		}
		a, err := line.Take(&records[0], e)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	done := nebula.Result{Status: nebula.Done, Changes: []nebula.Change{{Path: "a", Kind: "create"}, {Path: "b", Kind: "edit"}, {Path: "c", Kind: "delete"}, {Path: "d", Kind: "mkdir"}}}
	if got := take(nebula.Finished{Result: done}).Tally; got != (record.Tally{Files: 2, Done: 1}) {
		t.Errorf("%+v", got)
	}
	if got := take(nebula.Finished{Result: nebula.Result{Status: nebula.Failed}}).Tally; got != (record.Tally{}) {
		t.Errorf("%+v", got)
	}
	// Actions that were written as text stand where native calls would.
	textual := nebula.Replied{Intent: nebula.Intent{Actions: []nebula.Action{{ID: "a1", Tool: "list", Args: json.RawMessage(`{"path":"."}`)}}}}
	native := textual
	native.Reply.Parts = nebula.PartsOf("", "", nebula.Call{ID: "c1", Name: "read", Arguments: "{}"})
	for want, b := range map[string]nebula.Replied{`"name":"list"`: textual, `"name":"read"`: native} {
		if got := take(b).Messages[0].Calls; !strings.Contains(got, want) || strings.Count(got, `"name"`) != 1 {
			t.Errorf("%s", got)
		}
	}
	if got := take(nebula.Replied{}).Messages[0].Calls; got != "" {
		t.Errorf("a reply without calls has %s", got)
	}
}

// Where no file elsewhere is set, nothing is written and nothing is compared.
func TestWithoutAFileElsewhereNothingIsCompared(t *testing.T) {
	t.Chdir(t.TempDir())
	heads := record.NewHeads(t.TempDir(), "", "store")
	heads.Write("s", nebula.Head{Seq: 1})
	faults, err := record.Auditor{Heads: heads}.Elsewhere(t.Context())
	if made, _ := os.ReadDir("."); err != nil || len(faults)+len(made) > 0 || heads.Reaches() != nil {
		t.Errorf("%v, %v, %d files", faults, err, len(made))
	}
}

// What was written is what was noted: that, and only that, is whole; a file elsewhere holds a line for each end.
func TestEndsElsewhereAreComparedOneByOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ends")
	heads := record.NewHeads(t.TempDir(), file, "store")
	s := &store{data: &place{sessions: map[string]*kept{}, tallies: map[string]record.Tally{}, contents: map[string]*content{}, spoken: map[nebula.Spoken]nebula.Spoken{}}}
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "s", nebula.Event{Seq: 1, At: time.Unix(1, 0), Body: nebula.Noted{Text: "x"}}); err != nil {
		t.Fatal(err)
	}
	end, err := s.Head(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	audit := record.Auditor{Store: s, Heads: heads}
	heads.Write("s", end)
	if faults, err := audit.Elsewhere(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("whole: %v, %v", faults, err)
	}
	heads.Write("s", nebula.Head{Seq: 2, Link: end.Link})
	heads.Write("other", end)
	faults, err := audit.Elsewhere(t.Context())
	if data, _ := os.ReadFile(file); err != nil || len(faults) != 2 || strings.Count(string(data), "\n") != 3 {
		t.Errorf("%v, %v, of\n%s", faults, err, data)
	}
}

// A session that cannot be compared is an error, and no session that is whole.
func TestWhatCannotBeComparedIsAnError(t *testing.T) {
	heads := record.NewHeads(t.TempDir(), filepath.Join(t.TempDir(), "ends"), "store")
	heads.Write("s", nebula.Head{Seq: 1})
	s := &store{data: &place{sessions: map[string]*kept{}}}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if faults, err := (record.Auditor{Store: s, Heads: heads}).Elsewhere(t.Context()); err == nil {
		t.Errorf("%v of a store that is closed", faults)
	}
}

// What is within a body is read as strictly as the body: in another order it is left to whoever reads any order.
func TestFieldsWithinAreInTheirOrder(t *testing.T) {
	for usage, quick := range map[string]bool{
		`"input_tokens":1,"cached_tokens":0,"output_tokens":2,"cost_usd":0`: true, `"output_tokens":2,"input_tokens":1,"cached_tokens":0,"cost_usd":0`: false,
	} {
		text := record.InForm(`{"turn":1,"step":1,"protocol":"p","reply":{"usage":{` + usage + `}},"intent":{}}`)
		if _, ok := record.Quick("replied", text); ok != quick {
			t.Errorf("%s is read without help: %v", usage, ok)
		}
		if b, err := record.NewDecoder().Body("replied", text); err != nil || b.(nebula.Replied).Reply.Usage.Output != 2 {
			t.Errorf("%s: %#v, %v", usage, b, err)
		}
	}
}

// A body that cannot be written down is no record.
func TestWhatCannotBeEncodedIsNoRecord(t *testing.T) {
	half := nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a", Args: json.RawMessage(`{"a":`)}}}
	if got, err := record.Encode([]nebula.Event{{Seq: 1, Body: half}}); err == nil {
		t.Errorf("%+v", got)
	}
}

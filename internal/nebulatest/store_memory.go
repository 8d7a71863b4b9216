package nebulatest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
)

var memoryFacts = []fact{
	{"NotesBelongToAFolderOrToThePerson", notesBelong},
	{"EditedNotesKeepTheirMoment", notesKeepTheirMoment},
	{"TheRecordTellsCountsAndTheLastConversations", countsAndRecalls},
	{"RepliesAreCountedByModelServerProtocolAndDialect", countsReplies},
}

// turn records a short session of one turn.
func turn(t *testing.T, s nebula.Store, id, dir, request string, results ...nebula.Result) {
	t.Helper()
	create(t, s, id, dir)
	bodies := []nebula.Body{nebula.Submitted{Turn: 1, Text: request}}
	var files []string
	for _, r := range results {
		bodies = append(bodies, nebula.Finished{Result: r})
		for _, c := range r.Changes {
			files = append(files, c.Path)
		}
	}
	record(t, s, id, append(bodies, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone, ChangedFiles: files}})...)
}

// record adds a session's first events.
func record(t *testing.T, s nebula.Store, id string, bodies ...nebula.Body) {
	t.Helper()
	for i, b := range bodies {
		add(t, s, id, nebula.Event{Seq: int64(i) + 1, At: time.Unix(1_790_000_000, 0).UTC(), Body: b})
	}
}

func remembered(t *testing.T, s nebula.Store, dir, session string) nebula.Remembered {
	t.Helper()
	m, err := s.Memory(t.Context(), dir, session)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func notes(m nebula.Remembered) string {
	var lines []string
	for _, n := range m.Notes {
		lines = append(lines, n.Project+":"+n.Text)
	}
	return strings.Join(lines, " ")
}

func notesBelong(t *testing.T, s nebula.Store) {
	for _, n := range [][2]string{{"/a", "tabs"}, {"/b", "spaces"}, {"", "short answers"}, {"/a", "make check"}, {"/a", "tabs"}} {
		if err := s.Remember(t.Context(), n[0], n[1]); err != nil {
			t.Fatal(err)
		}
	}
	m := remembered(t, s, "/a", "")
	if got := notes(m); got != ":short answers /a:tabs /a:make check" {
		t.Errorf("got %q", got)
	}
	if err := s.Forget(t.Context(), m.Notes[1].ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Forget(t.Context(), m.Notes[1].ID); !errors.Is(err, nebula.ErrNoNote) {
		t.Errorf("forgotten twice: %v", err)
	}
	if got := notes(remembered(t, s, "/a", "")); got != ":short answers /a:make check" {
		t.Errorf("got %q", got)
	}
	if got := notes(remembered(t, s, "", "")); got != ":short answers" {
		t.Errorf("the person's own: %q", got)
	}
}

func notesKeepTheirMoment(t *testing.T, s nebula.Store) {
	for _, n := range []string{"one", "two"} {
		if err := s.Remember(t.Context(), "/a", n); err != nil {
			t.Fatal(err)
		}
	}
	before := remembered(t, s, "/a", "").Notes
	if err := s.Renote(t.Context(), "/a", []string{"three", "two"}); err != nil {
		t.Fatal(err)
	}
	after := remembered(t, s, "/a", "").Notes
	if len(after) != 2 || after[0].Text != "three" || after[1].Text != "two" || !after[1].At.Equal(before[1].At) {
		t.Errorf("before %v, after %v", before, after)
	}
}

func countsAndRecalls(t *testing.T, s nebula.Store) {
	edit := nebula.Result{Status: nebula.Done, Changes: []nebula.Change{{Path: "a", Kind: "create"}, {Path: "b", Kind: "edit"}, {Path: "c", Kind: "mkdir"}}}
	failed := nebula.Result{Status: nebula.Failed}
	for n := range 7 {
		turn(t, s, fmt.Sprintf("s%d", n), "/a", fmt.Sprintf("request %d", n), edit, failed)
	}
	turn(t, s, "other", "/b", "elsewhere", edit)
	m := remembered(t, s, "/a", "s5")
	if m.Sessions != 7 || m.Files != 14 || m.Done != 7 {
		t.Errorf("counts %+v", m)
	}
	var titles []string
	for _, r := range m.Recent {
		titles = append(titles, r.Title)
	}
	if got := strings.Join(titles, ","); got != "request 1,request 2,request 3,request 4,request 6" {
		t.Fatalf("recent %s", got)
	}
	if last := m.Recent[4]; last.Outcome != nebula.TurnDone || last.Files != 3 {
		t.Errorf("last %+v", last)
	}
	if all, err := s.Totals(t.Context()); err != nil || all.Sessions != 8 || all.Files != 16 {
		t.Errorf("in all %+v, %v", all, err)
	}
	if err := s.Remove(t.Context(), "s6"); err != nil {
		t.Fatal(err)
	}
	if m := remembered(t, s, "/a", ""); m.Sessions != 7 || m.Recent[4].Title != "request 5" {
		t.Errorf("a removed session takes its words and leaves the counts: %+v", m)
	}
	for n := range 7 { // nobody talked in these
		turn(t, s, fmt.Sprintf("%s%d", nebula.StepPrefix, n), "/a", "a step")
		turn(t, s, fmt.Sprintf("%s%d", nebula.PlanPrefix, n), "/a", "a plan")
	}
	if m := remembered(t, s, "/a", ""); len(m.Recent) != 5 || m.Recent[4].Title != "request 5" {
		t.Errorf("the steps of plans are remembered as conversations: %+v", m.Recent)
	}
	create(t, s, "cut", "/a")
	record(t, s, "cut", nebula.Submitted{Turn: 1, Text: "begin"}, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone}}, nebula.Submitted{Turn: 2, Text: "go on"})
	if m := remembered(t, s, "/a", ""); m.Recent[4].ID != "cut" || m.Recent[4].Outcome != "" {
		t.Errorf("a turn that did not end is remembered as %+v", m.Recent[4])
	}
}

func countsReplies(t *testing.T, s nebula.Store) {
	create(t, s, "s", "/a")
	action := []nebula.Action{{ID: "a1", Tool: "look", Args: []byte("{}")}}
	replied := func(dialect string, strategy nebula.Strategy, actions []nebula.Action, problems ...nebula.Problem) nebula.Replied {
		return nebula.Replied{Protocol: "symops", Server: "http://here/v1", Reply: nebula.Reply{Usage: nebula.Usage{Output: 10}},
			Intent: nebula.Intent{Dialect: dialect, Strategy: strategy, Actions: actions, Problems: problems}}
	}
	broken := replied("", nebula.Repaired, []nebula.Action{{ID: "a1", Tool: "look", Args: []byte("{}"), Problem: "cut"}})
	mine := replied("", nebula.Strict, action)
	mine.By = "person"
	record(t, s, "s",
		replied("", nebula.Strict, action), replied("", nebula.Repaired, nil), replied("", nebula.Strict, nil, nebula.Problem{Line: 1, Text: "no"}),
		replied("dml", nebula.Repaired, action), replied("", nebula.Corrected, action), broken, mine,
		nebula.Switched{Model: "n"}, replied("", nebula.Extracted, action))
	list, err := s.Spoken(t.Context(), "m", "http://here/v1")
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	own := nebula.Spoken{Model: "m", Server: "http://here/v1", Protocol: "symops", Replies: 5, Strict: 1, Repaired: 1, Corrected: 1, Failed: 2, Actions: 2, Tokens: 20}
	other := nebula.Spoken{Model: "m", Server: "http://here/v1", Protocol: "symops", Dialect: "dml", Replies: 1, Repaired: 1, Actions: 1, Tokens: 10}
	if list[0] != own || list[1] != other {
		t.Errorf("%+v", list)
	}
	if all, err := s.Spoken(t.Context(), "", ""); err != nil || len(all) != 3 || all[2].Model != "n" || all[2].Extracted != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if none, err := s.Spoken(t.Context(), "m", "http://there/v1"); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}

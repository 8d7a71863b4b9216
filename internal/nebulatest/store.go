package nebulatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
)

// TestStore checks that what open gives keeps the promises of [nebula.Store]. Open gives a store of what is kept at a
// place, which is empty at first; a place may be opened several times.
func TestStore(t *testing.T, open func(t *testing.T, place string) nebula.Store) {
	for _, facts := range [][]fact{sessionFacts, contentFacts, planFacts, memoryFacts, auditFacts} {
		for _, f := range facts {
			t.Run(f.name, func(t *testing.T) { f.check(t, open(t, t.TempDir())) })
		}
	}
	for _, f := range sharedFacts {
		t.Run(f.name, func(t *testing.T) {
			place := t.TempDir()
			f.check(t, func() nebula.Store { return open(t, place) })
		})
	}
}

// A fact is what holds for every store.
type fact struct {
	name  string
	check func(*testing.T, nebula.Store)
}

var sessionFacts = []fact{
	{"LoadGivesBackWhatAppendTook", loadsWhatWasAppended},
	{"AppendWithAWrongSeqKeepsNothing", wrongSeqKeepsNothing},
	{"TransientEventsAreRefused", refusesTransient},
	{"AnIdIsTakenOnce", takesAnIDOnce},
	{"SessionsAreListedNewestFirst", listsNewestFirst},
	{"SessionsAreAFolders", listsOneFolder},
	{"StepsAreNotAmongThoseThatPeopleTalkIn", listsSteps},
	{"ASessionsLineFollowsItsEvents", lineFollowsEvents},
	{"FindTakesAUniquePrefix", findsByPrefix},
	{"UnknownSessionsAreSaid", saysUnknown},
	{"RemoveTakesEverything", removesEverything},
	{"LockIsOneHolders", locksOnce},
	{"WritersDoNotBlockEachOther", writesConcurrently},
	{"LoadCanBeLeftAndAppendedDuring", appendsDuringLoad},
	{"ACancelledContextKeepsNothing", cancelledKeepsNothing},
}

// EveryEvent is one event of each type that is stored, with every kind of field set.
func EveryEvent() []nebula.Event {
	half, exit := 0.5, 1
	goal, list := "ship it", []string{"a", "b"}
	action := nebula.Action{
		ID: "a1", Call: "call_1", Tool: "writeFile", Args: json.RawMessage(`{"path":"x.go","content":"a<b && c>d\n\u0000"}`),
		Reason: "because", DependsOn: list, Confidence: 0.9, Inferred: true, Repairs: list, Problem: "none",
		Points: &nebula.Points{Intent: "i", Rationale: "r", Impact: []nebula.Code{"a", "b"}, Alternatives: []nebula.Code{"c"}}, Src: nebula.Span{Start: 1, End: 2, Line: 3},
	}
	changes := []nebula.Change{{Path: "x.go", Kind: "edit", Before: nebula.Hash([]byte("b")), After: nebula.Hash([]byte("a")), ModeBefore: 0o644, ModeAfter: 0o755}}
	image := []nebula.Image{{Type: "image/png", Data: []byte{0, 1, 255}}}
	call := []nebula.Call{{ID: "call_1", Name: "write", Arguments: `{"broken`}}
	opaque := &nebula.Opaque{Of: "p", Value: json.RawMessage(`{"signature":"<&> \u2028 =="}`)}
	parts := nebula.Parts{
		{Kind: nebula.ReasoningPart, Text: "r", Opaque: opaque}, {Kind: nebula.TextPart, Text: "t"}, {Kind: nebula.CallPart, Call: &call[0], Opaque: opaque},
		{Kind: nebula.TextPart, Text: "u"}, {Kind: nebula.OpaquePart, Opaque: opaque},
	}
	data := nebula.Part{Kind: nebula.DataPart, Data: json.RawMessage(`{"a":[1,2]}`)}
	intent := nebula.Intent{
		Say: "日本語 \u2028 😀 \"quoted\" \\ / \t\r\n", Thoughts: list, Vitals: nebula.Vitals{Confidence: &half, Mood: &half},
		Decision:  &nebula.Decision{Rationale: "r", NextStep: "done", StateDelta: &nebula.Delta{Goal: &goal, Constraints: &list, Decided: list}},
		Questions: []nebula.Question{{Text: "?", Options: list}}, Errors: list, Actions: []nebula.Action{action},
		Repairs: []nebula.Repair{{Name: "fence", Line: 2}}, Problems: []nebula.Problem{{Line: 1, Text: "t", Hint: "h"}},
		Strategy: nebula.Repaired, Confidence: 0.25, Dialect: "dml",
	}
	usage := nebula.Usage{Input: 10, Cached: 5, Written: 2, Output: 3, Reasoning: 1, Cost: 0.000125}
	proposal := nebula.Proposal{
		Action: action, Effect: nebula.Write, Summary: "s", Diff: "-a\n+b\n", Command: "go test",
		Targets: []nebula.Target{{Path: "x.go", Hash: "h", Kind: "edit", Add: 1, Del: 2, Size: 1 << 40, Was: 4}},
	}
	result := nebula.Result{
		Action: "a1", Call: "call_1", Tool: "writeFile", Status: nebula.Done, Text: "ok", Summary: "s", Changes: changes,
		Seen: []nebula.FileRef{{Path: "x.go", Hash: "h"}}, Exit: &exit, Took: 12,
		Images: image, Data: data.Data, Tests: &nebula.TestReport{Command: "go test", Passed: 1, Failed: -1, OK: true},
	}
	bodies := []nebula.Body{
		nebula.Started{Session: "s", Dir: "/d", Model: "m", Protocol: "auto", Mode: nebula.AgentMode, Lang: "ja", Resumed: true},
		nebula.Submitted{Turn: 1, Text: "do\nit", Images: image, Steer: true},
		nebula.Retried{Attempt: 1, After: 20, Cause: "429"},
		nebula.Replied{Turn: 1, Step: 1, Protocol: "toolcall", Intent: intent,
			Reply: nebula.Reply{Parts: nebula.PartsOf("r", "t", call...), Finish: "stop", Usage: usage, Model: "m"}},
		nebula.Proposed{Proposal: proposal, Verdict: nebula.Verdict{Ruling: nebula.Allow, Why: "w", Risk: "low", Risks: []nebula.Code{"a", nebula.NewCode("b", "c")}}},
		nebula.Asked{Ask: "q1", Action: "a1", Question: &nebula.Question{Text: "?"}, Digest: "d"},
		nebula.Answered{Ask: "q1", Answer: nebula.Yes, Text: "はい", By: nebula.Person},
		nebula.Began{Action: "a1", Grant: "g", By: nebula.Person},
		nebula.Finished{Result: result},
		nebula.Observed{Messages: []nebula.Message{
			{Role: nebula.Assistant, Parts: parts},
			{Role: nebula.ToolRole, CallID: "call_1", Parts: append(nebula.Text("ok"), append(nebula.Pictures(image...), data)...)},
		}},
		nebula.Switched{Mode: nebula.PlanMode, Model: "m2", Protocol: "dml", Approve: "ask", Why: "w"},
		nebula.Undone{Turn: 1, Redo: true, Changes: changes},
		nebula.Noted{Level: "warning", Text: "n"},
		nebula.Ended{Outcome: nebula.Outcome{
			Session: "s", Turn: 1, Status: nebula.TurnDone, Text: "t", Mode: nebula.AgentMode, Model: "m", Protocol: "p", Steps: 2,
			Actions:      []nebula.ActionLine{{ID: "a1", Tool: "t", Args: json.RawMessage(`{}`), Reason: "r", Status: nebula.Failed, Summary: "s"}},
			ChangedFiles: list, Plan: &nebula.Plan{ID: "p", Steps: []nebula.PlanStep{{ID: "s", Verify: nebula.Verify{Tests: true}}}, Changed: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)}, Usage: usage,
		}},
		nebula.Closed{},
	}
	at := time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC)
	events := make([]nebula.Event, len(bodies))
	for i, b := range bodies {
		events[i] = nebula.Event{Seq: int64(i + 1), At: at.Add(time.Duration(i) * time.Second), Body: b}
	}
	return events
}

func create(t *testing.T, s nebula.Store, id, dir string) {
	t.Helper()
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: dir, Model: "m", Started: time.Unix(1000, 0)}); err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, s nebula.Store, id string, events ...nebula.Event) {
	t.Helper()
	if err := s.Append(t.Context(), id, events...); err != nil {
		t.Fatal(err)
	}
}

func note(seq int64, text string) nebula.Event {
	return nebula.Event{Seq: seq, At: time.Unix(2000+seq, 0).UTC(), Body: nebula.Noted{Level: "info", Text: text}}
}

func load(t *testing.T, s nebula.Store, id string) (events []nebula.Event) {
	t.Helper()
	for e, err := range s.Load(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func loadsWhatWasAppended(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	want := EveryEvent()
	add(t, s, "one", want[:1]...)
	add(t, s, "one", want[1:4]...)
	add(t, s, "one", want[4:]...)
	got := load(t, s, "one")
	if len(got) != len(want) {
		t.Fatalf("%d events came back of %d", len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("event %d came back as\n%#v\nnot\n%#v", i+1, got[i], want[i])
		}
	}
}

func wrongSeqKeepsNothing(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	add(t, s, "one", note(1, "a"), note(2, "b"))
	for _, seq := range []int64{0, 1, 2, 4} {
		if err := s.Append(t.Context(), "one", note(seq, "x"), note(seq+1, "y")); !errors.Is(err, nebula.ErrInUse) {
			t.Errorf("seq %d after 2: %v", seq, err)
		}
	}
	if err := s.Append(t.Context(), "one", note(3, "x"), note(5, "y")); err == nil {
		t.Error("a gap inside a batch was taken")
	}
	if got := load(t, s, "one"); len(got) != 2 {
		t.Errorf("%d events after refused batches, not 2", len(got))
	}
	add(t, s, "one", note(3, "c"))
}

func refusesTransient(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	err := s.Append(t.Context(), "one", note(1, "a"), nebula.Event{Seq: 2, Body: nebula.Streamed{Kind: "text", Text: "x"}})
	if err == nil || len(load(t, s, "one")) != 0 {
		t.Errorf("a transient event was kept (%v)", err)
	}
}

func listsNewestFirst(t *testing.T, s nebula.Store) {
	for i := range 5 {
		create(t, s, fmt.Sprint("s", i), "/d")
	}
	add(t, s, "s3", note(1, "x"))
	e := note(1, "y")
	e.At = e.At.Add(time.Hour)
	add(t, s, "s1", e)
	list, err := s.Sessions(t.Context(), "/d")
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, l := range list {
		ids = append(ids, l.ID)
	}
	if want := []string{"s1", "s3", "s4", "s2", "s0"}; !slices.Equal(ids, want) {
		t.Errorf("listed %v, not %v", ids, want)
	}
}

func listsOneFolder(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	create(t, s, "two", "/d/sub")
	for dir, want := range map[string]int{"/d": 1, "/d/sub": 1, "/e": 0, "": 2} {
		list, err := s.Sessions(t.Context(), dir)
		if err != nil || len(list) != want {
			t.Errorf("%q lists %d sessions, not %d (%v)", dir, len(list), want, err)
		}
	}
}

func lineFollowsEvents(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	at := time.Date(2026, 1, 1, 0, 0, 0, 5, time.UTC)
	step := func(seq int64, b nebula.Body) nebula.SessionInfo {
		t.Helper()
		add(t, s, "one", nebula.Event{Seq: seq, At: at.Add(time.Duration(seq) * time.Second), Body: b})
		info, err := s.Find(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		if !info.Last.Equal(at.Add(time.Duration(seq) * time.Second)) {
			t.Errorf("last is %v after event %d", info.Last, seq)
		}
		return info
	}
	step(1, nebula.Started{Session: "one", Model: "m1"})
	info := step(2, nebula.Submitted{Turn: 1, Text: "  first\n request " + strings.Repeat("長", 500)})
	if !strings.HasPrefix(info.Title, "first request 長") || strings.Contains(info.Title, "\n") || len(info.Title) > 400 {
		t.Errorf("title %q", info.Title)
	}
	step(3, nebula.Replied{Reply: nebula.Reply{Parts: nebula.Text("x")}})
	step(4, nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text("x")}, {Role: nebula.ToolRole, Parts: nebula.Text("y")}}})
	info = step(5, nebula.Submitted{Turn: 2, Text: "second"})
	if info.Messages != 4 || !strings.HasPrefix(info.Title, "first") {
		t.Errorf("%d messages, title %q", info.Messages, info.Title)
	}
	if info = step(6, nebula.Switched{Model: "m2"}); info.Model != "m2" || !info.Ended.IsZero() {
		t.Errorf("model %s, ended %v", info.Model, info.Ended)
	}
	if info = step(7, nebula.Closed{}); !info.Ended.Equal(at.Add(7 * time.Second)) {
		t.Errorf("closed, but ended is %v", info.Ended)
	}
	if info = step(8, nebula.Started{Session: "one", Model: "m2", Resumed: true}); !info.Ended.IsZero() {
		t.Errorf("open again, but ended is %v", info.Ended)
	}
	if !info.Started.Equal(time.Unix(1000, 0)) || info.Dir != "/d" {
		t.Errorf("started %v in %s", info.Started, info.Dir)
	}
}

func findsByPrefix(t *testing.T, s nebula.Store) {
	for _, id := range []string{"abc", "abd", "abd1", "xyz", "x%_"} {
		create(t, s, id, "/d")
	}
	for prefix, want := range map[string]string{"abc": "abc", "abd": "abd", "abd1": "abd1", "xy": "xyz", "x%": "x%_"} {
		if info, err := s.Find(t.Context(), prefix); err != nil || info.ID != want {
			t.Errorf("%q found %q, not %q (%v)", prefix, info.ID, want, err)
		}
	}
	var several *nebula.Ambiguous
	if _, err := s.Find(t.Context(), "ab"); !errors.As(err, &several) || !slices.Equal(several.IDs, []string{"abc", "abd", "abd1"}) {
		t.Errorf("an ambiguous prefix says %v", err)
	}
	for _, none := range []string{"", "q", "abcd", "ABC", "%"} {
		if _, err := s.Find(t.Context(), none); !errors.Is(err, nebula.ErrNoSession) {
			t.Errorf("%q: %v", none, err)
		}
	}
}

func saysUnknown(t *testing.T, s nebula.Store) {
	if err := s.Append(t.Context(), "none", note(1, "x")); !errors.Is(err, nebula.ErrNoSession) {
		t.Errorf("append: %v", err)
	}
	if err := s.Remove(t.Context(), "none"); !errors.Is(err, nebula.ErrNoSession) {
		t.Errorf("remove: %v", err)
	}
	for _, err := range s.Load(t.Context(), "none") {
		if !errors.Is(err, nebula.ErrNoSession) {
			t.Errorf("load: %v", err)
		}
		return
	}
	t.Error("load of an unknown session gave nothing")
}

func removesEverything(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	create(t, s, "two", "/d")
	hash, err := s.Keep(t.Context(), []byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	add(t, s, "one", finished(hash))
	add(t, s, "two", note(1, "stays"))
	if err := s.Remove(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(t.Context(), "one"); !errors.Is(err, nebula.ErrNoSession) {
		t.Errorf("found after removal: %v", err)
	}
	if _, err := s.Content(t.Context(), hash); err == nil {
		t.Error("a content that nothing names stayed")
	}
	if len(load(t, s, "two")) != 1 {
		t.Error("another session lost its events")
	}
	create(t, s, "one", "/d")
	add(t, s, "one", note(1, "anew"))
}

// finished is the first event of a session that deleted a file.
func finished(hash string) nebula.Event {
	changes := []nebula.Change{{Path: "x", Kind: "delete", Before: hash}}
	return nebula.Event{Seq: 1, At: time.Unix(3000, 0).UTC(), Body: nebula.Finished{Result: nebula.Result{Action: "a", Changes: changes}}}
}

func locksOnce(t *testing.T, s nebula.Store) {
	create(t, s, "one/../x", "/d")
	create(t, s, "two", "/d")
	unlock, err := s.Lock(t.Context(), "one/../x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lock(t.Context(), "one/../x"); !errors.Is(err, nebula.ErrInUse) {
		t.Errorf("locked twice: %v", err)
	}
	if err := s.Remove(t.Context(), "one/../x"); !errors.Is(err, nebula.ErrInUse) {
		t.Errorf("removed while locked: %v", err)
	}
	other, err := s.Lock(t.Context(), "two")
	if err != nil {
		t.Fatal(err)
	}
	other()
	unlock()
	again, err := s.Lock(t.Context(), "one/../x")
	if err != nil {
		t.Fatalf("not free after unlock: %v", err)
	}
	again()
}

func writesConcurrently(t *testing.T, s nebula.Store) {
	const writers, each = 4, 25
	var wg sync.WaitGroup
	for w := range writers {
		id := fmt.Sprint("w", w)
		create(t, s, id, "/d")
		wg.Go(func() {
			for i := range each {
				if err := s.Append(context.Background(), id, note(int64(i+1), "x")); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for w := range writers {
		if got := load(t, s, fmt.Sprint("w", w)); len(got) != each {
			t.Errorf("writer %d has %d events, not %d", w, len(got), each)
		}
	}
}

func appendsDuringLoad(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	const many = 2000
	events := make([]nebula.Event, many)
	for i := range events {
		events[i] = note(int64(i+1), strings.Repeat("x", 300))
	}
	add(t, s, "one", events...)
	seen := int64(0)
	for e, err := range s.Load(t.Context(), "one") {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq == 1 || e.Seq == many/2 {
			add(t, s, "one", note(many+1+seen/(many/2-1), "more"))
		}
		if seen++; e.Seq != seen {
			t.Fatalf("event %d came in place %d", e.Seq, seen)
		}
		if seen == many*3/4 {
			break
		}
	}
	if got := load(t, s, "one"); len(got) != many+2 {
		t.Errorf("%d events, not %d", len(got), many+2)
	}
}

func cancelledKeepsNothing(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Append(ctx, "one", note(1, "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
	for _, err := range s.Load(ctx, "one") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("load: %v", err)
		}
	}
	if got := load(t, s, "one"); len(got) != 0 {
		t.Errorf("%d events", len(got))
	}
}

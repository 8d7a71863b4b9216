package sqlite_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/record"
	"nebula/internal/sqlite"
)

// turn is what one request of a working day leaves: a question, a call, its result, an answer. Eight events, four
// messages, about four kilobytes.
func turn(n int, seq int64) []nebula.Event {
	id := fmt.Sprintf("a%d", n)
	args, _ := json.Marshal(map[string]string{"path": fmt.Sprintf("internal/part%d/file.go", n%50), "reason": "see how it is done"})
	action := nebula.Action{ID: id, Call: "call_" + id, Tool: "readFile", Args: args, Reason: "see how it is done", Confidence: 1}
	file := strings.Repeat("func (s *Server) handle(w http.ResponseWriter, r *http.Request) {\n\tif err := s.do(r); err != nil && r.Method != \"GET\" {\n", 6)
	prose := strings.Repeat("The handler checks the request's method first and answers what it cannot do. ", 3)
	usage := nebula.Usage{Input: 12000 + n, Cached: 11000, Output: 200, Cost: 0.0012}
	bodies := []nebula.Body{
		nebula.Submitted{Turn: n, Text: "How does the handler treat errors, and is 日本語 fine in paths?"},
		nebula.Replied{Turn: n, Step: 1, Protocol: "toolcall",
			Reply:  nebula.Reply{Parts: nebula.PartsOf("", "I will look.", nebula.Call{ID: "call_" + id, Name: "readFile", Arguments: string(args)}), Finish: "tool_calls", Usage: usage, Model: "gpt-4.1-nano"},
			Intent: nebula.Intent{Say: "I will look.", Actions: []nebula.Action{action}, Strategy: nebula.Strict, Confidence: 1}},
		nebula.Proposed{Proposal: nebula.Proposal{Action: action, Effect: nebula.Read, Summary: "read file.go",
			Targets: []nebula.Target{{Path: "internal/part/file.go", Hash: nebula.Hash(args), Kind: "read", Size: 700}}}, Verdict: nebula.Verdict{Ruling: nebula.Allow, Why: "reads are free", Risk: "low"}},
		nebula.Began{Action: id, By: "policy: reads are free"},
		nebula.Finished{Result: nebula.Result{Action: id, Call: "call_" + id, Tool: "readFile", Status: nebula.Done, Text: file, Summary: "read 12 lines",
			Seen: []nebula.FileRef{{Path: "internal/part/file.go", Hash: nebula.Hash(args)}}, Took: 1}},
		nebula.Observed{Messages: []nebula.Message{
			{Role: nebula.Assistant, Parts: nebula.PartsOf("", "I will look.", nebula.Call{ID: "call_" + id, Name: "readFile", Arguments: string(args)})},
			{Role: nebula.ToolRole, CallID: "call_" + id, Parts: nebula.Text(file)}}},
		nebula.Replied{Turn: n, Step: 2, Protocol: "toolcall", Reply: nebula.Reply{Parts: nebula.Text(prose), Finish: "stop", Usage: usage, Model: "gpt-4.1-nano"},
			Intent: nebula.Intent{Say: prose, Strategy: nebula.Strict, Confidence: 1}},
		nebula.Ended{Outcome: nebula.Outcome{Session: "long", Turn: n, Status: nebula.TurnDone, Text: prose, Mode: nebula.AgentMode, Model: "gpt-4.1-nano",
			Protocol: "toolcall", Steps: 2, Actions: []nebula.ActionLine{{ID: id, Tool: "readFile", Args: args, Reason: "see", Status: nebula.Done, Summary: "read"}}, Usage: usage}},
	}
	at := time.Unix(1_790_000_000, 0).Add(time.Duration(n) * time.Minute).UTC()
	events := make([]nebula.Event, len(bodies))
	for i, b := range bodies {
		events[i] = nebula.Event{Seq: seq + int64(i), At: at.Add(time.Duration(i) * time.Second), Body: b}
	}
	return events
}

// long makes a database with one session of 10,000 messages, 20,000 events.
func long(b testing.TB, path string) {
	s := open(b, path)
	if err := s.Create(b.Context(), nebula.SessionInfo{ID: "long", Dir: "/d", Model: "m"}); err != nil {
		b.Fatal(err)
	}
	seq, size := int64(1), 0
	for part := range 50 {
		var events []nebula.Event
		for n := range 50 {
			t := turn(part*50+n, seq)
			seq += int64(len(t))
			events = append(events, t...)
		}
		if part == 0 {
			j, _ := json.Marshal(events)
			size = len(j) * 50
		}
		if err := s.Append(b.Context(), "long", events...); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d events, %.1f MB", seq-1, float64(size)/1e6)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkLoad10000Messages(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nebula.db")
	long(b, path)
	s := open(b, path)
	took := []time.Duration{}
	for b.Loop() {
		begin := time.Now()
		events := make([]nebula.Event, 0, 20_000)
		for e, err := range s.Load(b.Context(), "long") {
			if err != nil {
				b.Fatal(err)
			}
			events = append(events, e)
		}
		if len(events) != 20_000 {
			b.Fatal(len(events))
		}
		took = append(took, time.Since(begin))
	}
	median(b, took)
}

func BenchmarkVerify10000Messages(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nebula.db")
	long(b, path)
	s := open(b, path)
	for b.Loop() {
		if err := (record.Auditor{Store: s}).Verify(b.Context(), "long"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "nebula.db"))
	if err := s.Create(b.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
		b.Fatal(err)
	}
	seq, n := int64(1), 0
	took := []time.Duration{}
	for b.Loop() {
		batch := turn(n, seq)[1:4] // a reply, its proposal, its beginning
		for i := range batch {
			batch[i].Seq = seq + int64(i)
		}
		begin := time.Now()
		if err := s.Append(b.Context(), "one", batch...); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
		seq, n = seq+3, n+1
	}
	median(b, took)
}

func BenchmarkKeep10KB(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "nebula.db"))
	data := []byte(strings.Repeat("if err != nil { return nil, err }\n", 300))
	n := 0
	for b.Loop() {
		n++
		if _, err := s.Keep(b.Context(), fmt.Appendf(data[:10_000], "%d", n)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenFresh(b *testing.B) {
	dir, n := b.TempDir(), 0
	took := []time.Duration{}
	for b.Loop() {
		n++
		begin := time.Now()
		s, err := sqlite.Open(b.Context(), filepath.Join(dir, fmt.Sprint(n), "nebula.db"), sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
		_ = s.Close()
	}
	median(b, took)
}

func BenchmarkOpenExisting(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nebula.db")
	long(b, path)
	took := []time.Duration{}
	for b.Loop() {
		begin := time.Now()
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
		_ = s.Close()
	}
	median(b, took)
}

// BenchmarkClose is the end of a run that wrote something: the log goes into the database.
func BenchmarkClose(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nebula.db")
	took := []time.Duration{}
	n := 0
	for b.Loop() {
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		n++
		if err := s.Create(b.Context(), nebula.SessionInfo{ID: fmt.Sprint(n), Dir: "/d", Model: "m"}); err != nil {
			b.Fatal(err)
		}
		if err := s.Append(b.Context(), fmt.Sprint(n), turn(1, 1)...); err != nil {
			b.Fatal(err)
		}
		begin := time.Now()
		_ = s.Close()
		took = append(took, time.Since(begin))
	}
	median(b, took)
}

func BenchmarkList10000Sessions(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nebula.db")
	s := open(b, path)
	for i := range 10_000 {
		id := fmt.Sprintf("20261121-%06d", i)
		if err := s.Create(b.Context(), nebula.SessionInfo{ID: id, Dir: "/home/someone/work/project", Model: "gpt-4.1-nano", Title: "Fix the bug in the handler of requests"}); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	s = open(b, path)
	took := []time.Duration{}
	for b.Loop() {
		begin := time.Now()
		list, err := s.Sessions(b.Context(), "/home/someone/work/project")
		if err != nil || len(list) != 10_000 {
			b.Fatal(len(list), err)
		}
		took = append(took, time.Since(begin))
	}
	median(b, took)
}

func median(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}

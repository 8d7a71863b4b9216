package postgres_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
)

// three are the events of a short step, from a Seq on.
func three(seq int64) []nebula.Event {
	at := time.Unix(2000, seq).UTC()
	return []nebula.Event{
		{Seq: seq, At: at, Body: nebula.Began{Action: "a1", Grant: "g", By: nebula.Person}},
		{Seq: seq + 1, At: at, Body: nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "t", Status: nebula.Done, Text: strings.Repeat("line of output\n", 20)}}},
		{Seq: seq + 2, At: at, Body: nebula.Observed{Messages: []nebula.Message{{Role: nebula.ToolRole, CallID: "c", Parts: nebula.Text(strings.Repeat("line of output\n", 20))}}}},
	}
}

// BenchmarkAppend is one append of three events beside pgbench's commit of one row, in turns, on one server that writes through to
// the disk; medians.
func BenchmarkAppend(b *testing.B) {
	server := nebulatest.NewPostgres(b, true)
	s := open(b, server.Database(b, "bench", "owner"))
	server.SQL(b, "bench", `CREATE TABLE row (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)`)
	begin(b, s, "one")
	seq := int64(1)
	for b.Loop() {
		var ours, theirs []float64
		for range 10 {
			began := time.Now()
			for range 100 {
				if err := s.Append(b.Context(), "one", three(seq)...); err != nil {
					b.Fatal(err)
				}
				seq += 3
			}
			ours = append(ours, float64(time.Since(began).Microseconds())/100)
			theirs = append(theirs, latency(b, server.Bench(b, "bench", "INSERT INTO row (text) VALUES ('a row');\n", "-t", "100")))
		}
		slices.Sort(ours)
		slices.Sort(theirs)
		b.ReportMetric(ours[5], "append-µs")
		b.ReportMetric(theirs[5], "pgbench-µs")
		if b.ReportMetric(ours[5]/theirs[5], "ratio"); ours[5] > 2*theirs[5] {
			b.Errorf("an append takes %.0f µs, more than twice the %.0f of a commit", ours[5], theirs[5])
		}
	}
}

var average = regexp.MustCompile(`latency average = ([0-9.]+) ms`)

// latency is what pgbench says that a transaction took, in microseconds.
func latency(b *testing.B, said string) float64 {
	b.Helper()
	m := average.FindStringSubmatch(said)
	if m == nil {
		b.Fatal(said)
	}
	ms, _ := strconv.ParseFloat(m[1], 64)
	return 1000 * ms
}

// BenchmarkOpen opens a session of 10,000 messages.
func BenchmarkOpen(b *testing.B) {
	server := nebulatest.NewPostgres(b, false)
	s := open(b, server.Database(b, "bench", "owner"))
	begin(b, s, "one")
	const messages = 10_000
	events := make([]nebula.Event, messages)
	for i := range events {
		at := time.Unix(2000, int64(i)).UTC()
		events[i] = nebula.Event{Seq: int64(i) + 1, At: at, Body: nebula.Observed{Messages: []nebula.Message{{Role: nebula.ToolRole, CallID: "c", Parts: nebula.Text(strings.Repeat("line of output\n", 20))}}}}
	}
	if err := s.Append(b.Context(), "one", events...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n := 0
		for _, err := range s.Load(b.Context(), "one") {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != messages {
			b.Fatalf("%d events", n)
		}
	}
	if took := b.Elapsed() / time.Duration(b.N); took > 150*time.Millisecond {
		b.Errorf("a session of %d messages opens in %v, more than 150ms", messages, took)
	}
}

// BenchmarkWriters is sixteen writers of a thousand messages each, behind a pool; none may be lost.
func BenchmarkWriters(b *testing.B) {
	server := nebulatest.NewPostgres(b, true)
	server.Database(b, "bench", "owner")
	s := open(b, server.Pool(b, 10)("bench", "owner"))
	const writers, each = 16, 1000
	round := 0
	for b.Loop() {
		round++
		began := time.Now()
		var wg sync.WaitGroup
		for w := range writers {
			id := fmt.Sprintf("r%dw%d", round, w)
			begin(b, s, id)
			wg.Go(func() {
				for i := range int64(each) {
					if err := s.Append(context.Background(), id, note(i+1, "a message")); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		b.ReportMetric(writers*each/time.Since(began).Seconds(), "messages/s")
		for w := range writers {
			if head, err := s.Head(b.Context(), fmt.Sprintf("r%dw%d", round, w)); err != nil || head.Seq != each {
				b.Errorf("a writer has %d messages, %v", head.Seq, err)
			}
		}
	}
}

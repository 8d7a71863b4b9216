//go:build unix

package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestManyReadersLoseNothing has many readers follow one session that streams, while others are open, and tells how late events
// came and what an idle session takes. bench/serve runs it with the numbers that it is meant to bear.
func TestManyReadersLoseNothing(t *testing.T) {
	many := func(name string, few int) int {
		n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(few)))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		t.Skip("starts a server in a process of its own")
	}
	readers, sessions := many("NEBULA_READERS", 8), many("NEBULA_SESSIONS", 4)
	s := newServed(t)
	s.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Text: strings.Repeat("a word and another ", 100), Pause: 20}
	}
	s.begins()
	id := s.opens("")
	before := s.resident()
	for range sessions {
		s.opens("")
	}
	idle := float64(s.resident()-before) / float64(sessions) / 1024
	var group sync.WaitGroup
	all, late := make([][]string, readers), make([][]time.Duration, readers)
	for i := range readers {
		group.Go(func() {
			all[i], _ = s.reads(t.Context(), id, 0, func(e nebula.Event) bool {
				if _, streamed := e.Body.(nebula.Streamed); streamed {
					late[i] = append(late[i], time.Since(e.At))
				}
				_, ended := e.Body.(nebula.Ended)
				return ended
			})
		})
	}
	if err := s.sends(id, "go", nebula.Submit{Text: "go"}); err != nil {
		t.Fatal(err)
	}
	group.Wait()
	kept, _ := s.reads(t.Context(), id, 0, ends)
	for i, got := range all {
		if !slices.Equal(got, kept) {
			t.Errorf("reader %d has %d events, the record %d", i, len(got), len(kept))
		}
	}
	took := slices.Sorted(slices.Values(slices.Concat(late...)))
	if len(kept) == 0 || len(took) < readers {
		t.Fatalf("%d events are kept, %d were streamed to %d readers", len(kept), len(took), readers)
	}
	t.Logf("%d readers, %d events streamed to them: p50 %v, p99 %v, longest %v; %d other sessions open, %.2f MB each",
		readers, len(took), took[len(took)/2], took[len(took)*99/100], took[len(took)-1], sessions, idle)
	if late := took[len(took)*99/100]; os.Getenv("NEBULA_READERS") != "" && (late > 100*time.Millisecond || idle > 1.5) { // of bench/serve alone: others may work on the machine
		t.Errorf("99 of 100 events may come 100ms late and an idle session take 1.5 MB; here it is %v and %.2f MB", late, idle)
	}
}

// resident is how many kilobytes of the server are in memory; 0 where the system does not tell.
func (s *served) resident() (kb int) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	_, _ = fmt.Sscan(rest, &kb)
	return kb
}

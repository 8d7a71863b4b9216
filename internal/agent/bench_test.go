package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
)

// BenchmarkStep is the time between a reply with a tool call and the next request, recording included, in a session
// that is already long.
func BenchmarkStep(b *testing.B) {
	for _, turns := range []int{1, 200} {
		b.Run(fmt.Sprintf("turn%d", turns), func(b *testing.B) {
			st := newStage(b)
			st.setup.Approve = gate.All
			st.setup.Limits.Steps = 0
			st.world.set("a", strings.Repeat("a line of the file\n", 50))
			var replied time.Time
			var took []time.Duration
			remaining := turns - 1 + b.N
			st.script.Piece = 1 << 20
			st.script.Before = func(context.Context, int) {
				if !replied.IsZero() {
					took = append(took, time.Since(replied))
				}
			}
			st.script.Answers = func(n int, _ nebula.Prompt) *nebula.Reply {
				r := reply("Done.")
				if n < remaining {
					r = reply("", call(fmt.Sprintf("c%d", n), "look", "path", "a"))
					st.world.set("a", fmt.Sprint(n, strings.Repeat("a line of the file\n", 50)))
				}
				replied = time.Now()
				return &r
			}
			b.ResetTimer()
			st.say("go", nil)
			b.StopTimer()
			took = took[max(0, len(took)-b.N):]
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/step-median")
		})
	}
}

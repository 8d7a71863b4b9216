package cli

import (
	"strings"
	"testing"

	"nebula/internal/aide"
	"nebula/internal/model"
)

// A report of an agent's is at most so long in any script, keeps its beginning, and says that it goes on; one that fits is as it is.
func TestReportsOfAgentsAreShort(t *testing.T) {
	s := &session{program: &program{env: func(string) string { return "" }}}
	for _, word := range []string{"a finding in a.go:12\n", "調べた結果は次のとおりです。\n", "🙂", "x"} {
		long := strings.Repeat(word, 20_000)
		short := s.shortened(long)
		kept, _, cut := strings.Cut(short, "…\n")
		if n := model.Estimate(kept); !cut || !strings.HasPrefix(long, kept) || n > aide.Summary || n < aide.Summary*9/10 {
			t.Errorf("%q: %d tokens are left", word, n)
		}
		if fits := strings.Repeat(word, 20); s.shortened(fits) != fits {
			t.Errorf("%q: what fits is cut", word)
		}
	}
}

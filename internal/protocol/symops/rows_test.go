package symops

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// samples are all replies that the package keeps: its cases and both sets of the corpus.
func samples(tb testing.TB) []string {
	var out []string
	for _, pattern := range []string{"testdata/cases/*.txtar", "testdata/corpus/*/*.txt", "testdata/holdout/*/*.txt"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			tb.Fatalf("no replies in %s: %v", pattern, err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			reply := string(raw)
			if strings.HasSuffix(file, ".txtar") {
				_, parts := sections(reply)
				reply = strings.ReplaceAll(parts["reply"], "␍", "\r")
			}
			out = append(out, reply)
		}
	}
	return out
}

// Every row of the automaton is there for a reply: without it, that one is read otherwise.
func TestEveryRowIsNeeded(t *testing.T) {
	replies := samples(t)
	want := make([]string, len(replies))
	for i, r := range replies {
		want[i] = dump(parseBy(r, nebulatest.Specs(), taught))
	}
	for i, r := range rows {
		without := index(slices.Delete(slices.Clone(rows), i, i+1))
		if !slices.ContainsFunc(replies, func(r string) bool {
			return dump(parseBy(r, nebulatest.Specs(), without)) != want[slices.Index(replies, r)]
		}) {
			t.Errorf("row %d is needed by no reply: %+v", i, r)
		}
	}
}

// Every price is pinned against that of what is wrong: where it is double or half, some reply is read otherwise.
func TestEveryPriceIsNeeded(t *testing.T) {
	replies := samples(t)
	want := make([]string, len(replies))
	for i, r := range replies {
		want[i] = dump(parseBy(r, nebulatest.Specs(), taught))
	}
	for _, p := range []price{strange, spoken} {
		for _, as := range []int32{2 * prices[p], prices[p] / 2} {
			other := *taught
			other.prices[p] = as
			if !slices.ContainsFunc(replies, func(r string) bool {
				return dump(parseBy(r, nebulatest.Specs(), &other)) != want[slices.Index(replies, r)]
			}) {
				t.Errorf("price %d can be %d instead of %d", p, as, prices[p])
			}
		}
	}
}

package sorting_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"nebula/internal/sorting"
)

func TestByIsAStableSort(t *testing.T) {
	type pair struct{ key, at int }
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	for n := range 200 {
		list := make([]pair, n)
		for i := range list {
			list[i] = pair{rand.IntN(n/3 + 1), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		if sorting.By(list, byKey); !slices.Equal(list, want) {
			t.Fatalf("%v, want %v", list, want)
		}
	}
}

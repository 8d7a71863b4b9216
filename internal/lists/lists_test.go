package lists_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"nebula/internal/lists"
)

func TestSortIsStable(t *testing.T) {
	type pair struct{ key, at int }
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	for n := range 200 {
		list := make([]pair, n)
		for i := range list {
			list[i] = pair{rand.IntN(n/3 + 1), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		if lists.Sort(list, byKey); !slices.Equal(list, want) {
			t.Fatalf("%v, want %v", list, want)
		}
	}
}

func TestDropIsDeleteFunc(t *testing.T) {
	odd := func(n int) bool { return n%2 == 1 }
	for n := range 40 {
		list := make([]int, n)
		for i := range list {
			list[i] = rand.IntN(9) + 1
		}
		other := slices.Clone(list)
		if got, want := lists.Drop(list, odd), slices.DeleteFunc(other, odd); !slices.Equal(got, want) || !slices.Equal(list, other) {
			t.Fatalf("%v and %v behind it, want %v and %v", got, list, want, other)
		}
	}
	if lists.Drop[[]int](nil, odd) != nil {
		t.Error("nothing became something")
	}
}

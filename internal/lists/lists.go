// Package lists does in few bytes of program what slices does: slices.SortFunc is made anew for each type that it sorts, ten thousand bytes a
// time, where this costs some hundred. It is as fast, for what it moves while it sorts are numbers.
package lists

import (
	"reflect"
	"slices"
)

// Sort sorts a list by a comparison, as slices.SortStableFunc does: what compares as equal stays in its order.
func Sort[T any](list []T, compare func(a, b T) int) {
	if len(list) > 1 {
		swap(swaps(len(list), func(i, j int32) int { return compare(list[i], list[j]) }), reflect.Swapper(list))
	}
}

//go:noinline
func swap(places []int32, in func(i, j int)) {
	for i, j := range places {
		in(i, int(j))
	}
}

// swaps says for each of n places, first to last, with which later one it has to be swapped to bring all in order.
func swaps(n int, compare func(i, j int32) int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		if c := compare(i, j); c != 0 {
			return c
		}
		return int(i - j)
	})
	for i, j := range order {
		for int(j) < i {
			j = order[j] // what stood there was swapped away
		}
		order[i] = j
	}
	return order
}

// Drop takes out of a list what out says and keeps the rest in its order, as slices.DeleteFunc does, in half the bytes for each type.
//
//go:noinline
func Drop[S ~[]E, E any](list S, out func(E) bool) S {
	kept := 0
	for i := range list {
		if !out(list[i]) {
			copy(list[kept:kept+1], list[i:i+1]) // a call, where an assignment is a move of each field
			kept++
		}
	}
	clear(list[kept:])
	return list[:kept]
}

// Insert is a list with others put in at a place, as slices.Insert makes it, in a tenth of the bytes for each type; the list itself stays as it is.
//
//go:noinline
func Insert[S ~[]E, E any](list S, at int, others ...E) S {
	return append(append(slices.Clip(list[:at]), others...), list[at:]...)
}

// Has reports whether a list has a value, as slices.Contains does: called, where that stands anew at each of five hundred places.
//
//go:noinline
func Has[S ~[]E, E comparable](list S, v E) bool { return slices.Contains(list, v) }

// Concat is the lists one behind the other, as slices.Concat makes it, called as well.
//
//go:noinline
func Concat[S ~[]E, E any](all ...S) S { return slices.Concat(all...) }

// Compact is that of slices, called as well.
//
//go:noinline
func Compact[S ~[]E, E comparable](list S) S { return slices.Compact(list) }

// Delete is, too.
//
//go:noinline
func Delete[S ~[]E, E any](list S, from, to int) S { return slices.Delete(list, from, to) }

// Equal is, too.
//
//go:noinline
func Equal[S ~[]E, E comparable](a, b S) bool { return slices.Equal(a, b) }

// Clone is, too.
//
//go:noinline
func Clone[S ~[]E, E any](list S) S { return slices.Clone(list) }

// Package sorting sorts lists that are short, in few bytes of program: slices.SortStableFunc is made anew for each type that it
// sorts, ten thousand bytes a time, where this costs some hundred. Long lists and hot ones are sorted by slices.
package sorting

import "sort"

// By sorts a list by a comparison, as slices.SortStableFunc does: what compares as equal stays in its order.
func By[T any](list []T, compare func(a, b T) int) {
	sort.Stable(sorter[T]{list, compare})
}

type sorter[T any] struct {
	list    []T
	compare func(a, b T) int
}

// Len implements sort.Interface.
func (s sorter[T]) Len() int { return len(s.list) }

// Less implements sort.Interface.
func (s sorter[T]) Less(i, j int) bool { return s.compare(s.list[i], s.list[j]) < 0 }

// Swap implements sort.Interface.
func (s sorter[T]) Swap(i, j int) { s.list[i], s.list[j] = s.list[j], s.list[i] }

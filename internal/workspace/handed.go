package workspace

// A handed value is in one hand at a time.
type handed[T any] chan T

func hand[T any](v T) handed[T] {
	s := make(handed[T], 1)
	s <- v
	return s
}

// with hands the value to do, which may change it.
func (s handed[T]) with(do func(v *T)) {
	v := <-s
	do(&v)
	s <- v
}

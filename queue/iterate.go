package queue

import "iter"

// iterate returns an iterator over the elements that take returns, until it fails.
func iterate[T any](take func() (T, bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			v, ok := take()
			if !ok || !yield(v) {
				return
			}
		}
	}
}

// drainWith calls f with up to limit elements that take returns, and returns how many.
func drainWith[T any](limit int, take func() (T, bool), f func(T)) (n int) {
	for n < limit {
		v, ok := take()
		if !ok {
			break
		}
		n++
		f(v)
	}
	return n
}

package queue

import "iter"

// each iterates over what a function takes, until it finds nothing.
func each[T any](take func() (T, bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			v, ok := take()
			if !ok || !yield(v) {
				return
			}
		}
	}
}

// drain hands to f what a function takes, up to limit times.
func drain[T any](limit int, take func() (T, bool), f func(T)) (n int) {
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

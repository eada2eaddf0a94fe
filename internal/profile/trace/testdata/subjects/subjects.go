// Package subjects has functions whose calls are known.
package subjects

var sink int

//go:noinline
func F(n int) int { sink += n; return n }

//go:noinline
func G(n int) int { return n + 1 }

// Fib calls itself: 177 times for 10.
func Fib(n int) int {
	if n < 2 {
		return n
	}
	return Fib(n-1) + Fib(n-2)
}

// Uneven calls F n times.
func Uneven(n int) {
	for range n {
		F(n)
	}
}

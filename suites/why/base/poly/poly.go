// Package poly iterates polynomials.
package poly

// A Quadratic is the polynomial a·x² + b·x + c.
type Quadratic struct{ A, B, C float64 }

// Orbit returns what is left of x after the polynomial was applied n times.
//
//go:noinline
func (q Quadratic) Orbit(x float64, n int) float64 {
	a, b, c := q.A, q.B, q.C
	for range n {
		x = (a*x+b)*x + c
	}
	return x
}

package poly

import (
	"math"
	"testing"
)

func TestOrbit(t *testing.T) {
	if got := (Quadratic{2, 1, -0.5}).Orbit(0.25, 2); math.Abs(got - -0.59375) > 1e-12 {
		t.Errorf("%v, want -0.59375", got)
	}
}

func BenchmarkOrbit(b *testing.B) {
	q, sum := Quadratic{-0.9, 0.1, 0.7}, 0.0
	for b.Loop() {
		sum += q.Orbit(0.3, 1000)
	}
}

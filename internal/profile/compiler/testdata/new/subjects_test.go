package subjects

import "testing"

var sink any

func BenchmarkAll(b *testing.B) {
	xs := make([]int, 64)
	for b.Loop() {
		t := mix(1, 2) + total(xs) + firstEight(xs) + lastOf(xs) + window(xs, 3) + biggest(xs) + moved(xs) + newName(xs)
		p := point(t)
		t += p.x + frames(t) + apply(xs) + same(xs) + picked(xs)
		t += calls(adder(t)) + Tree[int]{}.depth(3)
		if t < 0 {
			sink = t
		}
	}
}

func BenchmarkOther(b *testing.B) {
	for b.Loop() {
		otherOnly(b.N)
	}
}

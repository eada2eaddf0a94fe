package pipeline

import (
	"strconv"
	"testing"
)

func lines(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strconv.Itoa(1_000_000 + i*977)
	}
	return all
}

func TestSum(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 1000} {
		want := 0
		for _, l := range lines(n) {
			want += mix(number(l))
		}
		if got := Sum(lines(n)); got != want {
			t.Errorf("%d lines: %d, want %d", n, got, want)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	all := lines(2000)
	for b.Loop() {
		Sum(all)
	}
}

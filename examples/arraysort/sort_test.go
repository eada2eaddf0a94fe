package arraysort

import (
	"fmt"
	"slices"
	"sort"
	"testing"
)

var sizes = []int{10, 100, 1000, 10_000, 100_000}

func BenchmarkSlicesSort(b *testing.B) { measure(b, slices.Sort[[]int], newInputs) }
func BenchmarkSortInts(b *testing.B)   { measure(b, sort.Ints, newInputs) }
func BenchmarkSortSort(b *testing.B)   { measure(b, sortSort, newInputs) }

// BenchmarkCopy measures the part of an operation other than sorting.
func BenchmarkCopy(b *testing.B) { measure(b, func([]int) {}, newInputs) }

// BenchmarkSameInput shows the effect of a single input.
func BenchmarkSameInput(b *testing.B) {
	measure(b, slices.Sort[[]int], func(n int) *inputs { return makeInputs(n, 1) })
}

func sortSort(s []int) { sort.Sort(ascending(s)) }

// ascending is sort.Interface as programs wrote it before generics.
type ascending []int

func (s ascending) Len() int           { return len(s) }
func (s ascending) Less(i, j int) bool { return s[i] < s[j] }
func (s ascending) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// measure runs sub-benchmarks /n=… . The call by a function value is negligible
// beside sorting, and included in Copy.
func measure(b *testing.B, sort func([]int), inputs func(n int) *inputs) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			in := inputs(n)
			for b.Loop() {
				sort(in.take())
			}
		})
	}
}

func TestSorts(t *testing.T) {
	for name, sort := range map[string]func([]int){"slices.Sort": slices.Sort[[]int], "sort.Ints": sort.Ints, "sort.Sort": sortSort} {
		in := makeInputs(100, 3)
		for i := range 7 {
			before := slices.Clone(in.all[i%3])
			got := in.take()
			if !slices.Equal(got, before) {
				t.Fatalf("%s: take %d is not the input of its turn", name, i)
			}
			if sort(got); !slices.IsSorted(got) {
				t.Errorf("%s: not sorted: %v", name, got)
			}
			if !slices.Equal(in.all[i%3], before) || slices.IsSorted(before) {
				t.Fatalf("%s: the input itself was sorted", name)
			}
		}
	}
}

func TestInputs(t *testing.T) {
	for _, n := range sizes {
		in := newInputs(n)
		if len(in.all) < least || len(in.all)*n < ints-n {
			t.Errorf("n = %d: %d inputs", n, len(in.all))
		}
		if slices.Equal(in.all[0], in.all[1]) {
			t.Errorf("n = %d: the inputs are alike", n)
		}
		if !slices.Equal(in.all[0], newInputs(n).all[0]) {
			t.Errorf("n = %d: another run has other inputs", n)
		}
	}
}

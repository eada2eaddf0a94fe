package ycsb

import (
	"fmt"
	"math"
	"testing"
)

// TestZipf compares counts with the true distribution, rank by rank.
func TestZipf(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 31, 100, 5000, 40_000} {
		for _, theta := range []float64{0, 0.3, 0.99, 1, 1.5, 4, 20} {
			z := newZipf(n, theta)
			counts := make([]int, n)
			r := random{}
			r.start(21, n)
			for range 100_000 {
				counts[z.rank(&r)]++
			}
			sum := 0.0
			for i := n; i > 0; i-- {
				sum += math.Pow(float64(i), -theta)
			}
			checkDistribution(t, fmt.Sprintf("theta %v over %d", theta, n), counts, func(i int) float64 {
				return math.Pow(float64(i+1), -theta) / sum
			})
		}
	}
}

// TestZipfMasses: the distribution without any draw. What a cell is chosen for and how its
// ranks are rejected must give each rank its weight.
func TestZipfMasses(t *testing.T) {
	for _, n := range []uint64{1, 2, 100, 1000, 1 << 20, 1e9, 1 << 60} {
		for _, theta := range []float64{0, 0.5, 0.99, 1, 2} {
			z := newZipf(n, theta)
			chosen := make([]float64, len(z.cells))
			for i, c := range z.cells {
				keep := math.Ldexp(float64(c.keep), -64)
				chosen[i] += keep
				chosen[c.other] += 1 - keep
			}
			next := uint64(1)
			scale := chosen[0] // of rank 1, whose weight is 1
			for i, c := range z.cells {
				if c.first != next || c.width < 1 {
					t.Fatalf("theta %v over %d: cell %d begins at %d, want %d", theta, n, i, c.first, next)
				}
				next += c.width
				each := chosen[i] / float64(c.width) / scale
				if want := math.Pow(float64(c.first), -theta); math.Abs(each/want-1) > 1e-9+0x1p-60/chosen[i] {
					t.Errorf("theta %v over %d: rank %d weighs %.12g, want %.12g", theta, n, c.first, each, want)
				}
				if last := math.Pow(float64(c.first+c.width-1)/float64(c.first), -theta); c.sure > last {
					t.Errorf("theta %v over %d: ranks from %d are kept with %v, the last with %v", theta, n, c.first, c.sure, last)
				}
				if c.width > 1 && float64(c.width)/float64(c.first) > 1.0/16 {
					t.Errorf("theta %v over %d: the cell at %d has %d ranks", theta, n, c.first, c.width)
				}
			}
			if next != n+1 {
				t.Errorf("theta %v: cells end at %d, want %d", theta, next-1, n)
			}
			if len(z.cells) > 1100 {
				t.Errorf("theta %v over %d: %d cells", theta, n, len(z.cells))
			}
		}
	}
}

func TestScatter(t *testing.T) {
	sizes := []uint64{4096, 10_007, 1 << 16, 1<<16 + 1, 100_000}
	for n := uint64(1); n <= 300; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		s := newScatter(n)
		seen := make([]bool, n)
		for x := range n {
			y := s.permute(x)
			if y >= n || seen[y] {
				t.Fatalf("%d numbers: %d comes to %d, where another is or nothing", n, x, y)
			}
			seen[y] = true
		}
	}
	// The most popular ones are everywhere, and their neighbours elsewhere.
	const n = 1_000_000
	s := newScatter(n)
	var tenths, gaps [10]int
	for x := range uint64(2000) {
		y := s.permute(x)
		tenths[y*10/n]++
		gaps[(s.permute(x+1)+n-y)%n*10/n]++
	}
	checkDistribution(t, "places", tenths[:], func(int) float64 { return 0.1 })
	checkDistribution(t, "gaps", gaps[:], func(int) float64 { return 0.1 })
}

package ycsb

import (
	"math"
	"math/bits"
)

// scattered is the distribution zipfian-exact: Zipf's law over the records, with a
// configurable skew and scattered popular records.
type scattered struct {
	zipf  *zipf
	place scatter
	from  int64
}

func (l *scattered) next(r *random, last int64) int64 {
	for range redraws {
		record := l.from + int64(l.place.permute(l.zipf.rank(r)))
		if record <= last {
			return record
		}
	}
	return l.from + int64(r.below(uint64(last-l.from)+1))
}

// zipf draws ranks from 0 … n−1 by Zipf's law: rank i has weight (i+1)^-theta. It is
// exact but for rounding, for any theta from 0 on, and computes no power for 19 of
// 20 draws.
//
// Ranks are grouped into about 16·log2(n) cells whose ends differ by a sixteenth or
// less. A cell is chosen with the weight that it would have if all its ranks had the
// weight of the first; then one of its ranks is chosen uniformly and accepted with
// the ratio of the weights: von Neumann's rejection, see Devroye, "Non-Uniform Random Variate Generation" (Springer
// 1986), II.3. Cells are chosen by Walker's alias method, in the form of Vose,
// "A Linear Algorithm For Generating Random Numbers With a Given Distribution"
// (IEEE TSE 17, 1991). Setting it up takes microseconds whatever n is, since the
// sum of all weights is not needed.
type zipf struct {
	cells []cell
	theta float64
}

type cell struct {
	first, width uint64  // ranks, from 1
	sure         float64 // a rank is kept with this probability or a higher one
	keep         uint64  // of 2^64: the cell itself is chosen, else …
	other        uint64
}

func newZipf(n uint64, theta float64) *zipf {
	z := &zipf{theta: theta}
	var weights []float64
	for first := uint64(1); first <= n; {
		width := min(max(1, uint64(1)<<bits.Len64(first)>>5), n-first+1)
		last := first + width - 1
		z.cells = append(z.cells, cell{first: first, width: width, sure: math.Pow(float64(last)/float64(first), -theta)})
		weights = append(weights, float64(width)*math.Pow(float64(first), -theta))
		first += width
	}
	z.alias(weights)
	return z
}

// alias computes the other cell of each column, so that all columns have the same
// height.
func (z *zipf) alias(weights []float64) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	var low, high []int
	for i, w := range weights {
		weights[i] = w / sum * float64(len(weights))
		if weights[i] < 1 {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	for len(low) > 0 && len(high) > 0 {
		l, h := low[len(low)-1], high[len(high)-1]
		low = low[:len(low)-1]
		z.cells[l].keep, z.cells[l].other = uint64(math.Ldexp(weights[l], 64)), uint64(h)
		if weights[h] -= 1 - weights[l]; weights[h] < 1 {
			high = high[:len(high)-1]
			low = append(low, h)
		}
	}
	// Cells left over by rounding fill a column each.
	for _, i := range append(low, high...) {
		z.cells[i].keep, z.cells[i].other = math.MaxUint64, uint64(i)
	}
}

func (z *zipf) rank(r *random) uint64 {
	for {
		i, part := bits.Mul64(r.next(), uint64(len(z.cells)))
		c := &z.cells[i]
		// Without a branch, which would be mispredicted every other time.
		chosen := c.other
		if part < c.keep {
			chosen = i
		}
		c = &z.cells[chosen]
		rank := c.first + r.below(c.width)
		if u := r.unit(); u < c.sure || u < math.Pow(float64(rank)/float64(c.first), -z.theta) {
			return rank - 1
		}
	}
}

// scatter maps 0 … n−1 onto itself and separates neighbours by large distances. It is the same in every run, and so are the
// popular records.
type scatter struct {
	n, mask uint64
	half    uint
}

func newScatter(n uint64) scatter {
	width := bits.Len64(n - 1)
	return scatter{n: n, mask: 1<<width - 1, half: uint(width+1) / 2}
}

// permute maps numbers of as many bits as n needs. It maps results outside of 0 … n−1
// again until they are inside ("cycle walking": Black and Rogaway, "Ciphers with
// Arbitrary Finite Domains", CT-RSA 2002). Each step is a bijection: adding,
// multiplying by an odd number, and folding the upper half onto the lower one.
func (s *scatter) permute(x uint64) uint64 {
	for {
		x = (x + golden) * 0xd6e8feb86659fd93 & s.mask
		x ^= x >> s.half
		x = x * 0xff51afd7ed558ccd & s.mask
		x ^= x >> s.half
		x = x * 0xc4ceb9fe1a85ec53 & s.mask
		x ^= x >> s.half
		if x < s.n {
			return x
		}
	}
}

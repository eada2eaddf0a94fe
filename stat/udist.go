package stat

import "math"

// The null distribution of the Mann–Whitney statistic. moremath computes the
// same numbers; these tables give all of them at once, which Hodges–Lehmann
// needs, and are several times faster with ties. The tests compare the two.

// Samples up to these sizes get the exact distribution, as in moremath, so
// that p is the one that benchstat prints.
const (
	uExactLimit     = 50
	uTiesExactLimit = 25
)

// uNull gives two-sided p values of untied samples of m and n values.
type uNull struct {
	m, n int
	cdf  []float64 // P(U ≤ u) for 2u ≤ mn; nil above uExactLimit
}

// newUNull tabulates P(U ≤ u) by the recurrence of Mann & Whitney (1947) on
// counts: the largest of i+j values is an a, or a b and then above i a's.
// Counts stay below C(100, 50) and are only added, so they are exact to rounding.
// Time is about m²n²/4 additions.
func newUNull(m, n int) uNull {
	d := uNull{m: m, n: n}
	if m == 0 || n == 0 || m > uExactLimit || n > uExactLimit {
		return d
	}
	top := m * n / 2
	rows := make([][]float64, m+1) // rows[i][u]: orders of i a's and j b's with U = u
	for i := range rows {
		rows[i] = make([]float64, top+1)
		rows[i][0] = 1
	}
	for j := 1; j <= n; j++ {
		for i := 1; i <= m; i++ {
			end := min(i*j, top) + 1
			if end <= j {
				continue
			}
			from, to := rows[i-1][:end-j], rows[i][j:end]
			for u := range to {
				to[u] += from[u]
			}
		}
	}
	d.cdf = rows[m]
	total, sum := choose(m+n, m), 0.0
	for u, count := range d.cdf {
		sum += count
		d.cdf[u] = sum / total
	}
	return d
}

// p returns the two-sided p of the smaller U: exact, or the normal approximation
// with continuity correction.
func (d uNull) p(u int) float64 {
	if u < 0 {
		return 0
	}
	if 2*u >= d.m*d.n {
		return 1
	}
	if d.cdf != nil {
		return min(1, 2*d.cdf[u])
	}
	return uNormalP(float64(u), d.m, d.n, 0)
}

// critical returns the largest u whose p is at most alpha, and that p; -1 and 0 if
// not even the most extreme order is that rare.
func (d uNull) critical(alpha float64) (u int, p float64) {
	rejected := search((d.m*d.n+1)/2, func(u int) bool { return atMost(d.p(u), alpha) })
	return rejected - 1, d.p(rejected - 1)
}

// uNormalP returns the two-sided normal approximation for U, with the tie sum
// Σ(t³-t); not for values that are all equal.
func uNormalP(u float64, m, n int, ties float64) float64 {
	mn, all := float64(m)*float64(n), float64(m+n)
	sigma := math.Sqrt(mn * ((all + 1) - ties/(all*(all-1))) / 12)
	distance := max(0, math.Abs(u-mn/2)-0.5)
	return min(1, normalTail(distance/sigma))
}

// uTiedTail returns the smaller of P(U ≤ u) and P(U ≥ u) over all ways to pick m of
// the pooled values, where ranks2 are their doubled midranks in ascending order
// and twoU is 2u, u being the U of what is picked over the rest.
// It counts subsets by size and rank sum (the shift algorithm of Streitberg &
// Röhmel, 1986).
func uTiedTail(ranks2 []int, m, twoU int) float64 {
	all := len(ranks2)
	// The doubled ranks of k values add up to at least k(k+1); counts are
	// indexed by what is above that, at most 2k(all-k).
	k := min(m, all/2)
	width := 2*k*(all-k) + 1
	counts := make([][]float64, m+1)
	for k := range counts {
		counts[k] = make([]float64, width)
	}
	counts[0][0] = 1
	for i, r := range ranks2 {
		for k := min(i, m-1); k >= 0; k-- {
			shift := r - 2*(k+1) // from k(k+1) to (k+1)(k+2)
			addShifted(counts[k+1], counts[k], shift)
		}
	}
	lower, upper := 0.0, 0.0
	for s, c := range counts[m] {
		if s <= twoU {
			lower += c
		}
		if s >= twoU {
			upper += c
		}
	}
	return min(lower, upper) / choose(all, m)
}

// addShifted adds src, moved up by shift, to dst.
func addShifted(dst, src []float64, shift int) {
	if shift < 0 {
		src, shift = src[-shift:], 0
	}
	dst = dst[shift:] // shift ≤ 2·all-2 < width
	for s, c := range src[:min(len(src), len(dst))] {
		dst[s] += c
	}
}

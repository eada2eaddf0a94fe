package stat

import (
	"cmp"
	"math"
)

// The rank test of [Savage] and its null distribution.

// savageSteepness is the exponent of the scores. 0 would be the U test, 1 the scores of Savage (1956), and with ever
// larger ones only the best value counts. 1.5 was picked by simulation on forks of a busy machine and of a quiet one
// (lab/coverage): above it the quiet one loses, below it the busy one.
const savageSteepness = 1.5

// savageExactWork is the most additions for which the null distribution is tabulated: about a millisecond.
const savageExactWork = 1e6

// Scores are rounded to multiples of 1/K, so that sums of them are whole numbers that can be counted. K is as large as
// the work allows, between these.
const (
	savageFinest   = 512
	savageCoarsest = 32
)

// savageScores returns the scores of ranks 1 … n: rank r has Σ i^-1.5 over i = r … n.
func savageScores(n int) []float64 {
	scores := make([]float64, n)
	sum := 0.0
	for r := n; r >= 1; r-- {
		sum += math.Pow(float64(r), -savageSteepness)
		scores[r-1] = sum
	}
	return scores
}

// scoreNull is the null distribution of the sum of the scores of n values out of m+n: every choice of n ranks is as
// likely as any other.
type scoreNull struct {
	m, n   int
	scores []int     // of the ranks, in units of 1/K, descending
	le, ge []float64 // P(sum ≤ i), P(sum ≥ i); nil where the distribution is approximated
}

// newScoreNull tabulates the distribution for untied ranks.
func newScoreNull(m, n int) scoreNull {
	exact := savageScores(m + n)
	k := savageGrain(exact, min(m, n))
	d := scoreNull{m: m, n: n, scores: make([]int, m+n)}
	for i, s := range exact {
		d.scores[i] = int(math.Round(s * cmp.Or(k, savageFinest)))
	}
	if k > 0 {
		d.le, d.ge = sumTails(d.scores, n)
	}
	return d
}

// savageGrain returns the finest K whose table of sums of up to few scores stays within the work, by halving; 0 if even
// the coarsest does not.
func savageGrain(scores []float64, few int) float64 {
	top := 0.0
	for _, s := range scores[:few] {
		top += s
	}
	for k := float64(savageFinest); k >= savageCoarsest; k /= 2 {
		if float64(len(scores))*float64(few)*top*k/2 <= savageExactWork {
			return k
		}
	}
	return 0
}

// tied returns the distribution for ranks in groups of equal values, of which each has the mean of its group's scores.
// sizes are those of the groups, in the order of ranks.
func (d scoreNull) tied(sizes []int) scoreNull {
	t := d
	t.scores = make([]int, 0, len(d.scores))
	for at := 0; len(sizes) > 0; sizes = sizes[1:] {
		sum := 0
		for _, s := range d.scores[at : at+sizes[0]] {
			sum += s
		}
		mean := int(math.Round(float64(sum) / float64(sizes[0])))
		for range sizes[0] {
			t.scores = append(t.scores, mean)
		}
		at += sizes[0]
	}
	if d.le != nil {
		t.le, t.ge = sumTails(t.scores, d.n)
	}
	return t
}

// sumTails returns P(S ≤ i) and P(S ≥ i) for the sum S of n of the scores, drawn without replacement. The side with
// fewer values is counted, because the other's sum is what it leaves. Time is about
// len(scores)·min(n, rest)·max S / 2 additions.
func sumTails(scores []int, n int) (le, ge []float64) {
	total := sum(scores)
	few := min(n, len(scores)-n)
	le, ge = make([]float64, total+1), make([]float64, total+1)
	for s, x := range countSums(scores, few) {
		if n != few {
			s = total - s
		}
		le[s], ge[s] = x, x
	}
	for i := 1; i <= total; i++ {
		le[i] += le[i-1]
		ge[total-i] += ge[total-i+1]
	}
	return le, ge
}

func sum(xs []int) int {
	total := 0
	for _, x := range xs {
		total += x
	}
	return total
}

// countSums returns the probability of each sum of few of the scores, which are descending. Counts are kept as shares of
// the choices so far, so that they neither overflow nor lose digits: it adds one score at a time by
// P(j of i, s) = (i-j)/i·P(j of i-1, s) + j/i·P(j-1 of i-1, s-score).
func countSums(scores []int, few int) []float64 {
	top := 0
	tops := make([]int, few+1) // the largest sum of j scores
	for j, s := range scores[:few] {
		top += s
		tops[j+1] = top
	}
	rows := make([][]float64, few+1)
	for j := range rows {
		rows[j] = make([]float64, tops[j]+1)
	}
	rows[0][0] = 1
	for i, s := range scores {
		for j := min(i+1, few); j >= 1; j-- {
			out := float64(i+1-j) / float64(i+1)
			in := 1 - out
			row, below := rows[j], rows[j-1]
			if out != 1 {
				for x := range row {
					row[x] *= out
				}
			}
			shifted := row[min(s, len(row)):]
			for x := range shifted[:min(len(shifted), len(below))] {
				shifted[x] += in * below[x]
			}
		}
	}
	return rows[few]
}

// tails returns P(S ≤ t) and P(S ≥ t).
func (d *scoreNull) tails(t int) (le, ge float64) {
	if d.le == nil {
		return 1 - d.above(float64(t)+0.5), d.above(float64(t) - 0.5)
	}
	t = min(max(t, 0), len(d.le)-1)
	return min(d.le[t], 1), min(d.ge[t], 1)
}

// p returns the two-sided p of a sum: twice the smaller tail, at most 1.
func (d *scoreNull) p(t int) float64 {
	le, ge := d.tails(t)
	return min(1, 2*min(le, ge))
}

// critical returns the largest sum that is rejected for being low and the smallest for being high, each with at most
// alpha/2, and the probability of either. It is false if nothing is ever rejected.
func (d *scoreNull) critical(alpha float64) (low, high int, p float64, ok bool) {
	total := sum(d.scores)
	low = d.first(func(le, _ float64) bool { return !atMost(2*le, alpha) }) - 1
	high = d.first(func(_, ge float64) bool { return atMost(2*ge, alpha) })
	le, _ := d.tails(low)
	_, ge := d.tails(high)
	if low < 0 || high > total || !(le > 0) || !(ge > 0) || alpha <= 0 {
		return 0, 0, 0, false
	}
	return low, high, le + ge, true
}

// middle returns the sums between which the median of the distribution lies: the smallest with at least half of it at
// or below, and the smallest with less than half at or above.
func (d *scoreNull) middle() (low, high int) {
	return d.first(func(le, _ float64) bool { return le >= 0.5-1e-12 }), d.first(func(_, ge float64) bool { return ge < 0.5-1e-12 })
}

// first returns the smallest sum whose tails satisfy ok, which must hold for all larger ones.
func (d *scoreNull) first(ok func(le, ge float64) bool) int {
	return search(sum(d.scores)+1, func(t int) bool { return !ok(d.tails(t)) })
}

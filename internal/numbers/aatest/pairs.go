package aatest

import (
	"math"

	"github.com/tarebench/tare/stat"
)

// Pairing is worth while above this correlation of the two forks of a round:
// below it pairs lose more power than they win.
const pairsPay = 0.5

// maxLag is the largest distance, in rounds, at which forks are correlated.
const maxLag = 5

// Pairs is how much alike the forks of the two sides are that were measured
// close together.
type Pairs struct {
	// Correlation of ranks inside a window, by the distance in rounds from 0;
	// 0 is none, corrected for the dependence that ranks have among themselves.
	// Empty if there are too few windows.
	Correlation []stat.Number `json:"correlation"`
	Lo          stat.Number   `json:"lo"` // of the first: a t interval over windows
	Hi          stat.Number   `json:"hi"`
	Pay         bool          `json:"pay"` // pairs would find more
}

// fewWindows is the number of windows below which nothing is said of pairs.
const fewWindows = 10

func pairs(ws []*window) Pairs {
	p := Pairs{Correlation: []stat.Number{}, Lo: -1, Hi: 1}
	if len(ws) < fewWindows {
		return p
	}
	for lag := 0; lag <= maxLag; lag++ {
		var rs []float64
		for _, w := range ws {
			if r := w.correlation(lag); !math.IsNaN(r) {
				rs = append(rs, r)
			}
		}
		if len(rs) == 0 {
			break
		}
		e := stat.TInterval(rs, stat.DefaultConfidence)
		p.Correlation = append(p.Correlation, stat.Number(e.Value))
		if lag == 0 {
			p.Lo, p.Hi = stat.Number(max(-1, e.Lo)), stat.Number(min(1, e.Hi))
			p.Pay = e.Value > pairsPay
		}
	}
	return p
}

// correlation returns the correlation of the ranks of forks of different sides
// whose rounds differ by lag. It is NaN if the window has no such forks or all
// values are equal. Independent ranks out of N correlate with -1/(N-1). The
// result is corrected so that it is 0 for them.
func (w *window) correlation(lag int) float64 {
	n := len(w.a)
	if lag >= n {
		return math.NaN()
	}
	all := append(append([]float64{}, w.a...), w.b...)
	ranks, variance := ranksOf(all)
	if variance == 0 {
		return math.NaN()
	}
	a, b := ranks[:n], ranks[n:]
	sum, terms := 0.0, 0
	for i := range n - lag {
		sum += a[i] * b[i+lag]
		terms++
		if lag > 0 {
			sum += b[i] * a[i+lag]
			terms++
		}
	}
	chance := -1 / float64(2*n-1)
	return (sum/float64(terms)/variance - chance) / (1 - chance)
}

// ranksOf returns the midranks of xs, centred on 0, and their variance.
func ranksOf(xs []float64) (ranks []float64, variance float64) {
	ranks = make([]float64, len(xs))
	for i, x := range xs {
		for _, y := range xs {
			switch {
			case y < x:
				ranks[i] += 0.5
			case y > x:
				ranks[i] -= 0.5
			}
		}
		variance += ranks[i] * ranks[i] / float64(len(xs))
	}
	return ranks, variance
}

package stat

import "math"

// Trend is the result of IterationTrend.
type Trend struct {
	Forks    int     // forks that qualify: at least two iterations, the first and last positive and finite
	Ratio    float64 // last iteration over first, median over forks on logarithms: 0.9 is 10 % faster at the end
	Up, Down int     // forks whose last iteration is larger, smaller than the first
	P        float64 // exact two-sided sign test of Up against Down, ties left out, in [0, 1]
}

// IterationTrend checks whether iterations still change inside their fork, because of
// a short warm-up or a growing heap. forks holds the measured iterations of each fork
// in time order.
//
// Each fork contributes one ratio, so that a single fork proves nothing however long
// it is; six forks that agree give P = 0.03. If no fork qualifies, Ratio is NaN and P
// is 1.
func IterationTrend(forks [][]float64) Trend {
	t, ds := Trend{}, []float64{}
	for _, fork := range forks {
		if len(fork) < 2 {
			continue
		}
		d := logRatio(fork[0], fork[len(fork)-1])
		if math.IsNaN(d) {
			continue
		}
		ds = append(ds, d)
		switch {
		case d > 0:
			t.Up++
		case d < 0:
			t.Down++
		}
	}
	t.Forks = len(ds)
	t.Ratio = math.Exp(Median(ds))
	t.P = signP(t.Up+t.Down, t.Up)
	return t
}

package stat

import "math"

// Outliers counts values outside Tukey's fences. They are counted and never
// dropped, because in a benchmark an outlier is often the finding.
type Outliers struct {
	LowSevere  int // below Q1 - 3·IQR
	LowMild    int // below Q1 - 1.5·IQR, not severe
	HighMild   int // above Q3 + 1.5·IQR, not severe
	HighSevere int // above Q3 + 3·IQR
}

// Total returns the number of all outliers.
func (o Outliers) Total() int { return o.LowSevere + o.LowMild + o.HighMild + o.HighSevere }

// Tukey classifies the values of xs (Tukey, Exploratory Data Analysis, 1977),
// with the quartiles of Quantile. If the middle half of the values is equal,
// every other value is severe. Fewer than four values, or a NaN, count nothing.
func Tukey(xs []float64) Outliers {
	var o Outliers
	if len(xs) < 4 || hasNaN(xs) {
		return o
	}
	ys := sorted(xs)
	q1, q3 := sortedQuantile(ys, 0.25), sortedQuantile(ys, 0.75)
	iqr := q3 - q1
	if math.IsNaN(iqr) || math.IsInf(iqr, 0) {
		return o
	}
	for _, x := range xs {
		switch {
		case x < q1-3*iqr:
			o.LowSevere++
		case x < q1-1.5*iqr:
			o.LowMild++
		case x > q3+3*iqr:
			o.HighSevere++
		case x > q3+1.5*iqr:
			o.HighMild++
		}
	}
	return o
}

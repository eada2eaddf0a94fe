package trend

import (
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// part is what one entry measured of a row.
type part struct {
	at     int // point
	values history.Values
	n      int64  // operations per iteration; 0: not known
	bin    string // digest of the binary
	factor float64
}

// exact reports whether the forks agree.
func (p *part) exact() bool {
	return !slices.ContainsFunc(p.values, func(x float64) bool { return x != p.values[0] })
}

// withoutSetUp makes parts that were measured with different N comparable. What a benchmark allocates once, before its loop, is
// divided by N: v = a + S/N. S is estimated from binaries that were measured with several N. A row whose forks agree has other
// evidence, too: most commits change nothing, so S is the median over neighbours with different N. Values become those of the newest
// part's N.
func (r *Row) withoutSetUp(parts []part) {
	if record.IsTime(r.Unit) || record.IsRate(r.Unit) || !strings.HasSuffix(r.Unit, "/op") || !severalN(parts) {
		return
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.at - b.at })
	once := setUp(parts, func(a, b *part) bool { return a.bin != "" && a.bin == b.bin })
	if once == 0 && r.Exact {
		once = setUp(parts, func(a, b *part) bool { return true })
	}
	if once == 0 {
		return
	}
	newest := parts[len(parts)-1].n
	if newest == 0 {
		return
	}
	var before part // as it was measured
	level := math.NaN()
	for i := range parts {
		p := &parts[i]
		if p.n == 0 {
			continue
		}
		measured := *p
		p.values = make(history.Values, len(measured.values))
		for k, x := range measured.values {
			p.values[k] = x - once/float64(p.n) + once/float64(newest)
		}
		if r.Exact && same(&before, &measured, level, p.values[0]) {
			p.values = slices.Repeat(history.Values{level}, len(p.values))
		}
		before, level = measured, p.values[0]
	}
}

// same reports whether two parts whose forks agree have the same level, where a and b are what their values become. Package testing
// prints whole numbers, so with another N there is a rounding error.
func same(before, p *part, a, b float64) bool {
	if before.n == p.n {
		return before.values[0] == p.values[0]
	}
	const share = 0.005
	return math.Abs(b-a) <= max(1.5, share*a)
}

func severalN(parts []part) bool {
	var n int64
	for _, p := range parts {
		if p.n != 0 && n != 0 && p.n != n {
			return true
		}
		n = max(n, p.n)
	}
	return false
}

// setUp returns the median estimate of S over pairs of parts that belong together and differ in N; 0 if there are none, or if S is
// negative. A part is paired with the nearest one before it.
func setUp(parts []part, together func(a, b *part) bool) float64 {
	var all []float64
	for i := range parts {
		for k := i - 1; k >= 0; k-- {
			a, b := &parts[k], &parts[i]
			if a.n == 0 || b.n == 0 || !together(a, b) {
				continue
			}
			if a.n != b.n {
				all = append(all, (stat.Median(a.values)-stat.Median(b.values))/(1/float64(a.n)-1/float64(b.n)))
			}
			break
		}
	}
	if len(all) == 0 {
		return 0
	}
	return max(0, stat.Median(all))
}

package ycsb

import "math"

// theta is the skew of all Zipf distributions of YCSB: rank i, from 1, has weight i^-theta.
const theta = 0.99

// gray draws ranks from 0 … n−1 by an approximation of Zipf's law: Gray,
// Sundaresan, Englert, Baclawski and Weinberger, "Quickly Generating
// Billion-Record Synthetic Databases" (SIGMOD 1994). The two lowest ranks are as
// likely as they should be, the others nearly so. As in YCSB, theta is always 0.99,
// so that the power needed for each draw is the 100th.
type gray struct {
	n    int64
	zeta float64 // sum of all weights
	eta  float64
}

// newGray returns the distribution for n ranks, given the sum of their weights.
func newGray(n int64, zeta float64) gray {
	// Where n < 3, eta is infinite or no number, and not needed.
	return gray{n: n, zeta: zeta, eta: (1 - math.Pow(2/float64(n), 1-theta)) / (1 - second/zeta)}
}

// rank returns the rank at a place from [0, 1).
func (g *gray) rank(u float64) int64 {
	at := u * g.zeta
	if at < 1 || g.n < 2 {
		return 0
	}
	if at < second || g.n < 3 {
		return 1
	}
	x := g.eta*u - g.eta + 1
	x2 := x * x
	x4 := x2 * x2
	x8 := x4 * x4
	x16 := x8 * x8
	x32 := x16 * x16
	x64 := x32 * x32
	return min(int64(float64(g.n)*(x32*x4*x64)), g.n-1)
}

const (
	second   = 1.503477775028359404416 // 1 + 2^-theta: the sum of two weights
	exact    = 64
	zetaHead = 4.831186373718822946466 // the sum of so many
	edge     = 0.016288527513142521737 // the weight of the last of them
)

// zeta returns the sum of i^-theta for i from 1 to n. From the 64th term on that
// is the formula of Euler and Maclaurin, whose error is below 10^-13 there, so
// that it costs one power whatever n is.
func zeta(n int64) float64 {
	if n <= exact {
		sum := 0.0
		for i := int64(1); i <= n; i++ {
			sum += math.Pow(float64(i), -theta)
		}
		return sum
	}
	a, b := float64(exact), float64(n)
	fa, fb := edge, math.Pow(b, -theta)
	sum := zetaHead + (fb-fa)/2
	sum += (b*fb - a*fa) / (1 - theta)                                         // integral
	sum += theta * (fa/a - fb/b) / 12                                          // first derivatives
	sum -= theta * (theta + 1) * (theta + 2) * (fa/(a*a*a) - fb/(b*b*b)) / 720 // third ones
	return sum
}

// scrambled is YCSB's scrambled Zipfian distribution. It draws a rank among 10^10 items
// and hashes it to a record, which scatters popular records over the keys. Many ranks
// hash to the same record, so the distribution is flatter than a Zipfian one over the
// records: of a million records the most popular one gets 3.8 % of the operations
// instead of 6.5 %.
type scrambled struct {
	zipf gray
	from int64
	keys modulus
}

// The number of ranks of YCSB's scrambled distribution, and the sum of their weights,
// with the constant that YCSB uses.
const (
	scrambledItems = 1e10 + 1
	scrambledZeta  = 26.46902820178302
)

// redraws is the limit of draws of records that are not inserted yet; then an inserted
// one is chosen. YCSB has no limit.
const redraws = 100

func (l *scrambled) next(r *random, last int64) int64 {
	for range redraws {
		record := l.from + int64(l.keys.mod(fnv1aOfRank(uint64(l.zipf.rank(r.unit())))))
		if record <= last {
			return record
		}
	}
	return l.from + int64(r.below(uint64(last-l.from)+1))
}

// latest is the distribution under which the last record inserted is the most popular one, the
// one before it the second, and so on, by Zipf. As in YCSB, record 0 is never chosen.
// YCSB keeps the number of records at the start in one of its terms; here all terms
// grow.
type latest struct {
	zipf gray
}

func (l *latest) next(r *random, last int64) int64 {
	if last != l.zipf.n {
		l.zipf = newGray(last, zeta(last))
	}
	return last - l.zipf.rank(r.unit())
}

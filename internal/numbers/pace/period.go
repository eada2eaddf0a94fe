package pace

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// period is the time between two operations, exactly: whole + rest/den
// nanoseconds. The k-th operation is due after k periods, computed from k so that
// rounding does not accumulate: at 3/s a period of 333333333 ns would be 86 µs short
// after a day.
type period struct {
	whole uint64  // nanoseconds
	rest  uint64  // below den
	den   uint64  // below 2^57: the digits of a float64
	ns    float64 // the same, rounded
}

// newPeriod takes a rate within the limits of Validate.
func newPeriod(rate float64) period {
	r := exactRate(rate)
	p := new(big.Rat).Quo(big.NewRat(1e9, 1), r)
	whole, rest := new(big.Int).QuoRem(p.Num(), p.Denom(), new(big.Int))
	ns, _ := p.Float64()
	return period{whole: whole.Uint64(), rest: rest.Uint64(), den: p.Denom().Uint64(), ns: ns}
}

// exactRate returns the shortest decimal number that reads back as the float64, which
// is the one that was typed. The denominator of 1e9 by it has at most 17 digits.
func exactRate(rate float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(rate, 'g', -1, 64))
	if !ok {
		panic("pace: rate was not validated") // not finite
	}
	return r
}

// times returns k periods in nanoseconds, rounded down, or false if they exceed an
// int64 (292 years).
func (p *period) times(k uint64) (ns int64, ok bool) {
	over, whole := bits.Mul64(k, p.whole)
	hi, lo := bits.Mul64(k, p.rest)
	part, _ := bits.Div64(hi, lo, p.den) // hi < den, because rest < den and k < 2^64
	sum, carry := bits.Add64(whole, part, 0)
	if over != 0 || carry != 0 || sum > math.MaxInt64 {
		return 0, false
	}
	return int64(sum), true
}

package hist

import (
	"math/big"
	"strconv"
)

// rank returns which of n values in ascending order, counted from 1, is the one
// at percentile p: ⌈p/100 × n⌉, at least 1; 0 if there are no values.
//
// float64 has two problems here. 99.9/100 × 1000 is slightly more than 999, so that
// rounding up gives 1000; HdrHistogram steps down one ulp before it multiplies. And n
// above 2^53 is not exact. So p is interpreted as its shortest decimal form, and the
// rest is computed with integers.
func rank(p float64, n int64) int64 {
	if !(p > 0) || n == 0 {
		return min(n, 1)
	}
	if p >= 100 {
		return n
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(p, 'g', -1, 64))
	if !ok {
		panic("hist: a float64 between 0 and 100 has no decimal form") // cannot be
	}
	r.Mul(r, new(big.Rat).SetFrac64(n, 100))
	up := new(big.Int).Sub(r.Denom(), big.NewInt(1))
	return up.Add(up, r.Num()).Div(up, r.Denom()).Int64()
}

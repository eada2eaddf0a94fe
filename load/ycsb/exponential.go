package ycsb

import "math"

// exponential is the distribution under which records are less popular the longer ago they
// were inserted: the number of later records is exponential, rounded down. YCSB draws
// again if that exceeds the number of records; here the distribution is truncated there, which
// is equivalent.
type exponential struct {
	mean float64 // mean of the distribution before truncation
	last int64   // for which …
	mass float64 // … this is the probability below last+1
}

func newExponential(c *Config) *exponential {
	span := float64(c.RecordCount) * c.ExponentialFrac
	return &exponential{mean: -span / math.Log1p(-c.ExponentialPercentile/100), last: -1}
}

func (l *exponential) next(r *random, last int64) int64 {
	if last != l.last {
		l.last, l.mass = last, -math.Expm1(-float64(last+1)/l.mean)
	}
	// Validate keeps the mass large enough for the digits that the difference has.
	ago := int64(-math.Log(1-r.unit()*l.mass) * l.mean)
	return last - min(ago, last)
}

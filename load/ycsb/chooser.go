package ycsb

import "math/bits"

// A keyChooser chooses the records of operations. Each worker has its own. The result
// depends on the random stream and on last, the record up to which all are inserted.
type keyChooser interface {
	next(r *random, last int64) int64
}

// newKeyChooser returns the keyChooser of a valid configuration.
func newKeyChooser(c *Config) keyChooser {
	from, n := c.InsertStart, c.inserted()
	switch c.RequestDistribution {
	case Zipfian:
		// One more than expected, because YCSB's range includes its end.
		return &scrambled{from: from, keys: newModulus(uint64(n + c.expected() + 1)), zipf: newGray(scrambledItems, scrambledZeta)}
	case ZipfianExact:
		n += c.expected()
		return &scattered{from: from, zipf: newZipf(uint64(n), c.ZipfianTheta), place: newScatter(uint64(n))}
	case Latest:
		return &latest{zipf: newGray(c.RecordCount-1, zeta(c.RecordCount-1))}
	case Hotspot:
		hot := uint64(float64(n) * c.HotspotDataFraction)
		return &hotspot{from: from, hot: hot, cold: uint64(n) - hot, share: c.HotspotOpnFraction}
	case Exponential:
		return newExponential(c)
	case Sequential:
		return &sequential{from: from, n: uint64(n)}
	default:
		return &uniform{from: from, n: uint64(n)}
	}
}

// uniform is the distribution under which all loaded records are equally likely.
type uniform struct {
	from int64
	n    uint64
}

func (l *uniform) next(r *random, _ int64) int64 { return l.from + int64(r.below(l.n)) }

// hotspot is the distribution under which a share of the operations requests the first
// records, all equally likely, and the rest the others.
type hotspot struct {
	from      int64
	hot, cold uint64 // how many there are
	share     float64
}

func (l *hotspot) next(r *random, _ int64) int64 {
	if r.unit() < l.share {
		return l.from + int64(r.below(l.hot))
	}
	return l.from + int64(l.hot+r.below(l.cold))
}

// sequential chooses the records in order, one per operation, and starts again after
// the last.
type sequential struct {
	from int64
	n    uint64
}

func (l *sequential) next(r *random, _ int64) int64 { return l.from + int64(r.k%l.n) }

// modulus computes remainders by one divisor with a multiplication instead of a
// division.
type modulus struct{ n, inverse uint64 }

func newModulus(n uint64) modulus { return modulus{n, ^uint64(0) / n} }

// mod returns x mod n. The estimate of the quotient is right or one too low: it is at
// most x/2^64, and its rounding, too low.
func (m modulus) mod(x uint64) uint64 {
	q, _ := bits.Mul64(x, m.inverse)
	x -= q * m.n
	if x >= m.n {
		x -= m.n
	}
	return x
}

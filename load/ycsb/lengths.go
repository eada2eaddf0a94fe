package ycsb

// lengths is the distribution of lengths of values or scans.
type lengths struct {
	distribution Distribution
	least        int
	n            uint64 // how many lengths there are, from least on
	zipf         gray   // Zipfian: the least is the most frequent
	table        []bucket
	weight       uint64 // of all buckets
}

func newLengths(distribution Distribution, least, greatest int) lengths {
	n := int64(greatest - least + 1)
	l := lengths{distribution: distribution, least: least, n: uint64(n)}
	if distribution == Zipfian {
		l.zipf = newGray(n, zeta(n))
	}
	return l
}

// fieldLengths returns the distribution of the lengths of values. It reads the histogram's
// file if needed.
func (c *Config) fieldLengths() (lengths, error) {
	switch c.FieldLengthDistribution {
	case Histogram:
		return readLengths(c.FieldLengthHistogram)
	case Constant:
		return newLengths(Constant, c.FieldLength, c.FieldLength), nil
	default:
		return newLengths(c.FieldLengthDistribution, c.MinFieldLength, c.FieldLength), nil
	}
}

func (l *lengths) next(r *random) int {
	switch l.distribution {
	case Uniform:
		return l.least + int(r.below(l.n))
	case Zipfian:
		return l.least + int(l.zipf.rank(r.unit()))
	case Histogram:
		return l.bucket(r.below(l.weight))
	default:
		return l.least
	}
}

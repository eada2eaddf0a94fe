package hist

import "math/bits"

// maxPages is the number of magnitudes that an int64 can have; a power of two,
// so that an index & (maxPages-1) needs no bounds check.
const maxPages = 64

// layout is HdrHistogram's arrangement of buckets (HdrHistogram/HdrHistogram,
// AbstractHistogram.java: getBucketIndex, getSubBucketIndex, countsArrayIndex),
// with the array of counts cut into pages. Page 0 holds the values below
// 2^(unit+half) in buckets of 2^unit; page p > 0 those below 2^(unit+half+p) that
// are in no page before it, in as many buckets, of 2^(unit+p-1). So each page is
// one magnitude: the upper half of what HdrHistogram calls a bucket.
type layout struct {
	mask  uint64 // makes all values of the first two pages equally long
	slots uint64 // number of buckets in a page - 1
	base  uint   // length of mask in bits
	unit  uint   // binary logarithm of the narrowest bucket's width
	half  uint   // binary logarithm of the buckets in a page
	top   uint   // number of pages up to the highest value
}

// newLayout returns the layout of a valid configuration without zeros.
func newLayout(c Config) layout {
	unit, half := magnitudes(c)
	l := layout{
		mask:  (uint64(2)<<half - 1) << unit,
		slots: uint64(1)<<half - 1,
		base:  unit + half + 1,
		unit:  unit,
		half:  half,
	}
	l.top = max(l.find(c.Highest).page+1, 2) // HdrHistogram has the first two in any case
	return l
}

// A place identifies the count of a bucket.
type place struct {
	page uint
	slot uint64
}

// find returns the place of a value's count. Negative values get a page that is never
// used.
func (l *layout) find(v int64) place {
	u := uint64(v)
	bucket := uint(bits.Len64(u|l.mask)) - l.base
	sub := u >> ((bucket + l.unit) & 63)
	return place{bucket + uint(sub>>(l.half&63)), sub & l.slots}
}

// lowest returns the smallest value of a bucket.
func (l *layout) lowest(p place) int64 {
	if p.page == 0 {
		return int64(p.slot << l.unit)
	}
	return int64((p.slot + l.slots + 1) << (l.unit + p.page - 1))
}

// width returns how many different values a bucket has.
func (l *layout) width(p place) int64 { return 1 << (l.unit + max(p.page, 1) - 1) }

// highest returns the largest value of a bucket.
func (l *layout) highest(p place) int64 { return l.lowest(p) + (l.width(p) - 1) }

// middle returns the value that represents a bucket.
func (l *layout) middle(p place) int64 { return l.lowest(p) + l.width(p)/2 }

// last returns the place of the largest values.
func (l *layout) last() place { return place{l.top - 1, l.slots} }

// same reports whether two layouts have the same buckets. They may end at different
// magnitudes.
func (l *layout) same(m *layout) bool { return l.unit == m.unit && l.half == m.half }

package hist

import "math"

// A Histogram counts values in buckets whose width is a fixed share of the
// value, as HdrHistogram does: every count is exact, every value is known to
// [Config].Digits digits. Values are non-negative integers in any unit, by
// convention nanoseconds.
//
// Unlike HdrHistogram it keeps counts in pages, one for each power of two, which are
// allocated with the first value of that magnitude. An empty Histogram takes 1.7 KB,
// one of latencies between 10 µs and 10 ms 90 KB. The range is unlimited unless
// Config.Highest is set. Minimum and maximum are exact, not the bounds of a bucket.
//
// The zero value is an empty Histogram with the zero Config. A Histogram must
// not be copied by assignment, nor used by more than one goroutine at a time; see
// [Recorder].
type Histogram struct {
	layout
	count     int64
	min, max  int64 // math.MaxInt64 and math.MinInt64 while empty
	saturated int64
	negative  int64
	config    Config
	pages     [maxPages][]int64 // nil until used; all up to layout.top
}

// New returns an empty Histogram. It panics if the configuration is not valid;
// call [Config.Validate] first if it comes from a user.
func New(c Config) *Histogram {
	h := new(Histogram)
	h.init(c)
	return h
}

func (h *Histogram) init(c Config) {
	if err := c.Validate(); err != nil {
		panic(err)
	}
	h.config = c.filled()
	h.layout = newLayout(h.config)
	h.min, h.max = math.MaxInt64, math.MinInt64
}

// ready initialises a zero Histogram.
func (h *Histogram) ready() {
	if h.mask == 0 {
		h.init(Config{})
	}
}

// Config returns the configuration with defaults filled in.
func (h *Histogram) Config() Config {
	if h.mask == 0 {
		return Config{}.filled()
	}
	return h.config
}

// Record counts a value. It allocates only at the first value of a magnitude. Values
// above Config.Highest and below 0 count in the topmost and the lowest bucket, and
// also in Saturated and Negative.
func (h *Histogram) Record(v int64) {
	p := h.find(v)
	counts := h.pages[p.page&(maxPages-1)]
	if p.slot >= uint64(len(counts)) { // no page yet, or a negative value
		h.recordSlow(v, 1)
		return
	}
	counts[p.slot]++
	h.count++
	if v > h.max {
		h.max = v
	}
	if v < h.min {
		h.min = v
	}
}

// RecordN counts a value n times. It panics if n is negative, or if the sum of
// all counts would exceed math.MaxInt64.
func (h *Histogram) RecordN(v, n int64) {
	if n < 0 {
		panic("hist: RecordN: negative count")
	}
	if n > math.MaxInt64-h.count {
		panic("hist: RecordN: the sum of the counts exceeds 2^63-1")
	}
	if n > 0 {
		h.recordSlow(v, n)
	}
}

// recordSlow counts any value in any state of the histogram.
//
//go:noinline
func (h *Histogram) recordSlow(v, n int64) {
	h.ready()
	p := h.clamp(v, n)
	h.page(p.page)[p.slot] += n
	h.count += n
	h.min, h.max = min(h.min, v), max(h.max, v)
}

// clamp returns where n values v are counted, and adds them to Saturated or Negative
// if they are out of range.
func (h *Histogram) clamp(v, n int64) place {
	if v < 0 {
		h.negative += n
		return place{}
	}
	p := h.find(v)
	if p.page >= h.top {
		h.saturated += n
		return h.last()
	}
	return p
}

// page returns the counts of a page, allocated at the first call.
func (h *Histogram) page(i uint) []int64 {
	if h.pages[i] == nil {
		h.pages[i] = make([]int64, h.slots+1)
	}
	return h.pages[i]
}

// Count returns how many values were recorded, including those out of range.
func (h *Histogram) Count() int64 { return h.count }

// Min returns the smallest value recorded, or 0 if there is none. It is exact, unless
// values came from Decode, Subtract or Correct: then it is exact to the Histogram's
// digits.
func (h *Histogram) Min() int64 {
	if h.count == 0 {
		return 0
	}
	return h.min
}

// Max returns the largest value recorded, or 0 if there is none. It is as exact as
// Min, also for values above Config.Highest.
func (h *Histogram) Max() int64 {
	if h.count == 0 {
		return 0
	}
	return h.max
}

// Saturated returns how many values were above Config.Highest. Count includes them,
// in the topmost bucket.
func (h *Histogram) Saturated() int64 { return h.saturated }

// Negative returns how many values were below 0, which indicates a clock that went
// backwards or a wrong subtraction. Count includes them, as zeros.
func (h *Histogram) Negative() int64 { return h.negative }

// Reset removes all values. It keeps the memory, so that recording the same
// magnitudes again does not allocate.
func (h *Histogram) Reset() {
	for _, counts := range h.pages {
		clear(counts)
	}
	h.count, h.saturated, h.negative = 0, 0, 0
	h.min, h.max = math.MaxInt64, math.MinInt64
}

// Copy returns an independent Histogram with the same values.
func (h *Histogram) Copy() *Histogram {
	c := *h
	for i, counts := range h.pages {
		if counts != nil {
			c.pages[i] = append([]int64(nil), counts...)
		}
	}
	return &c
}

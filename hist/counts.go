package hist

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// AppendCounts appends the Histogram to buf in a form that [Histogram.AddCounts] merges without decompression and
// without a second Histogram: for messages between processes of one version of tare. Files hold [Histogram.Encode],
// which other programs read. Unlike Encode, the form keeps the exact Min and Max, Saturated and Negative.
//
// The form is a sequence of numbers in base 128, as [binary.AppendUvarint] and, where signed, [binary.AppendVarint]
// write them:
//
//   - the version of the form, 1
//   - Config.Digits, Config.Lowest, and how many magnitudes Config.Highest allows
//   - the sum of all counts; nothing follows if it is 0
//   - Min and Max, signed; Saturated; Negative
//   - for each bucket that is not empty, in ascending order of its values: how many empty buckets are between it and the
//     one before it, or before it if it is the first; its count
//
// It takes about two bytes for each bucket that is not empty.
func (h *Histogram) AppendCounts(buf []byte) []byte {
	h.ready()
	buf = append(buf, countsVersion, byte(h.config.Digits))
	buf = binary.AppendUvarint(buf, uint64(h.config.Lowest))
	buf = append(buf, byte(h.top))
	buf = binary.AppendUvarint(buf, uint64(h.count))
	if h.count == 0 {
		return buf
	}
	buf = binary.AppendVarint(buf, h.min)
	buf = binary.AppendVarint(buf, h.max)
	buf = binary.AppendUvarint(buf, uint64(h.saturated))
	buf = binary.AppendUvarint(buf, uint64(h.negative))
	next := uint64(0)
	for p, n := range h.counts() {
		i := h.index(p)
		buf = binary.AppendUvarint(buf, i-next)
		buf = binary.AppendUvarint(buf, uint64(n))
		next = i + 1
	}
	return buf
}

// countsVersion is the version of the form of AppendCounts.
const countsVersion = 1

// AddCounts adds the values of a Histogram that AppendCounts has written, as [Histogram.Merge] adds those of the
// Histogram itself. It allocates only at the first value of a magnitude. On an error h is unchanged: data is not what
// AppendCounts writes, ends early or has more bytes, its counts do not make the sum that it states, or the sum of all
// counts would exceed math.MaxInt64.
//
// AddCounts is safe for untrusted input: it takes time in proportion to len(data), and allocates at most the magnitudes
// of h itself.
func (h *Histogram) AddCounts(data []byte) error {
	r := countsReader{rest: data}
	from := r.header()
	pairs := r.rest
	if r.err == nil {
		r.check(&from)
	}
	if r.err == nil && (from.count > math.MaxInt64-h.count || from.saturated > math.MaxInt64-h.saturated || from.negative > math.MaxInt64-h.negative) {
		r.err = errOverflow
	}
	if r.err != nil {
		return fmt.Errorf("hist: add counts: %w", r.err)
	}
	if from.count == 0 {
		return nil
	}
	h.ready()
	if h.same(&from.layout) && from.top <= h.top {
		h.addPairs(pairs)
	} else {
		h.addPairsOf(&from.layout, pairs)
	}
	h.addTotals(&from)
	return nil
}

// addPairs adds counts of h's own buckets, which were checked.
func (h *Histogram) addPairs(pairs []byte) {
	var counts []int64 // of the page at hand
	at := uint64(math.MaxUint64)
	for i := uint64(0); len(pairs) > 0; i++ {
		var gap, n uint64
		gap, n, pairs = nextPair(pairs)
		i += gap
		if page := i >> h.half; page != at {
			at, counts = page, h.page(uint(page))
		}
		counts[i&h.slots] += int64(n)
	}
}

// nextPair reads the numbers of a bucket, and returns what follows them, nil after an error.
func nextPair(data []byte) (gap, n uint64, rest []byte) {
	if len(data) > 1 && data[0]|data[1] < 0x80 { // most
		return uint64(data[0]), uint64(data[1]), data[2:]
	}
	return longPair(data)
}

//go:noinline
func longPair(data []byte) (gap, n uint64, rest []byte) {
	r := countsReader{rest: data}
	gap, n = r.uvarint(), r.uvarint()
	if r.err != nil {
		return 0, 0, nil
	}
	return gap, n, r.rest
}

// addPairsOf adds counts of the buckets of another layout, each at the middle of its bucket.
func (h *Histogram) addPairsOf(from *layout, pairs []byte) {
	for i := uint64(0); len(pairs) > 0; i++ {
		var gap, n uint64
		gap, n, pairs = nextPair(pairs)
		i += gap
		to := h.clamp(from.middle(from.place(i)), int64(n))
		h.page(to.page)[to.slot] += int64(n)
	}
}

// place returns the place of a count whose index in an array of all counts is known.
func (l *layout) place(i uint64) place { return place{uint(i >> l.half), i & l.slots} }

// A countsReader reads the numbers of AppendCounts. After an error it reads zeros.
type countsReader struct {
	rest []byte
	err  error
}

var (
	errCutOff = errors.New("cut off")
	errNumber = errors.New("a number is not in its range")
)

// header reads what precedes the buckets, into a Histogram without any.
func (r *countsReader) header() (from Histogram) {
	if v := r.uvarint(); v != countsVersion && r.err == nil {
		r.err = fmt.Errorf("version %d of the form cannot be read, only %d", v, countsVersion)
	}
	digits, lowest, top := r.limited(maxDigits), r.limited(math.MaxInt64), r.limited(maxPages)
	if r.err == nil && (digits == 0 || lowest == 0) {
		r.err = errNumber
	}
	c := Config{Digits: int(digits), Lowest: lowest}
	if r.err == nil {
		r.err = c.Validate()
	}
	if r.err != nil {
		return from
	}
	from.layout = newLayout(c.filled())
	if top < 2 || top > int64(from.top) {
		r.err = errNumber
	}
	from.top = uint(top)
	if from.count = r.limited(math.MaxInt64); from.count > 0 {
		from.min, from.max = r.varint(), r.varint()
		from.saturated, from.negative = r.limited(math.MaxInt64), r.limited(math.MaxInt64)
	}
	if from.min > from.max && r.err == nil {
		r.err = fmt.Errorf("the smallest value, %d, is above the largest, %d", from.min, from.max)
	}
	return from
}

// check reads all buckets and compares them with the range and the sum that the header states.
func (r *countsReader) check(from *Histogram) {
	size, left := uint64(from.top)<<from.half, uint64(from.count)
	next := uint64(0) // index of the bucket that follows
	pairs := r.rest
	for len(pairs) > 0 {
		gap, n, rest := nextPair(pairs)
		switch {
		case rest == nil:
			r.err = errCutOff
			return
		case gap >= size-next:
			r.err = errors.New("more buckets than its digits and range have")
			return
		case n == 0 || n > left:
			r.err = errSum
			return
		}
		next += gap + 1
		left -= n
		pairs = rest
	}
	if left != 0 {
		r.err = errSum
	}
}

var errSum = errors.New("the counts of the buckets do not make the stated sum")

// uvarint reads a number.
func (r *countsReader) uvarint() uint64 {
	if len(r.rest) > 0 && r.rest[0] < 0x80 { // nearly all
		u := uint64(r.rest[0])
		r.rest = r.rest[1:]
		return u
	}
	u, n := binary.Uvarint(r.rest)
	r.took(n)
	return u
}

// varint reads a signed number.
func (r *countsReader) varint() int64 {
	v, n := binary.Varint(r.rest)
	r.took(n)
	return v
}

// took goes on behind a number of n bytes; see [binary.Uvarint] for n ≤ 0.
func (r *countsReader) took(n int) {
	switch {
	case n > 0:
		r.rest = r.rest[n:]
		return
	case n == 0 && r.err == nil:
		r.err = errCutOff
	case r.err == nil:
		r.err = errNumber
	}
	r.rest = nil
}

// limited reads a number of at most limit.
func (r *countsReader) limited(limit int64) int64 {
	u := r.uvarint()
	if u > uint64(limit) {
		if r.err == nil {
			r.err = errNumber
		}
		return 0
	}
	return int64(u)
}

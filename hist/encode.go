package hist

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"sync"
)

// The V2 compressed payload, big-endian (HdrHistogram, AbstractHistogram.java:
// encodeIntoCompressedByteBuffer, encodeIntoByteBuffer): cookie and length, and
// that many bytes of a zlib stream with a header and the counts.
const (
	cookieCompressed = 0x1c849304
	cookieCounts     = 0x1c849303
	cookieBits       = 0x10 // how HdrHistogram marks counts of variable length
	outerHeader      = 8
	innerHeader      = 40
)

// Encode returns the counts in HdrHistogram's V2 compressed format, which its
// ports for other languages read: in Java, Histogram.decodeFromCompressedByteBuffer.
// In logs it is written in base64 and begins with HISTFAAAA.
//
// The format has counts and Config, but not the exact Min and Max, Saturated and
// Negative. Without a Config.Highest, the stated range is up to the largest magnitude
// that occurred. The error is always nil.
func (h *Histogram) Encode() ([]byte, error) {
	h.ready()
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	return e.encode(h)
}

// encoders reuses compressors, which take 800 KB each: in the process of a benchmark
// they would add garbage collections.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// An encoder is memory that is reused.
type encoder struct {
	plain      []byte
	compressed bytes.Buffer
	zlib       *zlib.Writer
}

// encode returns the payload in a new slice.
func (e *encoder) encode(h *Histogram) ([]byte, error) {
	e.plain = h.appendPayload(h.appendHeader(e.plain[:0]))
	binary.BigEndian.PutUint32(e.plain[4:], uint32(len(e.plain)-innerHeader))
	e.compressed.Reset()
	e.compressed.Write(make([]byte, outerHeader))
	if e.zlib == nil {
		e.zlib = zlib.NewWriter(&e.compressed)
	} else {
		e.zlib.Reset(&e.compressed)
	}
	if _, err := e.zlib.Write(e.plain); err != nil {
		return nil, err
	}
	if err := e.zlib.Close(); err != nil {
		return nil, err
	}
	out := bytes.Clone(e.compressed.Bytes())
	binary.BigEndian.PutUint32(out, cookieCompressed|cookieBits)
	binary.BigEndian.PutUint32(out[4:], uint32(len(out)-outerHeader))
	return out, nil
}

// appendHeader appends the header of the counts, with a length of 0.
func (h *Histogram) appendHeader(b []byte) []byte {
	highest := h.config.Highest
	if highest == math.MaxInt64 {
		highest = h.highest(place{max(h.used(), 2) - 1, h.slots})
	}
	be := binary.BigEndian
	b = be.AppendUint32(b, cookieCounts|cookieBits)
	b = be.AppendUint32(b, 0) // length
	b = be.AppendUint32(b, 0) // normalizing index offset: of the writer's memory, not of the payload
	b = be.AppendUint32(b, uint32(h.config.Digits))
	b = be.AppendUint64(b, uint64(h.config.Lowest))
	b = be.AppendUint64(b, uint64(highest))
	return be.AppendUint64(b, math.Float64bits(1)) // by what to multiply values of floating-point histograms
}

// used returns the number of pages up to the last that has a count.
func (h *Histogram) used() uint {
	for i := uint(maxPages); i > 0; i-- {
		if !empty(h.pages[i-1]) {
			return i
		}
	}
	return 0
}

// appendPayload appends the counts up to the last one that is not zero. A run of
// zeros is its length, negated.
func (h *Histogram) appendPayload(b []byte) []byte {
	if h.count == 0 {
		return appendZigZag(b, 0) // as HdrHistogram does
	}
	next := uint64(0)
	for p, n := range h.counts() {
		i := h.index(p)
		switch zeros := int64(i - next); {
		case zeros == 1:
			b = appendZigZag(b, 0)
		case zeros > 1:
			b = appendZigZag(b, -zeros)
		}
		b = appendZigZag(b, n)
		next = i + 1
	}
	return b
}

// index returns the index of a count in an array of all counts.
func (l *layout) index(p place) uint64 { return uint64(p.page)<<l.half | p.slot }

// appendZigZag appends a number as HdrHistogram's ZigZagEncoding.java does, in
// 7-bit groups from the lowest, but with all 8 bits of the ninth byte, so that
// there never is a tenth.
func appendZigZag(b []byte, v int64) []byte {
	u := uint64(v<<1) ^ uint64(v>>63)
	for range 8 {
		if u < 0x80 {
			return append(b, byte(u))
		}
		b = append(b, byte(u)|0x80)
		u >>= 7
	}
	return append(b, byte(u))
}

package exposition

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/hist"
)

// Numbers of fields and of an enumeration in client_model's io/prometheus/client/metrics.proto.
const (
	familyName, familyHelp, familyType, familyMetric, familyUnit = 1, 2, 3, 4, 5

	metricLabel, metricGauge, metricCounter, metricHistogram = 1, 2, 3, 7

	labelName, labelValue = 1, 2
	simpleValue           = 1 // of a gauge and a counter

	histCount, histSum, histBucket                                     = 1, 2, 3
	histSchema, histZeroThreshold, histZeroCount, histSpan, histDeltas = 5, 6, 7, 12, 13
	bucketCount, bucketBound                                           = 1, 2
	spanOffset, spanLength                                             = 1, 2

	typeCounter, typeGauge, typeHistogram = 0, 1, 4
)

// schema says how fine native histograms are: each power of two has 2^5 buckets, which are 2.2 % wide.
const schema = 5

// zeroThreshold is the largest value that counts as zero in native histograms, in seconds: 2^-128, as of other clients.
const zeroThreshold = 0x1p-128

// message appends the fields of a protobuf message.
type message []byte

func (m *message) key(field, wire int) { m.varint(uint64(field<<3 | wire)) }

func (m *message) varint(v uint64) { *m = binary.AppendUvarint(*m, v) }

// count writes an unsigned number.
func (m *message) count(field int, v uint64) {
	m.key(field, 0)
	m.varint(v)
}

// signed writes a number of type sint32 or sint64.
func (m *message) signed(field int, v int64) { m.count(field, zigZag(v)) }

func zigZag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

func (m *message) double(field int, v float64) {
	m.key(field, 1)
	*m = binary.LittleEndian.AppendUint64(*m, math.Float64bits(v))
}

// bytes writes a text, a message, or packed numbers.
func (m *message) bytes(field int, v []byte) {
	m.key(field, 2)
	m.varint(uint64(len(v)))
	*m = append(*m, v...)
}

func (m *message) text(field int, s string) {
	m.bytes(field, []byte(strings.ToValidUTF8(s, "\uFFFD")))
}

// appendMessage appends a family, with its length before it.
func appendMessage(dst []byte, f *Family) []byte {
	name, kind := f.Name, uint64(typeGauge)
	switch f.Kind {
	case Counter:
		name, kind = name+"_total", typeCounter
	case Info:
		name += "_info"
	case Histogram:
		kind = typeHistogram
	}
	var m message
	m.text(familyName, name)
	m.text(familyHelp, f.Help)
	m.count(familyType, kind)
	for i := range f.Metrics {
		m.bytes(familyMetric, metricMessage(&f.Metrics[i], f.Kind))
	}
	if f.Unit != "" {
		m.text(familyUnit, f.Unit)
	}
	return append(binary.AppendUvarint(dst, uint64(len(m))), m...)
}

func metricMessage(x *Metric, kind Kind) message {
	var m, value message
	for _, l := range x.Labels {
		var label message
		label.text(labelName, l.Name)
		label.text(labelValue, l.Value)
		m.bytes(metricLabel, label)
	}
	if kind == Histogram {
		m.bytes(metricHistogram, histogramMessage(x.Histogram))
		return m
	}
	value.double(simpleValue, x.Value)
	if kind == Counter {
		m.bytes(metricCounter, value)
	} else {
		m.bytes(metricGauge, value)
	}
	return m
}

// histogramMessage returns a histogram with classic and with native buckets: the server takes those that it wants.
func histogramMessage(h *hist.Histogram) message {
	var m message
	m.count(histCount, uint64(h.Count()))
	m.double(histSum, sum(h))
	for i, n := range cumulative(h) {
		var b message
		b.count(bucketCount, uint64(n))
		b.double(bucketBound, float64(bounds[i])/perSecond)
		m.bytes(histBucket, b)
	}
	zeros, counts := native(h)
	m.signed(histSchema, schema)
	m.double(histZeroThreshold, zeroThreshold)
	m.count(histZeroCount, uint64(zeros))
	var deltas message
	next, before := 0, int64(0)
	for _, r := range spans(slices.Sorted(maps.Keys(counts))) {
		var span message
		span.signed(spanOffset, int64(r.first-next)) // of the first one from 0
		span.count(spanLength, uint64(r.length))
		m.bytes(histSpan, span)
		for i := r.first; i < r.first+r.length; i++ {
			deltas.varint(zigZag(counts[i] - before))
			before = counts[i]
		}
		next = r.first + r.length
	}
	if len(deltas) > 0 {
		m.bytes(histDeltas, deltas)
	} else {
		m.bytes(histSpan, nil) // an empty one says that the histogram is a native one
	}
	return m
}

// native returns how many values are zero, and the others by the index of their bucket: bucket i holds values in seconds above
// 2^((i-1)/2^schema), up to 2^(i/2^schema). A value counts as the middle of its bucket in h.
func native(h *hist.Histogram) (zeros int64, counts map[int]int64) {
	counts = map[int]int64{}
	for b, n := range h.Buckets() {
		if b.Highest == 0 {
			zeros += n
			continue
		}
		middle := (float64(b.Lowest) + float64(b.Highest)) / 2 / perSecond
		counts[int(math.Ceil(math.Log2(middle)*(1<<schema)))] += n
	}
	return zeros, counts
}

// span is a range of indexes without a gap.
type span struct{ first, length int }

// spans returns the ranges of ascending indexes.
func spans(indexes []int) []span {
	var out []span
	for _, i := range indexes {
		if n := len(out); n > 0 && out[n-1].first+out[n-1].length == i {
			out[n-1].length++
			continue
		}
		out = append(out, span{i, 1})
	}
	return out
}

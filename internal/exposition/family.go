package exposition

import (
	"github.com/tarebench/tare/hist"
)

// Kind is what the metrics of a family are.
type Kind int

// The kinds.
const (
	Gauge     Kind = iota
	Counter        // never falls; its samples have the suffix _total
	Info           // labels that do not change; its samples have the suffix _info and the value 1
	Histogram      // of nanoseconds, written as seconds
)

// Family holds metrics of one name.
type Family struct {
	Name    string // without _total and _info, and ending with the unit, if there is one
	Help    string // one sentence
	Unit    string // "seconds"; "" for none
	Kind    Kind
	Metrics []Metric
}

// Metric is a value with its labels.
type Metric struct {
	Labels    []Label
	Value     float64
	Histogram *hist.Histogram // of kind Histogram, in nanoseconds
}

// Label is a name and a value. Names begin with a letter, and have letters, digits and _.
type Label struct{ Name, Value string }

// Labels returns labels of alternate names and values. Those without a value are left out.
func Labels(pairs ...string) []Label {
	var out []Label
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, Label{pairs[i], pairs[i+1]})
		}
	}
	return out
}

// perSecond is how many nanoseconds a second has.
const perSecond = 1e9

// bounds are the upper bounds of classic buckets, in ns: 10 µs to 10 s in steps of 1, 2.5 and 5.
var bounds = []int64{
	10e3, 25e3, 50e3, 100e3, 250e3, 500e3, 1e6, 2.5e6, 5e6, 10e6, 25e6, 50e6, 100e6, 250e6, 500e6, 1e9, 2.5e9, 5e9, 10e9,
}

// cumulative returns how many values are at most each of bounds. A value counts as the largest of its bucket, which is 0.1 %
// above it at most.
func cumulative(h *hist.Histogram) []int64 {
	out := make([]int64, len(bounds))
	var seen int64
	i := 0
	for b, n := range h.Buckets() {
		for i < len(bounds) && bounds[i] < b.Highest {
			out[i] = seen
			i++
		}
		seen += n
	}
	for ; i < len(bounds); i++ {
		out[i] = seen
	}
	return out
}

// sum returns the sum of all values in seconds, each taken as the middle of its bucket.
func sum(h *hist.Histogram) float64 { return h.Mean() * float64(h.Count()) / perSecond }

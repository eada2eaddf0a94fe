package load

import (
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// An Interval is what happened in one interval of a phase, or in the whole of it.
type Interval struct {
	record.Load
	Latencies []Latency         // those that have a value, in the order of kinds and tags
	First     map[string]string // the first error of each class, in its own words
}

// Latency is what was measured of the operations of a kind.
type Latency struct {
	Kind string          // "READ"
	Tag  string          // record.TagResponse, TagService, TagLateness or TagFailed
	Hist *hist.Histogram // in ns; valid until the callback returns
}

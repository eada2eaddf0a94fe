package result

import "github.com/tarebench/tare/hist"

// IntervalMean is what one interval of a load run adds to a [Latency].
type IntervalMean struct {
	Start int64   // since the phase began, ns
	Count int64   // latencies
	Mean  float64 // ns
}

// Means returns the mean of each interval of a load run that has latencies, in order.
func (l *Latency) Means() []IntervalMean { return l.means }

// Micros returns the distribution in whole microseconds, rounded down, with three digits: as YCSB records it. It is
// nil where only the percentiles are known. Operations that were never answered are not in it.
func (l *Latency) Micros() *hist.Histogram {
	if l.hist == nil {
		return nil
	}
	return InMicros(l.hist)
}

// InMicros returns a histogram of nanoseconds as one of whole microseconds, rounded down.
func InMicros(ns *hist.Histogram) *hist.Histogram {
	us := hist.New(hist.Config{})
	for b, n := range ns.Buckets() {
		us.RecordN(min(b.Highest, ns.Max())/1000, n)
	}
	return us
}

// addMean keeps the mean of an interval.
func (p *loadPhase) addMean(k latencyKey, start int64, h *hist.Histogram) {
	if p.means == nil {
		p.means = map[latencyKey][]IntervalMean{}
	}
	if h.Count() > 0 {
		p.means[k] = append(p.means[k], IntervalMean{start - p.start, h.Count(), h.Mean()})
	}
}

package latencies

import (
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/record"
)

// FewBeyond is how many values must lie beyond a percentile. With fewer, another run
// will have a different one.
const FewBeyond = 10

// Source is the part of a log that a [Distribution] or a [Series] is of.
type Source struct {
	File      string // as it was named
	Number    int    // of the file, from 0
	Tag       string
	Unit      int64     // of the values, in ns
	Start     time.Time // of the log
	Intervals int
	First     time.Duration // start of the first interval, since Start
	Last      time.Duration // end of the last interval, since Start
}

// Extend adds an interval to the range of time.
func (s *Source) Extend(i hist.Interval, start time.Time) {
	s.Start = start
	at := i.Start.Sub(start)
	if s.Intervals == 0 {
		s.First = at
	}
	s.Intervals++
	s.First, s.Last = min(s.First, at), max(s.Last, at+i.Length)
}

// Distribution is the latencies of one tag of one file.
type Distribution struct {
	Source
	Histogram *hist.Histogram   // values in Unit
	Waits     *unanswered.Waits // of operations that were never answered, in Unit; nil: all were, or it is not known
	Corrected time.Duration     // above 0: an estimate for a loop that sends at this interval
}

// Name returns a name that is unique among the distributions of its file.
func (d *Distribution) Name() string {
	if d.Corrected > 0 {
		return TagName(d.Tag) + ", corrected"
	}
	return TagName(d.Tag)
}

// Merge adds the values of an interval of a log that starts at start.
func (d *Distribution) Merge(i hist.Interval, start time.Time) error {
	if d.Histogram == nil {
		d.Histogram = hist.New(i.Histogram.Config()) // with the same number of digits
	}
	d.Extend(i, start)
	if err := d.Histogram.Merge(i.Histogram); err != nil {
		return fmt.Errorf("%s: %s: %w", d.File, TagName(d.Tag), err)
	}
	return nil
}

// CountsFromDue reports whether the latencies count from the time at which operations
// were due. Such latencies include the wait, so that nothing has to be corrected.
func (d *Distribution) CountsFromDue() bool {
	_, kind := SplitTag(d.Tag)
	return kind == record.TagResponse || kind == record.TagLateness || kind == record.TagFailed || kind == record.TagUnanswered
}

// Percentiles returns the usual figures, in ns, and the names of those that are lower bounds because operations were
// never answered.
func (d *Distribution) Percentiles() (p hist.Percentiles, atLeast []string) {
	p = d.Histogram.Percentiles()
	if d.Waits != nil {
		atLeast = d.Waits.Bound(&p, d.Histogram)
	}
	return inNs(p, d.Unit), atLeast
}

// Percentile returns percentile p in ns, and whether it is a lower bound. As in [hist.Histogram.Percentiles], it lies
// within the least and the largest value.
func (d *Distribution) Percentile(p float64) (ns int64, atLeast bool) {
	if d.Waits != nil {
		if x, atLeast := d.Waits.Percentile(d.Histogram, p, 0); atLeast {
			return Times(int64(x), d.Unit), true
		}
	}
	return Times(Percentile(d.Histogram, p), d.Unit), false
}

// Unanswered returns how many operations were never answered.
func (d *Distribution) Unanswered() int64 {
	if d.Waits == nil {
		return 0
	}
	return int64(math.Ceil(d.Waits.Count()))
}

// RestsOnFew reports whether fewer than [FewBeyond] values lie beyond percentile p. The
// lower half, the maximum and lower bounds are exempt.
func (d *Distribution) RestsOnFew(p float64) bool {
	_, atLeast := d.Percentile(p)
	return !atLeast && RestsOnFew(d.Histogram, p)
}

// Series is percentiles of one tag of one file over time.
type Series struct {
	Source
	Points [][]Point     // of each percentile
	End    time.Duration // of the last window, since Start
	Weak   int           // points of percentiles that rest on few values
	Upper  int           // points of percentiles between the median and the maximum
}

// Point is one percentile of one window.
type Point struct {
	At time.Duration // the middle of the window, since the log's start
	Ns float64       // NaN for a window without values
}

// PercentilesInNs returns the usual figures of a histogram of values in units of unit ns.
func PercentilesInNs(h *hist.Histogram, unit int64) hist.Percentiles {
	return inNs(h.Percentiles(), unit)
}

func inNs(p hist.Percentiles, unit int64) hist.Percentiles {
	for _, v := range []*int64{&p.Min, &p.P50, &p.P90, &p.P99, &p.P999, &p.P9999, &p.Max} {
		*v = Times(*v, unit)
	}
	p.Mean *= float64(unit)
	return p
}

// Percentile returns a percentile within the histogram's least and largest value.
func Percentile(h *hist.Histogram, p float64) int64 {
	return min(max(h.ValueAtPercentile(p), h.Min()), h.Max())
}

// RestsOnFew reports whether fewer than 10 values lie beyond the percentile. See [Distribution.RestsOnFew].
func RestsOnFew(h *hist.Histogram, p float64) bool {
	return p > 50 && p < 100 && h.CountBeyond(p) < FewBeyond
}

// Times multiplies a value by its unit. A product that is too large becomes the largest
// int64.
func Times(v, unit int64) int64 {
	if v > math.MaxInt64/unit {
		return math.MaxInt64
	}
	return v * unit
}

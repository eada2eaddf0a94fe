package histfiles

import (
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/latencies"
)

// Series reads all files. It returns the percentiles over time of each tag of each file,
// in the order in which they occur. A point is a window of every, or an interval of the
// log if every is 0.
func (in *Input) Series(percentiles []float64, every time.Duration) ([]*latencies.Series, error) {
	var all []*latencies.Series
	at := map[tagKey]*seriesBuilder{}
	var builders []*seriesBuilder
	err := in.each(func(src *source, i hist.Interval) error {
		k := tagKey{src.number, i.Tag}
		b := at[k]
		if b == nil {
			b = newSeriesBuilder(src.of(i.Tag), percentiles, every)
			at[k] = b
			builders = append(builders, b)
			all = append(all, b.series)
		}
		return b.add(i, src.start())
	})
	for _, b := range builders {
		b.closeWindow()
	}
	return all, err
}

// seriesBuilder merges intervals into windows, and makes points of them.
type seriesBuilder struct {
	series      *latencies.Series
	percentiles []float64
	every       time.Duration
	window      hist.Interval // being merged, if it has a histogram
	number      int64         // of the window
}

func newSeriesBuilder(of latencies.Source, percentiles []float64, every time.Duration) *seriesBuilder {
	s := &latencies.Series{Source: of, Points: make([][]latencies.Point, len(percentiles))}
	return &seriesBuilder{series: s, percentiles: percentiles, every: every}
}

// add merges an interval into its window, or makes it a window of its own.
func (b *seriesBuilder) add(i hist.Interval, start time.Time) error {
	b.series.Extend(i, start)
	if b.every > 0 {
		number := int64(math.Floor(float64(i.Start.Sub(start)) / float64(b.every)))
		if b.window.Histogram != nil && number == b.number {
			if err := b.window.Histogram.Merge(i.Histogram); err != nil {
				return exit.Failed(fmt.Errorf("%s: %s: %w", b.series.File, latencies.TagName(b.series.Tag), err), "")
			}
			return nil
		}
		b.closeWindow()
		b.number = number
		i.Start, i.Length = start.Add(time.Duration(number)*b.every), b.every
	} else {
		b.closeWindow()
	}
	b.window = i
	return nil
}

// closeWindow adds the points of a window, at its middle. A window without values is a
// gap.
func (b *seriesBuilder) closeWindow() {
	h := b.window.Histogram
	if h == nil {
		return
	}
	s := b.series
	after := b.window.Start.Sub(s.Start)
	s.End = max(s.End, after+b.window.Length)
	for k, p := range b.percentiles {
		point := latencies.Point{At: after + b.window.Length/2, Ns: math.NaN()}
		if h.Count() > 0 {
			point.Ns = float64(latencies.Percentile(h, p)) * float64(s.Unit)
			if p > 50 && p < 100 {
				s.Upper++
			}
			if latencies.RestsOnFew(h, p) {
				s.Weak++
			}
		}
		s.Points[k] = append(s.Points[k], point)
	}
	b.window.Histogram = nil
}

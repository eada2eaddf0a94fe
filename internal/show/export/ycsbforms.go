package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/record"
)

// A ycsbExporter gathers the metrics of a run.
type ycsbExporter struct {
	*result.Result
	config measurement.Config
	plain  bool // response times have the names of service times
	out    []ycsbMetric
}

func newYCSBExporter(s *result.Result) *ycsbExporter {
	e := &ycsbExporter{Result: s}
	var props map[string]string
	if s.Run != nil && s.Run.Config.Load != nil {
		props = s.Run.Config.Load.Props
	}
	var err error
	if e.config, err = measurement.Parse(props); err != nil { // no run of tare has such a record
		e.config, _ = measurement.Parse(nil)
	}
	served := slices.ContainsFunc(s.Latencies, func(l result.Latency) bool { return l.Kind == record.TagService })
	e.plain = e.config.Interval == measurement.Intended && !served
	return e
}

// add adds a metric: a whole number, or a float64 as Java writes it.
func (e *ycsbExporter) add(series, name string, value any) {
	number := json.Number(fmt.Sprint(value))
	if x, ok := value.(float64); ok {
		number = javaDouble(x)
	}
	e.out = append(e.out, ycsbMetric{series, name, number})
}

// latency adds the series of a latency in all of its forms. YCSB counts statuses once for each operation, in its
// first form.
func (e *ycsbExporter) latency(l *result.Latency) {
	series := latencies.YCSBSeries(l.Name, l.Kind, e.plain)
	if series == "" {
		return
	}
	if l.Kind == record.TagFailed && e.of(l.Name, record.TagService).Kind == "" && !e.plain { // YCSB's series of an operation of which none succeeded
		e.forms(l.Name, &result.Latency{Name: l.Name, Kind: record.TagService})
	}
	e.forms(series, l)
}

// of returns an operation's latencies of one kind, such as its service times. It returns the zero value if it has none.
func (e *ycsbExporter) of(name, kind string) (out result.Latency) {
	for _, l := range e.Latencies {
		if l.Name == name && l.Kind == kind {
			out = l
		}
	}
	return out
}

// forms adds a series in each form: its figures, how often its operations ended with each status, and what it has of single
// latencies.
func (e *ycsbExporter) forms(series string, l *result.Latency) {
	for i, f := range e.config.Forms() {
		name := f.Prefix + series
		switch f.Type {
		case measurement.Histogram:
			e.histogram(name, l)
		case measurement.Raw:
			e.raw(name, l)
		case measurement.TimeSeries:
			e.moments(name, l, nil)
			e.percentiles(name, l, e.config.SeriesPercentiles)
		default:
			e.moments(name, l, nil)
			e.percentiles(name, l, e.config.Percentiles)
		}
		if i == 0 {
			e.statuses(name, l)
		}
		switch {
		case f.Type == measurement.TimeSeries:
			e.timeSeries(name, l)
		case e.config.Verbose && f.Type == measurement.Histogram:
			counts, beyond := e.milliseconds(l)
			for ms, n := range counts {
				e.add(name, strconv.Itoa(ms), n)
			}
			e.add(name, ">"+strconv.Itoa(len(counts)), beyond)
		case e.config.Verbose && f.Type == measurement.HdrHistogram:
			for b, n := range micros(l).Buckets() {
				e.add(name, strconv.FormatInt(b.Highest, 10), float64(n))
			}
		}
	}
}

// moments adds count, mean, bounds, and the variance if there is a histogram.
func (e *ycsbExporter) moments(series string, l *result.Latency, us *hist.Histogram) {
	e.add(series, "Operations", l.Count)
	e.add(series, "AverageLatency(us)", l.Mean/1e3)
	if us != nil {
		e.add(series, "LatencyVariance(us)", us.StdDev()*us.StdDev())
	}
	e.add(series, "MinLatency(us)", l.Min/1000)
	e.add(series, "MaxLatency(us)", l.Max/1000)
}

func (e *ycsbExporter) percentiles(series string, l *result.Latency, ps []float64) {
	for _, p := range ps {
		if v, ok := l.At(p); ok || l.Count == 0 {
			e.add(series, ordinal(p)+"PercentileLatency(us)", v/1000)
		}
	}
}

// micros returns the histogram in microseconds, an empty one if there is none.
func micros(l *result.Latency) *hist.Histogram {
	if us := l.Micros(); us != nil {
		return us
	}
	return hist.New(hist.Config{})
}

// histogram adds the metrics of measurementtype=histogram, whose buckets are milliseconds.
func (e *ycsbExporter) histogram(series string, l *result.Latency) {
	us := micros(l)
	e.moments(series, l, us)
	counts, _ := e.milliseconds(l)
	for _, p := range []float64{95, 99} {
		if ms := bucketAt(counts, p/100*float64(us.Count())); us.Count() > 0 && ms < len(counts) {
			e.add(series, ordinal(p)+"PercentileLatency(us)", ms*1000)
		}
	}
}

// milliseconds returns how many latencies took each number of milliseconds, and how many took longer.
func (e *ycsbExporter) milliseconds(l *result.Latency) (counts []int64, beyond int64) {
	counts = make([]int64, e.config.Buckets)
	for b, n := range micros(l).Buckets() {
		if ms := b.Lowest / 1000; ms < int64(len(counts)) {
			counts[ms] += n
		} else {
			beyond += n
		}
	}
	return counts, beyond
}

// bucketAt returns the first bucket up to which there are so many values, or the number of buckets.
func bucketAt(counts []int64, values float64) int {
	sum := int64(0)
	for i, n := range counts {
		if sum += n; float64(sum) >= values {
			return i
		}
	}
	return len(counts)
}

// timeSeries adds the mean of each interval of measurementtype=timeseries that has operations, named by its
// milliseconds since the start.
func (e *ycsbExporter) timeSeries(series string, l *result.Latency) {
	step := int64(e.config.Granularity)
	begin := func(start int64) int64 { return (start + step/100) / step * step } // intervals begin some µs beside their time
	for means := l.Means(); len(means) > 0; {
		at, count, sum := begin(means[0].Start), int64(0), 0.0
		for ; len(means) > 0 && begin(means[0].Start) == at; means = means[1:] {
			count += means[0].Count
			sum += means[0].Mean * float64(means[0].Count)
		}
		if count > 0 {
			e.add(series, strconv.FormatInt(at/1e6, 10), sum/float64(count)/1e3)
		}
	}
}

// rawPercentiles are those of measurementtype=raw.
var rawPercentiles = [...]float64{1, 5, 50, 90, 95, 99, 99.9, 99.99}

// raw adds the summary of measurementtype=raw. The latencies themselves are in no record.
func (e *ycsbExporter) raw(series string, l *result.Latency) {
	e.add(series, "Total Operations", l.Count)
	if l.Count == 0 || e.config.NoRawSummary {
		return
	}
	e.add(series, "Below is a summary of latency in microseconds:", -1)
	e.add(series, "Average", l.Mean/1e3)
	e.add(series, "Min", l.Min/1000)
	e.add(series, "Max", l.Max/1000)
	for _, p := range rawPercentiles {
		if v, ok := l.At(p); ok {
			e.add(series, "p"+decimal(p), v/1000)
		}
	}
}

// statuses adds how often an operation ended with each status. tare counts
// records that were not found over all operations, so that their operation is known only if there is one kind.
func (e *ycsbExporter) statuses(series string, l *result.Latency) {
	count := func(status string, n int64) {
		if n > 0 {
			e.add(series, "Return="+status, n)
		}
	}
	switch {
	case l.Kind == record.TagUnanswered:
		count("UNANSWERED", l.Count)
	case l.Kind == record.TagService || l.Kind == record.TagResponse && e.plain: // the operation's own series
		missing := int64(0)
		if !slices.ContainsFunc(e.Latencies, func(x result.Latency) bool { return x.Name != l.Name }) {
			missing = min(e.Load.NotFound(), l.Count)
		}
		count("OK", l.Count-missing)
		count("NOT_FOUND", missing)
		count("ERROR", e.of(l.Name, record.TagFailed).Count)
	}
}

package export

import (
	"encoding/json"
	"strconv"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// A ycsbExporter gathers the metrics of a run.
type ycsbExporter struct {
	config measurement.Config
	load   *result.Load
	names  map[string]bool  // of operations
	served map[string]bool  // operations that have service times
	failed map[string]int64 // operations that failed
	plain  bool             // response times have the names of service times
	out    []ycsbMetric
}

func newYCSBExporter(s *result.Result) *ycsbExporter {
	e := &ycsbExporter{load: s.Load, names: map[string]bool{}, served: map[string]bool{}, failed: map[string]int64{}}
	var props map[string]string
	if s.Run != nil && s.Run.Config.Load != nil {
		props = s.Run.Config.Load.Props
	}
	var err error
	if e.config, err = measurement.Parse(props); err != nil { // no run of tare has such a record
		e.config, _ = measurement.Parse(nil)
	}
	for i := range s.Latencies {
		x := &s.Latencies[i]
		e.names[x.Name] = true
		switch x.Kind {
		case record.TagService:
			e.served[x.Name] = true
		case record.TagFailed:
			e.failed[x.Name] = x.Count
		}
	}
	e.plain = e.config.Interval == measurement.Intended && len(e.served) == 0
	return e
}

func (e *ycsbExporter) add(series, name string, v json.Number) {
	e.out = append(e.out, ycsbMetric{series, name, v})
}

// latency adds the series of a latency in all of its forms. YCSB counts statuses once for each operation, in its first form.
func (e *ycsbExporter) latency(l *result.Latency) {
	series := e.series(l)
	if series == "" {
		return
	}
	main := l.Kind == record.TagService || l.Kind == record.TagResponse && e.plain
	if l.Kind == record.TagFailed && !e.answered(l.Name) { // YCSB's series of an operation of which none succeeded
		e.forms(l.Name, &result.Latency{Name: l.Name, Kind: record.TagService}, true)
	}
	e.forms(series, l, main)
}

func (e *ycsbExporter) answered(name string) bool { return e.served[name] || e.plain && e.names[name] }

func (e *ycsbExporter) forms(series string, l *result.Latency, main bool) {
	for i, f := range e.config.Forms() {
		name := f.Prefix + series
		statuses := func() {
			if i == 0 {
				e.statuses(name, l, main)
			}
		}
		switch f.Type {
		case measurement.Histogram:
			e.histogram(name, l, statuses)
		case measurement.TimeSeries:
			e.moments(name, l)
			e.percentiles(name, l, e.config.SeriesPercentiles)
			statuses()
			e.timeSeries(name, l)
		case measurement.Raw:
			e.raw(name, l, statuses)
		default:
			e.moments(name, l)
			e.percentiles(name, l, e.config.Percentiles)
			statuses()
			if e.config.Verbose {
				e.buckets(name, l)
			}
		}
	}
}

// series returns the name of a latency's series, "" for what YCSB does not have.
func (e *ycsbExporter) series(l *result.Latency) string {
	switch l.Kind {
	case record.TagService:
		return l.Name
	case record.TagResponse:
		if e.plain {
			return l.Name
		}
		return "Intended-" + l.Name
	case record.TagFailed:
		return l.Name + "-FAILED"
	case record.TagUnanswered:
		return l.Name + "-UNANSWERED"
	}
	return ""
}

func (e *ycsbExporter) moments(series string, l *result.Latency) {
	e.add(series, "Operations", ycsbInt(l.Count))
	e.add(series, "AverageLatency(us)", javaDouble(l.Mean/1e3))
	e.bounds(series, l)
}

func (e *ycsbExporter) bounds(series string, l *result.Latency) {
	e.add(series, "MinLatency(us)", ycsbInt(l.Min/1000))
	e.add(series, "MaxLatency(us)", ycsbInt(l.Max/1000))
}

func (e *ycsbExporter) percentiles(series string, l *result.Latency, ps []float64) {
	for _, p := range ps {
		v, ok := l.At(p)
		if ok || l.Count == 0 {
			e.add(series, ordinal(p)+"PercentileLatency(us)", ycsbInt(v/1000))
		}
	}
}

// buckets adds how often each latency occurred, as hdrhistogram does with measurement.histogram.verbose.
func (e *ycsbExporter) buckets(series string, l *result.Latency) {
	us := l.Micros()
	if us == nil {
		return
	}
	for b, n := range us.Buckets() {
		e.add(series, strconv.FormatInt(b.Highest, 10), javaDouble(float64(n)))
	}
}

// histogram adds the metrics of measurementtype=histogram, whose buckets are milliseconds.
func (e *ycsbExporter) histogram(series string, l *result.Latency, statuses func()) {
	us := l.Micros()
	if us == nil {
		us = hist.New(hist.Config{})
	}
	deviation := us.StdDev()
	e.add(series, "Operations", ycsbInt(l.Count))
	e.add(series, "AverageLatency(us)", javaDouble(l.Mean/1e3))
	e.add(series, "LatencyVariance(us)", javaDouble(deviation*deviation))
	e.bounds(series, l)
	counts, beyond := make([]int64, e.config.Buckets), int64(0)
	for b, n := range us.Buckets() {
		if ms := b.Lowest / 1000; ms < int64(len(counts)) {
			counts[ms] += n
		} else {
			beyond += n
		}
	}
	for _, p := range []float64{95, 99} {
		if ms := bucketAt(counts, p/100*float64(us.Count())); us.Count() > 0 && ms < len(counts) {
			e.add(series, ordinal(p)+"PercentileLatency(us)", ycsbInt(int64(ms)*1000))
		}
	}
	statuses()
	if !e.config.Verbose {
		return
	}
	for ms, n := range counts {
		e.add(series, strconv.Itoa(ms), ycsbInt(n))
	}
	e.add(series, ">"+strconv.Itoa(len(counts)), ycsbInt(beyond))
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

// timeSeries adds the mean of each stretch of time that has operations, named by its milliseconds since the start.
func (e *ycsbExporter) timeSeries(series string, l *result.Latency) {
	step := int64(e.config.Granularity)
	at, count, sum := int64(0), int64(0), 0.0
	flush := func() {
		if count > 0 {
			e.add(series, strconv.FormatInt(at/1e6, 10), javaDouble(sum/float64(count)/1e3))
		}
		count, sum = 0, 0
	}
	for _, m := range l.Means() {
		if unit := (m.Start + step/100) / step * step; unit != at { // intervals begin some µs beside their time
			flush()
			at = unit
		}
		count += m.Count
		sum += m.Mean * float64(m.Count)
	}
	flush()
}

// rawPercentiles are those of measurementtype=raw.
var rawPercentiles = [...]float64{1, 5, 50, 90, 95, 99, 99.9, 99.99}

// raw adds the summary of measurementtype=raw. The latencies themselves are in no record.
func (e *ycsbExporter) raw(series string, l *result.Latency, statuses func()) {
	e.add(series, "Total Operations", ycsbInt(l.Count))
	if l.Count > 0 && !e.config.NoRawSummary {
		e.add(series, "Below is a summary of latency in microseconds:", "-1")
		e.add(series, "Average", javaDouble(l.Mean/1e3))
		e.add(series, "Min", ycsbInt(l.Min/1000))
		e.add(series, "Max", ycsbInt(l.Max/1000))
		for _, p := range rawPercentiles {
			if v, ok := l.At(p); ok {
				e.add(series, "p"+strconv.FormatFloat(p, 'f', -1, 64), ycsbInt(v/1000))
			}
		}
	}
	statuses()
}

// statuses adds how often an operation ended with each status. main says that the series is the operation's own. tare counts
// records that were not found over all operations, so that their operation is known only if there is one kind.
func (e *ycsbExporter) statuses(series string, l *result.Latency, main bool) {
	count := func(status string, n int64) {
		if n > 0 {
			e.add(series, "Return="+status, ycsbInt(n))
		}
	}
	if l.Kind == record.TagUnanswered {
		count("UNANSWERED", l.Count)
	}
	if !main {
		return
	}
	missing := int64(0)
	if len(e.names) == 1 {
		missing = min(e.load.NotFound(), l.Count)
	}
	count("OK", l.Count-missing)
	count("NOT_FOUND", missing)
	count("ERROR", e.failed[l.Name])
}

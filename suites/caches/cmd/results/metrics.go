package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/stat"
)

// A metric is one of those that the suite is about.
type metric struct {
	name  string // of its chart's file
	title string
	unit  string // of the values in the record
	axis  string // of the chart
	more  string // what a larger value is, in words
}

var metrics = []metric{
	{"throughput", "Throughput", "op/s", "op/s", "faster than"},
	{"heap", "Live heap per entry held", perEntryUnit, "B", "more than"},
	{"peak", "Peak of resident memory in the window (VmHWM)", "VmHWM-B", "B", "more than"},
	{"used-fin", "Memory in use after one collection (usedMem_fin)", "usedMem_fin-B", "B", "more than"},
	{"used", "Memory in use, settled (usedMem_settled)", "usedMem_settled-B", "B", "more than"},
	{"used-max", "Memory in use, peak at the ends of collections (usedMem_max)", "usedMem_max-B", "B", "more than"},
	{"total", "Memory of the runtime, settled (totalMem_settled)", "totalMem_settled-B", "B", "more than"},
	{"total-max", "Memory of the runtime, peak at the ends of collections (totalMem_max)", "totalMem_max-B", "B", "more than"},
	{"rss", "Resident memory, free memory returned (VmRSS)", "VmRSS-B", "B", "more than"},
	{"alloc", "Allocated for each get", "B/op", "B", "more than"},
}

// equalMetrics are those at equal memory.
var equalMetrics = []metric{
	{"hits", "Hit rate at equal memory", "hit-%", "%", "higher than"},
	{"throughput", "Throughput at equal memory", "op/s", "op/s", "faster than"},
	{"capacity", "Entries held at equal memory", "entries", "", "more than"},
}

// collectorMetrics are shown besides where sides are compared, which may be collectors.
var collectorMetrics = []metric{
	{"collections", "Collections in a window", "gc-cycles", "", "more than"},
	{"pause", "Time in which collections stopped all goroutines in a window", "gc-pause-ns", "ns", "more than"},
}

// metrics returns the metrics of the comparison that the record is of, without those of which no cache has a value.
func (r *result) metrics() []metric {
	all := metrics
	if r.budget != "" {
		all = equalMetrics
	} else if r.sided() {
		all = slices.Concat(metrics, collectorMetrics)
	}
	return slices.DeleteFunc(slices.Clone(all), func(m metric) bool {
		return !slices.ContainsFunc(r.rows, func(x *row) bool { return len(x.values[m.unit]) > 0 })
	})
}

// above lists the caches whose intervals lie wholly below that of x. What is not a
// cache takes no part, and neither does who has no interval.
func (r *result) above(x *row, unit string) []string {
	var out []string
	for _, y := range r.rows {
		if y != x && isCache(x) && isCache(y) && apart(y.figure(unit), x.figure(unit)) {
			out = append(out, y.kind.Name)
		}
	}
	return out
}

func isCache(x *row) bool { return x.kind.Module != "" }

// apart tells whether a lies wholly below b.
func apart(a, b stat.Interval) bool {
	finite := func(f stat.Interval) bool {
		return !math.IsNaN(f.Median) && !math.IsInf(f.Lo, 0) && !math.IsInf(f.Hi, 0)
	}
	return finite(a) && finite(b) && a.Hi < b.Lo
}

// separated says which caches the intervals of a metric tell apart, a line each.
func (r *result) separated(m metric) []string {
	var out []string
	for _, x := range r.rows {
		if names := r.above(x, m.unit); len(names) > 0 {
			out = append(out, fmt.Sprintf("%s: %s %s", x.kind.Name, m.more, strings.Join(names, ", ")))
		}
	}
	return out
}

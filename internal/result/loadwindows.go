package result

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Samples of comparisons of load runs.
const (
	SampleWindows = "pair"  // of windows
	SampleStarts  = "start" // of both servers

	SampleIntervals = "interval" // of runs that were made one after the other
)

// LoadSide is what all windows of one side of a load run came to.
type LoadSide struct {
	Side      string    `json:"side"`
	Windows   int       `json:"windows"`
	Load      Load      `json:"load"`
	Latencies []Latency `json:"latencies"` // of all windows together: no verdict goes by them
}

// LoadPairs describes the samples of the comparisons of two sides.
type LoadPairs struct {
	Sides    []LoadSide `json:"sides"`            // the base first
	Pairs    int        `json:"pairs"`            // of windows
	Starts   int        `json:"starts,omitempty"` // of both servers; 0: tare starts none
	Unpaired bool       `json:"apart,omitempty"`  // runs were made one after the other: there are no pairs
	Samples  int        `json:"samples"`          // pairs of values that were compared: starts, or else pairs of windows
}

// windowPair is a pair of windows: [0] of the base.
type windowPair struct {
	start int
	phase [2]*loadPhase
	load  [2]Load
}

// windows compares the windows of two sides. Phases that are no window of either are left out, and a warning counts
// them.
func (b *Builder) windows(s *Result, runs []*loadPhase) {
	sides := b.sides()
	total := len(runs)
	runs = slices.DeleteFunc(slices.Clone(runs), func(p *loadPhase) bool {
		return len(sides) != 2 || p.last.Window == nil || !slices.Contains(sides, p.last.Window.Side)
	})
	if n := total - len(runs); n > 0 {
		s.Warnings = append(s.Warnings, WarningOf(diagnosis.Warn(diagnosis.NoWindow, diagnosis.Facts{"phases": units.Plural(n, "phase")})))
	}
	if len(sides) != 2 {
		return
	}
	pairs := map[int]*windowPair{}
	w := &LoadPairs{Sides: make([]LoadSide, 2)}
	var all [2][]*loadPhase
	for _, p := range runs {
		i := slices.Index(sides, p.last.Window.Side)
		all[i] = append(all[i], p)
		at := pairs[p.last.Window.Pair]
		if at == nil {
			at = &windowPair{start: p.last.Window.Start}
			pairs[p.last.Window.Pair] = at
		}
		at.phase[i], at.load[i] = p, b.phase(p)
		w.Starts = max(w.Starts, p.last.Window.Start)
	}
	for i, side := range sides {
		w.Sides[i] = b.pooled(side, all[i])
	}
	var whole []*windowPair // of which both windows ended
	for _, n := range slices.Sorted(maps.Keys(pairs)) {
		if p := pairs[n]; p.phase[0] != nil && p.phase[1] != nil && p.phase[0].ended && p.phase[1].ended {
			whole = append(whole, p)
		}
	}
	w.Pairs = len(whole)
	s.LoadPairs = w
	s.FirstErrors = b.load.first
	metrics := windowMetrics(whole)
	for _, m := range metrics {
		c, samples := b.compareWindows(whole, m, w.Starts > 0, s.Confidence)
		if samples > 0 {
			w.Samples = samples
			s.Comparisons = append(s.Comparisons, c)
		}
	}
	b.correct(s.Comparisons)
	if len(whole) > 0 {
		s.Lost = append(s.Lost, lostOperations(&w.Sides[0], &w.Sides[1], s.Comparisons)...)
	}
	s.Warnings = append(s.Warnings, windowWarnings(w)...)
	if x := b.unresolvedTail(metrics); x != nil {
		s.Warnings = append(s.Warnings, WarningOf(x))
	}
	for i := range w.Sides {
		s.Warnings = append(s.Warnings, w.Sides[i].warnings()...)
	}
	distrustWindows(s, w)
}

// pooled returns the counts and latencies of all windows of a side.
func (b *Builder) pooled(side string, windows []*loadPhase) LoadSide {
	sum, loads := &loadPhase{ended: true}, []Load(nil)
	n := &sum.last
	n.Phase, n.Errors = record.LoadRun, map[string]int64{}
	for _, p := range windows {
		x := &p.last
		n.Length, n.CPU = n.Length+x.Length, n.CPU+x.CPU
		n.Scheduled, n.Started, n.Completed = n.Scheduled+x.Scheduled, n.Started+x.Started, n.Completed+x.Completed
		n.Dropped, n.Unsent, n.Unfinished = n.Dropped+x.Dropped, n.Unsent+x.Unsent, n.Unfinished+x.Unfinished
		n.Lost += x.Lost
		n.UnsentOldest, n.UnfinishedOldest = max(n.UnsentOldest, x.UnsentOldest), max(n.UnfinishedOldest, x.UnfinishedOldest)
		n.BacklogMax, n.Workers = max(n.BacklogMax, x.BacklogMax), max(n.Workers, x.Workers)
		n.Achieved += x.Achieved * float64(x.Length)
		n.TargetRate += x.TargetRate * float64(x.Length)
		for class, count := range x.Errors {
			n.Errors[class] += count
		}
		n.Sent, n.Received, n.Rows = n.Sent+x.Sent, n.Received+x.Received, n.Rows+x.Rows
		for status, count := range x.Statuses {
			if n.Statuses == nil {
				n.Statuses = map[string]int64{}
			}
			n.Statuses[status] += count
		}
		for _, k := range p.latencies.keys(p.latencies.roles) {
			if h := p.latencies.of[k]; h != nil {
				sum.latencies.sum(k).Merge(h) // histograms of one configuration
			}
		}
		sum.ended = sum.ended && p.ended
		loads = append(loads, b.phase(p))
	}
	if n.Length > 0 {
		n.Achieved /= float64(n.Length)
		n.TargetRate /= float64(n.Length)
	}
	if len(windows) > 0 {
		n.Slowest = slowestOf(windows, windows[0].last.Start)
		sum.marks = marksOf(windows, windows[0].last.Start)
	}
	out := LoadSide{Side: side, Windows: len(windows), Load: b.phase(sum), Latencies: sum.rows()}
	out.Load.Failures = SumFailures(loads)
	return out
}

// windowMetric is what is compared of each window: a percentile of an operation, or a rate.
type windowMetric struct {
	name, unit string
	kind       string // of the latency; "" for none
	higher     bool   // is better
	of         func(p *loadPhase, l *Load) (float64, bool)
}

// Percentiles that are compared: the first, and the highest beyond which each window has enough samples.
var comparedPercentiles = []struct {
	name string
	at   float64
}{{"p50", 50}, {"p90", 90}, {"p99", 99}}

// samplesBeyond is how many samples a window has beyond a percentile that is compared, at least.
const samplesBeyond = 10

// windowMetrics returns what is compared: percentiles of response and service times of each operation, the rate of
// operations that were answered without an error, and their share of all that were due: those that were dropped,
// never sent or never answered are part of it.
func windowMetrics(pairs []*windowPair) []windowMetric {
	var out []windowMetric
	seen := map[latencyKey]bool{}
	for _, p := range pairs {
		for _, phase := range p.phase {
			for _, k := range phase.latencies.keys(phase.latencies.roles) {
				if (k.tag == record.TagResponse || k.tag == record.TagService) && !seen[k] && phase.latencies.of[k].Count() > 0 {
					seen[k] = true
					out = append(out, latencyMetrics(pairs, k)...)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b windowMetric) int {
		return cmp.Compare(kindOrder(a.kind), kindOrder(b.kind))
	})
	good := func(l *Load) float64 { return float64(l.Operations - l.Errors) }
	return append(out,
		windowMetric{name: "answered without error", unit: "op/s", higher: true, of: func(p *loadPhase, l *Load) (float64, bool) {
			return good(l) / (float64(l.Wall) / 1e9), l.Wall > 0
		}},
		windowMetric{name: "share of due without error", unit: "%", higher: true, of: func(p *loadPhase, l *Load) (float64, bool) {
			return 100 * good(l) / float64(l.Scheduled), l.Scheduled > 0
		}})
}

func kindOrder(kind string) int {
	return slices.Index([]string{record.TagResponse, record.TagService}, kind)
}

// latencyMetrics returns the percentiles of one operation that its windows resolve.
func latencyMetrics(pairs []*windowPair, k latencyKey) []windowMetric {
	least := int64(-1)
	for _, p := range pairs {
		for _, phase := range p.phase {
			n := int64(0)
			if h := phase.latencies.of[k]; h != nil {
				n = h.Count()
			}
			if least < 0 || n < least {
				least = n
			}
		}
	}
	var out []windowMetric
	for i, q := range comparedPercentiles {
		resolved := func(at float64) bool { return float64(least)*(1-at/100) >= samplesBeyond }
		next := i+1 < len(comparedPercentiles) && resolved(comparedPercentiles[i+1].at)
		if i > 0 && (!resolved(q.at) || next) || least < samplesBeyond {
			continue // each further test lowers the power of the others
		}
		out = append(out, windowMetric{name: fmt.Sprintf("%s %s %s", k.role, k.tag, q.name), unit: "ns", kind: k.tag, of: func(p *loadPhase, _ *Load) (float64, bool) {
			h := p.latencies.of[k]
			if h == nil || h.Count() == 0 {
				return 0, false
			}
			return valueAt(h, p.waits(k), q.at), true
		}})
	}
	return out
}

// compareWindows compares one figure of the windows. With starts, the median over the windows of a start is its
// value: the windows of a process are no samples of what another start would give.
func (b *Builder) compareWindows(pairs []*windowPair, m windowMetric, starts bool, confidence float64) (Comparison, int) {
	var values [2][]float64
	var of [2]map[int][]float64
	for i := range of {
		of[i] = map[int][]float64{}
	}
	for n, p := range pairs {
		x, ok1 := m.of(p.phase[0], &p.load[0])
		y, ok2 := m.of(p.phase[1], &p.load[1])
		if !ok1 || !ok2 {
			continue
		}
		key := n
		if starts {
			key = p.start
		}
		of[0][key], of[1][key] = append(of[0][key], x), append(of[1][key], y)
	}
	for _, key := range slices.Sorted(maps.Keys(of[0])) {
		for i := range of {
			values[i] = append(values[i], stat.Median(of[i][key]))
		}
	}
	sides := b.sides()
	c := Comparison{Name: m.name, Base: sides[0], Side: sides[1], Unit: m.unit, Main: true, OldN: len(values[0]), NewN: len(values[1]), Trusted: true, Sample: SampleWindows}
	if starts {
		c.Sample = SampleStarts
	}
	o := stat.Options{Confidence: confidence, Threshold: b.threshold(), HigherIsBetter: m.higher}
	c.judge(stat.ComparePairs(values[0], values[1], o))
	if math.IsNaN(float64(c.Ratio)) { // as of a server that answers nothing: no gate passes by that
		c.Trusted, c.Reasons = false, append(c.Reasons, diagnosis.NoRatio)
	}
	return c, len(values[0])
}

// windowWarnings returns what is to be said of how sides were measured.
func windowWarnings(w *LoadPairs) []Warning {
	var out []Warning
	least := 6 // see stat.ComparePairs
	switch {
	case w.Samples < least && w.Starts > 0:
		out = append(out, WarningOf(diagnosis.WarnForm(diagnosis.FewPairs, "starts", diagnosis.Facts{"starts": units.Plural(w.Samples, "start"), "least": least})))
	case w.Samples < least:
		out = append(out, WarningOf(diagnosis.Warn(diagnosis.FewPairs, diagnosis.Facts{"pairs": units.Plural(w.Samples, "pair"), "least": least})))
	}
	if w.Starts == 0 {
		out = append(out, WarningOf(diagnosis.Warn(diagnosis.OneProcess, nil)))
	}
	return out
}

// unresolvedTail returns a warning if windows are too short for the highest percentile.
func (b *Builder) unresolvedTail(metrics []windowMetric) *record.Warn {
	top := comparedPercentiles[len(comparedPercentiles)-1]
	if len(metrics) == 0 || slices.ContainsFunc(metrics, func(m windowMetric) bool { return strings.HasSuffix(m.name, " "+top.name) }) {
		return nil
	}
	enough := ""
	if c := b.loadConfig(); c.Rate > 0 {
		enough = units.Duration(time.Duration(1.05 * samplesBeyond / (1 - top.at/100) / c.Rate * 1e9).Round(100 * time.Millisecond))
	}
	return diagnosis.Warn(diagnosis.ShortWindow, diagnosis.Facts{"percentile": top.name, "least": samplesBeyond, "enough": enough})
}

// latePart is how large the generator's lateness may be beside response times.
const latePart = 0.1

// distrustWindows takes the trust from comparisons of response times of which the generator's own lateness is a part.
func distrustWindows(s *Result, w *LoadPairs) {
	late := int64(0)
	for i := range w.Sides {
		if l := w.Sides[i].Load.Lateness; l != nil {
			late = max(late, l.P99)
		}
	}
	untrusted := false
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		if !c.Trusted {
			continue
		}
		if !strings.Contains(c.Name, " "+record.TagResponse+" ") || !(float64(late) > latePart*min(float64(c.Old), float64(c.New))) || c.Verdict == string(stat.Equivalent) {
			continue
		}
		c.Trusted, untrusted = false, true
		c.Reasons = append(c.Reasons, diagnosis.ResponseLate)
	}
	if untrusted {
		s.Warnings = append(s.Warnings, WarningOf(diagnosis.Warn(diagnosis.ResponseLate, diagnosis.Facts{"late": units.Time(late)})))
	}
}

// valueAt returns a percentile in ns. Operations that were never answered count as the time that they had waited.
func valueAt(h *hist.Histogram, waits *unanswered.Waits, percentile float64) float64 {
	if waits != nil {
		x, _ := waits.Percentile(h, percentile, 0)
		return x
	}
	return float64(h.ValueAtPercentile(percentile))
}

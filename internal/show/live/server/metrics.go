package server

import (
	"maps"
	"slices"
	"strconv"

	dto "github.com/prometheus/client_model/go"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// metrics gathers from the lines of a record what Prometheus and the status line show.
type metrics struct {
	run     *record.Run
	end     *record.End
	order   []string          // of phases, as they came
	phases  map[string]*phase // by name
	current *record.Load      // the last line of an interval
	waiting []*record.Hist    // whose line of the interval has not come
	cases   map[int]bool      // of benchmarks, by ID
	forks   int               // timed ones that ended
	round   int               // of the last of them
	hists   map[series]*hist.Histogram
}

// phase is a phase of a load run. In a search or a sweep there may be several of the same name, whose counts are added.
type phase struct {
	before record.Load // counts of those that have ended
	now    record.Load // of the one at hand
	errors map[string]int64
	cpu    int64
}

// series identifies a histogram.
type series struct{ phase, operation, kind string }

func newMetrics() *metrics {
	return &metrics{phases: map[string]*phase{}, cases: map[int]bool{}, hists: map[series]*hist.Histogram{}}
}

// add takes the next line of the record.
func (m *metrics) add(line record.Line) {
	switch l := line.(type) {
	case *record.Run:
		m.run = l
	case *record.Case:
		m.cases[l.ID] = true
	case *record.Fork:
		if l.Purpose == record.PurposeTiming {
			m.forks, m.round = m.forks+1, l.Round
		}
	case *record.Load:
		m.addLoad(l)
	case *record.Hist:
		m.addHist(l)
	case *record.End:
		m.end = l
	}
}

func (m *metrics) addLoad(l *record.Load) {
	p := m.phases[l.Phase]
	if p == nil {
		p = &phase{errors: map[string]int64{}}
		m.phases[l.Phase] = p
		m.order = append(m.order, l.Phase)
	}
	p.now = *l
	if l.Final {
		p.end()
		return
	}
	m.current = l
	for _, h := range m.waiting {
		m.addHist(h)
	}
	m.waiting = nil
}

// end adds the counts of the phase at hand to those of earlier ones.
func (p *phase) end() {
	for _, c := range p.counts() {
		*c.before += *c.now
	}
	for class, n := range p.now.Errors {
		p.errors[class] += n
	}
	p.cpu += p.now.CPU
	last := p.now
	p.now = record.Load{TargetRate: last.TargetRate, Achieved: last.Achieved, Workers: last.Workers}
}

// counts returns what is counted in a phase.
func (p *phase) counts() []count {
	return []count{
		{"scheduled", "Operations that were due.", &p.before.Scheduled, &p.now.Scheduled},
		{"started", "Operations that were sent.", &p.before.Started, &p.now.Started},
		{"operations", "Operations that were answered, with an error or without.", &p.before.Completed, &p.now.Completed},
		{"dropped", "Operations that were dropped unsent, because they were too late.", &p.before.Dropped, &p.now.Dropped},
	}
}

type count struct {
	name, help  string
	before, now *int64
}

func (m *metrics) addHist(h *record.Hist) {
	switch {
	case h.Unit != "ns" || h.Fork != 0 || h.Iter == 0: // of a benchmark, or of a whole phase, whose intervals are counted
		return
	case m.current == nil || m.current.Iter != h.Iter || m.current.Start != h.Start:
		const most = 1000 // a record has a few for each interval
		if len(m.waiting) < most {
			m.waiting = append(m.waiting, h)
		}
		return
	}
	decoded, err := hist.Decode(h.Data)
	if err != nil {
		return
	}
	key := series{m.current.Phase, h.Name, h.Tag}
	if sum := m.hists[key]; sum == nil {
		m.hists[key] = decoded
	} else {
		sum.Merge(decoded) // histograms of one configuration; another one would be left out
	}
}

// families returns the metrics of the run so far.
func (r *run) families() []*dto.MetricFamily {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read()
	m := r.metrics
	out := m.runFamilies()
	if len(m.phases) > 0 {
		out = append(append(out, m.loadFamilies()...), m.latencyFamilies()...)
	}
	if len(m.cases) > 0 {
		out = append(out, m.benchFamilies(r.soFar())...)
	}
	return out
}

func (m *metrics) runFamilies() []*dto.MetricFamily {
	ended := 0.0
	if m.end != nil {
		ended = 1
	}
	out := []*dto.MetricFamily{gauge("tare_run_ended", "Whether the run has ended.", ended)}
	if m.run != nil {
		f := family(dto.MetricType_GAUGE, "tare_run_info", "What runs.")
		addValue(f, 1, labels("kind", record.KindOf(m.run), "version", m.run.Tare, "seed", m.run.Seed.String()))
		out = append(out, f)
	}
	return out
}

// loadFamilies returns the counts and rates of a load run.
func (m *metrics) loadFamilies() []*dto.MetricFamily {
	var out []*dto.MetricFamily
	for i, c := range (&phase{}).counts() {
		f := family(dto.MetricType_COUNTER, "tare_load_"+c.name+"_total", c.help)
		for _, name := range m.order {
			c := m.phases[name].counts()[i]
			addValue(f, float64(*c.before+*c.now), labels("phase", name))
		}
		out = append(out, f)
	}
	errors := family(dto.MetricType_COUNTER, "tare_load_errors_total", "Operations that were answered with an error, by its class.")
	cpu := family(dto.MetricType_COUNTER, "tare_load_cpu_seconds_total", "CPU time of the load generator.")
	for _, name := range m.order {
		p := m.phases[name]
		total := maps.Clone(p.errors)
		for class, n := range p.now.Errors {
			total[class] += n
		}
		for _, class := range slices.Sorted(maps.Keys(total)) {
			addValue(errors, float64(total[class]), labels("phase", name, "class", class))
		}
		addValue(cpu, float64(p.cpu+p.now.CPU)/perSecond, labels("phase", name))
	}
	return append(out, errors, cpu,
		m.gauge("target_rate", "Operations per second that were due in the last interval; 0 in a closed loop.", func(l *record.Load) float64 { return l.TargetRate }),
		m.gauge("achieved_rate", "Operations per second that were answered in the last interval.", func(l *record.Load) float64 { return l.Achieved }),
		m.gauge("backlog", "Operations that are due and not sent.", func(l *record.Load) float64 { return float64(l.Unsent) }),
		m.gauge("unfinished", "Operations that are sent and not answered.", func(l *record.Load) float64 { return float64(l.Unfinished) }),
		m.gauge("workers", "Workers that send.", func(l *record.Load) float64 { return float64(l.Workers) }),
	)
}

func (m *metrics) gauge(name, help string, of func(*record.Load) float64) *dto.MetricFamily {
	f := family(dto.MetricType_GAUGE, "tare_load_"+name, help)
	for _, p := range m.order {
		addValue(f, of(&m.phases[p].now), labels("phase", p))
	}
	return f
}

// quantiles lists the percentiles that are exported as gauges in addition to the histograms, because the buckets of
// Prometheus are coarser than those of the record.
var quantiles = []struct {
	percentile float64
	label      string
}{{50, "0.5"}, {90, "0.9"}, {99, "0.99"}, {99.9, "0.999"}}

// latencyFamilies returns latencies as histograms, and their percentiles as gauges.
func (m *metrics) latencyFamilies() []*dto.MetricFamily {
	h := family(dto.MetricType_HISTOGRAM, "tare_load_latency_seconds", "Latencies by operation and kind.")
	q := family(dto.MetricType_GAUGE, "tare_load_latency_quantile_seconds", "Percentiles of latencies since the phase began.")
	most := family(dto.MetricType_GAUGE, "tare_load_latency_max_seconds", "Largest latency since the phase began.")
	for _, s := range slices.SortedFunc(maps.Keys(m.hists), series.compare) {
		x := m.hists[s]
		of := labels("phase", s.phase, "operation", s.operation, "kind", s.kind)
		addHistogram(h, x, of)
		if x.Count() == 0 {
			continue
		}
		for _, p := range quantiles {
			addValue(q, float64(x.ValueAtPercentile(p.percentile))/perSecond, append(slices.Clip(of), label("quantile", p.label)))
		}
		addValue(most, float64(x.Max())/perSecond, of)
	}
	return []*dto.MetricFamily{h, q, most}
}

// benchFamilies returns how far benchmarks are, and their medians so far.
func (m *metrics) benchFamilies(so *result.Result) []*dto.MetricFamily {
	median := family(dto.MetricType_GAUGE, "tare_bench_median", "Median of the forks so far, in the unit of the label.")
	low := family(dto.MetricType_GAUGE, "tare_bench_interval_low", "Lower end of the interval of the median; -Inf with too few forks.")
	high := family(dto.MetricType_GAUGE, "tare_bench_interval_high", "Upper end of the interval of the median; +Inf with too few forks.")
	for i := range so.Results {
		b := &so.Results[i]
		if b.Forks == 0 {
			continue
		}
		of := labels("package", b.Pkg, "benchmark", b.Name, "procs", strconv.Itoa(b.Procs), "side", b.Side, "role", b.Role)
		add := func(unit string, iv result.Interval) {
			with := append(slices.Clip(of), label("unit", unit))
			addValue(median, float64(iv.Median), with)
			addValue(low, float64(iv.Lo), with)
			addValue(high, float64(iv.Hi), with)
		}
		add(b.Unit, b.Interval)
		for _, x := range b.Metrics {
			add(x.Unit, x.Interval)
		}
	}
	return []*dto.MetricFamily{
		gauge("tare_bench_forks_done", "Timed forks that have ended.", float64(m.forks)),
		gauge("tare_bench_forks_planned", "Timed forks that are planned; with --precision the most.", float64(m.planned())),
		median, low, high,
	}
}

// planned returns how many timed forks there will be.
func (m *metrics) planned() int {
	if m.run == nil {
		return m.forks
	}
	return max(len(m.cases)*m.run.Config.Forks, m.forks)
}

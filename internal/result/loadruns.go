package result

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// ErrNoIntervals is the error of load runs that have too few intervals of the same operations to be compared.
var ErrNoIntervals = errors.New("the runs have too few intervals in common to be compared")

// intervals are figures of each interval of a run.
type intervals struct {
	of    map[latencyKey][3][]float64 // at the comparedPercentiles, in ns; of intervals that have enough samples beyond them
	rates []float64                   // operations per second that were answered without an error
}

// add takes the figures of an interval. It skips one shorter than half a second, as the last one may be.
func (s *intervals) add(before, now *record.Load, hists []*record.Hist) {
	if now.Length < 500e6 {
		return
	}
	for _, line := range hists {
		if line.Tag != record.TagResponse && line.Tag != record.TagService {
			continue
		}
		h, err := hist.Decode(line.Data)
		if err != nil || h.Count() == 0 {
			continue
		}
		k := latencyKey{line.Name, line.Tag, line.Unit}
		if s.of == nil {
			s.of = map[latencyKey][3][]float64{}
		}
		values := s.of[k]
		for i, q := range comparedPercentiles {
			if float64(h.Count())*(1-q.at/100) >= samplesBeyond {
				values[i] = append(values[i], float64(h.ValueAtPercentile(q.at)))
			}
		}
		s.of[k] = values
	}
	good := func(l *record.Load) int64 {
		n := l.Completed
		for class, count := range l.Errors {
			if class != classNotFound {
				n -= count
			}
		}
		return n
	}
	s.rates = append(s.rates, float64(good(now)-good(before))/(float64(now.Length)/1e9))
}

// KeepIntervals has the builder keep what CompareLoads needs. Call it before the lines are added: it costs as much as
// reading them.
func (b *Builder) KeepIntervals() { b.load.keep = true }

// CompareLoads compares load runs that were made one after the other; the first is the base. Their builders must keep
// intervals, which are the samples; see stat.CompareSeries. No verdict is trusted, because runs differ by themselves.
func CompareLoads(names []string, runs []*Builder, j Judgement) (*Result, error) {
	out := &Result{Confidence: stat.DefaultConfidence, Results: []Benchmark{}, LoadPairs: &LoadPairs{Unpaired: true}}
	if j.Confidence > 0 {
		out.Confidence = j.Confidence
	}
	var all []*intervals
	for i, b := range runs {
		r := b.Result()
		p := b.measuredPhase()
		if r.Load == nil || p == nil {
			return nil, fmt.Errorf("%s: is a search, a sweep or without a run: only runs at one schedule are compared", names[i])
		}
		all = append(all, &p.each)
		out.LoadPairs.Sides = append(out.LoadPairs.Sides, LoadSide{Side: names[i], Windows: len(p.each.rates), Load: *r.Load, Latencies: r.Latencies})
		out.Run = b.headerFor(out.Run, names[i], j)
	}
	for i := 1; i < len(runs); i++ {
		rows := compareSeries(names[0], names[i], all[0], all[i], out.Confidence, out.Run.Config.Threshold)
		how := stat.BenjaminiHochberg
		if j.Correction == Holm {
			how = stat.Holm
		}
		if j.Correction != NoCorrection {
			Correct(rows, how)
		}
		out.Comparisons = append(out.Comparisons, rows...)
		out.Lost = append(out.Lost, lostOperations(&out.LoadPairs.Sides[0], &out.LoadPairs.Sides[i], rows)...)
	}
	if len(out.Comparisons) == 0 {
		return nil, ErrNoIntervals
	}
	out.End = &record.End{State: record.EndCompleted}
	for _, b := range runs {
		if b.end == nil || b.end.State != record.EndCompleted {
			out.End = b.end
		}
	}
	out.Warnings = append(out.Warnings, WarningOf(diagnosis.Warn(diagnosis.TwoDraws, nil)))
	for i := range out.LoadPairs.Sides {
		out.Warnings = append(out.Warnings, out.LoadPairs.Sides[i].warnings()...)
	}
	if x := unlikePlans(runs); x != "" {
		out.Warnings = append(out.Warnings, WarningOf(diagnosis.WarnForm(diagnosis.Environment, "plan", diagnosis.Facts{"difference": x})))
	}
	return out, nil
}

// measuredPhase returns the run itself, nil if there is none or several.
func (b *Builder) measuredPhase() *loadPhase {
	var found *loadPhase
	for _, p := range b.load.phases {
		if p.last.Phase == record.LoadRun {
			if found != nil {
				return nil
			}
			found = p
		}
	}
	return found
}

// headerFor adds a side to the header of the comparison.
func (b *Builder) headerFor(run *record.Run, name string, j Judgement) *record.Run {
	if run == nil {
		x := *b.run
		run = &x
		run.Sides, run.Command, run.Config.Threshold = nil, nil, stat.DefaultThreshold
		if j.Threshold > 0 {
			run.Config.Threshold = j.Threshold
		}
	}
	c := b.loadConfig()
	run.Sides = append(run.Sides, record.Side{Name: name, URL: c.Name, Command: c.Arrivals})
	return run
}

// compareSeries compares what the intervals of two runs have in common.
func compareSeries(base, side string, a, b *intervals, confidence, threshold float64) []Comparison {
	var rows []Comparison
	add := func(name, unit string, x, y []float64, higher bool) {
		if len(x) < stat.MinSeries || len(y) < stat.MinSeries {
			return
		}
		c := Comparison{Name: name, Base: base, Side: side, Unit: unit, Main: true, OldN: len(x), NewN: len(y), Sample: SampleIntervals, Reasons: []string{diagnosis.TwoDraws}}
		c.judge(stat.CompareSeries(x, y, stat.Options{Confidence: confidence, Threshold: threshold, HigherIsBetter: higher}))
		rows = append(rows, c)
	}
	keys := histograms{}
	for k := range a.of {
		keys.sum(k)
	}
	slices.Sort(keys.roles)
	for _, tag := range []string{record.TagResponse, record.TagService} {
		for _, k := range keys.keys(keys.roles) {
			if k.tag != tag {
				continue
			}
			x, y := a.of[k], b.of[k]
			for i, q := range comparedPercentiles {
				last := i == len(comparedPercentiles)-1 || len(x[i+1]) < stat.MinSeries || len(y[i+1]) < stat.MinSeries
				if i == 0 || last {
					add(fmt.Sprintf("%s %s %s", k.role, k.tag, q.name), k.unit, x[i], y[i], false)
				}
				if last {
					break
				}
			}
		}
	}
	add("answered without error", "op/s", a.rates, b.rates, true)
	return rows
}

// lostOperations returns the operations of the base of which a side has too few figures for any of the comparisons,
// although the base has more of them.
func lostOperations(base, side *LoadSide, rows []Comparison) (out []Lost) {
	count := func(s *LoadSide, of *Latency) int64 {
		i := slices.IndexFunc(s.Latencies, func(x Latency) bool { return x.Name == of.Name && x.Kind == of.Kind && x.Unit == of.Unit })
		if i < 0 {
			return 0
		}
		return s.Latencies[i].Count
	}
	for i := range base.Latencies {
		x := &base.Latencies[i]
		name := x.Name + " " + x.Kind
		compared := slices.ContainsFunc(rows, func(c Comparison) bool { return strings.HasPrefix(c.Name, name+" ") })
		if n := count(side, x); !compared && (x.Kind == record.TagResponse || x.Kind == record.TagService) && n < x.Count {
			out = append(out, Lost{Name: name, Base: base.Side, Side: side.Side, Unit: x.Unit, Text: fmt.Sprintf("%s has %d of its operations, %s has %d: too few to be compared", side.Side, n, base.Side, x.Count)})
		}
	}
	return out
}

// unlikePlans says in what the plans of runs differ, "" if in nothing that matters.
func unlikePlans(runs []*Builder) string {
	first := runs[0].loadConfig()
	for _, b := range runs[1:] {
		c := b.loadConfig()
		switch {
		case c.Arrivals != first.Arrivals:
			return fmt.Sprintf("the runs had different schedules: %s, and %s", first.Arrivals, c.Arrivals)
		case c.Workload != first.Workload:
			return fmt.Sprintf("the runs had different workloads: %s, and %s", first.Workload, c.Workload)
		case b.run != nil && runs[0].run != nil && b.run.Env.CPU != runs[0].run.Env.CPU:
			return fmt.Sprintf("the runs were made on different machines: %s, and %s", runs[0].run.Env.CPU, b.run.Env.CPU)
		}
	}
	return ""
}

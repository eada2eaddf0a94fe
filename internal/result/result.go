package result

import (
	"math"

	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// DefaultConfidence is the confidence of intervals where a record names none.
const DefaultConfidence = 0.95

// Result returns what the lines so far mean. Its cost grows with the number of
// forks; it may be called again after more lines.
func (b *Builder) Result() *Result { return b.ResultAt(b.confidence()) }

// ResultAt returns the Result with intervals of another confidence. A stop rule with several interim analyses
// needs higher confidence for each.
func (b *Builder) ResultAt(confidence float64) *Result {
	b.selectForks()
	s := &Result{Run: b.run, Tare: b.tare, End: b.end, Confidence: confidence, Results: []Benchmark{}}
	for _, c := range b.cases {
		s.Results = append(s.Results, b.results(c, confidence)...)
		b.addProfiles(s, c)
	}
	b.ofRun = b.recorded(b.runWarnings(), record.AboutRun, 0)
	s.Warnings = append(s.Warnings, warnings(b.ofRun)...)
	s.Build = b.built()
	b.compare(s, confidence)
	b.addCompilerNotes(s)
	s.Complexity = b.complexities(s.Results, confidence)
	s.Latencies = b.latencyRows()
	b.loads(s)
	s.Selftest = b.selftestResult()
	s.Bisect = b.bisect
	return s
}

// Case returns the first row of one case as it stands now. It reports false if
// no fork of it counts yet.
func (b *Builder) Case(id int) (Benchmark, bool) {
	b.selectForks()
	c := b.byID[id]
	if c == nil || len(c.forks) == 0 {
		return Benchmark{}, false
	}
	return b.results(c, b.confidence())[0], true
}

// confidence returns what the record asks for, or what its stop rule had left to
// spend on one interim analysis.
func (b *Builder) confidence() float64 {
	if b.analysis != nil {
		return b.analysis.Confidence
	}
	if b.run != nil && b.run.Config.Confidence > 0 {
		return b.run.Config.Confidence
	}
	return DefaultConfidence
}

// results returns the rows of one case: one for each role.
func (b *Builder) results(c *caseData, confidence float64) []Benchmark {
	base := Benchmark{
		Case: c.line.ID, Pkg: c.line.Pkg, Name: c.line.Name, Params: c.line.Params, Procs: c.line.Procs, Side: c.line.Side, Whole: c.whole,
		Mode: c.line.Mode, N: c.line.N, ForksFailed: c.failed, Rounds: len(c.rounds),
		Starved: len(c.timed) - len(c.forks), Lost: c.lost.share(), Cores: c.cores(),
	}
	config := b.configOf(c)
	if config != nil && config.ShortIterations && !c.line.SingleShot {
		base.Planned.Iterations, base.Planned.Time = config.Iterating(&c.line)
		base.Planned.Long = c.line.Long
	}
	if c.lastFail != nil {
		base.Tail = c.lastFail.Tail
	}
	roles := c.roles()
	if len(roles) == 0 {
		return b.withoutFigures(c, base)
	}
	var out []Benchmark
	for i, role := range roles {
		r := base
		if i == 0 {
			r.Goroutines = attached.MedianGoroutines(c.goroutines)
			r.Waits = attached.MeanWaits(c.waits)
			r.Heap = attached.MedianHeap(c.heaps)
			r.Allocs = attached.MedianAllocs(c.allocs)
			r.Instructions = attached.AddInstructions(c.instructions)
		}
		r.Role, r.Warnings = role, warnings(b.rowWarnings(c, []string{role}))
		c.fill(&r, confidence)
		if config != nil {
			c.overBlocks(&r, config, confidence)
		}
		r.Another = c.anotherRun(&r)
		c.iterate(&r)
		r.Components, r.Advice = b.components(c, role, r.Unit)
		out = append(out, r)
	}
	return out
}

// withoutFigures returns the row of a case that has none, and why.
func (b *Builder) withoutFigures(c *caseData, r Benchmark) []Benchmark {
	switch {
	case len(c.forks) > 0:
		r.Failed = noSamples
	case c.lastFail != nil:
		r.Failed = why(c.lastFail)
	default:
		return nil // planned, not yet measured
	}
	r.Warnings = warnings(b.allCaseWarnings(c))
	return []Benchmark{r}
}

// noSamples is what can be said of forks that ended well and left nothing to
// count, as in a damaged record.
const noSamples = "no fork has a measured iteration"

func why(f *record.Fork) string {
	if f.Why != "" {
		return f.Why
	}
	return f.State
}

// WarningOf returns a warning as it is shown.
func WarningOf(w *record.Warn) Warning { return Warning{Code: w.Code, Text: w.Text, Advice: w.Advice} }

func warnings(ds []derivedWarning) []Warning {
	var out []Warning
	for _, d := range ds {
		out = append(out, d.warning())
	}
	return out
}

func (d derivedWarning) warning() Warning {
	w := WarningOf(&d.Warn)
	w.Figure, w.Severity = d.figure, d.severity
	if !d.named {
		w.Side = d.side
	}
	return w
}

func (c *caseData) roles() []string {
	var out []string
	seen := map[string]bool{}
	for i := range c.forks {
		for _, s := range c.forks[i].series {
			if !seen[s.role] {
				seen[s.role] = true
				out = append(out, s.role)
			}
		}
	}
	return out
}

// fill computes the figures of one role.
func (c *caseData) fill(r *Benchmark, confidence float64) {
	units := c.units(r.Role)
	if len(units) == 0 {
		r.Failed = noSamples
		return
	}
	r.Unit = mainUnit(units)
	xs := c.values(r.Role, r.Unit)
	r.Forks = len(xs)
	iv := stat.MedianInterval(xs, confidence)
	r.Interval = Interval{Number(iv.Median), Number(iv.Lo), Number(iv.Hi)}
	r.Confidence = iv.Confidence
	r.Values = numbers(xs)
	r.SpreadBetween = finite(stat.RobustCV(xs))
	r.SpreadWithin = finite(c.within(r.Role, r.Unit))
	for _, u := range units {
		if u == r.Unit {
			continue
		}
		vs := c.values(r.Role, u)
		iv := stat.MedianInterval(vs, confidence)
		r.Metrics = append(r.Metrics, Metric{Unit: u, Interval: Interval{Number(iv.Median), Number(iv.Lo), Number(iv.Hi)}, Values: c.beside(r.Role, r.Unit, u)})
	}
}

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

func numbers(xs []float64) []Number {
	out := make([]Number, len(xs))
	for i, x := range xs {
		out[i] = Number(x)
	}
	return out
}

// units returns those that any fork reported, in the order of the first that did:
// the forks that were timed, then those of profilers.
func (c *caseData) units(role string) []string {
	var out []string
	seen := map[string]bool{}
	for _, forks := range [][]forkData{c.forks, c.profiled} {
		for i := range forks {
			s := forks[i].role(role)
			if s == nil {
				continue
			}
			for _, u := range s.units {
				if !seen[u.unit] {
					seen[u.unit] = true
					out = append(out, u.unit)
				}
			}
		}
	}
	return out
}

// mainUnit returns ns/op if the benchmark reports it, else the first unit that is neither about memory nor a
// profiler's.
func mainUnit(units []string) string {
	for _, u := range units {
		if u == "ns/op" {
			return u
		}
	}
	for _, u := range units {
		if !ofMemory(u) && !ofTool(u) {
			return u
		}
	}
	return units[0]
}

// values returns the fork values of a unit in time order. What was timed counts; what
// only forks of profilers reported is theirs.
func (c *caseData) values(role, unit string) []float64 {
	if out := valuesOf(c.forks, role, unit); len(out) > 0 {
		return out
	}
	return valuesOf(c.profiled, role, unit)
}

func valuesOf(forks []forkData, role, unit string) []float64 {
	return reduced(forks, role, unit, func(u *unitSeries) float64 { return u.median })
}

// reduced returns a figure of each fork that reports the unit.
func reduced(forks []forkData, role, unit string, figure func(*unitSeries) float64) []float64 {
	var out []float64
	for i := range forks {
		if s := forks[i].role(role); s != nil {
			if u := s.unit(unit); u != nil {
				out = append(out, figure(u))
			}
		}
	}
	return out
}

// beside returns the fork values of a unit, one for each fork that has a value of
// the main unit; of what only a profiler reported, one for each of its forks.
func (c *caseData) beside(role, main, unit string) []Number {
	if len(valuesOf(c.forks, role, unit)) == 0 {
		return numbers(valuesOf(c.profiled, role, unit))
	}
	var out []Number
	for i := range c.forks {
		s := c.forks[i].role(role)
		if s == nil || s.unit(main) == nil {
			continue
		}
		v := Number(math.NaN())
		if u := s.unit(unit); u != nil {
			v = Number(u.median)
		}
		out = append(out, v)
	}
	return out
}

// within returns the pooled relative standard deviation of iterations inside a fork.
func (c *caseData) within(role, unit string) float64 {
	var m2 float64
	var df int
	for i := range c.forks {
		if s := c.forks[i].role(role); s != nil {
			if u := s.unit(unit); u != nil && u.n > 1 && finite(u.logM2) == u.logM2 {
				m2 += u.logM2
				df += u.n - 1
			}
		}
	}
	if df == 0 {
		return 0
	}
	return math.Sqrt(m2 / float64(df))
}

package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Codes of the warnings that are derived from samples. Measurers add others.
const (
	CodeFewForks       = "few-forks"       // too few forks for an interval
	CodeBimodal        = "bimodal"         // two groups of forks
	CodeTrend          = "trend"           // iterations get faster or slower inside a fork
	CodeDrift          = "drift"           // forks get faster or slower over the run
	CodeTimerStopped   = "timer-stopped"   // the timer ran for less than half of an iteration
	CodeIterationShort = "iteration-short" // less than MinMeasured measured per iteration
	CodeSetup          = "setup"           // start and set-up take more than a fifth of a fork
	CodeFlaky          = "flaky"           // some forks failed
	CodeImpossible     = "impossible"      // values that no clock and no counter gives
	CodeSteal          = "steal"           // the hypervisor gave our time to others
)

// Thresholds of the derived warnings.
const (
	MinShare    = 0.5                    // of an iteration's wall time that should be measured
	MinMeasured = 5 * time.Millisecond   // measured time per iteration
	MinTimed    = 100 * time.Microsecond // likewise, of one that stops its timer: below, the timer's own cost counts
	MaxSetup    = 0.2                    // of a fork's wall time
	MaxSteal    = 0.01                   // of the machine's CPU time
	minTrend    = 0.02                   // relative change that a trend or a drift must have to be told
	trendAlpha  = 0.001                  // error of a trend test: there are many rows
)

var derived = []string{
	CodeFewForks, CodeImpossible, CodeBimodal, CodeTrend, CodeDrift, CodeTimerStopped,
	CodeIterationShort, CodeCalibration, CodeSetup, CodeEmptyLoop, CodeUnusedN, CodeNearLoop, CodeFixedCost, CodeFirstOperation, CodeFlaky, CodeSteal, CodeHist, CodeUnresolvable, CodeRateMissed,
	CodeStarved, CodeWaited, CodeAway, CodeQuota, CodeCrowded, CodeNotRelease, CodeBudgetSpent, CodePrecisionMissed,
	CodeMemoryLimit,
}

// derivedWarning is a warning with the number that it is about.
type derivedWarning struct {
	record.Warn
	figure   string
	severity float64 // of warnings with the same code, the highest is the worst
	side     string  // whose run it is about, of records that became sides; "": all
	named    bool    // Text names the side
}

// concerns reports whether a warning about a run reaches a comparison of two sides.
func (d *derivedWarning) concerns(base, side string) bool {
	return d.side == "" || d.side == base || d.side == side
}

// Warnings derives the warnings that follow from the lines so far. A measurer
// writes them into the record when it has finished.
func (b *Builder) Warnings() []record.Warn {
	b.selectForks()
	var out []record.Warn
	for _, c := range b.cases {
		for _, d := range b.caseWarnings(c) {
			d.About, d.ID = record.AboutCase, c.line.ID
			out = append(out, d.Warn)
		}
	}
	for _, d := range b.runWarnings() {
		out = append(out, d.Warn)
	}
	return out
}

func (b *Builder) runWarnings() []derivedWarning {
	var out []derivedWarning
	if b.run != nil && len(b.run.Sides) > 1 && b.run.Config.Order == "grouped" {
		out = append(out, derivedWarning{Warn: record.Warn{
			About: record.AboutRun, Code: CodeNotInterleaved,
			Text:   "the sides were measured one after the other: a drift of the machine between them looks like a difference",
			Advice: "leave out --order grouped",
		}})
	}
	noun := b.forkNoun()
	if !b.archived {
		out = append(out, crowded(b.run, b.cases, b.tare.Load)...)
		out = append(out, processorsLost(b.cases, noun)...)
		out = append(out, b.notRelease()...)
		out = append(out, b.endWarnings()...)
		return append(out, stolen(b.tare.Steal)...)
	}
	for _, side := range b.sides() {
		of := slices.DeleteFunc(slices.Clone(b.cases), func(c *caseData) bool { return c.line.Side != side })
		for _, w := range slices.Concat(crowded(b.absorbed[side].run, of, b.absorbed[side].load), processorsLost(of, noun), stolen(b.absorbed[side].steal)) {
			w.side = side
			out = append(out, w)
		}
	}
	out = append(out, b.notRelease()...)
	return append(out, b.ofSides...)
}

// stolen returns a warning if the hypervisor gave more than MaxSteal of the machine's time to others.
func stolen(share float64) []derivedWarning {
	if share <= MaxSteal {
		return nil
	}
	return []derivedWarning{{Warn: record.Warn{
		About: record.AboutRun, Code: CodeSteal,
		Text:   fmt.Sprintf("%.1f %% of the machine's CPU time was stolen by its neighbours during the run", 100*share),
		Advice: "expect wider intervals; measure at a quieter time or with more --forks",
	}}}
}

// allCaseWarnings returns all warnings about a case.
func (b *Builder) allCaseWarnings(c *caseData) []derivedWarning { return b.rowWarnings(c, c.roles()) }

// rowWarnings returns the warnings about the given roles of a case.
func (b *Builder) rowWarnings(c *caseData, roles []string) []derivedWarning {
	return b.recorded(slices.Concat(b.deriveWarnings(c, roles), c.aboutForks(), c.profilersFailed()), record.AboutCase, c.line.ID)
}

// recorded adds to derived warnings those in the record that cannot be derived.
// Derived ones that the record holds may be out of date: the run may have been
// resumed since.
func (b *Builder) recorded(out []derivedWarning, about string, id int) []derivedWarning {
	for _, w := range b.warnsAbout(about, id) {
		if d := (derivedWarning{Warn: w}); !slices.Contains(derived, w.Code) && !isKnown(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// subject is what a recorded warning is about.
type subject struct {
	about string
	id    int
}

// warnsAbout returns the recorded warnings about one thing. They are sorted once: a record may have one for each of its benchmarks.
func (b *Builder) warnsAbout(about string, id int) []record.Warn {
	if b.warnsBy == nil {
		b.warnsBy = map[subject][]record.Warn{}
	}
	for ; b.warnsSorted < len(b.warns); b.warnsSorted++ {
		w := b.warns[b.warnsSorted]
		at := subject{w.About, w.ID}
		b.warnsBy[at] = append(b.warnsBy[at], w)
	}
	return b.warnsBy[subject{about, id}]
}

// isKnown reports whether list contains the warning already. If several forks warn of the same thing with
// different figures, only the first is kept.
func isKnown(ws []derivedWarning, w derivedWarning) bool {
	return slices.ContainsFunc(ws, func(x derivedWarning) bool {
		return x.Warn == w.Warn && x.side == w.side || w.About == record.AboutCase && x.About == w.About && x.Code == w.Code
	})
}

func (b *Builder) caseWarnings(c *caseData) []derivedWarning { return b.deriveWarnings(c, c.roles()) }

// deriveWarnings returns the warnings about some roles of a case and about the case itself.
func (b *Builder) deriveWarnings(c *caseData, roles []string) []derivedWarning {
	var out []derivedWarning
	c.sharing = b.sharingN(c)
	if d := c.starved(b.forkNoun()); d != nil {
		out = append(out, *d)
	}
	if len(c.timed) > 0 && c.failed > 0 {
		advice := "the figures cover the forks that passed; run the benchmark alone to see why others fail"
		if c.disturbed() && c.lastFail.State == record.StateTimeout {
			advice = quieter + ", or with a longer --timeout"
		}
		out = append(out, derivedWarning{Warn: record.Warn{
			Code:   CodeFlaky,
			Text:   fmt.Sprintf("%d of %d forks failed: %s", c.failed, c.failed+len(c.timed), why(c.lastFail)),
			Advice: advice,
		}, figure: fmt.Sprintf("%d of %d", c.failed, c.failed+len(c.timed)), severity: float64(c.failed)})
	}
	for _, role := range roles {
		for _, w := range b.roleWarnings(c, role) {
			if len(roles) > 1 && role != "" {
				w.Text = role + ": " + w.Text
			}
			out = append(out, w)
		}
	}
	for _, d := range []*derivedWarning{c.unless(c.setup()), b.aboveMemoryLimit(c), c.hists.damaged("its")} {
		if d != nil {
			out = append(out, *d)
		}
	}
	return out
}

func (b *Builder) roleWarnings(c *caseData, role string) []derivedWarning {
	units := c.units(role)
	if len(units) == 0 {
		return nil
	}
	unit := mainUnit(units)
	xs := c.values(role, unit)
	var out []derivedWarning
	for _, d := range []*derivedWarning{
		b.fewForks(xs),
		c.impossible(role, units),
		c.unless(bimodal(xs, unit)),
		c.unless(c.trend(role, unit)),
		c.unless(drift(xs)),
		c.share(role),
		c.offTarget(role),
		c.otherN(role),
		c.short(role),
		b.emptyLoop(c, role, unit, xs),
	} {
		if d != nil {
			out = append(out, *d)
		}
	}
	return out
}

// unless drops a warning that blames the benchmark for what the machine may have done; warning starved says that.
func (c *caseData) unless(d *derivedWarning) *derivedWarning {
	if c.disturbed() {
		return nil
	}
	return d
}

func (b *Builder) fewForks(xs []float64) *derivedWarning {
	need := stat.MinSamples(b.confidence())
	if len(xs) == 0 || len(xs) >= need {
		return nil
	}
	noun := b.forkNoun()
	what := fmt.Sprintf("%d %ss are", len(xs), noun)
	if len(xs) == 1 {
		what = "1 " + noun + " is"
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeFewForks,
		Text:   fmt.Sprintf("%s too few for a %g %% interval", what, 100*b.confidence()),
		Advice: b.fewForksAdvice(need),
	}}
}

// forkNoun is what a fork is called: a command has runs.
func (b *Builder) forkNoun() string {
	if b.isTime() {
		return "run"
	}
	return "fork"
}

func (b *Builder) isTime() bool { return b.run != nil && record.KindOf(b.run) == record.KindTime }

func bimodal(xs []float64, unit string) *derivedWarning {
	g := stat.Bimodal(xs)
	if !g.Convincing {
		return nil
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeBimodal,
		Text:   fmt.Sprintf("two groups: %s near %s, %d near %s", units.Plural(g.Low.N, "fork"), short(unit, g.Low.Centre), g.High.N, short(unit, g.High.Centre)),
		Advice: "the speed depends on the process, and no number of iterations averages this out: compare with many forks, and look for what differs between processes (layout, hash seeds, placement in memory)",
	}}
}

// short returns a value with three digits, "3.21 ms" for ns/op.
func short(unit string, x float64) string {
	s := units.ScaleOf(strings.TrimPrefix(unit, "real-"), x) // of a command
	return strings.TrimSpace(s.Number(x, 3) + " " + s.Versus())
}

// trend returns a warning if the iterations get faster or slower within forks: the sign of last over first must
// agree over the forks.
func (c *caseData) trend(role, unit string) *derivedWarning {
	var ends [][]float64
	for i := range c.forks {
		if s := c.forks[i].role(role); s != nil {
			if u := s.unit(unit); u != nil {
				ends = append(ends, u.ends)
			}
		}
	}
	t := stat.IterationTrend(ends)
	change := t.Ratio - 1
	if t.P > trendAlpha || !(math.Abs(change) >= minTrend) {
		return nil
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeTrend,
		Text:   fmt.Sprintf("the last iteration of a fork is %s than the first, in %d of %d forks", than(change), max(t.Up, t.Down), t.Forks),
		Advice: "the benchmark is not warm, or its work grows: try --warmup 3, and see whether set-up depends on b.N",
	}, figure: than(change), severity: math.Abs(change)}
}

// drift returns a warning if the forks get faster or slower over the run.
func drift(xs []float64) *derivedWarning {
	if len(xs) < 10 {
		return nil
	}
	t := stat.MannKendall(xs)
	third := len(xs) / 3
	change := stat.Median(xs[len(xs)-third:])/stat.Median(xs[:third]) - 1
	if !(t.P <= trendAlpha) || !(math.Abs(change) >= minTrend) || math.IsInf(change, 0) {
		return nil
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeDrift,
		Text:   fmt.Sprintf("the last third of the run is %s than the first", than(change)),
		Advice: "something else changed meanwhile (temperature, neighbours); compare only what was measured interleaved",
	}, figure: than(change), severity: math.Abs(change)}
}

// share returns a warning if the timer was mostly stopped. It is said beside others, too, if the share is an upper bound,
// whatever they took.
func (c *caseData) share(role string) *derivedWarning {
	share, ns := c.timer(role)
	if share == 0 || share >= MinShare || !c.explained(share, ns) || c.offTarget(role) != nil || c.disturbed() && c.doubtful(role) {
		return nil
	}
	advice := "the benchmark stops its timer, or its set-up is long; use a larger --time to measure more, or move set-up out of the loop"
	if c.whenChosen() != "" || c.disturbed() {
		advice = quieter + "; else " + advice
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeTimerStopped,
		Text:   c.whenChosen() + fmt.Sprintf("the timer ran for %s of an iteration's wall time (%s measured)", units.Percent(share), units.Span(ns)),
		Advice: advice,
	}, figure: units.Percent(share), severity: 1 - share}
}

func (c *caseData) short(role string) *derivedWarning {
	share, ns := c.timer(role)
	stopped := share > 0 && share < MinShare // which is told apart, unless next to nothing is left
	if ns >= float64(MinTimed) && c.longerElsewhere(role, float64(MinMeasured)) {
		return nil
	}
	if c.line.SingleShot || ns == 0 || ns >= float64(MinMeasured) || stopped && ns >= float64(MinTimed) || c.offTarget(role) != nil {
		return nil
	}
	advice := "use a larger --time, or a larger N with --benchtime"
	if c.disturbed() {
		advice = quieter + ": N was chosen while others had the processors"
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeIterationShort,
		Text:   fmt.Sprintf("an iteration measures only %s", units.Span(ns)),
		Advice: advice,
	}, figure: units.Span(ns), severity: -ns}
}

// timer returns the medians over forks of the measured share of an iteration
// and of its measured time.
func (c *caseData) timer(role string) (share, ns float64) {
	var shares, times []float64
	for i := range c.forks {
		if s := c.forks[i].role(role); s != nil && s.ns > 0 {
			times = append(times, s.ns)
			if s.share > 0 {
				shares = append(shares, s.share)
			}
		}
	}
	return medianOr0(shares), medianOr0(times)
}

// doubtful reports whether the measured share of an iteration is no upper bound in some fork.
func (c *caseData) doubtful(role string) bool {
	return slices.ContainsFunc(c.forks, func(f forkData) bool {
		s := f.role(role)
		return s != nil && s.doubtful
	})
}

// setup returns a warning if start and set-up take much of a fork. Where that is not known it is 0.
func (c *caseData) setup() *derivedWarning {
	var shares []float64
	for i := range c.forks {
		if f := c.forks[i].line; f.Wall > 0 {
			shares = append(shares, float64(f.Setup)/float64(f.Wall))
		}
	}
	m := medianOr0(shares)
	if m <= MaxSetup || c.line.Group != "" { // a shared process has it on purpose, once
		return nil
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeSetup,
		Text:   fmt.Sprintf("start and set-up take %s of a fork", units.Percent(m)),
		Advice: "use more --iterations per fork, or a longer --time, so that set-up is a smaller share",
	}, figure: units.Percent(m), severity: m}
}

// than words a relative change: "3.1 % higher".
func than(change float64) string {
	if change < 0 {
		return units.Percent(-change) + " lower"
	}
	return units.Percent(change) + " higher"
}

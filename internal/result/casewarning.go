package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

func (b *Builder) fewForks(xs []float64) *derivedWarning {
	need := stat.MinSamples(b.confidence())
	if len(xs) == 0 || len(xs) >= need {
		return nil
	}
	form := ""
	if len(xs) == 1 {
		form = "one"
	}
	option, least, budget, interrupted := b.moreForks(need)
	return &derivedWarning{Warn: *diagnosis.WarnForm(diagnosis.FewForks, form, diagnosis.Facts{
		"forks": units.Plural(len(xs), b.forkNoun()), "confidence": fmt.Sprintf("%g %%", 100*b.confidence()),
		"option": option, "need": least, "budget": budget, "interrupted": interrupted,
	})}
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
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.Bimodal, diagnosis.Facts{
		"low": units.Plural(g.Low.N, "fork"), "lowCentre": short(unit, g.Low.Centre), "high": g.High.N, "highCentre": short(unit, g.High.Centre),
	})}
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
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.Trend, diagnosis.Facts{"change": than(change), "agreeing": max(t.Up, t.Down), "forks": t.Forks}), figure: than(change), severity: math.Abs(change)}
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
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.Drift, diagnosis.Facts{"change": than(change)}), figure: than(change), severity: math.Abs(change)}
}

// share returns a warning if the timer was mostly stopped. It is said beside others, too, if the share is an upper
// bound, whatever they took.
func (c *caseData) share(role string) *derivedWarning {
	share, ns := c.timer(role)
	if share == 0 || share >= MinShare || !c.explained(share, ns) || c.offTarget(role) != nil || c.disturbed() && c.unbounded(role) {
		return nil
	}
	form := ""
	if c.lostChoosing() != "" || c.disturbed() {
		form = "busy"
	}
	return &derivedWarning{Warn: *diagnosis.WarnForm(diagnosis.TimerStopped, form, diagnosis.Facts{
		"lostChoosing": c.lostChoosing(), "share": units.Percent(share), "measured": units.Span(ns),
	}), figure: units.Percent(share), severity: 1 - share}
}

func (c *caseData) short(role string) *derivedWarning {
	share, ns := c.timer(role)
	stopped := share > 0 && share < MinShare // has a warning of its own, unless almost no time is left
	if ns >= float64(MinTimed) && c.longerElsewhere(role, float64(MinMeasured)) {
		return nil
	}
	if c.line.SingleShot || ns == 0 || ns >= float64(MinMeasured) || stopped && ns >= float64(MinTimed) || c.offTarget(role) != nil {
		return nil
	}
	form := ""
	if c.disturbed() {
		form = "busy"
	}
	return &derivedWarning{Warn: *diagnosis.WarnForm(diagnosis.IterationShort, form, diagnosis.Facts{"measured": units.Span(ns)}), figure: units.Span(ns), severity: -ns}
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

// unbounded reports whether the measured share of an iteration is no upper bound in some fork.
func (c *caseData) unbounded(role string) bool {
	return slices.ContainsFunc(c.forks, func(f forkData) bool {
		s := f.role(role)
		return s != nil && s.unbounded
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
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.Setup, diagnosis.Facts{"share": units.Percent(m)}), figure: units.Percent(m), severity: m}
}

// than words a relative change: "3.1 % higher".
func than(change float64) string {
	if change < 0 {
		return units.Percent(-change) + " lower"
	}
	return units.Percent(change) + " higher"
}

package why

import (
	"math"
	"slices"
)

// cpuCauses are the causes in groups of functions, and the sum of the shares of groups with one. A share of the change of CPU time is one
// of the wall time as far as the benchmark's goroutine ran longer. parking is the share of what parks and wakes goroutines, if waiting
// changed.
func (e *Evidence) cpuCauses(l Basis) (all []Cause, named sum, parking Share) {
	whole, ran := delta(e.CPU), e.ran()
	if l == OfInstructions {
		whole, ran = Measure{Value: e.added()}, 1
	}
	if l == OfNothing || ran == 0 || whole.Value*(e.Wall[1].Value-e.Wall[0].Value) < 0 && l == OfTime {
		return nil, named, parking
	}
	groups := e.groups()
	for _, g := range groups {
		causes, parts := e.causesOf(g)
		if e.Machine != "" && slices.ContainsFunc(causes, func(c Cause) bool { return c.Where }) {
			continue // only counts name causes
		}
		change := g.cpu
		if l == OfInstructions {
			if slices.ContainsFunc(causes, func(c Cause) bool { return c.Kind == CauseSlower || g.kind == Kernel }) {
				continue
			}
			change = Measure{Value: g.added}
		} else if len(causes) > 0 && causes[0].Exact {
			change = e.combined(g)
		}
		if change.Value == 0 || math.Abs(change.Value) <= surely(causes, len(groups))*change.Err {
			continue
		}
		if g.waiting && l == OfTime {
			parking = shareOf(change, whole).times(ran)
			continue
		}
		for i, c := range causes {
			c.Share = shareOf(Measure{change.Value * parts[i], change.Err * math.Abs(parts[i])}, whole).times(ran)
			c.Joint = len(causes) > 1 && !e.Counted
			all = append(all, c)
		}
		if len(causes) > 0 {
			named = named.plus(shareOf(change, whole).times(ran))
		}
	}
	return all, named, parking
}

// surely returns the least distance of a change from zero, in standard errors, at which its group is named as a cause. If no
// exact count supports a cause, the level of 5 % is divided by the number n of groups (Bonferroni's correction).
func surely(causes []Cause, n int) float64 {
	if slices.ContainsFunc(causes, func(c Cause) bool { return c.Exact }) {
		return z95
	}
	return math.Sqrt2 * math.Erfinv(1-0.05/float64(max(1, n)))
}

// spreadOfRates is the relative standard error made by applying one function's time per instruction to another.
const spreadOfRates = 0.5

// combined returns the change of a group's CPU time by its samples and by its added instructions, each taken to be as long as
// the average one of the program: their mean, weighted by their variances. If they contradict each other, samples count.
func (e *Evidence) combined(g *group) Measure {
	all := e.instructions()
	if !e.Counted || all == 0 || math.IsInf(g.cpu.Err, 0) {
		return g.cpu
	}
	predicted := g.added / all * e.CPU[0].Value
	err := spreadOfRates * math.Abs(predicted)
	const maxErrors = 3
	if err == 0 || g.cpu.Err == 0 || math.Abs(predicted-g.cpu.Value) > maxErrors*math.Hypot(err, g.cpu.Err) {
		return g.cpu
	}
	a, b := 1/(g.cpu.Err*g.cpu.Err), 1/(err*err)
	return Measure{(a*g.cpu.Value + b*predicted) / (a + b), math.Sqrt(1 / (a + b))}
}

// ran returns which part of the difference the benchmark's goroutine ran, and did not wait; 1 where that is not known.
func (e *Evidence) ran() float64 {
	d := e.Wall[1].Value - e.Wall[0].Value
	const nearlyAll = 0.95 // the rest are pauses of the trace itself
	switch {
	case !e.waitsChanged() && e.allocationsChanged(): // the collector had its processor
		return 1
	case !e.Running[0].known() && !e.Running[1].known() || d == 0,
		e.Running[0].Value > nearlyAll*e.Wall[0].Value && e.Running[1].Value > nearlyAll*e.Wall[1].Value:
		return 1
	}
	return min(1, max(0, (e.Running[1].Value-e.Running[0].Value)/d))
}

package result

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// WarningsAt is Warnings for a run whose last line will be end.
func (b *Builder) WarningsAt(end *record.End) []record.Warn {
	b.end = end
	return b.Warnings()
}

// endWarnings returns warnings about a run that ended before it had what was asked for.
func (b *Builder) endWarnings() []derivedWarning {
	var out []derivedWarning
	for _, w := range []*record.Warn{b.budgetSpent(), b.precisionMissed()} {
		if w != nil {
			out = append(out, derivedWarning{Warn: *w})
		}
	}
	return out
}

// endedByBudget reports whether the budget ended a run of benchmarks, which can be resumed. A self-test fills its
// budget.
func (b *Builder) endedByBudget() bool {
	return record.KindOf(b.run) == record.KindBench && b.end != nil && b.end.Why == record.WhyBudgetSpent && b.run.Config.Budget > 0
}

func (b *Builder) budgetSpent() *record.Warn {
	if !b.endedByBudget() {
		return nil
	}
	planned := b.run.Config.Forks
	fewest, most := b.roundsDone()
	done := fmt.Sprint(fewest)
	if fewest != most {
		done = fmt.Sprintf("%d to %d", fewest, most)
	}
	return diagnosis.Warn(diagnosis.BudgetSpent, diagnosis.Facts{
		"spent": units.Duration(b.run.Config.Budget), "done": done, "atMost": b.run.Config.Precision > 0, "planned": planned, "budget": units.Duration(b.enoughBudget()),
	})
}

// roundsDone returns the fewest and the most rounds in which a benchmark was run. One that has only failed does not
// count.
func (b *Builder) roundsDone() (fewest, most int) {
	fewest = math.MaxInt
	for _, c := range b.cases {
		if len(c.timed) > 0 || c.failed == 0 {
			fewest, most = min(fewest, len(c.rounds)), max(most, len(c.rounds))
		}
	}
	return min(fewest, most), most
}

// enoughBudget estimates the budget that would have held the whole run: the remaining forks take as long as those that
// were run. It is rounded up to what an estimate is worth.
func (b *Builder) enoughBudget() time.Duration {
	var spent, missing float64 // ns
	var rounds []float64       // what a benchmark took in a round, repeats included
	var unknown float64        // rounds of benchmarks that were not run
	for _, c := range b.cases {
		left := float64(max(0, b.run.Config.Forks-len(c.rounds)))
		if len(c.timed) == 0 {
			if c.failed == 0 {
				unknown += left
			}
			continue
		}
		all := 0.0
		for i := range c.timed {
			all += float64(c.timed[i].line.Wall)
		}
		took := all / float64(len(c.rounds))
		rounds = append(rounds, took)
		spent += all
		missing += took * left
	}
	if unknown > 0 && len(rounds) > 0 {
		missing += unknown * stat.Median(rounds)
	}
	enough := max(spent, float64(b.run.Config.Budget)) + missing*21/20
	step := time.Second
	for _, s := range []time.Duration{5 * time.Second, 30 * time.Second, 5 * time.Minute} {
		if enough > 12*float64(s) {
			step = s
		}
	}
	return time.Duration(math.Ceil(enough/float64(step))) * step
}

// precisionMissed returns a warning about a run that went to its end and did not reach its precision. The width is
// that of the last interim analysis.
func (b *Builder) precisionMissed() *record.Warn {
	if b.run == nil || b.run.Config.Precision <= 0 || b.end == nil || b.end.State != record.EndCompleted || b.analysis != nil && b.analysis.Stop {
		return nil
	}
	noun := b.forkNoun()
	option, byBudget := noun+"s", b.endedByBudget()
	if byBudget {
		option = ""
	}
	wanted := "± " + units.Percent(b.run.Config.Precision)
	if b.analysis == nil {
		first := ""
		if at := stat.InterimAnalyses(b.run.Config.Forks, b.confidence()); len(at) > 0 {
			first = units.Plural(at[0].Forks, noun)
		}
		return diagnosis.WarnForm(diagnosis.PrecisionMissed, "unchecked", diagnosis.Facts{"precision": wanted, "first": first, "option": option, "budget": byBudget})
	}
	width := "unbounded"
	if b.analysis.Widest >= 0 {
		width = "± " + units.Percent(b.analysis.Widest)
	}
	of := ""
	if i := slices.IndexFunc(b.cases, func(c *caseData) bool { return c.line.ID == b.analysis.Case }); i >= 0 && !b.isTime() && len(b.cases) > 1 {
		of = b.cases[i].line.Name
	}
	return diagnosis.Warn(diagnosis.PrecisionMissed, diagnosis.Facts{
		"precision": wanted, "benchmark": of, "width": width, "after": units.Plural(b.analysis.Round, noun), "option": option, "budget": byBudget,
	})
}

// moreForks returns what to do about fewer forks than need: the option that sets their number, with the least number; or the
// budget that is enough; or whether the run was interrupted. More forks help only if the run has not ended before it had run
// those that were planned.
func (b *Builder) moreForks(need int) (option, least, budget string, interrupted bool) {
	switch planned := b.run != nil && b.run.Config.Forks >= need; {
	case planned && b.endedByBudget():
		return "", "", units.Duration(b.enoughBudget()), false
	case planned && !b.isTime() && b.end != nil && b.end.State == record.EndPartial:
		return "", "", "", true
	}
	return b.forkNoun() + "s", fmt.Sprint(need), "", false
}

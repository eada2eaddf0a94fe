package machines

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// mostNamed is the most machines whose changes a sentence lists one by one.
const mostNamed = 4

// explain adds what is to be said of a row once it is judged.
func (row *Row) explain(r *Result) {
	c := &row.Combined
	c.ForksNeeded = 0 // of forks; machines are what there are too few of
	if a := row.Across; a != nil && a.Differ {
		c.Warnings = append(c.Warnings, result.Warning{
			Code: CodeDiffer, Text: "the change differs between machines: " + row.changes(),
			Advice: "look at each machine's verdict; the combined ratio is the mean of such machines",
		})
	}
	for _, on := range row.Machines {
		if !on.Used {
			c.Warnings = append(c.Warnings, result.Warning{
				Code: CodeNotCombined, Text: on.Machine + ": its ratio has no interval and is not combined", Advice: "it takes at least 5 forks a side: --forks",
			})
		}
	}
	if missing := row.missing(r); len(missing) > 0 {
		c.Warnings = append(c.Warnings, result.Warning{Code: CodeMissing, Text: "missing on " + strings.Join(missing, ", ")})
	}
	if c.Verdict == string(stat.Undecided) && row.Across != nil {
		row.Advice = advice(row.Across)
	}
}

// advice says what the width of the combined interval comes from. A machine's own error is what remains of the
// variance, so where the share between machines is large more forks change little.
func advice(a *Across) string {
	share := float64(a.Share)
	switch {
	case math.IsNaN(share):
		return ""
	case share >= 0.5:
		return fmt.Sprintf("add machines: %s of the variance of their ratios is between machines, which more forks do not lessen", units.Percent(share))
	case share == 0:
		return "add machines or forks: the machines do not differ by more than their errors"
	}
	return fmt.Sprintf("add forks or machines: %s of the variance of the ratios is between machines", units.Percent(share))
}

// changes lists how much each machine has changed, of many the extremes.
func (row *Row) changes() string {
	if len(row.Machines) <= mostNamed {
		var all []string
		for _, on := range row.Machines {
			all = append(all, on.Machine+" "+change(float64(on.Ratio)))
		}
		return strings.Join(all, ", ")
	}
	lo, hi := row.Machines[0], row.Machines[0]
	for _, on := range row.Machines {
		if on.Ratio < lo.Ratio {
			lo = on
		}
		if on.Ratio > hi.Ratio {
			hi = on
		}
	}
	return fmt.Sprintf("from %s on %s to %s on %s", change(float64(lo.Ratio)), lo.Machine, change(float64(hi.Ratio)), hi.Machine)
}

// change writes a ratio as a change: -3.0 %, +2.1 %.
func change(ratio float64) string {
	switch x := ratio - 1; {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return units.None
	case x < 0:
		return "-" + units.Percent(-x)
	default:
		return "+" + units.Percent(x)
	}
}

// missing returns the machines that do not have the row.
func (row *Row) missing(r *Result) (out []string) {
	have := map[string]bool{}
	for _, on := range row.Machines {
		have[on.Machine] = true
	}
	for _, m := range r.Machines {
		if !have[m.Name] {
			out = append(out, m.Name)
		}
	}
	return out
}

// warnings returns those about all rows.
func warnings(r *Result, group []*runs.Run) (out []result.Warning) {
	if len(r.Machines) == 2 {
		out = append(out, result.Warning{
			Code: CodeFew, Text: "two machines say little about others: the interval is for machines in general, and wide",
			Advice: "add machines; --format json has the mean of these two, as \"these\"",
		})
	}
	for _, x := range group {
		if x.End == nil || x.End.State != record.EndCompleted {
			out = append(out, result.Warning{Code: CodePartial, Text: x.Run.Machine + ": its run did not end; what it measured is combined"})
		}
	}
	for _, x := range group {
		out = append(out, distrusted(x)...)
	}
	if versions := byMachine(r.Machines, func(m Machine) string { return m.Go }); versions != "" {
		out = append(out, result.Warning{Code: CodeToolchains, Text: "machines have other versions of Go: " + versions, Advice: "part of what differs between machines may be the compiler's"})
	}
	return out
}

// distrusted returns the warnings about the whole run of a machine for which its verdicts are not trusted.
func distrusted(x *runs.Run) (out []result.Warning) {
	reasons := map[string]bool{}
	for i := range x.Comparisons {
		for _, code := range x.Comparisons[i].Reasons {
			reasons[code] = true
		}
	}
	for _, w := range x.Warnings {
		if reasons[w.Code] {
			w.Text = x.Run.Machine + ": " + w.Text
			out = append(out, w)
		}
	}
	return out
}

// byMachine returns each machine's value, "" if all have the same.
func byMachine(all []Machine, value func(Machine) string) string {
	differ := false
	var out []string
	for _, m := range all {
		differ = differ || value(m) != value(all[0])
		out = append(out, m.Name+" "+value(m))
	}
	if !differ {
		return ""
	}
	return strings.Join(out, ", ")
}

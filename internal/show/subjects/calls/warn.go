package calls

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
)

// warn finds the warnings, the gravest first.
func (c *Calls) warn() {
	t := c.t
	add := func(code, advice, format string, args ...any) {
		c.warnings = append(c.warnings, Warning{Code: code, Text: fmt.Sprintf(format, args...), Advice: advice})
	}
	if t.Lost > 0 {
		advice := "match fewer functions, or --room 1GiB"
		if t.Window != "" { // tare bench has no such flag
			advice = "match fewer functions, by --include"
		}
		add("lost", advice, "%s found no room for their time and place: counted, and excluded from times, tree and path (≥): %s",
			units.Plural(t.Lost, "call"), few(c.untimed()))
	}
	if names := c.dominated(); len(names) > 0 {
		advice := "time one call of 100 by --every 100, or none by --count-only"
		if t.Mode == record.TraceEvery {
			advice = "only count, by --count-only"
		}
		if t.Window != "" { // tare bench has no such flags
			advice = "go by its calls, which are exact"
		}
		add("dominated", advice, "the probe dominates %s (!): most of the time is that of probes, and what is left is not to be relied on: %s",
			units.Plural(len(names), "function"), few(names))
	}
	if c.waitingForCPU() {
		add("waited", "a quieter machine; calls are exact", "the program waited for %s of its time for a processor that others had: its waits are part of all times, and corrected and self times are upper bounds (≤)", percent(t.Waited))
	}
	if c.beyond() {
		add("beyond-plain", "a quieter machine, or fewer functions, by --include; calls are exact",
			"without probes the functions take %.2g times what the operations take in forks without probes: corrected and self times are upper bounds (≤)", t.Beyond())
	}
	if c.shared() {
		add("shared", "a quieter machine; calls are exact", "other processes had %s of the processors: times of short calls are too long, also without probes, up to several times; corrected and self times are upper bounds (≤)", percent(t.Others))
	}
	if names := c.uncertain(); len(names) > 0 {
		add("uncertain", "leave out the short functions that they call, by --exclude, or sample by "+pick(t.Window != "", "--prof sample", "tare sample"),
			"what is left of %s without probes may be off by more than %s (?): probes of many short calls took as much, or more: %s",
			units.Plural(len(names), "function"), percent(record.Unreliable), few(names))
	}
	if t.System > 0 {
		add("system", "", "%s ran on threads' own stacks: counted, and excluded from times, tree and path (≥): %s",
			units.Plural(t.System, "call"), few(c.untimed()))
	}
	if !t.Ended {
		add("not-ended", "", "the program did not end by itself: it was killed, crashed, or still runs; calls under way then have no time")
	}
	if t.Window == record.AsmRough {
		add("window", "", "calls were counted while testing's timer ran, and operations in a window of package bench: calls per operation (≈) are too many by what begins and ends it")
	}
	if t.Mode == record.TraceEvery {
		add("estimates", "", "first calls and one of %s others were timed: counts are exact, times are estimates (≈)", units.Count(t.Every))
	}
}

// dominated returns the names of functions whose time is mostly that of the probe, those of
// most calls first.
func (c *Calls) dominated() []string {
	return c.where(func(f *record.TraceFunc) int64 {
		if !c.timed() || !f.Probes() || f.Timed == 0 {
			return 0
		}
		return f.Calls
	})
}

// uncertain returns the names of other functions whose time without probes is unreliable, or a good part of it that is their
// own, for what probes took: those of most time first.
func (c *Calls) uncertain() []string {
	bad := map[*record.TraceFunc]bool{}
	for i := range c.t.Funcs {
		f := &c.t.Funcs[i]
		total, self := c.netTotal(i), c.netSelf(i)
		bad[f] = c.inaccurate(total) || c.inaccurate(self) && c.off(self) > record.Unreliable*total.net
	}
	return c.where(func(f *record.TraceFunc) int64 {
		if !bad[f] || !c.timed() || c.tooLong() || f.Probes() || f.Timed == 0 {
			return 0
		}
		return max(1, int64(min(f.Total, mostTime)))
	})
}

// untimed returns the names of functions of which not all calls were timed that should be.
func (c *Calls) untimed() []string {
	return c.where(func(f *record.TraceFunc) int64 { return f.Untimed })
}

// where returns the names of functions of which a number is not 0, the largest first.
func (c *Calls) where(number func(*record.TraceFunc) int64) (names []string) {
	var of []int
	for i := range c.t.Funcs {
		if number(&c.t.Funcs[i]) > 0 {
			of = append(of, i)
		}
	}
	slices.SortStableFunc(of, func(a, b int) int { return cmp.Compare(number(&c.t.Funcs[b]), number(&c.t.Funcs[a])) })
	for _, i := range of {
		names = append(names, c.short(i))
	}
	return names
}

// few returns the first names, and how many more there are.
func few(names []string) string {
	const most = 3
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + units.Count(len(names)-most) + " more"
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

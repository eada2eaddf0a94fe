package calls

import (
	"fmt"

	"github.com/tarebench/tare/record"
)

// warn finds the doubts, the gravest first.
func (c *Calls) warn() {
	t := c.t
	add := func(code, advice, format string, args ...any) {
		c.warnings = append(c.warnings, Warning{code, fmt.Sprintf(format, args...), advice})
	}
	if t.Lost > 0 {
		add("lost", "match fewer functions, or give it more room", "%s more calls found no room: they are in no figure here", group(t.Lost))
	}
	if n := c.dominated(); n > 0 {
		advice := "time one call of 100 by --every 100, or none by --count-only"
		if t.Mode == record.TraceEvery {
			advice = "only count, by --count-only"
		}
		add("dominated", advice, "%s dominated by the probe (!): less than a fifth of the time is without probes, and that is not to be relied on", plural(n, "function is", "functions are"))
	}
	if t.System > 0 {
		add("system", "", "%s on threads' own stacks: they are in no figure here", plural(t.System, "more call", "more calls"))
	}
	if !t.Ended {
		add("not-ended", "", "the program did not end by itself: it was killed, crashed, or still runs; calls under way then have no time")
	}
	if t.Mode == record.TraceEvery {
		add("estimates", "", "one of %s calls was timed, on average: counts are exact, times are estimates (≈)", group(t.Every))
	}
	if t.Clock == record.TraceLoose && c.timed() {
		add("loose-clock", "", "the clock was read without waiting for what was under way: each call is too short by up to some 40 ns")
	}
}

func (c *Calls) dominated() (n int64) {
	for i := range c.t.Funcs {
		if c.timed() && c.t.Funcs[i].Dominated && c.t.Funcs[i].Timed > 0 {
			n++
		}
	}
	return n
}

package env

import (
	"slices"
	"strings"
	"time"
)

const (
	slowRead     = 150.0  // ns; a vDSO takes 15 to 50, a system call 100 and more
	coarseClock  = 1000.0 // ns
	lateTimer    = 2 * time.Millisecond
	timerSleep   = 50 * time.Microsecond
	timerSamples = 50
	timerBudget  = 200 * time.Millisecond
)

// clockFinding joins the kernel's clock source with the figures of the caller.
func (h host) clockFinding(c Config) Finding {
	var parts []string
	source, err := h.text(clockSourcePath)
	if source = oneLine(source); source != "" {
		parts = append(parts, source)
	}
	if c.ClockRead > 0 {
		parts = append(parts, figure(c.ClockRead)+" ns per read")
	}
	if c.ClockResolution > 0 {
		parts = append(parts, figure(c.ClockResolution)+" ns resolution")
	}
	text := strings.Join(parts, ", ")
	switch {
	case text == "" && err != nil:
		return na("clock", "%s", because(err))
	case text == "":
		return na("clock", "/%s is empty", clockSourcePath)
	case c.ClockRead > slowRead:
		return warn("clock", "each reading asks the kernel; look for a better one in "+
			"/sys/devices/system/clocksource/clocksource0/available_clocksource", "%s", text)
	case c.ClockResolution > coarseClock:
		return warn("clock", "time many operations per reading", "%s", text)
	}
	return ok("clock", "%s", text)
}

// timerFinding measures how much later than asked a sleep ends. Load generators
// and samplers wait this way.
func (h host) timerFinding() Finding {
	var late []time.Duration
	for begin := h.now(); len(late) < timerSamples && h.now().Sub(begin) < timerBudget; {
		start := h.now()
		h.sleep(timerSleep)
		late = append(late, h.now().Sub(start)-timerSleep)
	}
	if len(late) == 0 {
		return na("timer", "the clock jumped")
	}
	slices.Sort(late)
	median := max(late[len(late)/2], 0)
	const text = "sleep(%s) ends %s late (median of %d)"
	if median > lateTimer {
		return warn("timer", "the tick is coarse: operations on a schedule start late unless the worker spins",
			text, span(timerSleep), span(median), len(late))
	}
	return ok("timer", text, span(timerSleep), span(median), len(late))
}

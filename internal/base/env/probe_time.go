package env

import (
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/units"
)

const (
	slowClockRead = 150.0  // ns; a vDSO takes 15 to 50, a system call 100 and more
	coarseClock   = 1000.0 // ns
	lateSleep     = 2 * time.Millisecond
	timerSleep    = 50 * time.Microsecond
	timerSamples  = 50
	timerBudget   = 200 * time.Millisecond
)

// clockFinding reports the kernel's clock source and the caller's measurements.
func (h host) clockFinding(c Config) Finding {
	var parts []string
	source, err := h.text(clockSourcePath)
	if source = oneLine(source); source != "" {
		parts = append(parts, source)
	}
	if c.ClockRead > 0 {
		parts = append(parts, units.Cost(c.ClockRead)+" per read")
	}
	if c.ClockResolution > 0 {
		parts = append(parts, units.Cost(c.ClockResolution)+" resolution")
	}
	text := strings.Join(parts, ", ")
	switch {
	case text == "" && err != nil:
		return notAvailable("clock", "%s", reason(err))
	case text == "":
		return notAvailable("clock", "/%s is empty", clockSourcePath)
	case c.ClockRead > slowClockRead:
		return warn("clock", "each reading asks the kernel; look for a better one in "+
			"/sys/devices/system/clocksource/clocksource0/available_clocksource", "%s", text)
	case c.ClockResolution > coarseClock:
		return warn("clock", "time many operations per reading", "%s", text)
	}
	return ok("clock", "%s", text)
}

// timerFinding measures how much too late a sleep ends. Load generators and samplers wait with it.
func (h host) timerFinding() Finding {
	var late []time.Duration
	for begin := h.now(); len(late) < timerSamples && h.now().Sub(begin) < timerBudget; {
		start := h.now()
		h.sleep(timerSleep)
		late = append(late, h.now().Sub(start)-timerSleep)
	}
	if len(late) == 0 {
		return notAvailable("timer", "the clock jumped")
	}
	slices.Sort(late)
	median := max(late[len(late)/2], 0)
	const text = "sleep(%s) ends %s late (median of %d)"
	if median > lateSleep {
		return warn("timer", "the tick is coarse: operations on a schedule start late unless the worker spins",
			text, units.Span(float64(timerSleep)), units.Span(float64(median)), len(late))
	}
	return ok("timer", text, units.Span(float64(timerSleep)), units.Span(float64(median)), len(late))
}

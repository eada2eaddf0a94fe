package env

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// An observation is what happened on the machine during a window.
type observation struct {
	window  time.Duration // measured
	cpu     CPUTimes
	cpuErr  error
	others  []usage // other programs, busiest first
	own     float64 // CPUs used by ourselves
	procErr error
	swapped int64 // pages swapped in and out
}

// busyCPUs returns how many CPUs were running something, on average.
func (o observation) busyCPUs() float64 { return ratio(o.cpu.Busy(), o.window) }

// snapshot is one end of an observation.
type snapshot struct {
	at      time.Time
	cpu     CPUTimes
	cpuErr  error
	procs   map[int]process
	procErr error
	swapped int64
}

func (h host) snapshot() snapshot {
	s := snapshot{at: h.now()}
	if text, err := h.text("proc/stat"); err != nil {
		s.cpuErr = errors.New(reason(err))
	} else if s.cpu, err = parseCPUTimes([]byte(text + "\n")); err != nil {
		s.cpuErr = fmt.Errorf("/proc/stat: %w", err)
	}
	s.procs, s.procErr = h.processes()
	s.swapped = parseSwapped(h.get("proc/vmstat"))
	return s
}

// watch observes the machine for the window, sleeping.
func (h host) watch(window time.Duration) observation {
	before := h.snapshot()
	h.sleep(window)
	after := h.snapshot()
	o := observation{
		window:  max(after.at.Sub(before.at), 1),
		cpu:     after.cpu.Sub(before.cpu),
		cpuErr:  cmp.Or(before.cpuErr, after.cpuErr),
		procErr: cmp.Or(before.procErr, after.procErr),
		swapped: max(after.swapped-before.swapped, 0),
	}
	o.others, o.own = cpuUsers(before.procs, after.procs, o.window, h.pid)
	return o
}

// parseSwapped adds up the pages swapped in and out, from /proc/vmstat.
func parseSwapped(text string) int64 {
	var sum int64
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 2 && (f[0] == "pswpin" || f[0] == "pswpout") {
			if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				sum += n
			}
		}
	}
	return sum
}

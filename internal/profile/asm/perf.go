package asm

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/record"
)

// perfSamples is the samples of perf events.
type perfSamples struct {
	*perfevent.Samples
	perSample time.Duration // overhead of one sample; 0: unknown
}

// tally counts the samples in the time that counts.
func (s perfSamples) tally(when timerlog.Timing) *tally {
	c := newCounter(when)
	s.Walk(func(x perfevent.Sample, m *perfevent.Map) { c.see(x, m, nil) })
	return c.tally(s.events())
}

// counter counts samples as they arrive.
type counter struct {
	when    timerlog.Timing
	counts  [][perfevent.MaxEvents]int64 // by spot and event
	outside [perfevent.MaxEvents]int64
	stopped [perfevent.MaxEvents]int64 // part of outside, in a window
	spots   map[spot]int
	mains   map[int32]string // executables of processes
	main    map[string]int64
	first   map[string]int64 // time of the first sample of a file
}

func newCounter(when timerlog.Timing) *counter {
	return &counter{when: when, spots: map[spot]int{}, mains: map[int32]string{}, main: map[string]int64{}, first: map[string]int64{}}
}

func (c *counter) see(x perfevent.Sample, m *perfevent.Map, _ []uint64) {
	if m != nil && m.Main {
		c.mains[x.PID] = m.Path
	}
	if len(c.when.Windows) > 0 && !timerlog.Contains(c.when.Ran, x.Time) {
		c.outside[x.Event]++
		if timerlog.Contains(c.when.Windows, x.Time) {
			c.stopped[x.Event]++
		}
		return
	}
	s := spotOf(x, m)
	i, ok := c.spots[s]
	if !ok {
		if _, ok := c.first[s.path]; s.kind == inFile && !ok {
			c.first[s.path] = x.Time
		}
		i = len(c.counts)
		c.spots[s] = i
		c.counts = append(c.counts, [perfevent.MaxEvents]int64{})
	}
	c.counts[i][x.Event]++
	if path := c.mains[x.PID]; x.Event == 0 && path != "" {
		c.main[path]++
	}
}

// tally returns the counts for the given events.
func (c *counter) tally(events []record.AsmEvent) *tally {
	t := newTally(events)
	t.main = c.main
	for e := range events {
		events[e].Outside += c.outside[e]
		events[e].Stopped += c.stopped[e]
	}
	for s, i := range c.spots {
		for e := range events {
			if n := c.counts[i][e]; n > 0 {
				t.add(s, e, n)
			}
		}
	}
	return t
}

func spotOf(x perfevent.Sample, m *perfevent.Map) spot {
	switch {
	case x.Kernel:
		return spot{kind: inKernel, at: x.IP}
	case m == nil:
		return spot{kind: unknownPlace, at: x.IP}
	case m.Path == "[vdso]":
		return spot{kind: inVDSO, path: m.Path, at: x.IP - m.Start}
	case !isFile(m.Path):
		return spot{kind: unknownPlace, path: m.Path, at: x.IP}
	}
	return spot{kind: inFile, path: m.Path, at: x.IP - m.Start + m.Offset}
}

// isFile reports whether a mapping is one of a file. The kernel names other memory [stack], //anon or similarly.
func isFile(path string) bool {
	return filepath.IsAbs(path) && !strings.HasPrefix(path, "//")
}

// events returns the sampled events, without the counts that only a tally has.
func (s perfSamples) events() []record.AsmEvent {
	var out []record.AsmEvent
	for _, e := range s.Events {
		a := record.AsmEvent{
			Name: e.Name, Precise: e.Precise, UserOnly: e.UserOnly, Asked: float64(e.Frequency), Period: float64(e.Period),
			Outside: e.Skipped, Throttled: e.Throttled,
		}
		if s.CPU > 0 {
			a.Achieved = float64(e.Samples) / s.CPU.Seconds()
		}
		out = append(out, a)
	}
	out[0].Lost = s.Lost // the kernel does not report the event of a lost sample
	return out
}

// cost returns sampling's share of the program's CPU time, or 0 if unknown.
func (s perfSamples) cost() float64 {
	if s.CPU <= 0 {
		return 0
	}
	var n int64
	for _, e := range s.Events {
		n += e.Samples
	}
	return float64(n) * float64(s.perSample) / float64(s.CPU)
}

// taken returns the number of samples of the first event, in and outside of windows.
func (s perfSamples) taken() int64 { return s.Events[0].Samples }

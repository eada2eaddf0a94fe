package record

import "fmt"

// Limits of load lines. Sums of a few do not overflow.
const (
	maxCount   = 1 << 61 // of counts, bytes, and times in ns
	maxSlowest = 1000    // operations, as in load.Config
)

// named is a figure that must be from 0 to maxCount.
type named struct {
	key string
	n   int64
}

func possible(figures ...named) error {
	for _, f := range figures {
		if f.n < 0 || f.n > maxCount {
			return fmt.Errorf("key %q cannot be %d", f.key, f.n)
		}
	}
	return nil
}

// possible returns an error for slowest operations that no run can have, because such a line is damaged. Counts are not
// checked here.
func (l *Load) possible() error {
	if len(l.Slowest) > maxSlowest {
		return fmt.Errorf("key %q has %d operations, %d at most", "slowest", len(l.Slowest), maxSlowest)
	}
	for i := range l.Slowest {
		if err := l.Slowest[i].possible(); err != nil {
			return err
		}
	}
	return nil
}

func (o *SlowOperation) possible() error {
	if o.Due > o.Start || o.Start > o.End || o.Paused > o.End-o.Due {
		return fmt.Errorf("key %q: an operation due at %d was sent at %d and answered at %d, with pauses of %d", "slowest", o.Due, o.Start, o.End, o.Paused)
	}
	return possible(named{"slowest.due", o.Due}, named{"slowest.end", o.End}, named{"slowest.paused", o.Paused}, named{"slowest.part_ns", o.PartTime})
}

// possible returns an error for values that no run has.
func (s *Stall) possible() error {
	return possible(named{"start", s.Start}, named{"length", s.Length})
}

// possible returns an error for values that no run has.
func (m *Marks) possible() error {
	g := &m.Generator
	figures := []named{{"start", m.Start}, {"length", m.Length}, {"generator.sched_p99", g.SchedP99}, {"generator.sched_max", g.SchedMax}}
	for _, gc := range []*GCMarks{&g.GC, m.ServerGC} {
		if gc != nil {
			figures = append(figures, named{"gc.n", gc.Count}, named{"gc.pause", gc.Pause}, named{"gc.max", gc.Max})
		}
	}
	processes := m.Servers
	if g.Process != nil {
		processes = append(processes[:len(processes):len(processes)], *g.Process)
	}
	for i := range processes {
		p := &processes[i]
		figures = append(figures, named{"cpu", p.CPU}, named{"stopped", p.Stopped}, named{"rss", p.RSS}, named{"minflt", p.Minflt}, named{"majflt", p.Majflt})
		if p.Delay != nil {
			figures = append(figures, named{"delay", *p.Delay})
		}
	}
	return possible(figures...)
}

package bench

import (
	"errors"
	"testing"

	"github.com/tarebench/tare/record"
)

// measure is one call of a measuring function: one window, unless testing only probes, or asks for the same
// result again.
func measure(b *testing.B, c *config) {
	b.Helper()
	s := beginCall(b, c.call)
	defer process.end()
	seed, err := c.check()
	if err != nil {
		b.Fatalf("bench: %v: %v", c.call, err)
	}
	a := readFlags()
	if a.count == 0 && s.of == b {
		s.result.report(b, s) // testing calls again because the timer was reset or stopped after the window
		return
	}
	probe := a.count > 1 && b.N == 1 // testing first calls the function with b.N = 1; the window follows
	if probe {
		a.count = 1
	}
	s.announce(c, seed)
	if a.count != 1 {
		s.measureFloor(c, seed)
	}
	r, err := s.window(b, c, a, seed)
	if err != nil {
		b.Fatalf("bench: %v: %v", c.call, err)
	}
	if probe {
		return
	}
	s.iter++
	s.result, s.of = r, b
	s.send(b, c)
	r.report(b, s)
}

// check completes and validates the configuration.
func (c *config) check() (record.Seed, error) {
	c.settle()
	seed, err := readSeed()
	if err != nil {
		c.errs = append(c.errs, err)
	}
	if c.call == callRate {
		if err := c.schedule(seed, 1, 0).Validate(); err != nil {
			c.errs = append(c.errs, err)
		}
	}
	return seed, c.err()
}

// window measures one window.
func (s *benchmark) window(b *testing.B, c *config, a testFlags, seed record.Seed) (*result, error) {
	win := newWindow(s.roleGroups(c, a))
	win.length, win.count, win.grace, win.seed = a.length, a.count, c.grace, seed
	win.iter = s.iter
	if c.sampled && c.call != callRate {
		win.overhead = process.overhead()
	}
	pacers, err := win.nextDue(c)
	if err != nil {
		return nil, err
	}
	defer pacers.Close()
	win.addWorkers()
	timer := timerWatch{b: b}
	o := win.run(timer.begin, func() { timer.end(); loopEnded(b) })
	o.err = errors.Join(o.err, timer.err)
	if o.err != nil {
		clear(s.hists) // an abandoned worker may still write there
		return nil, o.err
	}
	r := resultOf(win, c, o)
	if r.whole.ops == 0 {
		return nil, errors.New("no operation was completed in the window")
	}
	for _, x := range win.roleGroups {
		if x.sampled {
			s.steps[x.cfg.Name] = x.k
		}
		if x.pacing != nil {
			r.judge(win, x, c, o)
		}
	}
	r.setFloors(s)
	r.clock = win.overhead
	return r, nil
}

// sampleAllUpTo is the number of operations up to which all are sampled: with a fixed number there are no
// extra operations to find a step.
const sampleAllUpTo = 1000

// roleGroups returns the roles of a window, with histograms and steps of former windows.
func (s *benchmark) roleGroups(c *config, a testFlags) []*roleGroup {
	var out []*roleGroup
	for i := range c.roles {
		x := &roleGroup{cfg: &c.roles[i], ops: c.ops}
		if c.sampled {
			x.hists = s.histsOf(c, x.cfg)
		}
		if c.call == callRate {
			x.pacing = new(pacing)
		} else if x.sampled = c.sampled; x.sampled {
			x.k = s.step(c, x.cfg.Name, a)
		}
		out = append(out, x)
	}
	return out
}

// step returns the sampling step of a role, 0 if it is not known yet.
func (s *benchmark) step(c *config, role string, a testFlags) int64 {
	switch {
	case c.every > 0:
		return c.every
	case a.count > 0 && a.count <= sampleAllUpTo:
		return 1
	}
	return s.steps[role]
}

// histsOf returns the histograms of a role's workers, which are reused in all windows.
func (s *benchmark) histsOf(c *config, r *Role) []*latencySet {
	ts := s.hists[r.Name]
	for len(ts) < r.Workers {
		t := newLatencySet()
		t.service.preallocate()
		if c.call == callRate {
			t.response.preallocate()
			t.lateness.preallocate()
		}
		ts = append(ts, t)
	}
	s.hists[r.Name] = ts
	return ts
}

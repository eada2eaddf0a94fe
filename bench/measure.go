package bench

import (
	"errors"
	"testing"

	"github.com/tarebench/tare/record"
)

// measure is one call of a measuring function: one window, unless testing only
// probes or asks again.
func measure(b *testing.B, c *config) {
	b.Helper()
	s := enter(b, c.call)
	defer this.end()
	seed, err := c.check()
	if err != nil {
		b.Fatalf("bench: %v: %v", c.call, err)
	}
	a := readFlags()
	if a.count == 0 && s.of == b {
		s.result.report(b, s) // the timer was reset or stopped after the window
		return
	}
	probe := a.count > 1 && b.N == 1 // testing tries the function once; the window comes with b.N
	if probe {
		a.count = 1
	}
	s.announce(c, seed)
	if a.count != 1 {
		s.weigh(c, seed)
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
	s.tell(b, c)
	r.report(b, s)
}

// check completes the configuration and reports what is wrong with it.
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

// window measures.
func (s *subject) window(b *testing.B, c *config, a asked, seed record.Seed) (*result, error) {
	win := newWindow(s.crews(c, a))
	win.length, win.count, win.grace, win.seed = a.length, a.count, c.grace, seed
	win.iter = s.iter
	if c.sampled && c.call != callRate {
		win.tare = this.tare()
	}
	pacers, err := win.paced(c)
	if err != nil {
		return nil, err
	}
	defer pacers.Close()
	win.man()
	o := win.run(b.StartTimer)
	if o.err != nil {
		clear(s.tracks) // somebody who did not come back may still write there
		return nil, o.err
	}
	r := resultOf(win, c, o)
	if r.whole.ops == 0 {
		return nil, errors.New("no operation was completed in the window")
	}
	for _, x := range win.crews {
		if x.sampled {
			s.steps[x.cfg.Name] = x.k
		}
		if x.pacing != nil {
			r.judge(win, x, c, o)
		}
	}
	r.setFloors(s)
	r.clock = win.tare
	return r, nil
}

// fewOperations is how many are all sampled where their number was asked for: to
// find a step, others would have to be done before.
const fewOperations = 1000

// crews are the roles of a window, with what lives on from windows before.
func (s *subject) crews(c *config, a asked) []*crew {
	var out []*crew
	for i := range c.roles {
		x := &crew{cfg: &c.roles[i], ops: c.ops}
		if c.sampled {
			x.tracks = s.tracksOf(c, x.cfg)
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

// step is the sampling step of a role, 0 if it is to be found.
func (s *subject) step(c *config, role string, a asked) int64 {
	switch {
	case c.every > 0:
		return c.every
	case a.count > 0 && a.count <= fewOperations:
		return 1
	}
	return s.steps[role]
}

// tracksOf are the latencies of a role's workers, in memory that is kept.
func (s *subject) tracksOf(c *config, r *Role) []*tracks {
	ts := s.tracks[r.Name]
	for len(ts) < r.Workers {
		t := newTracks()
		t.service.touch()
		if c.call == callRate {
			t.response.touch()
			t.lateness.touch()
		}
		ts = append(ts, t)
	}
	s.tracks[r.Name] = ts
	return ts
}

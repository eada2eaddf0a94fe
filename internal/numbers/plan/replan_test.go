package plan

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/numbers/calibration"
	"github.com/tarebench/tare/record"
)

// replanned is a plan of cases "a" and "b" with the N 100 and the target 50 ms, whose operations take perOp.
func replanned(cfg record.Config, perOp time.Duration, sides ...string) (*Plan, *lab, *[]record.Replan) {
	p := &Plan{Config: cfg, Seed: 7, Cases: cases(append([]string{"a"}, sides...)...)}
	l := newLab(map[string]*bench{})
	for _, c := range p.Cases {
		c.N, c.Wall = 100, int64(150*time.Millisecond)
		c.Calibration = &record.Calibration{Target: int64(cfg.Time), Limit: int64(time.Millisecond)}
		l.benches[c.Name] = &bench{cost: linear(float64(perOp), 0)}
	}
	var replans []record.Replan
	p.Replanned = func(r *record.Replan, c *record.Case) error {
		if c.N != r.To {
			panic("the case has another N")
		}
		replans = append(replans, *r)
		return nil
	}
	return p, l, &replans
}

// TestReplan: an N that is far off is replaced after the first round, and the round is run again; one that is not is kept.
func TestReplan(t *testing.T) {
	for _, test := range []struct {
		name  string
		perOp time.Duration
		n     int64
	}{
		{"right", 500 * time.Microsecond, 100},
		{"nearly right", 700 * time.Microsecond, 100},
		{"far too few", 5 * time.Microsecond, 10000},
		{"too many", 1250 * time.Microsecond, 40},
	} {
		bubble(t, func(t *testing.T) {
			p, l, replans := replanned(config(), test.perOp)
			if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
				t.Fatal(err)
			}
			forks := 20
			if test.n != 100 {
				forks++
			}
			if p.Cases[0].N != test.n || len(l.runs) != forks || (len(*replans) == 1) != (test.n != 100) {
				t.Errorf("%s: N %d after %d forks, %+v", test.name, p.Cases[0].N, len(l.runs), *replans)
			}
			for _, r := range *replans {
				if r.Case != 1 || r.Round != 1 || r.From != 100 || r.To != test.n || r.Forks != 1 || r.Why == "" {
					t.Errorf("%s: %+v", test.name, r)
				}
			}
			if first := l.runs[forks-20]; first.Round != 1 {
				t.Errorf("%s: the first fork that counts is of round %d", test.name, first.Round)
			}
		})
	}
}

// TestReplanLength: whether iterations may be short is decided again with the new N, on both sides alike.
func TestReplanLength(t *testing.T) {
	for _, test := range []struct {
		name             string
		perOp            time.Duration
		n                int64
		short            bool // before
		want, iterations int64
		long, why        string
	}{
		{"N was far too small, and iterations stayed long", 5 * time.Microsecond, 100, false, 2500, 8, "",
			"an iteration took 500 µs, the target was 50.0 ms; iterations are shorter now, 8 of 12.5 ms in a fork"},
		{"N was too large, and iterations were short", 1250 * time.Microsecond, 2500, true, 40, 0, LongFew,
			"an iteration took 3.12 s, the target was 12.5 ms; iterations are longer now, 2 of 50.0 ms in a fork, because of few operations"},
		{"they stay long", 1250 * time.Microsecond, 100, false, 40, 0, LongFew, "an iteration took 125 ms, the target was 50.0 ms"},
		{"they stay short", 5 * time.Microsecond, 100, true, 2500, 8, "", "an iteration took 500 µs, the target was 12.5 ms"},
	} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.ShortIterations = true
			p, l, replans := replanned(cfg, test.perOp, "a")
			p.Cases[1].Side = "new"
			for _, c := range p.Cases {
				c.N, c.Long = test.n, LongFew
				if test.short {
					c.Long, c.Iterations, c.Time = "", 8, cfg.Time/4
				}
				c.Wall = int64(p.count(c)) * c.N * int64(test.perOp)
			}
			if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
				t.Fatal(err)
			}
			for i, c := range p.Cases {
				if c.N != test.want || c.Iterations != int(test.iterations) || c.Long != test.long || (c.Time > 0) != (test.iterations > 0) || (*replans)[i].To != c.N || (*replans)[i].Why != test.why {
					t.Errorf("%s: %d × %d operations in %v, long for %q; %+v", test.name, c.Iterations, c.N, c.Time, c.Long, (*replans)[i])
				}
				if whole := time.Duration(p.count(c)) * time.Duration(c.N) * test.perOp; c.Wall < int64(whole/2) || c.Wall > int64(2*whole) {
					t.Errorf("%s: a fork is expected to take %v, and takes %v", test.name, time.Duration(c.Wall), whole)
				}
			}
			if last := l.runs[len(l.runs)-1]; last.Count != p.count(p.Cases[0]) {
				t.Errorf("%s: forks of %d iterations", test.name, last.Count)
			}
		})
	}
}

// TestReplanLost: where others had the processors, a replaced N says so.
func TestReplanLost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l, replans := replanned(config(), 5*time.Microsecond)
		p.Cases[0].Calibration.Lost = 0.3
		run := func(ctx context.Context, r Request) (*Outcome, error) {
			out, err := l.run(ctx, r)
			lost := 0.08
			out.Fork.Lost = &lost
			return out, err
		}
		if _, err := p.Measure(t.Context(), nil, run, nil); err != nil {
			t.Fatal(err)
		}
		const want = "others had the processors for 30 % of the time in which N was chosen: an iteration took 500 µs, the target was 50.0 ms, and others had the processors for 8.0 % of a fork's time"
		if len(*replans) != 1 || (*replans)[0].Why != want {
			t.Errorf("%+v", *replans)
		}
	})
}

// TestReplanTwice: a benchmark whose cost jumps about is not replanned for ever, nor after the second round.
func TestReplanTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l, replans := replanned(config(), time.Microsecond)
		l.benches["a"].cost = func(n int64) time.Duration { // three times as long, or a third, of what is expected
			if len(l.runs)%2 == 0 {
				return 150 * time.Millisecond
			}
			return 17 * time.Millisecond
		}
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
			t.Fatal(err)
		}
		if len(*replans) != maxReplans || len(l.runs) > 20+2*maxReplans {
			t.Errorf("%d forks, %+v", len(l.runs), *replans)
		}
	})
}

// TestReplanSides: both sides get one N.
func TestReplanSides(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l, replans := replanned(config(), 5*time.Microsecond, "a")
		p.Cases[1].Side = "new"
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
			t.Fatal(err)
		}
		if len(*replans) != 2 || p.Cases[0].N != 10000 || p.Cases[1].N != 10000 || len(l.runs) != 42 {
			t.Errorf("%d forks, %+v", len(l.runs), *replans)
		}
	})
}

// TestReplanUnequalSides: N is between what a fast side and a slow one would have alone.
func TestReplanUnequalSides(t *testing.T) {
	m := &measuring{Plan: &Plan{}, replans: newReplanning()}
	var sides []*record.Case
	for i, ms := range []float64{50, 50 * 64} {
		c := &record.Case{ID: i + 1, N: 6400, Calibration: &record.Calibration{Target: 50e6, Limit: 1e6}}
		sides = append(sides, c)
		for range 3 {
			m.replans.seen[c.ID] = append(m.replans.seen[c.ID], calibration.Iteration{Wall: ms * 1e6, CPU: ms * 1e6, Timed: ms * 1e6})
		}
	}
	if took := m.iterationTook(sides, 50e6); math.Abs(took-8*50e6) > 1e6 {
		t.Errorf("%v ns", took)
	}
}

// TestReplanResumed: what was measured before an N was replaced is to be measured again by a run that is resumed.
func TestReplanResumed(t *testing.T) {
	var m Measured
	ok := func(id, caseID, round int) {
		m.Add(&record.Fork{ID: id, Case: caseID, Round: round, Purpose: record.PurposeTiming, State: record.StateOK})
	}
	m.Add(&record.Case{ID: 1, N: 100})
	ok(1, 1, 1)
	ok(2, 2, 1)
	m.Add(&record.Replan{Case: 1, Round: 1, From: 100, To: 10000, Forks: 1})
	m.Add(&record.Case{ID: 1, N: 10000})
	if m.Done(1, 1, record.PurposeTiming) || !m.Done(2, 1, record.PurposeTiming) || m.Tally(1) != (Tally{}) || m.Tally(2).Forks != 1 || m.Cases[0].N != 10000 {
		t.Errorf("%+v, %v", m, slices.Collect(maps.Keys(m.done)))
	}
	ok(3, 1, 1)
	if !m.Done(1, 1, record.PurposeTiming) || m.Tally(1).Forks != 1 {
		t.Errorf("%+v", m)
	}
}

// TestReplanLateResults: an iteration whose wall time is below its own timer's is not used to choose N. Its result was read
// late, when the next iteration had begun.
func TestReplanLateResults(t *testing.T) {
	c := &record.Case{ID: 1, Pkg: "p", Name: "X", N: 31_300, Calibration: &record.Calibration{Target: 20e6, Limit: 1e6}}
	ms := int64(time.Millisecond)
	late := []*record.Sample{
		{Iter: 1, Phase: record.PhaseWarmup, Wall: 60 * ms, CPU: 40 * ms, Delay: 20 * ms, Ns: 20 * ms},
		{Iter: 2, Phase: record.PhaseMeasure, Wall: 20_000, CPU: 10_000, Delay: 5_000, Ns: 20 * ms},
	}
	short := []*record.Sample{late[0], {Iter: 2, Phase: record.PhaseMeasure, Wall: 3 * ms, CPU: 2 * ms, Delay: ms / 10, Ns: 2 * ms}}
	for _, test := range []struct {
		name  string
		forks [][]*record.Sample
		n     int64
	}{
		{"late", [][]*record.Sample{late, late, late}, 0},
		{"one", [][]*record.Sample{short}, 0},
		{"late ones and two others", [][]*record.Sample{late, short, late, short}, 313_000},
	} {
		m := &measuring{Plan: &Plan{Config: config(), Cases: []*record.Case{c}}, replans: newReplanning()}
		m.Config.Time = 20 * time.Millisecond
		for _, samples := range test.forks {
			m.replans.see(c, 1, &Outcome{Fork: record.Fork{State: record.StateOK}, Samples: samples})
		}
		if n, took := m.better(m.Cases); n != test.n {
			t.Errorf("%s: N %d for iterations of %.0f ns, want %d", test.name, n, took, test.n)
		}
	}
}

package plan

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestTune finds N for benchmarks of all manners within few forks, and prints
// how many.
func TestTune(t *testing.T) {
	us, ms := time.Microsecond, time.Millisecond
	power := func(perOp float64, k float64) func(int64) time.Duration {
		return func(n int64) time.Duration { return 60*us + time.Duration(perOp*math.Pow(float64(n), k)) }
	}
	for _, test := range []struct {
		name    string
		cost    func(int64) time.Duration
		firstNs float64
		wall    time.Duration // in which discovery saw it; 0: unknown
		lo, hi  int64         // bounds of N
		least   time.Duration // of an iteration in the end
		most    time.Duration // likewise
		forks   int           // of the search, at most
	}{
		{"empty loop", linear(0.25, 60*us), 60, 0, 150e6, 210e6, 40 * ms, 60 * ms, 5},
		{"cheap, 5 ns", linear(5, 60*us), 200, 0, 8e6, 12e6, 40 * ms, 60 * ms, 4},
		{"usual, 7 µs", linear(7e3, 60*us), 9000, 0, 6800, 7500, 45 * ms, 55 * ms, 2},
		{"100 µs", linear(1e5, 60*us), 1e5, 0, 480, 520, 45 * ms, 55 * ms, 1},
		{"1 ms", linear(1e6, 60*us), 1.1e6, 0, 45, 55, 40 * ms, 60 * ms, 1},
		{"20 ms", linear(20e6, 60*us), 21e6, 0, 3, 3, 50 * ms, 61 * ms, 1},
		{"40 ms", linear(40e6, 60*us), 41e6, 0, 2, 2, 80 * ms, 81 * ms, 1},
		{"one operation is longer", linear(300e6, 0), 300e6, 300 * ms, 1, 1, 300 * ms, 300 * ms, 1},
		{"only the first operation is longer", linear(1e3, 60*us), 300e6, 300 * ms, 48e3, 52e3, 45 * ms, 55 * ms, 4},
		{"first operation was slow", linear(1e3, 60*us), 40e6, 0, 48e3, 52e3, 45 * ms, 55 * ms, 4},
		{"first operation unknown", linear(1e6, 60*us), 0, 0, 45, 55, 40 * ms, 60 * ms, 2},
		{"first operation impossible", linear(1e6, 60*us), math.NaN(), 0, 45, 55, 40 * ms, 60 * ms, 3},
		{"stopped timer, 70 µs", linear(70e3, 60*us), 40, 0, 680, 740, 45 * ms, 55 * ms, 1},
		{"stopped timer, 10 ms", linear(10e6, 60*us), 40, 0, 5, 5, 50 * ms, 51 * ms, 2},
		{"stopped timer, 120 ms", linear(120e6, 0), 40, 0, 1, 1, 120 * ms, 120 * ms, 3},
		{"stopped timer, 700 ms: too long for 500", linear(700e6, 0), 40, 0, 1, 1, 700 * ms, 700 * ms, 4},
		{"stopped timer, 10 ms seen", linear(10e6, 60*us), 40, 10 * ms, 5, 5, 50 * ms, 51 * ms, 1},
		{"stopped timer, 120 ms seen", linear(120e6, 0), 40, 121 * ms, 1, 1, 120 * ms, 120 * ms, 1},
		{"set-up seen that comes once", linear(1e3, 60*us), 1100, 300 * ms, 48e3, 52e3, 45 * ms, 55 * ms, 4},
		{"set-up of 40 ms per iteration", linear(1e3, 40*ms), 2000, 0, 1, 40000, 40 * ms, 60 * ms, 4},
		{"set-up of 200 ms per iteration", linear(10, 200*ms), 100, 0, 1, 1, 200 * ms, 201 * ms, 4},
		{"growing, squared", power(10, 2), 100, 0, 2000, 2500, 40 * ms, 60 * ms, 3},
		{"growing, to the third", power(1, 3), 100, 0, 330, 400, 40 * ms, 60 * ms, 3},
		{"growing, n log n", power(3, 1.1), 60, 0, 1e5, 5e6, 40 * ms, 60 * ms, 5},
		{"shrinking, square root", power(1e5, 0.5), 1e5, 0, 1.5e5, 3e5, 35 * ms, 60 * ms, 5},
		{"whatever N is", linear(0, 60*us), 60, 0, maxN, maxN, 0, 1 * ms, 7},
		{"a step at 1000", func(n int64) time.Duration {
			if n < 1000 {
				return 100 * us
			}
			return 300 * ms
		}, 100, 0, 1000, 1250, 300 * ms, 300 * ms, maxTries},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLab(map[string]*bench{"b": {cost: test.cost, start: 5 * ms}})
				p := &Plan{Config: config(), Cases: cases("b"), FirstWall: map[int]time.Duration{1: test.wall}}
				c := p.Cases[0]
				f, err := p.Calibrate(t.Context(), l.run, c, test.firstNs)
				if f != nil || err != nil {
					t.Fatalf("%s: %v, %v", test.name, f, err)
				}
				got := test.cost(c.N)
				search := 0
				for _, r := range l.runs {
					if r.Count == 2 {
						search++
					}
				}
				check := len(l.runs) - search
				t.Logf("%-40s N %12d, iteration %9s: %2d + %d forks, %s", test.name, c.N, got.Round(us), search, check, spent(l).Round(ms))
				if c.N < test.lo || c.N > test.hi || got < test.least || got > test.most || search > test.forks {
					t.Errorf("%s: N %d not in %d … %d, or %s not in %s … %s, or %d forks above %d", test.name, c.N, test.lo, test.hi, got, test.least, test.most, search, test.forks)
				}
				for _, r := range l.runs {
					if r.Purpose != record.PurposePilot || r.Round != 0 || r.Timeout != time.Minute {
						t.Errorf("%s: request %+v", test.name, r)
					}
				}
				if want := 5*ms + 3*got; time.Duration(c.Wall) != want {
					t.Errorf("%s: expects forks of %s, want %s", test.name, time.Duration(c.Wall), want)
				}
			})
		})
	}
}

// spent is the time that the forks took.
func spent(l *lab) time.Duration {
	var d time.Duration
	for _, r := range l.runs {
		d += min(r.Timeout, time.Duration(r.Count)*l.benches[r.Case.Name].cost(max(1, parseN(r.Benchtime))))
	}
	return d
}

func parseN(benchtime string) (n int64) {
	for _, c := range benchtime {
		if c >= '0' && c <= '9' {
			n = 10*n + int64(c-'0')
		}
	}
	return n
}

// TestTuneNoise: the search ends near the target and within its tries whatever
// a benchmark costs and however noisy its machine is. N is never below 1.
func TestTuneNoise(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		bubble(t, func(t *testing.T) {
			perOp := math.Exp(rng.Float64()*23 - 2) // 0.1 ns … 1.3 s
			k := 0.7 + rng.Float64()*1.5
			noise := rng.Float64()
			l := newLab(nil)
			l.benches = map[string]*bench{"b": {cost: func(n int64) time.Duration {
				d := perOp * math.Pow(float64(n), k) * (1 + noise*rng.Float64())
				return time.Duration(min(d, 1e15)) + time.Duration(rng.IntN(100_000))
			}}}
			p := &Plan{Config: config(), Cases: cases("b")}
			p.Config.Timeout = 100 * time.Hour
			c := p.Cases[0]
			f, err := p.Calibrate(t.Context(), l.run, c, perOp*rng.Float64()*2)
			if f != nil || err != nil || c.N < 1 || len(l.runs) > 2*(maxTries+maxCheckForks) {
				t.Fatalf("%g ns, power %g: %v, %v, N %d, %d forks", perOp, k, f, err, c.N, len(l.runs))
			}
			// Twice the noise, and what the target was missed by.
			target := float64(50 * time.Millisecond)
			if got := perOp * math.Pow(float64(c.N), k); got > 4.5*target && c.N > 1 || got < target/4.5 && c.N < maxN && perOp < target/10 {
				t.Errorf("%g ns, power %g, noise %g: N %d takes %s", perOp, k, noise, c.N, time.Duration(got))
			}
		})
	}
}

// TestTuneInterrupted: a fork of the search during which the machine stood still
// does not leave an iteration far too short.
func TestTuneInterrupted(t *testing.T) {
	for stall := range 4 { // the fork that is interrupted
		bubble(t, func(t *testing.T) {
			l := newLab(nil)
			l.benches = map[string]*bench{"b": {cost: func(n int64) time.Duration {
				d := time.Duration(10 * n)
				if len(l.runs) == stall+1 {
					d += 60 * time.Millisecond
				}
				return d
			}}}
			p := &Plan{Config: config(), Cases: cases("b")}
			c := p.Cases[0]
			if f, err := p.Calibrate(t.Context(), l.run, c, 1000); f != nil || err != nil {
				t.Fatal(f, err)
			}
			if got, target := time.Duration(10*c.N), p.Config.Time; got < target/3 || got > 3*target {
				t.Errorf("fork %d interrupted: N %d takes %s, want %s", stall, c.N, got, target)
			}
		})
	}
}

// TestTuneFixed: where N is given or testing's own, only the time is learnt.
func TestTuneFixed(t *testing.T) {
	for _, test := range []struct {
		mode, benchtime, want string
		n                     int64
	}{
		{record.ModeN, "100x", "100x", 100},
		{record.ModeTime, "", "50ms", 0},
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(map[string]*bench{"b": {cost: linear(1e6, 0)}})
			p := &Plan{Config: config(), Cases: cases("b")}
			p.Config.Benchtime = test.benchtime
			c := p.Cases[0]
			c.Mode, c.N = test.mode, test.n
			if f, err := p.Calibrate(t.Context(), l.run, c, 5); f != nil || err != nil {
				t.Fatal(f, err)
			}
			for _, r := range l.runs {
				if r.Benchtime != test.want || r.Count != 3 || r.Warmup != 1 {
					t.Errorf("%+v", r)
				}
			}
			if c.N != test.n || len(l.runs) < 2 || len(l.runs) > maxCheckForks || c.Wall <= 0 {
				t.Errorf("%+v after %d forks", c, len(l.runs))
			}
		})
	}
}

// TestTuneManyCases: with many cases, one fork each tells the time.
func TestTuneManyCases(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(1e6, 0)}})
		p := &Plan{Config: config()}
		for range checkForks {
			p.Cases = append(p.Cases, &record.Case{Name: "b", Mode: record.ModeTime})
		}
		if f, err := p.Calibrate(t.Context(), l.run, p.Cases[0], 0); f != nil || err != nil || len(l.runs) != 1 {
			t.Errorf("%v, %v, %d forks", f, err, len(l.runs))
		}
	})
}

// TestTuneFails: a failure may be chance once; twice the case is lost.
func TestTuneFails(t *testing.T) {
	for _, test := range []struct {
		name  string
		fail  func(r Request, run int) bool
		hangs bool
		lost  bool
		forks int
	}{
		{"never", nil, false, false, 1 + maxCheckForks},
		{"the first", func(_ Request, run int) bool { return run == 1 }, false, false, 2 + maxCheckForks},
		{"the last", func(_ Request, run int) bool { return run == 4 }, false, false, 2 + maxCheckForks},
		{"every other", func(_ Request, run int) bool { return run%2 == 1 }, false, false, 2 * (1 + maxCheckForks)},
		{"all", func(Request, int) bool { return true }, false, true, 2},
		{"in whole forks", func(_ Request, run int) bool { return run > 1 }, false, true, 3},
		{"hangs", nil, true, true, 4}, // with 500 operations, with 5, and twice with one
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(map[string]*bench{"b": {cost: linear(1e5, 0), fail: test.fail, hangs: test.hangs}})
			p := &Plan{Config: config(), Cases: cases("b")}
			f, err := p.Calibrate(t.Context(), l.run, p.Cases[0], 10)
			if (f != nil) != test.lost || err != nil || len(l.runs) != test.forks {
				t.Errorf("%s: %+v, %v after %d forks", test.name, f, err, len(l.runs))
			}
			if f != nil && (f.Case != p.Cases[0] || f.Fork.State == record.StateOK) {
				t.Errorf("%s: %+v", test.name, f)
			}
		})
	}
}

// TestTuneSlow: where a fork takes long, one tells how long.
func TestTuneSlow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(700e6, 0)}})
		p := &Plan{Config: config(), Cases: cases("b")}
		if f, err := p.Calibrate(t.Context(), l.run, p.Cases[0], 700e6); f != nil || err != nil || len(l.runs) != 2 || p.Cases[0].Wall != 2_100_000_000 {
			t.Errorf("%v, %v, %d forks, %+v", f, err, len(l.runs), p.Cases[0])
		}
	})
}

// TestTuneTimeoutAsked: operations that do not end within the timeout are fewer
// the next time.
func TestTuneTimeoutAsked(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(1e9, 0)}})
		p := &Plan{Config: config(), Cases: cases("b")}
		p.Config.Timeout = 10 * time.Second
		f, err := p.Calibrate(t.Context(), l.run, p.Cases[0], 10)
		if f != nil || err != nil || p.Cases[0].N != 1 {
			t.Errorf("%+v, %v, N %d", f, err, p.Cases[0].N)
		}
		for _, r := range l.runs {
			if r.Timeout != 10*time.Second {
				t.Errorf("timeout %s", r.Timeout)
			}
		}
	})
}

// TestTuneEnds: an error of the Runner or the end of the context ends the pilot.
func TestTuneEnds(t *testing.T) {
	gone := errors.New("the launcher has died")
	p := &Plan{Config: config(), Cases: cases("b")}
	run := func(context.Context, Request) (*Outcome, error) { return nil, gone }
	if _, err := p.Calibrate(t.Context(), run, p.Cases[0], 10); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	run = func(context.Context, Request) (*Outcome, error) {
		return &Outcome{Fork: record.Fork{State: record.StateOK}}, nil
	}
	if f, err := p.Calibrate(t.Context(), run, p.Cases[0], 10); f != nil || err == nil {
		t.Errorf("a good fork without samples: %v, %v", f, err)
	}
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(1e9, 0)}})
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(enough) })
		if f, err := p.Calibrate(ctx, l.run, p.Cases[0], 10); f != nil || !errors.Is(err, enough) || len(l.runs) != 1 {
			t.Errorf("%+v, %v after %d forks", f, err, len(l.runs))
		}
	})
}

// TestFollow: the case of another side takes over the base's N.
func TestFollow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(1e6, 0), start: time.Millisecond}})
		p := &Plan{Config: config(), Cases: cases("b", "b")}
		p.Cases[0].N = 17
		if f, err := p.CalibrateLike(t.Context(), l.run, p.Cases[1], p.Cases[0]); f != nil || err != nil {
			t.Fatal(f, err)
		}
		if c := p.Cases[1]; c.N != 17 || time.Duration(c.Wall) != 52*time.Millisecond {
			t.Errorf("%+v", c)
		}
	})
}

func TestRound3(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want int64
	}{
		{0.2, 1}, {1, 1}, {1.2, 2}, {9.99, 10}, {99.1, 100}, {999, 999}, {999.5, 1000}, {1000, 1000}, {1001, 1010}, {123456, 124000}, {99950, 100000}, {5e10, 50000000000},
	} {
		if got := round3(test.x); got != test.want {
			t.Errorf("%g: got %d, want %d", test.x, got, test.want)
		}
	}
}

func TestFirstN(t *testing.T) {
	const target = 50e6
	for _, test := range []struct {
		ns   float64
		want int64
	}{
		{0, 500}, {-5, 500}, {1, 500}, {1e5, 500}, {1e6, 50}, {40e6, 1}, {60e6, 1}, {math.Inf(1), 1}, {math.NaN(), 1},
	} {
		if got := firstN(target, test.ns); got != test.want {
			t.Errorf("%g: got %d, want %d", test.ns, got, test.want)
		}
	}
}

package plan

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/numbers/calibration"
	"github.com/tarebench/tare/record"
)

// TestCalibrate finds N for benchmarks of all manners within few forks, and prints how many.
func TestCalibrate(t *testing.T) {
	us, ms := time.Microsecond, time.Millisecond
	power := func(perOp float64, k float64) func(int64) time.Duration {
		return func(n int64) time.Duration { return 60*us + time.Duration(perOp*math.Pow(float64(n), k)) }
	}
	stopped := func(n int64) time.Duration { return time.Duration(40 * n) }
	for _, test := range []struct {
		name   string
		cost   func(int64) time.Duration
		timed  func(int64) time.Duration // nil: all but 60 µs
		lo, hi int64                     // bounds of N
		least  time.Duration             // of an iteration in the end
		most   time.Duration             // of an iteration in the end
		forks  int                       // at most
	}{
		{"empty loop", linear(0.25, 60*us), nil, 150e6, 210e6, 40 * ms, 60 * ms, 9},
		{"cheap, 5 ns", linear(5, 60*us), nil, 8e6, 12e6, 40 * ms, 60 * ms, 8},
		{"usual, 7 µs", linear(7e3, 60*us), nil, 6800, 7500, 45 * ms, 55 * ms, 6},
		{"100 µs", linear(1e5, 60*us), nil, 480, 520, 45 * ms, 55 * ms, 5},
		{"1 ms", linear(1e6, 60*us), nil, 45, 55, 40 * ms, 60 * ms, 3},
		{"20 ms", linear(20e6, 60*us), nil, 3, 3, 50 * ms, 61 * ms, 3},
		{"40 ms", linear(40e6, 60*us), nil, 2, 2, 80 * ms, 81 * ms, 2},
		{"one operation is longer", linear(300e6, 0), nil, 1, 1, 300 * ms, 300 * ms, 2},
		{"stopped timer, 70 µs", linear(70e3, 60*us), stopped, 680, 740, 45 * ms, 55 * ms, 5},
		{"stopped timer, 10 ms", linear(10e6, 60*us), stopped, 5, 8, 50 * ms, 81 * ms, 4},
		{"stopped timer, 120 ms", linear(120e6, 0), stopped, 1, 1, 120 * ms, 120 * ms, 2},
		{"set-up of 40 ms per iteration", linear(1e3, 40*ms), linear(1e3, 0), 40000, 60000, 80 * ms, 100 * ms, 8},
		{"set-up of 200 ms per iteration", linear(10, 200*ms), linear(10, 0), 1, 1, 200 * ms, 201 * ms, 2},
		{"growing, squared", power(10, 2), nil, 2000, 2500, 40 * ms, 60 * ms, 6},
		{"growing, to the third", power(1, 3), nil, 330, 400, 40 * ms, 60 * ms, 7},
		{"growing, n log n", power(3, 1.1), nil, 1e5, 5e6, 40 * ms, 60 * ms, 7},
		{"shrinking, square root", power(1e5, 0.5), nil, 1.5e5, 3e5, 35 * ms, 60 * ms, 8},
		{"whatever N is", linear(0, 60*us), nil, 1e11, calibration.MaxN, 0, 1 * ms, 14},
		{"a step at 1000", func(n int64) time.Duration {
			if n < 1000 {
				return 100 * us
			}
			return 300 * ms
		}, nil, 1000, 1250, 300 * ms, 300 * ms, 14},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				timed := test.timed
				if timed == nil {
					timed = func(n int64) time.Duration { return max(1, test.cost(n)-60*us) }
				}
				l := newLab(map[string]*bench{"b": {cost: test.cost, timed: timed, start: 5 * ms}})
				p := &Plan{Config: config(), Cases: cases("b")}
				c := p.Cases[0]
				f, err := p.Calibrate(t.Context(), l.run, c)
				if f != nil || err != nil {
					t.Fatalf("%v, %v", f, err)
				}
				got := test.cost(c.N)
				t.Logf("N %12d, iteration %9s: %2d forks, %s", c.N, got.Round(us), len(l.runs), spent(l).Round(ms))
				if c.N < test.lo || c.N > test.hi || got < test.least || got > test.most || len(l.runs) > test.forks {
					t.Errorf("N %d not in %d … %d, or %s not in %s … %s, or %d forks above %d", c.N, test.lo, test.hi, got, test.least, test.most, len(l.runs), test.forks)
				}
				for _, r := range l.runs {
					if r.Purpose != record.PurposePilot || r.Round != 0 || r.Timeout != time.Minute {
						t.Errorf("request %+v", r)
					}
				}
				if want := 5*ms + 3*got; time.Duration(c.Wall) < want*9/10 || time.Duration(c.Wall) > want*11/10 {
					t.Errorf("expects forks of %s, want %s", time.Duration(c.Wall), want)
				}
				if c.Calibration == nil || c.Calibration.Target != int64(50*ms) || c.Calibration.Forks != len(l.runs) {
					t.Errorf("calibration %+v after %d forks", c.Calibration, len(l.runs))
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

// TestCalibrateNoise: the search ends near the target and within its tries whatever
// a benchmark costs and however noisy its machine is. N is never below 1.
func TestCalibrateNoise(t *testing.T) {
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
			f, err := p.Calibrate(t.Context(), l.run, c)
			if f != nil || err != nil || c.N < 1 || len(l.runs) > 14 {
				t.Fatalf("%g ns, power %g: %v, %v, N %d, %d forks", perOp, k, f, err, c.N, len(l.runs))
			}
			// Twice the noise, and what the target was missed by.
			target := float64(50 * time.Millisecond)
			if got := perOp * math.Pow(float64(c.N), k); got > 4.5*target && c.N > 1 || got < target/4.5 && c.N < calibration.MaxN && perOp < target/10 {
				t.Errorf("%g ns, power %g, noise %g: N %d takes %s", perOp, k, noise, c.N, time.Duration(got))
			}
		})
	}
}

// TestCalibrateInterrupted: a fork of the search during which the machine stood still
// does not leave an iteration far too short.
func TestCalibrateInterrupted(t *testing.T) {
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
			if f, err := p.Calibrate(t.Context(), l.run, c); f != nil || err != nil {
				t.Fatal(f, err)
			}
			if got, target := time.Duration(10*c.N), p.Config.Time; got < target/3 || got > 3*target {
				t.Errorf("fork %d interrupted: N %d takes %s, want %s", stall, c.N, got, target)
			}
		})
	}
}

// TestCalibrateFixed: where N is given or testing's own, only the time is learnt.
func TestCalibrateFixed(t *testing.T) {
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
			if f, err := p.Calibrate(t.Context(), l.run, c); f != nil || err != nil {
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

// TestCalibrateManyCases: with many cases, one fork each tells the time.
func TestCalibrateManyCases(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(1e6, 0)}})
		p := &Plan{Config: config()}
		for range checkForks {
			p.Cases = append(p.Cases, &record.Case{Name: "b", Mode: record.ModeTime})
		}
		if f, err := p.Calibrate(t.Context(), l.run, p.Cases[0]); f != nil || err != nil || len(l.runs) != 1 {
			t.Errorf("%v, %v, %d forks", f, err, len(l.runs))
		}
	})
}

// TestCalibrateFails: a failure may be chance once; twice the case is lost.
func TestCalibrateFails(t *testing.T) {
	for _, test := range []struct {
		name  string
		fail  func(r Request, run int) bool
		hangs bool
		lost  bool
		forks int
	}{
		{"never", nil, false, false, 4},
		{"the first", func(_ Request, run int) bool { return run == 1 }, false, false, 5},
		{"the last", func(_ Request, run int) bool { return run == 4 }, false, false, 5},
		{"every other", func(_ Request, run int) bool { return run%2 == 1 }, false, false, 8},
		{"all", func(Request, int) bool { return true }, false, true, 2},
		{"after the first", func(_ Request, run int) bool { return run > 1 }, false, true, 3},
		{"hangs", nil, true, true, 2},
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(map[string]*bench{"b": {cost: linear(1e5, 0), fail: test.fail, hangs: test.hangs}})
			p := &Plan{Config: config(), Cases: cases("b")}
			f, err := p.Calibrate(t.Context(), l.run, p.Cases[0])
			if (f != nil) != test.lost || err != nil || len(l.runs) != test.forks {
				t.Errorf("%s: %+v, %v after %d forks", test.name, f, err, len(l.runs))
			}
			if f != nil && (f.Case != p.Cases[0] || f.Fork.State == record.StateOK) {
				t.Errorf("%s: %+v", test.name, f)
			}
		})
	}
}

// TestCalibrateSlow: where a fork takes long, one tells how long.
func TestCalibrateSlow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(700e6, 0)}})
		p := &Plan{Config: config(), Cases: cases("b")}
		if f, err := p.Calibrate(t.Context(), l.run, p.Cases[0]); f != nil || err != nil || len(l.runs) != 2 || p.Cases[0].Wall != 2_100_000_000 {
			t.Errorf("%v, %v, %d forks, %+v", f, err, len(l.runs), p.Cases[0])
		}
	})
}

// TestCalibrateTimeoutAsked: operations that do not end within the timeout are fewer
// the next time.
func TestCalibrateTimeoutAsked(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(1e9, 0)}})
		p := &Plan{Config: config(), Cases: cases("b")}
		p.Config.Timeout = 10 * time.Second
		f, err := p.Calibrate(t.Context(), l.run, p.Cases[0])
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

// TestCalibrateEnds: an error of the Runner or the end of the context ends the calibration.
func TestCalibrateEnds(t *testing.T) {
	gone := errors.New("the launcher has died")
	p := &Plan{Config: config(), Cases: cases("b")}
	run := func(context.Context, Request) (*Outcome, error) { return nil, gone }
	if _, err := p.Calibrate(t.Context(), run, p.Cases[0]); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	run = func(context.Context, Request) (*Outcome, error) {
		return &Outcome{Fork: record.Fork{State: record.StateOK}}, nil
	}
	if f, err := p.Calibrate(t.Context(), run, p.Cases[0]); f != nil || err == nil {
		t.Errorf("a good fork without samples: %v, %v", f, err)
	}
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"b": {cost: linear(1e9, 0)}})
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(enough) })
		if f, err := p.Calibrate(ctx, l.run, p.Cases[0]); f != nil || !errors.Is(err, enough) || len(l.runs) != 1 {
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
		if c := p.Cases[1]; c.N != 17 || c.Calibration != p.Cases[0].Calibration || time.Duration(c.Wall) != 52*time.Millisecond {
			t.Errorf("%+v", c)
		}
	})
}

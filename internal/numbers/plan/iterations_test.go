package plan

import (
	"context"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestLong: what keeps iterations long, each reason alone and at its limit.
func TestLong(t *testing.T) {
	const ms = time.Millisecond
	usual := Calibrated{N: 50000, Time: 50 * ms, Untimed: 300 * time.Microsecond, Bytes: 0, GOGC: 100}
	for _, test := range []struct {
		name   string
		change func(*Calibrated)
		want   string
	}{
		{"usual", func(*Calibrated) {}, ""},
		{"400 operations", func(l *Calibrated) { l.N = 400 }, ""},
		{"399 operations", func(l *Calibrated) { l.N = 399 }, LongFew},
		{"one operation", func(l *Calibrated) { l.N = 1 }, LongFew},
		{"measures little", func(l *Calibrated) { l.Time = 23 * ms }, LongBrief},
		{"reports no time", func(l *Calibrated) { l.Time = 0 }, LongUnknown},
		{"set-up of 12 ms", func(l *Calibrated) { l.Untimed = 12 * ms }, ""},
		{"set-up of 13 ms", func(l *Calibrated) { l.Untimed = 13 * ms }, LongUntimed},
		{"stops its timer", func(l *Calibrated) { l.Untimed, l.Time = 22*ms, 28*ms }, LongUntimed},
		{"collects never", func(l *Calibrated) { l.Bytes = 40 }, ""},
		{"collects once", func(l *Calibrated) { l.Bytes = 84 }, LongCollects},
		{"collects eleven times", func(l *Calibrated) { l.Bytes = 11 * 84 }, LongCollects},
		{"collects thirteen times", func(l *Calibrated) { l.Bytes = 13 * 84 }, ""},
		{"collects rarely with GOGC=400", func(l *Calibrated) { l.Bytes, l.GOGC = 13*84, 400 }, LongCollects},
		{"GOGC=off", func(l *Calibrated) { l.Bytes, l.GOGC = 84, -1 }, ""},
	} {
		l := usual
		test.change(&l)
		if got := l.Long(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// calibrated runs Calibrate on one case of a lab whose benchmark measures all of its wall time but rest.
func calibrated(t *testing.T, cfg record.Config, c *record.Case, rest time.Duration, bytes float64) *record.Case {
	t.Helper()
	l := newLab(map[string]*bench{c.Name: {cost: linear(1000, rest)}})
	p := &Plan{Config: cfg, Cases: []*record.Case{c}}
	run := func(ctx context.Context, r Request) (*Outcome, error) {
		o, err := l.run(ctx, r)
		for _, s := range o.Samples {
			s.Ns = s.Wall - int64(rest)
			s.V = record.Values{{Unit: "ns/op", Value: 1000}, {Unit: "B/op", Value: bytes}}
		}
		return o, err
	}
	if f, err := p.Calibrate(context.Background(), run, c); f != nil || err != nil {
		t.Fatal(f, err)
	}
	return c
}

// TestShorten: the default is split into four times as many iterations with a quarter of the operations, in the same
// measured time; not where the user set them, and not for the other reasons, which are in the case.
func TestShorten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		may := config()
		may.ShortIterations = true
		c := calibrated(t, may, cases("plain")[0], 100*time.Microsecond, 0)
		if c.Iterations != 8 || c.Time != 12500*time.Microsecond || c.N < 12000 || c.N > 13000 || c.Long != "" {
			t.Errorf("plain: %+v", c)
		}
		if d := time.Duration(c.Wall); d < 105*time.Millisecond || d > 125*time.Millisecond {
			t.Errorf("plain: a fork takes %s", d)
		}
		side := &record.Case{ID: 2, Name: "plain", Side: "new", Mode: record.ModeN}
		l := newLab(map[string]*bench{"plain": {cost: linear(1500, 0)}})
		p := &Plan{Config: may, Cases: []*record.Case{c, side}}
		if f, err := p.CalibrateLike(context.Background(), l.run, side, c); f != nil || err != nil {
			t.Fatal(f, err)
		}
		if side.N != c.N || side.Iterations != 8 || side.Time != c.Time || l.runs[0].Count != 9 {
			t.Errorf("the other side: %+v, %+v", side, l.runs[0])
		}
		if c := calibrated(t, config(), cases("asked")[0], 0, 0); c.Iterations != 0 || c.Time != 0 || c.Long != "" || c.N < 45000 {
			t.Errorf("as asked for: %+v", c)
		}
		if c := calibrated(t, may, cases("set-up")[0], 20*time.Millisecond, 0); c.Iterations != 0 || c.Long != LongUntimed {
			t.Errorf("set-up: %+v", c)
		}
		if c := calibrated(t, may, cases("collects")[0], 0, 200); c.Iterations != 0 || c.Long != LongCollects {
			t.Errorf("collects: %+v", c)
		}
		roles := cases("roles")[0]
		roles.Roles = []string{"producer"}
		if c := calibrated(t, may, roles, 0, 0); c.Iterations != 0 || c.Long != LongRoles {
			t.Errorf("roles: %+v", c)
		}
		parallel := cases("parallel")[0]
		parallel.Mode = record.ModeTime
		if c := calibrated(t, may, parallel, 0, 0); c.Iterations != 0 || c.Long != LongParallel {
			t.Errorf("parallel: %+v", c)
		}
		once := &record.Case{ID: 1, Name: "once", Mode: record.ModeN, SingleShot: true, N: 1}
		if c := calibrated(t, may, once, 0, 0); c.Iterations != 0 || c.N != 1 || c.Long != "" {
			t.Errorf("single shot: %+v", c)
		}
	})
}

// TestLooksWaits: time that an iteration waited for a processor does not count as set-up.
func TestLooksWaits(t *testing.T) {
	ms := int64(time.Millisecond)
	p := &Plan{Config: config()}
	c := &record.Case{N: 50000}
	delayed := &record.Sample{Wall: 90 * ms, CPU: 51 * ms, Delay: 39 * ms, Ns: 50 * ms}
	if l := p.calibrated(c, []*record.Sample{delayed}); l.Untimed != time.Millisecond {
		t.Errorf("%s beside the timer, want 1ms", l.Untimed)
	}
	slept := &record.Sample{Wall: 90 * ms, CPU: ms, Delay: ms, Ns: 50 * ms}
	if l := p.calibrated(c, []*record.Sample{slept}); l.Untimed != 39*time.Millisecond {
		t.Errorf("%s beside the timer, want 39ms", l.Untimed)
	}
	batched := &record.Sample{Wall: ms, Ns: 50 * ms, Batched: true}
	if l := p.calibrated(c, []*record.Sample{slept, batched}); l.Untimed != 39*time.Millisecond {
		t.Errorf("%s beside the timer with a batched line, want 39ms", l.Untimed)
	}
}

// TestShortProfile: forks that a profiler runs for itself keep the long iterations.
func TestShortProfile(t *testing.T) {
	p := &Plan{Config: config()}
	c := &record.Case{Mode: record.ModeN, N: 100, Iterations: 8, Time: 12500 * time.Microsecond}
	if r := p.request(c, 1, "trace"); r.Count != 3 || r.Benchtime != "50ms" {
		t.Errorf("%+v", r)
	}
	if r := p.request(c, 1, record.PurposeTiming); r.Count != 9 || r.Benchtime != "100x" {
		t.Errorf("%+v", r)
	}
}

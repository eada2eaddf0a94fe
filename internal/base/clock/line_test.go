package clock

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// machine simulates a counter and the true clock, and a Cycles on top of them.
type machine struct {
	r     *rand.Rand
	ns    int64   // true time
	ticks float64 // of the counter
	freq  float64 // ticks per ns
	noise int64   // a pair is wrong by up to so many ns
	held  int64   // who lays a line has no processor for so many ns before

	track
	line
	jumps int
}

func (m *machine) pass(ns int64) {
	m.ns += ns
	m.ticks += float64(ns) * m.freq
}

func (m *machine) pair() (uint64, int64) {
	m.pass(1000)
	return uint64(m.ticks), m.ns + m.r.Int64N(2*m.noise+1) - m.noise
}

// now is Cycles.Now for one reader.
func (m *machine) now() int64 {
	t := uint64(m.ticks)
	if t-m.line.ticks > m.line.span {
		m.pass(m.held)
		l, ns, jumped := m.track.renew(m.pair, m.line, t)
		if m.line = l; jumped {
			m.jumps++
		}
		return ns
	}
	return m.line.at(t)
}

func newMachine(t *testing.T, seed uint64, freq float64) *machine {
	m := &machine{r: rand.New(rand.NewPCG(seed, 0)), ns: 1e15, ticks: 1e12, freq: freq, noise: 20}
	var ok bool
	if m.line, ok = m.track.start(m.pair); !ok {
		t.Fatal("no first line")
	}
	return m
}

// readings lets time pass, with a reading each gap ns, and returns the largest
// error. Time must not go back.
func (m *machine) readings(t *testing.T, ns, gap int64) (worst int64) {
	t.Helper()
	jumps, last := m.jumps, int64(math.MinInt64)
	for end := m.ns + ns; m.ns < end; {
		m.pass(1 + m.r.Int64N(2*gap))
		before := m.ns
		got := m.now()
		if jumps == m.jumps && got < last {
			t.Fatalf("time goes back from %d to %d", last, got)
		}
		last, jumps = got, m.jumps
		worst = max(worst, got-before, before-got)
	}
	return worst
}

// TestTrack runs through what may happen to a machine. Pairs are 20 ns off at
// most: at the end of a line twice as long as its rate was measured they make
// 20 + 2·(20+20), and a reading comes when the line is over.
func TestTrack(t *testing.T) {
	const second = int64(time.Second)
	usual := int64(150)
	for _, freq := range []float64{0.3, 1, 2.4499, 5} {
		for seed := range uint64(5) {
			t.Run(fmt.Sprintf("freq=%v/seed=%d", freq, seed), func(t *testing.T) {
				m := newMachine(t, seed, freq)
				step := func(what string, limit int64, jumps int, worst int64) {
					t.Helper()
					if worst > limit {
						t.Errorf("%s: %d ns off, want at most %d", what, worst, limit)
					}
					if m.jumps != jumps {
						t.Errorf("%s: %d jumps, want %d", what, m.jumps, jumps)
					}
				}
				step("first lines", usual, 0, m.readings(t, second/10, 10_000))
				step("on", usual, 0, m.readings(t, 20*second, 100_000))
				step("each 3 s only", usual, 0, m.readings(t, 30*second, 3*second))

				m.freq *= 1 - 0.1e-6 // the kernel steers its clock
				step("steered by 0.1 ppm", 300, 0, m.readings(t, 5*second, 100_000))
				step("after that", usual, 0, m.readings(t, 5*second, 100_000))

				m.pass(3600 * second) // without a reading
				step("after an hour", usual, 0, m.readings(t, 5*second, 100_000))

				m.ticks += 3600e9 * m.freq // sleep: only the counter goes on
				step("after sleep", usual, 1, m.readings(t, 5*second, 100_000))

				m.ticks = 1000 // the counter begins anew
				step("set back", usual, 2, m.readings(t, 5*second, 100_000))
			})
		}
	}
}

// TestTrackHeldUp: who reads often, and is held up where a line is over, sees time
// go on, and none that is wrong.
func TestTrackHeldUp(t *testing.T) {
	for _, held := range []time.Duration{time.Millisecond, 5 * time.Millisecond, 300 * time.Millisecond} {
		for seed := range uint64(50) {
			m := newMachine(t, seed, 2.45)
			m.held = int64(held)
			for range 5 { // lines
				left := m.line.ticks + m.line.span - uint64(m.ticks)
				m.pass(int64(float64(left)/m.freq) - 100)
				last := m.now()
				for range 20 {
					m.pass(10)
					before := m.ns
					got := m.now()
					if off := got - before; got < last || off > 150 || off < -150 {
						t.Fatalf("held up for %v, seed %d: %d after %d, %d ns off", held, seed, got, last, off)
					}
					last = got
				}
			}
		}
	}
}

// TestTrackJumps: a counter that changes its rate makes readings wrong; that is
// counted, and ends.
func TestTrackJumps(t *testing.T) {
	m := newMachine(t, 1, 2.5)
	m.readings(t, int64(10*time.Second), 100_000)
	m.freq *= 1.1 // moved to another machine
	m.readings(t, int64(5*time.Second), 100_000)
	if m.jumps == 0 {
		t.Error("the rate changed by a tenth, and no reading was found wrong")
	}
	jumps := m.jumps
	if worst := m.readings(t, int64(5*time.Second), 100_000); worst > 100 || m.jumps != jumps {
		t.Errorf("seconds later still %d ns off, with %d more jumps", worst, m.jumps-jumps)
	}
}

func TestTrackNeedsClocksThatGo(t *testing.T) {
	var k track
	if _, ok := k.start(func() (uint64, int64) { return 0, 0 }); ok {
		t.Error("a line was laid along a clock that stands still")
	}
	ns := int64(0)
	if _, ok := k.start(func() (uint64, int64) { ns += 1000; return 5, ns }); ok {
		t.Error("a line was laid along a counter that stands still")
	}
}

func TestLineAt(t *testing.T) {
	l := line{ticks: 1000, ns: 500, rate: 1 << 31} // half a ns per tick
	for _, tt := range []struct {
		ticks uint64
		ns    int64
	}{{1000, 500}, {1010, 505}, {990, 495}, {0, 0}, {1000 + 1<<62, 500 + 1<<61}} {
		if got := l.at(tt.ticks); got != tt.ns {
			t.Errorf("%d ticks are %d ns, want %d", tt.ticks, got, tt.ns)
		}
	}
}

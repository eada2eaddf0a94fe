package mock

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load/kv"
)

func TestSettingsOf(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		props kv.Properties
		want  settings
		text  string
	}{
		{nil, settings{}, "no delay, a no-op"},
		{kv.Properties{"mock.delay": "4ms"}, settings{delays: delays{delay: 4 * ms}}, "delay 4ms"},
		{kv.Properties{"mock.delay": "4ms", "mock.random": "true"}, settings{delays: delays{shape: uniform, delay: 4 * ms}}, "delay random from 0 to 4ms"},
		{kv.Properties{"mock.mode": "stalls"}, settings{delays: delays{modes: true}}, "stalls: 200 µs to 50 ms, and of all workers 50 to 200 ms"},
		{kv.Properties{"basicdb.simulatedelay": "3"}, settings{delays: delays{shape: uniform, delay: 3 * ms, whole: true}}, "delay random from 0 to 3ms"},
		{kv.Properties{"basicdb.simulatedelay": "3", "basicdb.randomizedelay": "false"}, settings{delays: delays{delay: 3 * ms}}, "delay 3ms"},
		{kv.Properties{"basicdb.simulatedelay": "0"}, settings{delays: delays{shape: uniform, whole: true}}, "no delay, a no-op"},
		{kv.Properties{"mock.delay": "2ms", "mock.distribution": "exponential", "mock.servers": "3"}, settings{delays: delays{shape: exponential, delay: 2 * ms}, servers: 3}, "exponential delays, mean 2ms, 3 at once: at most 1500/s"},
		{kv.Properties{"mock.delay": "1ms", "mock.distribution": "lognormal", "mock.sigma": "0.5"}, settings{delays: delays{shape: lognormal, delay: ms, sigma: 0.5}}, "lognormal delays, median 1ms, sigma 0.5, mean 1.13ms"},
		{kv.Properties{"mock.delay": "1ms", "mock.distribution": "pareto", "mock.alpha": "1.5"}, settings{delays: delays{shape: pareto, delay: ms, alpha: 1.5}}, "Pareto delays from 1ms, alpha 1.5, mean 3ms"},
		{kv.Properties{"mock.delay": "1ms", "mock.distribution": "pareto", "mock.alpha": "1", "mock.servers": "1"}, settings{delays: delays{shape: pareto, delay: ms, alpha: 1}, servers: 1}, "Pareto delays from 1ms, alpha 1, without a mean, 1 at once"},
		{kv.Properties{"mock.delay": "1ms", "mock.distribution": "bimodal", "mock.slow.share": "0.05"}, settings{delays: delays{shape: bimodal, delay: ms, slow: 10 * ms, share: 0.05}}, "delay 1ms, of 5 % 10ms"},
		{kv.Properties{"mock.stall": "200ms", "mock.stall.every": "5s"}, settings{stall: 200 * ms, every: 5 * time.Second}, "no delay, a no-op, stalls of 200ms every 5s"},
	} {
		got, err := settingsOf(c.props)
		if got.stall == 0 {
			got.every = 0
		}
		if err != nil || got != c.want || got.String() != c.text {
			t.Errorf("%v: %+v (%v), %v, want %+v (%s)", c.props, got, got, err, c.want, c.text)
		}
	}
}

// A mode is one range of delays, and what of it occurred.
type mode struct {
	from, to time.Duration
	want     float64 // share
	got      int
	sum      time.Duration
}

// TestFourModes counts the modes of a million delays. The seed is fixed: the
// bounds are five standard deviations wide and need not hold for every one.
func TestFourModes(t *testing.T) {
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(1, 2))
	modes := []mode{
		{from: 200 * time.Microsecond, to: time.Millisecond, want: 0.9},
		{from: time.Millisecond, to: 10 * time.Millisecond, want: 0.09},
		{from: 10 * time.Millisecond, to: 50 * time.Millisecond, want: 0.0099},
		{from: 50 * time.Millisecond, to: 200 * time.Millisecond, want: 0.0001},
	}
	for range n {
		d, stall := delays{modes: true}.next(rng)
		i := slices.IndexFunc(modes, func(m mode) bool { return d >= m.from && d < m.to })
		if i < 0 || stall != (i == 3) {
			t.Fatalf("delay %v, stall %v", d, stall)
		}
		modes[i].got++
		modes[i].sum += d
	}
	for _, m := range modes {
		sigma := math.Sqrt(m.want * (1 - m.want) / n)
		if share := float64(m.got) / n; math.Abs(share-m.want) > 5*sigma {
			t.Errorf("%v to %v: %v of all, want %v", m.from, m.to, share, m.want)
		}
		mean, middle := m.sum/time.Duration(m.got), (m.from+m.to)/2
		if off := (mean - middle).Abs(); off > (m.to-m.from)/8 { // 100 delays at least: over four deviations
			t.Errorf("%v to %v: mean %v, want %v", m.from, m.to, mean, middle)
		}
	}
}

func TestRandomDelays(t *testing.T) {
	l := delays{shape: uniform, delay: 4 * time.Millisecond}
	rng := rand.New(rand.NewPCG(1, 2))
	var tenths [10]int
	for range 100_000 {
		d, stall := l.next(rng)
		if stall || d < 0 || d >= l.delay {
			t.Fatalf("delay %v, stall %v", d, stall)
		}
		tenths[d*10/l.delay]++
	}
	for i, n := range tenths {
		if n < 9_500 || n > 10_500 {
			t.Errorf("%d of 100000 in tenth %d", n, i)
		}
	}
}

// TestSameSeedSameDelays: of a worker, however often it gets a session; other
// workers and seeds have others.
func TestSameSeedSameDelays(t *testing.T) {
	draw := func(seed uint64, worker int) (all []time.Duration) {
		d, err := Open(context.Background(), kv.Settings{Props: kv.Properties{"mock.mode": "stalls"}, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		s, err := d.Session(context.Background(), worker)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			delay, _ := d.(*db).next(s.(*session).rng)
			all = append(all, delay)
		}
		return all
	}
	first := draw(7, 3)
	if again := draw(7, 3); !slices.Equal(first, again) {
		t.Errorf("%v and %v", first, again)
	}
	if slices.Equal(first, draw(8, 3)) || slices.Equal(first, draw(7, 4)) {
		t.Error("another seed or another worker has the same delays")
	}
}

// TestStallStopsEverybody: what begins in a stall ends after it, and what was
// under way is waited for.
func TestStallStopsEverybody(t *testing.T) {
	d, err := Open(context.Background(), kv.Settings{Props: kv.Properties{"mock.mode": "stalls"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	m := d.(*db)
	one, err := d.Session(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	other, err := d.Session(context.Background(), 2)
	if err != nil {
		t.Fatal(err)
	}
	toStall(t, one.(*session))
	m.world.RLock() // as an operation does that is under way: the stall waits for its end
	done := make(chan error, 1)
	go func() { done <- one.Read(context.Background(), nil, nil, new(kv.Record)) }()
	for m.world.TryRLock() { // until it is about to stall
		m.world.RUnlock()
		if len(done) > 0 {
			t.Fatal("the stall did not wait for what was under way")
		}
		time.Sleep(100 * time.Microsecond)
	}
	began := time.Now()
	m.world.RUnlock()
	if err := other.Read(context.Background(), nil, nil, new(kv.Record)); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("another operation ended %v after the stall began, which takes 50 ms at least", took)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if stalls := m.Stalls(0, math.MaxInt64); len(stalls) != 1 || stalls[0].Length < int64(50*time.Millisecond) {
		t.Errorf("stalls that were noted: %v", stalls)
	}
}

// toStall leaves a session before a stall.
func toStall(t *testing.T, s *session) {
	for seed := range uint64(1_000_000) {
		if _, stall := s.db.next(rand.New(rand.NewPCG(seed, 0))); stall {
			s.rng = rand.New(rand.NewPCG(seed, 0))
			return
		}
	}
	t.Fatal("no seed begins with a stall")
}

func TestNotes(t *testing.T) {
	d, err := Open(context.Background(), kv.Settings{Props: kv.Properties{"mock.delay": "4ms"}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Capabilities()
	if c.Load || c.Integrity || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "delay 4ms") {
		t.Errorf("%+v", c)
	}
}

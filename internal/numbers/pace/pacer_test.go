package pace

import (
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
)

var modes = []Mode{Hybrid, Sleep, Spin, Timer}

// eachMode runs f for a group of every mode, which it closes afterwards.
func eachMode(t *testing.T, done <-chan struct{}, f func(t *testing.T, g *Group)) {
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			g := group(t, mode, done)
			f(t, g)
		})
	}
}

func group(t testing.TB, mode Mode, done <-chan struct{}) *Group {
	t.Helper()
	if mode == Spin && runtime.GOMAXPROCS(0) < 2 {
		t.Skip("GOMAXPROCS is 1")
	}
	g, err := NewGroup(mode, done)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func pacer(t testing.TB, g *Group) *Pacer {
	t.Helper()
	p, err := g.Pacer()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWaitIsNeverEarly(t *testing.T) {
	eachMode(t, nil, func(t *testing.T, g *Group) {
		p := pacer(t, g)
		for i := range 100 {
			before := p.Now()
			due := before + int64(i)*10_000
			now, waited, err := p.Wait(due)
			after := p.Now()
			if err != nil || now < due || now > after {
				t.Fatalf("waited until %d for %d, at %d: %v", now, due, after, err)
			}
			// A preemption may have come before the clock was read in Wait.
			if waited && i == 0 {
				t.Fatal("waited is true for a time that had passed")
			}
		}
	})
}

// TestWaited: waited is true for a worker that calls Wait before due. It is false
// for one that calls Wait later, which does not sleep.
func TestWaited(t *testing.T) {
	eachMode(t, nil, func(t *testing.T, g *Group) {
		p := pacer(t, g)
		early := false
		for range 10 { // each may be held up for 10 ms on the way
			_, waited, err := p.Wait(p.Now() + int64(10*time.Millisecond))
			if err != nil {
				t.Fatal(err)
			}
			early = early || waited
		}
		if !early {
			t.Error("came 10 ms early, ten times, and did not wait")
		}
		before := p.Now()
		now, waited, err := p.Wait(before - int64(time.Hour))
		if waited || err != nil || now < before {
			t.Errorf("came an hour late: waited %v until %d, came at %d, error %v", waited, now, before, err)
		}
	})
}

// TestDoneInterrupts closes done while workers wait for an hour.
func TestDoneInterrupts(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			done := make(chan struct{})
			g := group(t, mode, done)
			var wg sync.WaitGroup
			for i := range 4 {
				p := pacer(t, g)
				wg.Go(func() {
					due := p.Now() + int64(time.Hour) + int64(i)
					for range 2 { // then again, and it ends at once
						now, waited, err := p.Wait(due)
						if !errors.Is(err, ErrStopped) || !waited || now >= due {
							t.Errorf("worker %d: %v, waited %v", i, err, waited)
						}
					}
					if _, waited, err := p.Wait(0); !errors.Is(err, ErrStopped) || waited {
						t.Errorf("worker %d, due long ago: %v, waited %v", i, err, waited)
					}
				})
			}
			time.Sleep(20 * time.Millisecond) // so that most of them are waiting
			close(done)
			wg.Wait()
			late, err := g.Pacer()
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := late.Wait(late.Now() + int64(time.Hour)); !errors.Is(err, ErrStopped) {
				t.Errorf("a worker that came after the end: %v", err)
			}
		})
	}
}

// TestCloseInterrupts: Close is a stop as well, and can be repeated.
func TestCloseInterrupts(t *testing.T) {
	eachMode(t, make(chan struct{}), func(t *testing.T, g *Group) {
		p := pacer(t, g)
		ended := make(chan error)
		go func() {
			_, _, err := p.Wait(p.Now() + int64(time.Hour))
			ended <- err
		}()
		time.Sleep(10 * time.Millisecond)
		for range 2 {
			if err := g.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := <-ended; !errors.Is(err, ErrStopped) {
			t.Errorf("%v, want %v", err, ErrStopped)
		}
		if _, err := g.Pacer(); !errors.Is(err, ErrStopped) {
			t.Errorf("a pacer after the end: %v", err)
		}
	})
}

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, mode := range modes {
		for _, ends := range []bool{false, true} {
			done := make(chan struct{})
			g, err := NewGroup(mode, done)
			if err != nil {
				continue // GOMAXPROCS is 1
			}
			p := pacer(t, g)
			p.Wait(p.Now() + 100_000)
			if ends {
				close(done)
				p.Wait(p.Now() + int64(time.Hour))
			}
			g.Close()
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond) // goroutines of other tests may be ending
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func TestWaitAllocatesNothing(t *testing.T) {
	eachMode(t, make(chan struct{}), func(t *testing.T, g *Group) {
		p := pacer(t, g)
		if n := testing.AllocsPerRun(50, func() { p.Wait(p.Now() + 300_000) }); n != 0 {
			t.Errorf("%v allocations per wait", n)
		}
	})
}

// TestEarliestSpins: a worker that spins for a later operation stops spinning for
// a worker whose operation is due earlier, and is punctual all the same.
func TestEarliestSpins(t *testing.T) {
	done := make(chan struct{})
	g := group(t, Spin, done)
	first, second := pacer(t, g), pacer(t, g)
	start := clock.Now()
	far := start + int64(time.Hour)
	var wg sync.WaitGroup
	wg.Go(func() { first.Wait(far) })
	for g.spin.due.Load() != far {
		runtime.Gosched()
	}
	near := clock.Now() + int64(20*time.Millisecond)
	wg.Go(func() {
		now, waited, err := second.Wait(near)
		if err != nil || now < near {
			t.Errorf("waited until %d for %d: %v", now, near, err)
		}
		if due := g.spin.due.Load(); waited && due != free {
			t.Errorf("still spins for %d", due)
		}
		close(done)
	})
	wg.Wait()
}

func TestSpinIsTakenByTheEarliest(t *testing.T) {
	var s spin
	s.reset()
	for _, step := range []struct {
		due  int64
		took bool
		now  int64 // whose it is afterwards
	}{
		{100, true, 100}, {200, false, 100}, {100, false, 100}, {50, true, 50}, {99, false, 50},
	} {
		if took := s.take(step.due); took != step.took || s.due.Load() != step.now {
			t.Errorf("due at %d: took %v, spinner is %d; want %v, %d", step.due, took, s.due.Load(), step.took, step.now)
		}
	}
	s.stop()
	if s.take(1) || !s.isStopped() {
		t.Error("spinning after the stop")
	}
}

// TestSpinStress lets four workers spin for due times close to each other, in
// rounds. In each, the one who is due first must get through.
func TestSpinStress(t *testing.T) {
	const workers, rounds = 4, 200
	var s spin
	s.reset()
	for round := range rounds {
		var ready, ended sync.WaitGroup
		var start int64
		begin := make(chan struct{})
		ready.Add(workers)
		for i := range workers {
			ended.Go(func() {
				ready.Done()
				<-begin
				due := start + int64(i)*2_000
				now := s.until(due, clock.Now(), true)
				if i == 0 && now < due {
					t.Errorf("round %d: the first was held up at %d, due %d", round, now, due)
				}
			})
		}
		ready.Wait()
		start = clock.Now() + 50_000
		close(begin)
		ended.Wait()
		if due := s.due.Load(); due != free {
			t.Fatalf("round %d: the right to spin was not given back by %d", round, due)
		}
	}
}

func TestHybridOnOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if _, err := NewGroup(Spin, nil); err == nil {
		t.Error("the pacer spin was accepted with GOMAXPROCS=1")
	}
	g := group(t, Hybrid, nil)
	var wg sync.WaitGroup
	for range 3 {
		p := pacer(t, g)
		wg.Go(func() {
			for range 20 {
				due := p.Now() + 150_000
				if now, _, err := p.Wait(due); err != nil || now < due {
					t.Errorf("waited until %d for %d: %v", now, due, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestModes(t *testing.T) {
	if _, err := NewGroup(Mode(9), nil); err == nil {
		t.Error("mode 9 was accepted")
	}
}

// TestWorkersInBubble runs schedule and pacers in fake time: eight workers, of
// which each needs 4 ms, keep up with 1000/s, and each operation begins on time.
func TestWorkersInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		g := group(t, Timer, done)
		s, err := New(Config{Rate: 1000, For: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		start := clock.Now() + int64(time.Millisecond)
		var wg sync.WaitGroup
		for range 8 {
			p := pacer(t, g)
			wg.Go(func() {
				for {
					_, due, ok := s.Claim()
					if !ok {
						return
					}
					at := start + int64(due)
					now, waited, err := p.Wait(at)
					if err != nil || now != at || !waited {
						t.Errorf("due at %v: %d ns late, waited %v, %v", due, now-at, waited, err)
					}
					time.Sleep(4 * time.Millisecond)
				}
			})
		}
		wg.Wait()
		if n := s.Claimed(); n != 10_000 {
			t.Errorf("%d operations, want 10000", n)
		}
		close(done)
		synctest.Wait()
	})
}

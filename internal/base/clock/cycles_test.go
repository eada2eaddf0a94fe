package clock

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func newCycles(t testing.TB) *Cycles {
	t.Helper()
	c, why := NewCycles()
	if (why == "") != (c.Source() == "tsc") {
		t.Fatalf("source %s, reason %q", c.Source(), why)
	}
	if why != "" {
		t.Logf("reads Now: %s", why)
	}
	return c
}

// TestCyclesIsNow holds the clock against Now for more than a second, across
// lines of all lengths. What holds up the test makes the brackets wider, and
// cannot make it fail; what holds up laying a line makes that one worse.
func TestCyclesIsNow(t *testing.T) {
	c := newCycles(t)
	worst, readings := int64(0), 0
	for end := Now() + int64(1300*time.Millisecond); Now() < end; time.Sleep(100 * time.Microsecond) {
		for range 10 {
			before := Now()
			got := c.Now()
			after := Now()
			worst = max(worst, before-got, got-after)
			readings++
		}
	}
	const limit = 1000
	if worst > limit && c.Jumps() == 0 {
		t.Errorf("a reading lies %d ns outside of two readings of Now, want at most %d", worst, limit)
	}
	t.Logf("%s: %d readings lie at most %d ns outside of their brackets, %d jumps", c.Source(), readings, worst, c.Jumps())
}

func TestCyclesNeverGoesBack(t *testing.T) {
	c := newCycles(t)
	last := c.Now()
	for end := Now() + int64(50*time.Millisecond); ; {
		now := c.Now()
		if now < last && c.Jumps() == 0 {
			t.Fatalf("%d after %d", now, last)
		}
		last = now
		if now > end {
			break
		}
	}
}

// TestCyclesByMany passes readings between goroutines: a reading that is taken
// after another one was seen is not earlier, but for the microsecond that a line
// may be off.
func TestCyclesByMany(t *testing.T) {
	c := newCycles(t)
	stamps := make(chan int64)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for stamp := range stamps {
				if d := c.Now() - stamp; d < -1000 && c.Jumps() == 0 {
					t.Errorf("%d ns after a stamp it is earlier than that", d)
				}
			}
		})
	}
	for range 20_000 {
		stamps <- c.Now()
	}
	close(stamps)
	wg.Wait()
}

func TestSinceClamps(t *testing.T) {
	c := newCycles(t)
	if d := c.Since(c.Now()); d < 0 || c.Clamped() > 1 {
		t.Errorf("%d ns, %d clamped", d, c.Clamped())
	}
	clamped := c.Clamped()
	if d := c.Since(c.Now() + int64(time.Hour)); d != 0 {
		t.Errorf("since in an hour %d ns have passed", d)
	}
	if n := c.Clamped() - clamped; n != 1 {
		t.Errorf("%d clamped, want 1", n)
	}
	if d := c.Since(c.Now() - int64(time.Hour)); d < int64(time.Hour)-1000 {
		t.Errorf("since an hour ago %v have passed", time.Duration(d))
	}
}

// TestZeroCycles: the zero value reads Now, and follows a bubble's clock.
func TestZeroCycles(t *testing.T) {
	var c Cycles
	if c.Source() != "monotonic" {
		t.Errorf("source %q", c.Source())
	}
	before, now, after := Now(), c.Now(), Now()
	if now < before || now > after {
		t.Errorf("%d is not between %d and %d", now, before, after)
	}
	synctest.Test(t, func(t *testing.T) {
		start := c.Now()
		time.Sleep(time.Hour)
		if d := c.Since(start); d != int64(time.Hour) {
			t.Errorf("an hour in a bubble took %v", time.Duration(d))
		}
	})
}

// TestCyclesInBubble: no counter is tied to a clock that stands still.
func TestCyclesInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if c, why := NewCycles(); c.Source() != "monotonic" || why == "" {
			t.Errorf("source %s, reason %q", c.Source(), why)
		}
	})
}

func TestCyclesAllocatesNothing(t *testing.T) {
	c := newCycles(t)
	start := c.Now()
	if n := testing.AllocsPerRun(1000, func() { c.Since(start) }); n != 0 {
		t.Errorf("%v allocations per reading", n)
	}
	if c.counts {
		if n := testing.AllocsPerRun(100, func() { c.span.Store(0); c.Now() }); n != 0 {
			t.Errorf("%v allocations per line", n)
		}
	}
}

func BenchmarkCycles(b *testing.B) {
	c := newCycles(b)
	var t int64
	for b.Loop() {
		t = c.Now()
	}
	_ = t
}

// BenchmarkCyclesRenew is the reading that lays a new line, once in a second.
func BenchmarkCyclesBegin(b *testing.B) {
	c := newCycles(b)
	var t int64
	for b.Loop() {
		t = c.Begin()
	}
	_ = t
}

func BenchmarkCyclesRenew(b *testing.B) {
	c := newCycles(b)
	if !c.counts {
		b.Skip("no line is laid")
	}
	for b.Loop() {
		c.span.Store(0)
		c.Now()
	}
}

func BenchmarkNewCycles(b *testing.B) {
	for b.Loop() {
		NewCycles()
	}
}

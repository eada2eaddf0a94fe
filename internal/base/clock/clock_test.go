package clock

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestNowIsTheKernelsClock holds Now against the kernel: no stamp may lie
// outside its bracket by more than the error that Shared admits. The second
// round, later, would show a drift.
func TestNowIsTheKernelsClock(t *testing.T) {
	e, ok := Shared()
	if !ok {
		t.Skip("no shared clock on this system")
	}
	for round := range 2 {
		for i := range 1000 {
			before, _ := readKernel()
			now := Now()
			after, _ := readKernel()
			slack := int64(e) + 1
			if now < before-slack || now > after+slack {
				t.Fatalf("round %d, reading %d: Now = %d is outside of %d … %d ± %.0f ns", round, i, now, before, after, e)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("anchor is known to ± %.1f ns", e)
}

// TestNowJoinsProcesses lets a child read the clock between two readings of the
// parent.
func TestNowJoinsProcesses(t *testing.T) {
	if os.Getenv("CLOCK_TEST_CHILD") != "" {
		fmt.Printf("now=%d\n", Now())
		return
	}
	e, ok := Shared()
	if !ok {
		t.Skip("no shared clock on this system")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNowJoinsProcesses$", "-test.v")
	cmd.Env = append(os.Environ(), "CLOCK_TEST_CHILD=1")
	before := Now()
	out, err := cmd.Output()
	after := Now()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(out), "now=")
	line, _, _ := strings.Cut(rest, "\n")
	child, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if !found || err != nil {
		t.Fatalf("child printed %q", out)
	}
	const childsOwnError = 10_000 // of its anchor, generously
	slack := int64(e) + childsOwnError
	if child < before-slack || child > after+slack {
		t.Errorf("the child's stamp %d is not between the parent's %d and %d", child, before, after)
	}
}

func TestNowNeverGoesBack(t *testing.T) {
	last := Now()
	for range 100_000 {
		now := Now()
		if now < last {
			t.Fatalf("%d after %d", now, last)
		}
		last = now
	}
}

func TestNowAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Now() }); n != 0 {
		t.Errorf("%v allocations per reading", n)
	}
}

// TestNowInBubble pins what doc.go promises for fake clocks.
func TestNowInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := Now()
		time.Sleep(time.Hour)
		if d := Now() - before; d != int64(time.Hour) {
			t.Errorf("an hour in a bubble took %v", time.Duration(d))
		}
	})
}

func TestMeasure(t *testing.T) {
	w := Measure()
	if !(w.Read > 0) || !(w.Resolution > 0) || !(w.Loop > 0) {
		t.Errorf("a weight is missing: %+v", w)
	}
	t.Logf("%+v", w)
}

// TestBatchesOutlastPreemption feeds the timer with batches of which a third
// were disturbed: neither statistic may move.
func TestBatchesOutlastPreemption(t *testing.T) {
	calls := 0
	run := func(n int) int64 {
		calls++
		if calls%3 == 0 {
			return 4_000_000
		}
		return int64(n) * 5
	}
	median, least := batches(1000, time.Minute, run)
	if median != 5 || least != 5 {
		t.Errorf("median %v, least %v, want 5 and 5", median, least)
	}
	if calls != batchCount {
		t.Errorf("%d batches, want %d", calls, batchCount)
	}
}

func TestBatchesKeepTheBudget(t *testing.T) {
	calls := 0
	batches(1, -time.Nanosecond, func(int) int64 { calls++; return 1 })
	if calls != 1 {
		t.Errorf("%d batches in a spent budget, want 1", calls)
	}
}

func TestBatchSize(t *testing.T) {
	fake := func(perOp int64) func(int) int64 {
		return func(n int) int64 { return int64(n) * perOp }
	}
	tests := []struct {
		name       string
		perOp      int64
		resolution float64
		least      int64 // length of a batch, ns
	}{
		{"usual clock", 22, 1, int64(batchTime)},
		{"coarse clock", 22, 1000, 50_000},
		{"hopeless clock", 22, 15e6, int64(time.Millisecond)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := batchSize(fake(tt.perOp), tt.resolution)
			if got := int64(n) * tt.perOp; got < tt.least || got > 2*tt.least+16*tt.perOp {
				t.Errorf("batch of %d lasts %d ns, want %d … %d", n, got, tt.least, 2*tt.least)
			}
		})
	}
	calls := 0
	preempted := func(n int) int64 { // each second time
		if calls++; calls%2 == 1 {
			return 4_000_000
		}
		return int64(n)
	}
	if n := batchSize(preempted, 1); int64(n) < int64(batchTime) {
		t.Errorf("batch of %d, found while others ran, lasts %d ns, want %v", n, n, batchTime)
	}
	if n := batchSize(fake(0), 1); n != 1<<24 {
		t.Errorf("batch of a clock that stands still is %d", n)
	}
}

func BenchmarkNow(b *testing.B) {
	var t int64
	for b.Loop() {
		t = Now()
	}
	_ = t
}

func BenchmarkTimeNow(b *testing.B) {
	var t time.Time
	for b.Loop() {
		t = time.Now()
	}
	_ = t
}

// BenchmarkKernel is what Now would cost without the anchor.
func BenchmarkKernel(b *testing.B) {
	for b.Loop() {
		readKernel()
	}
}

func BenchmarkLoop(b *testing.B) {
	for range b.N {
	}
}

func BenchmarkMeasure(b *testing.B) {
	for b.Loop() {
		Measure()
	}
}

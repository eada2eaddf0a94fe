package bench

import (
	"math"
	"testing"
	"time"
)

func TestMedianInterval(t *testing.T) {
	for _, tt := range []struct {
		n, lo, hi  int // ranks
		confidence float64
	}{
		{1, 0, 0, 0}, {2, 0, 0, 0}, {5, 0, 0, 0},
		{6, 1, 6, 0.969}, {7, 1, 7, 0.984}, {8, 1, 8, 0.992}, {9, 2, 8, 0.961}, {10, 2, 9, 0.979},
		{12, 3, 10, 0.961}, {15, 4, 12, 0.965}, {20, 6, 15, 0.959}, {30, 10, 21, 0.957}, {40, 14, 27, 0.962}, {42, 15, 28, 0.956},
	} {
		values := make([]float64, tt.n)
		for i := range values {
			values[i] = float64(i + 1) // its rank
		}
		median, lo, hi, confidence := medianInterval(values)
		if median != float64(tt.n+1)/2 || lo != float64(tt.lo) || hi != float64(tt.hi) || math.Abs(confidence-tt.confidence) > 0.0005 {
			t.Errorf("n = %d: median %v in ranks %v … %v with %.4f, want %d … %d with %v", tt.n, median, lo, hi, confidence, tt.lo, tt.hi, tt.confidence)
		}
	}
}

func TestSignificant(t *testing.T) {
	for _, tt := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0, 6, "0.00000"},
		{1, 6, "1.00000"},
		{12.34, 6, "12.3400"},
		{999999.4, 6, "999999"},
		{999999.6, 6, "1000000"},
		{4012349.7, 6, "4012350"},
		{4012346, 6, "4012350"},
		{0.000123456789, 6, "0.000123457"},
		{9.99999996, 6, "10.0000"},
		{-2.5, 2, "-2.5"},
		{1e21, 3, "1000000000000000000000"},
		{math.Inf(1), 6, "+Inf"},
		{math.NaN(), 6, "NaN"},
	} {
		if got := significant(tt.x, tt.digits); got != tt.want {
			t.Errorf("significant(%v, %d) = %q, want %q", tt.x, tt.digits, got, tt.want)
		}
	}
}

func TestRateLine(t *testing.T) {
	r := Result{Iterations: 2_000_000, Elapsed: 3 * time.Second}
	if got, want := rateLine("sum of 1000", r), "sum of 1000 666.667 iterations per millisecond"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestResultString(t *testing.T) {
	full := Result{
		Iterations: 4_000_000_000, Elapsed: time.Second + 20*time.Microsecond, NsPerOp: 0.250005,
		Median: 0.2499, Lo: 0.24981, Hi: 0.25012, Confidence: 0.9615, Groups: 40,
		Reads: 20_000, Collections: 1, Collected: true,
		Overhead: Overhead{Read: 25.04, Loop: 0.2431, Call: 1.2149},
	}
	few := Result{
		Iterations: 1, Elapsed: 1500 * time.Millisecond, NsPerOp: 1.5e9, Median: 1.5e9, Groups: 1, Reads: 1,
		Overhead: full.Overhead,
	}
	for _, tt := range []struct {
		name string
		r    Result
		want string
	}{
		{"full", full, `0.2500 ns/op, median 0.2499 (0.2498 … 0.2501: 96.2 % over 40 groups of this one process; others may lie outside)
4 000 000 000 iterations in 1.000 s, 1 garbage collection
clock read 20 000 times for 4 000 000 000 iterations: 100.2 s saved
overhead (tare), not subtracted: empty loop 0.24 ns, call of an empty function value 1.21 ns, clock read 25.0 ns`},
		{"few", few, `1 500 000 000 ns/op, no interval: 1 group, 6 are needed; measure longer
1 iteration in 1.500 s, 0 garbage collections
clock read 1 time for 1 iteration: 0 s saved
overhead (tare), not subtracted: empty loop 0.24 ns, call of an empty function value 1.21 ns, clock read 25.0 ns
the runtime has not confirmed the garbage collection before the measurement`},
	} {
		if got := tt.r.String(); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

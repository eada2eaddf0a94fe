package hist_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/tarebench/tare/hist"
)

// random returns a generator whose seed is printed when the test fails. Setting
// HIST_SEED repeats a failure.
func random(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	if s := os.Getenv("HIST_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat with HIST_SEED=%d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// anySize returns a value of any magnitude up to math.MaxInt64, small ones as
// often as large ones.
func anySize(r *rand.Rand) int64 { return r.Int64() >> r.IntN(63) }

// latency returns nanoseconds as a service might have them: most near 100 µs,
// some a thousand times that.
func latency(r *rand.Rand) int64 { return int64(100e3 * math.Exp(r.NormFloat64()+r.ExpFloat64())) }

func fill(h *hist.Histogram, values ...int64) *hist.Histogram {
	for _, v := range values {
		h.Record(v)
	}
	return h
}

// of returns a histogram with the default configuration.
func of(values ...int64) *hist.Histogram { return fill(hist.New(hist.Config{}), values...) }

func panics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		got := recover()
		if err, ok := got.(error); ok {
			got = err.Error()
		}
		if got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}()
	f()
}

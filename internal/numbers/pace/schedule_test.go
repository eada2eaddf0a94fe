package pace

import (
	"fmt"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"
)

// all claims until the schedule ends.
func all(t testing.TB, c Config) []time.Duration {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var times []time.Duration
	for {
		due, ok := s.Next()
		if !ok {
			break
		}
		times = append(times, due)
	}
	if _, ok := s.Next(); ok {
		t.Fatalf("%v: goes on after its end", c)
	}
	return times
}

// TestConstantIsExact walks through hours and holds each due time against
// k·1e9/rate in rational numbers.
func TestConstantIsExact(t *testing.T) {
	for _, tt := range []struct {
		rate string
		span time.Duration
	}{
		{"3", 24 * time.Hour},
		{"7", 6 * time.Hour},
		{"0.1", 1000 * time.Hour},
		{"0.3333333333333333", 200 * time.Hour},
		{"29.97", 3 * time.Hour},
		{"333333", 3 * time.Second},
		{"999999.9999", 2 * time.Second},
		{"1e9", time.Millisecond},
	} {
		t.Run(tt.rate, func(t *testing.T) {
			exact, _ := new(big.Rat).SetString(tt.rate)
			rate, _ := exact.Float64()
			s, err := New(Config{Rate: rate, For: tt.span})
			if err != nil {
				t.Fatal(err)
			}
			period := new(big.Rat).Quo(big.NewRat(1e9, 1), exact)
			want := uint64(0)
			for {
				k, due, ok := s.Claim()
				if !ok {
					break
				}
				if k != want {
					t.Fatalf("operation %d follows %d", k, want-1)
				}
				want++
				if d := floor(period, k); int64(due) != d {
					t.Fatalf("operation %d is due at %d ns, exactly %d", k, due, d)
				}
			}
			count := new(big.Rat).Mul(exact, big.NewRat(int64(tt.span), 1e9))
			if want != ceil(count) {
				t.Errorf("%d operations in %v, want %d", want, tt.span, ceil(count))
			}
		})
	}
}

// TestPeriodFarOut jumps to operations that walking would not reach.
func TestPeriodFarOut(t *testing.T) {
	for _, rate := range []string{"3", "333333", "123456.789012345", "0.1234567890123456", "1e9", "1e-9", "1e-6"} {
		exact, _ := new(big.Rat).SetString(rate)
		f, _ := exact.Float64()
		p := newPeriod(f)
		every := new(big.Rat).Quo(big.NewRat(1e9, 1), exact)
		for k := uint64(1); k != 0; k <<= 1 {
			for _, k := range []uint64{k - 1, k, k + 1} {
				want := new(big.Int).Quo(new(big.Int).Mul(new(big.Int).SetUint64(k), every.Num()), every.Denom())
				got, ok := p.times(k)
				if ok != want.IsInt64() || (ok && got != want.Int64()) {
					t.Fatalf("rate %s: %d periods are %d ns (%v), want %v", rate, k, got, ok, want)
				}
			}
		}
	}
}

func floor(r *big.Rat, k uint64) int64 {
	n := new(big.Int).Mul(r.Num(), new(big.Int).SetUint64(k))
	return n.Quo(n, r.Denom()).Int64()
}

func ceil(r *big.Rat) uint64 {
	n, rest := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		n.Add(n, big.NewInt(1))
	}
	return n.Uint64()
}

func TestSteps(t *testing.T) {
	ms := func(n ...int) (ts []time.Duration) {
		for _, n := range n {
			ts = append(ts, time.Duration(n)*time.Millisecond)
		}
		return ts
	}
	tests := []struct {
		name string
		c    Config
		want []time.Duration
	}{
		{"each step begins with an operation",
			Config{Steps: []Step{{Rate: 10, For: 250 * time.Millisecond}, {Rate: 20, For: 150 * time.Millisecond}}},
			ms(0, 100, 200, 250, 300, 350)},
		{"pause between",
			Config{Steps: []Step{{Rate: 10, For: 200 * time.Millisecond}, {Rate: 0, For: time.Second}, {Rate: 10, For: 200 * time.Millisecond}}},
			ms(0, 100, 1200, 1300)},
		{"pause first",
			Config{Steps: []Step{{Rate: 0, For: time.Second}, {Rate: 10, For: 0}}, Ops: 2},
			ms(1000, 1100)},
		{"ramp between",
			Config{Steps: []Step{{Rate: 10, For: 200 * time.Millisecond}, {Rate: 0, To: 20, Ramp: true, For: 400 * time.Millisecond}, {Rate: 20, For: 100 * time.Millisecond}}},
			[]time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 482842712, 546410161, 600 * time.Millisecond, 650 * time.Millisecond}},
		{"ramp that is none",
			Config{Steps: []Step{{Rate: 10, To: 10, Ramp: true, For: 300 * time.Millisecond}}}, ms(0, 100, 200)},
		{"pause last", Config{Steps: []Step{{Rate: 10, For: 200 * time.Millisecond}, {Rate: 0, For: 0}}}, ms(0, 100)},
		{"last step without end", Config{Steps: []Step{{Rate: 10, For: 200 * time.Millisecond}, {Rate: 5, For: 0}}, Ops: 4}, ms(0, 100, 200, 400)},
		{"cut by For", Config{Steps: []Step{{Rate: 10, For: 200 * time.Millisecond}, {Rate: 5, For: 0}}, For: 400 * time.Millisecond}, ms(0, 100, 200)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := all(t, tt.c); !slices.Equal(got, tt.want) {
				t.Errorf("due at %v, want %v", got, tt.want)
			}
		})
	}
}

func TestBounds(t *testing.T) {
	tests := []struct {
		name string
		c    Config
		want int
	}{
		{"operations", Config{Rate: 1000, Ops: 17}, 17},
		{"time", Config{Rate: 1000, For: 10 * time.Millisecond}, 10},
		{"a nanosecond more", Config{Rate: 1000, For: 10*time.Millisecond + 1}, 11},
		{"operations come first", Config{Rate: 1000, Ops: 5, For: 10 * time.Millisecond}, 5},
		{"time comes first", Config{Rate: 1000, Ops: 50, For: 10 * time.Millisecond}, 10},
		{"replay ends by itself", Config{Times: []time.Duration{0, 1, 1}}, 3},
		{"replay cut by operations", Config{Times: []time.Duration{0, 1, 1}, Ops: 2}, 2},
		{"replay cut by time", Config{Times: []time.Duration{0, 1, 1}, For: 1}, 1},
		{"once in 30 years, until int64 ends", Config{Rate: 1e-9}, 10},
		{"ramp to 0 ends", Config{Rate: 1000, Over: time.Second}, 500},
		{"ramp from 0, then constant", Config{To: 1000, Over: time.Second, For: 2 * time.Second}, 1500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := len(all(t, tt.c)); got != tt.want {
				t.Errorf("%d operations, want %d", got, tt.want)
			}
		})
	}
}

func TestReplayKeepsTimes(t *testing.T) {
	times := []time.Duration{0, 5, 5, 5, 1e9, 3600e9}
	if got := all(t, Config{Times: times}); !slices.Equal(got, times) {
		t.Errorf("due at %v, want %v", got, times)
	}
}

func TestSkip(t *testing.T) {
	for _, c := range []Config{{Rate: 1000}, {Rate: 1000, Poisson: true, Seed: 3}, {To: 2000, Over: time.Second}} {
		want := all(t, Config{Rate: c.Rate, To: c.To, Over: c.Over, Poisson: c.Poisson, Seed: c.Seed, For: time.Second})
		c.For = time.Second
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		s.Next()
		at := want[len(want)/2] // itself not before: it stays
		n, first := s.Skip(at)
		if int(n) != len(want)/2-1 || first != want[1] {
			t.Errorf("%v: skipped %d from %v, want %d from %v", c, n, first, len(want)/2-1, want[1])
		}
		if k, due, _ := s.Claim(); due != at || k != uint64(len(want)/2) {
			t.Errorf("%v: then %d at %v, want %d at %v", c, k, due, len(want)/2, at)
		}
		if n, first := s.Skip(0); n != 0 || first != 0 {
			t.Errorf("%v: skipped %d from %v where nothing was due", c, n, first)
		}
		rest, _ := s.Skip(time.Hour)
		if total := s.Claimed(); total != uint64(len(want)) || rest != total-uint64(len(want)/2)-1 {
			t.Errorf("%v: %d claimed in the end, %d of them skipped last, want %d", c, total, rest, len(want))
		}
	}
}

// TestClaimByMany: what eight workers get together is what one would get, each
// operation once, and for each worker in order.
func TestClaimByMany(t *testing.T) {
	const workers, ops = 8, 40_000
	for _, c := range []Config{
		{Rate: 333_333, Ops: ops},
		{Rate: 333_333, Ops: ops, Poisson: true, Seed: 1},
		{Rate: 10, To: 1e6, Over: time.Second, Ops: ops},
	} {
		t.Run(c.String(), func(t *testing.T) {
			want := all(t, c)
			s, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]time.Duration, ops)
			taken := make([]int, ops)
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range workers {
				wg.Go(func() {
					last := time.Duration(-1)
					for {
						k, due, ok := s.Claim()
						if !ok {
							return
						}
						if due < last {
							t.Errorf("a worker got %v after %v", due, last)
						}
						last = due
						mu.Lock()
						got[k] = due
						taken[k]++
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			if i := slices.IndexFunc(taken, func(n int) bool { return n != 1 }); i >= 0 {
				t.Errorf("operation %d was taken %d times", i, taken[i])
			}
			if !slices.Equal(got, want) {
				t.Error("eight workers got other due times than one")
			}
		})
	}
}

func TestClaimAllocatesNothing(t *testing.T) {
	for _, c := range []Config{
		{Rate: 1e5}, {Rate: 1e5, Poisson: true}, {To: 1e5, Over: time.Hour},
		{Steps: []Step{{Rate: 1e5, For: time.Millisecond}, {Rate: 0, For: time.Second}, {Rate: 1e5, For: 0}}, Poisson: true},
	} {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(1000, func() { s.Claim() }); n != 0 {
			t.Errorf("%v: %v allocations per claim", c, n)
		}
	}
}

func BenchmarkClaim(b *testing.B) {
	for _, c := range []struct {
		name   string
		config Config
	}{
		{"constant", Config{Rate: 333_333}},
		{"poisson", Config{Rate: 333_333, Poisson: true}},
		{"ramp", Config{Rate: 1000, To: 1e6, Over: 1e6 * time.Hour}},
	} {
		for _, workers := range []int{1, 8} {
			b.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(b *testing.B) {
				s, err := New(c.config)
				if err != nil {
					b.Fatal(err)
				}
				var wg sync.WaitGroup
				for range workers {
					wg.Go(func() {
						for range b.N / workers {
							s.Claim()
						}
					})
				}
				wg.Wait()
			})
		}
	}
}

package usage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// deep calls f below so many frames.
//
//go:noinline
func deep(n int, f func()) {
	if n > 0 {
		deep(n-1, f)
		return
	}
	f()
}

// allocating has each of two workers allocate objects of 64 B, worker w so many, below so many frames.
func allocating(p *Pool, objects [2]int, frames int) (thread [2]int) {
	var ready atomic.Int64
	for w := range 2 {
		p.Go(func() {
			thread[w] = threadID()
			for ready.Add(1); ready.Load() < 2; { // so that each worker has one; to wait otherwise may allocate
				runtime.Gosched()
			}
			deep(frames, func() {
				var last *[64]byte
				for range objects[w] {
					last = new([64]byte)
				}
				sinks[w] = last
			})
		})
	}
	p.Wait()
	return thread
}

var sinks [2]*[64]byte

// TestAllocated: if every object is sampled, the bytes of each worker are those of its tasks since the last Reset, exactly,
// however deep their stacks are.
func TestAllocated(t *testing.T) {
	if noThreadCPU != "" {
		t.Skip("threads have no numbers here")
	}
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	p := NewPool(2)
	defer p.Close()
	other := NewPool(2) // whose workers are others
	defer other.Close()
	allocating(other, [2]int{7000, 7000}, 0)
	for _, c := range []struct {
		objects [2]int
		frames  int
	}{{[2]int{1000, 3000}, 0}, {[2]int{2, 500}, 90}} {
		p.Reset()
		thread := allocating(p, c.objects, c.frames)
		a := p.Allocated()
		if a.NotAvailable != "" || a.Rate != 1 || len(a.Each) != 2 {
			t.Fatalf("%+v", a)
		}
		for i, x := range p.Workers().Each {
			want := c.objects[slices.Index(thread[:], x.Thread)]
			if got := a.Each[i]; got.Bytes != uint64(64*want) || got.Low != got.Bytes || got.High != got.Bytes || got.Samples != want {
				t.Errorf("%d objects below %d frames: %+v", want, c.frames, got)
			}
		}
		if text := a.String(); !strings.Contains(text, "exact") {
			t.Error(text)
		}
	}

	// Of a stack that is too deep it is not known whose it is. So it is in the upper limit of both.
	p.Reset()
	thread := allocating(p, [2]int{1000, 0}, 200)
	for i, x := range p.Workers().Each {
		got := p.Allocated().Each[i]
		if got.Bytes != 0 || got.High < 64_000 {
			t.Errorf("worker %d: %+v", slices.Index(thread[:], x.Thread), got)
		}
	}
}

func TestAllocatedNotAvailable(t *testing.T) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	p := NewPool(1)
	defer p.Close()
	runtime.MemProfileRate = 0
	if a := p.Allocated(); !strings.Contains(a.NotAvailable, "MemProfileRate is 0") || !strings.HasPrefix(a.String(), "allocated: not available: ") {
		t.Errorf("%+v", a)
	}
	runtime.MemProfileRate = 1 << 19
	t.Setenv("GODEBUG", "profstackdepth=5")
	if a := p.Allocated(); !strings.Contains(a.NotAvailable, "profstackdepth") {
		t.Errorf("%+v", a)
	}
}

func TestMarks(t *testing.T) {
	for _, mark := range []uint64{1, 2, 3, 8, 1<<40 + 5} {
		var stack [200]uintptr
		n := 0
		markWorker(mark, job{task: func() { n = runtime.Callers(1, stack[:]) }, n: 1})
		if got := markOf(stack[:n]); got != mark {
			t.Errorf("%d: %d", mark, got)
		}
	}
	var stack [200]uintptr
	if got := markOf(stack[:runtime.Callers(1, stack[:])]); got != 0 {
		t.Errorf("%d in a stack of no worker", got)
	}
}

func TestParseSites(t *testing.T) {
	got, err := parseSites("heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 64 [20: 1280] @ 0x10 0x2f\n#\t0x10\tmain.f+0x1\tx.go:1\n\n0: 0 [0: 0] @ 0x10\n\n# runtime.MemStats\n")
	if err != nil || len(got) != 1 || got[0].objects != 20 || got[0].bytes != 1280 || !slices.Equal(got[0].stack, []uintptr{0x10, 0x2f}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"x @ 0x10\n", "1: 2 [3: 4] @ 0x10 zz\n"} {
		if _, err := parseSites(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// TestEstimate samples objects as the runtime does, and checks that intervals of 95 % hold the truth in about 95 % of the cases,
// for many small objects, for few, for large ones, and for both.
func TestEstimate(t *testing.T) {
	const rate, trials = 512 << 10, 4000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ small, large int }{{200_000, 0}, {20_000, 0}, {5000, 0}, {0, 30}, {30_000, 5}, {0, 1}, {0, 0}} {
		const smallSize, largeSize = 256, 700 << 10
		truth := float64(c.small*smallSize + c.large*largeSize)
		held, mean := 0, 0.0
		for range trials {
			var sites []site
			for _, x := range []struct{ n, size int }{{c.small, smallSize}, {c.large, largeSize}} {
				if hits := sampled(rng, x.n, -math.Expm1(-float64(x.size)/rate)); hits > 0 {
					sites = append(sites, site{objects: float64(hits), bytes: float64(hits * x.size)})
				}
			}
			a := estimate(sites, rate)
			if a.Low > a.Bytes || a.Bytes > a.High {
				t.Fatalf("%+v", a)
			}
			mean += float64(a.Bytes) / trials
			if float64(a.Low) <= truth && truth <= float64(a.High) {
				held++
			}
		}
		if share := float64(held) / trials; share < 0.94 {
			t.Errorf("%+v: %.3f of the intervals hold the truth", c, share)
		}
		if truth > 0 && math.Abs(mean/truth-1) > 0.05 {
			t.Errorf("%+v: %.0f B on average, truth %.0f", c, mean, truth)
		}
	}
}

// sampled draws how many of n objects are sampled, each with probability p, by the distance from one to the next.
func sampled(rng *rand.Rand, n int, p float64) (hits int) {
	for at := 0.0; ; hits++ {
		at += 1 + math.Floor(math.Log(1-rng.Float64())/math.Log1p(-p))
		if at > float64(n) {
			return hits
		}
	}
}

func ExamplePool_Allocated() {
	p := NewPool(1)
	defer p.Close()
	p.Go(func() { sink = make([]byte, 64<<20) })
	p.Wait()
	a := p.Allocated().Each[0]
	fmt.Println(a.Low <= 64<<20, a.High >= 64<<20)
	// Output: true true
}

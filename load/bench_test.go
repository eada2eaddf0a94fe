package load

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/record"
)

// A nothing is a target that does nothing.
type nothing struct{}

func (nothing) Kinds() []string                             { return []string{"OP"} }
func (nothing) Worker(context.Context, int) (Worker, error) { return nothingWorker{}, nil }
func (nothing) Close() error                                { return nil }

type nothingWorker struct{}

func (nothingWorker) Prepare(uint64) int               { return 0 }
func (nothingWorker) Do(context.Context, *Timer) error { return nil }
func (nothingWorker) Done(err error) error             { return err }
func (nothingWorker) Close() error                     { return nil }

// clocks are the stamps that a run may have: the cycle counter, where it is to be
// trusted, and the portable clock.
func clocks() map[string]*clock.Cycles {
	all := map[string]*clock.Cycles{"portable": new(clock.Cycles)}
	if c, why := clock.NewCycles(); why == "" {
		all["tsc"] = c
	}
	return all
}

// BenchmarkClosed is the engine's share of a closed loop: a target that does
// nothing, with one and two workers. The rounds of each are interleaved with
// those of a control that only computes, on as many goroutines, so that what two
// processors of this machine are worth is in the same run: x-one and
// x-one-control should be the same.
func BenchmarkClosed(b *testing.B) {
	for _, name := range []string{"tsc", "portable"} {
		cycles := clocks()[name]
		if cycles == nil {
			continue
		}
		b.Run("clock="+name, func(b *testing.B) { benchmarkClosed(b, cycles) })
	}
}

func benchmarkClosed(b *testing.B, cycles *clock.Cycles) {
	const rounds = 5
	ops := max(b.N/(4*rounds), 1)
	took := map[string][]float64{}
	for range rounds {
		for workers := 1; workers <= 2; workers++ {
			took[fmt.Sprint("loop", workers)] = append(took[fmt.Sprint("loop", workers)], closedLoop(b, cycles, workers, ops))
			took[fmt.Sprint("control", workers)] = append(took[fmt.Sprint("control", workers)], control(workers, ops))
		}
	}
	median := func(name string) float64 {
		slices.Sort(took[name])
		return took[name][rounds/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median("loop1"), "ns/op-1")
	b.ReportMetric(median("loop2"), "ns/op-2")
	b.ReportMetric(median("loop1")/median("loop2"), "x-one")
	b.ReportMetric(median("control1")/median("control2"), "x-one-control")
}

// closedLoop returns the ns per operation, over all workers.
func closedLoop(b *testing.B, cycles *clock.Cycles, workers, ops int) float64 {
	c := Config{Workers: workers, Operations: uint64(ops * workers)}
	whole, err := run(b.Context(), nothing{}, c.filled(), nil, timing{cycles: cycles, fake: true})
	if err != nil {
		b.Fatal(err)
	}
	return float64(whole.Length) / float64(whole.Completed)
}

// control returns the ns per step of a computation that shares nothing.
func control(workers, ops int) float64 {
	start := clock.Now()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			x := uint64(1)
			for range ops * 20 {
				x = x*6364136223846793005 + 1442695040888963407
			}
			sink.mu.Lock()
			sink.x += x
			sink.mu.Unlock()
		})
	}
	wg.Wait()
	return float64(clock.Now()-start) / float64(ops*workers)
}

// sink keeps the control's results from being optimized away.
var sink struct {
	mu sync.Mutex
	x  uint64
}

// BenchmarkRecording is what all three latencies of an operation cost, two
// stamps included. The rounds are interleaved with those of the two stamps
// alone: x-stamps is how many times as much it is.
func BenchmarkRecording(b *testing.B) {
	for _, name := range []string{"tsc", "portable"} {
		cycles := clocks()[name]
		if cycles == nil {
			continue
		}
		b.Run("clock="+name, func(b *testing.B) {
			w := &worker{e: &engine{}, cycles: cycles, shard: newShard(1, times, 10, false), target: nothingWorker{}}
			w.pacer = new(neverWaits)
			record := func(ops int) {
				for range ops {
					start := w.begin()
					w.due = start - 1000
					w.record(0, start, w.after(start), true, false)
				}
			}
			reportStamps(b, w, record)
		})
	}
}

// BenchmarkSaturated is the engine's share of an open loop whose operations are
// all late, with a target that does nothing. x-stamps is as in BenchmarkRecording.
func BenchmarkSaturated(b *testing.B) {
	for _, name := range []string{"tsc", "portable"} {
		cycles := clocks()[name]
		if cycles == nil {
			continue
		}
		b.Run("clock="+name, func(b *testing.B) {
			reportStamps(b, &worker{e: &engine{}, cycles: cycles}, func(ops int) {
				c := Config{Schedule: Schedule{Rate: 1e9}, Workers: 1, Operations: uint64(ops)}
				if _, err := run(b.Context(), nothing{}, c.filled(), nil, timing{cycles: cycles, mode: pace.Timer, fake: true}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// reportStamps reports the time of an operation, and that as a multiple of the
// two stamps of w that each operation takes: medians of rounds in turn.
func reportStamps(b *testing.B, w *worker, run func(ops int)) {
	const rounds = 9
	ops := max(b.N/rounds, 1)
	var took, ratio [rounds]float64
	for i := range rounds {
		a := clock.Now()
		run(ops)
		between := clock.Now()
		for range ops {
			w.after(w.begin())
		}
		took[i] = float64(between-a) / float64(ops)
		ratio[i] = float64(between-a) / float64(clock.Now()-between)
	}
	slices.Sort(took[:])
	slices.Sort(ratio[:])
	b.ReportMetric(took[rounds/2], "ns/op")
	b.ReportMetric(ratio[rounds/2], "x-stamps")
}

type neverWaits struct{}

func (neverWaits) Now() int64                      { return clock.Now() }
func (neverWaits) Wait(int64) (int64, bool, error) { return 0, false, nil }

// BenchmarkLateness keeps a schedule and reports how late operations began whose
// worker was waiting, and what part of a core that took.
func BenchmarkLateness(b *testing.B) {
	for _, tt := range []struct {
		rate    float64
		workers int
		pace    Pace
	}{{1000, 8, PaceHybrid}, {1000, 8, PaceSleep}, {100_000, 1, PaceSpin}} {
		b.Run(fmt.Sprintf("rate=%.0f/workers=%d/pace=%s", tt.rate, tt.workers, tt.pace), func(b *testing.B) {
			c := Config{Schedule: Schedule{Rate: tt.rate}, Workers: tt.workers, Pace: tt.pace, Operations: uint64(b.N), Interval: time.Hour}
			whole, err := Run(b.Context(), nothing{}, c, nil)
			if err != nil {
				b.Fatal(err)
			}
			late := new(hist.Histogram)
			for _, l := range whole.Latencies {
				if l.Tag == record.TagLateness {
					late = l.Hist
				}
			}
			p := late.Percentiles()
			b.ReportMetric(float64(p.P50), "p50-ns")
			b.ReportMetric(float64(p.P99), "p99-ns")
			b.ReportMetric(float64(whole.Completed-p.Count)/float64(whole.Completed)*100, "backlog-%")
			b.ReportMetric(float64(whole.CPU)/float64(whole.Length)*100, "cpu-%")
		})
	}
}

// Command model computes what the experiment with stalls must show: the same operations, workers and lock as in
// lab/omission/stalls.sh, as a simulation of events without a clock, a scheduler or a load generator.
//
//	go -C lab run ./omission/model
//
// What a measurement shows beyond it is the machine's and the generator's.
package main

import (
	"container/heap"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

func main() {
	rate := flag.Float64("rate", 10_000, "operations due each second")
	workers := flag.Int("workers", 25, "operations in flight at most")
	length := flag.Duration("duration", time.Minute, "of the run")
	runs := flag.Int("runs", 20, "how many runs to simulate")
	seed := flag.Uint64("seed", 1, "of the delays")
	flag.Parse()
	fmt.Println("               p50        p90        p99        max   medians of the runs, least and most")
	var response, service [4][]float64
	for i := range *runs {
		r, s := simulate(*rate, *workers, *length, rand.New(rand.NewPCG(*seed, uint64(i))))
		for j, q := range []float64{0.5, 0.9, 0.99, 1} {
			response[j] = append(response[j], quantile(r, q))
			service[j] = append(service[j], quantile(s, q))
		}
	}
	print("response", response)
	print("service", service)
}

func print(name string, columns [4][]float64) {
	for i, pick := range []func([]float64) float64{func(xs []float64) float64 { return quantile(xs, 0.5) }, slices.Min[[]float64], slices.Max[[]float64]} {
		label := []string{name, "  least", "  most"}[i]
		fmt.Printf("%-9s", label)
		for _, c := range columns {
			fmt.Printf(" %7.3g ms", pick(c)*1e3)
		}
		fmt.Println()
	}
}

// delay draws one operation's own time, in seconds, and whether it stalls all others: the four modes of the mock database.
func delay(rng *rand.Rand) (seconds float64, stalls bool) {
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	switch x := rng.Float64(); {
	case x < 0.9:
		return between(0.2e-3, 1e-3), false
	case x < 0.99:
		return between(1e-3, 10e-3), false
	case x < 0.9999:
		return between(10e-3, 50e-3), false
	}
	return between(50e-3, 200e-3), true
}

// An event is a worker that becomes free, or, if it runs an operation, whose operation ends.
type event struct {
	at     float64
	worker int
	ends   bool
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any          { old := *e; x := old[len(old)-1]; *e = old[:len(old)-1]; return x }

// An operation is in flight at a worker.
type operation struct {
	due, start, takes float64
	stalls            bool
}

// A world is the state of a simulation. The lock is that of sync.RWMutex: a waiting writer blocks new readers. When a
// writer unlocks, all readers that are waiting get the lock before the next writer.
type world struct {
	now              float64
	queue            events
	inFlight         []operation
	readers, writers int   // that hold the lock
	waitingReaders   []int // workers
	waitingWriters   []int
}

func simulate(rate float64, workers int, length time.Duration, rng *rand.Rand) (response, service []float64) {
	w := &world{inFlight: make([]operation, workers)}
	for i := range workers {
		heap.Push(&w.queue, event{worker: i})
	}
	n := int(rate * length.Seconds())
	for next := 0; w.queue.Len() > 0; {
		e := heap.Pop(&w.queue).(event)
		w.now = e.at
		if e.ends {
			op := w.inFlight[e.worker]
			response, service = append(response, w.now-op.due), append(service, w.now-op.start)
			w.release(op)
			heap.Push(&w.queue, event{at: w.now, worker: e.worker})
			continue
		}
		if next == n {
			continue
		}
		due := float64(next) / rate
		if due > w.now {
			heap.Push(&w.queue, event{at: due, worker: e.worker})
			continue
		}
		next++
		takes, stalls := delay(rng)
		w.inFlight[e.worker] = operation{due, w.now, takes, stalls}
		w.acquire(e.worker)
	}
	return response, service
}

// acquire lets a worker have the lock, or wait for it.
func (w *world) acquire(worker int) {
	switch op := w.inFlight[worker]; {
	case op.stalls:
		w.waitingWriters = append(w.waitingWriters, worker)
		w.admitWriter()
	case w.writers > 0 || len(w.waitingWriters) > 0:
		w.waitingReaders = append(w.waitingReaders, worker)
	default:
		w.readers++
		w.run(worker)
	}
}

// release gives the lock back, and lets those run that it was withheld from.
func (w *world) release(op operation) {
	if !op.stalls {
		w.readers--
		w.admitWriter()
		return
	}
	w.writers--
	for _, reader := range w.waitingReaders {
		w.readers++
		w.run(reader)
	}
	w.waitingReaders = w.waitingReaders[:0]
	w.admitWriter()
}

func (w *world) admitWriter() {
	if w.readers == 0 && w.writers == 0 && len(w.waitingWriters) > 0 {
		w.writers++
		w.run(w.waitingWriters[0])
		w.waitingWriters = w.waitingWriters[1:]
	}
}

func (w *world) run(worker int) {
	heap.Push(&w.queue, event{at: w.now + w.inFlight[worker].takes, worker: worker, ends: true})
}

func quantile(xs []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return sorted[max(0, int(q*float64(len(sorted)))-1)]
}

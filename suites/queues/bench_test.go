package queues_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/suites/queues"
)

// parties are how many produce and consume.
type parties struct {
	name                 string
	producers, consumers int
}

func allParties() []parties {
	return []parties{{"1to1", 1, 1}, {"2to1", 2, 1}, {"1to2", 1, 2}, {"2to2", 2, 2}}
}

// way is the part of a benchmark's name that says how elements are handed over.
func way(k queues.Kind) string {
	return fmt.Sprintf("queue=%s/wait=%s/batch=%d", k.Queue, k.Wait, k.Batch)
}

// BenchmarkThroughput is how many elements producers and consumers hand over per
// second. The score that counts is the consumers': consumer-op/s.
func BenchmarkThroughput(b *testing.B) {
	for _, capacity := range []int{1024, 65536} {
		for _, elem := range []queues.Elem{queues.Int64, queues.Ptr} {
			for _, p := range allParties() {
				for _, k := range queues.Kinds() {
					if !k.Serves(p.producers, p.consumers) || tooGeneral(k, p) {
						continue
					}
					name := fmt.Sprintf("capacity=%d/elem=%s/parties=%s/%s", capacity, elem, p.name, way(k))
					b.Run(name, func(b *testing.B) {
						s := queues.Setup{Producers: p.producers, Consumers: p.consumers, Capacity: capacity, Elem: elem}
						throughput(b, k, s, 1)
					})
				}
			}
		}
	}
}

// tooGeneral leaves out types of tare for more parties than there are, where there
// is one for just those; of rivals and channels everything that serves is shown.
func tooGeneral(k queues.Kind, p parties) bool {
	switch k.Queue {
	case "MPSC", "LinkedMPSC", "UnboundedMPSC":
		return p.producers == 1
	case "SPMC":
		return p.consumers == 1
	case "MPMC", "UnboundedMPMC":
		return p.producers == 1 || p.consumers == 1
	}
	return false
}

// throughput measures so many links of one setup at a time.
func throughput(b *testing.B, k queues.Kind, s queues.Setup, links int) {
	ls := make([]*queues.Link, links)
	for i := range ls {
		ls[i] = k.New(s)
		ls[i].Prime()
	}
	before := queues.LineNs()
	bench.Group(b,
		bench.Role{Name: "producer", Workers: links * s.Producers, Body: func(w *bench.Worker) {
			ls[w.Index()/s.Producers].Give(w, w.Index()%s.Producers)
		}},
		bench.Role{Name: "consumer", Workers: links * s.Consumers, Body: func(w *bench.Worker) {
			ls[w.Index()/s.Consumers].Take(w, w.Index()%s.Consumers)
		}},
	)
	reportLine(b, before)
	for _, l := range ls {
		if err := l.Check(); err != nil {
			b.Error(err)
		}
	}
}

// reportLine reports how far the cores were from each other before the window and
// after it. The hypervisor may have moved one meanwhile; then the window belongs
// neither to near cores nor to far ones.
func reportLine(b *testing.B, before float64) {
	b.ReportMetric(before, "line-before-ns")
	b.ReportMetric(queues.LineNs(), "line-after-ns")
}

// BenchmarkStarved has twice as many busy goroutines as there are cores, in pairs
// of one producer and one consumer. With procs=cores the Go scheduler makes them
// take turns, with procs=twice each has a thread and the kernel does, as in a
// container whose GOMAXPROCS is above its share of the machine.
func BenchmarkStarved(b *testing.B) {
	cores := runtime.NumCPU()
	for _, procs := range []struct {
		name string
		n    int
	}{{"cores", cores}, {"twice", 2 * cores}} {
		for _, k := range queues.Kinds() {
			if !starves(k) {
				continue
			}
			b.Run(fmt.Sprintf("capacity=1024/elem=ptr/procs=%s/%s", procs.name, way(k)), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs.n))
				s := queues.Setup{Producers: 1, Consumers: 1, Capacity: 1024, Elem: queues.Ptr}
				throughput(b, k, s, cores)
			})
		}
	}
}

// starves chooses what BenchmarkStarved measures.
func starves(k queues.Kind) bool {
	switch k.Queue {
	case "channel", "xsync.SPSC":
		return k.Batch == 1 && k.Wait != queues.Backoff
	case "SPSC", "Blocking":
		return k.Batch == 1
	case "Workiva":
		return true
	}
	return false
}

// BenchmarkRoundTrip sends bursts of elements to another goroutine, which sends
// each back through a second queue. What counts is the time of a burst,
// sender-ns/op.
func BenchmarkRoundTrip(b *testing.B) {
	for _, burst := range []int{1, 100} {
		for _, k := range queues.Kinds() {
			r := queues.Setup{Producers: 1, Consumers: 1, Capacity: 1024, Elem: queues.Ptr}
			if !k.Serves(1, 1) || !k.New(r).HasRing() {
				continue
			}
			b.Run(fmt.Sprintf("capacity=1024/elem=ptr/burst=%d/%s", burst, way(k)), func(b *testing.B) {
				ring := k.New(r).Ring()
				before := queues.LineNs()
				bench.Group(b, bench.Average(),
					bench.Role{Name: "sender", Workers: 1, Body: func(w *bench.Worker) { ring.Send(w, burst) }},
					bench.Role{Name: "echo", Workers: 1, Body: ring.Echo},
				)
				reportLine(b, before)
			})
		}
	}
}

// BenchmarkBurst sends bursts of 100 elements and waits each time until the consumer
// has said that it has them all: producer-ns/op.
func BenchmarkBurst(b *testing.B) {
	const size = 100
	for _, k := range queues.Kinds() {
		s := queues.Setup{Producers: 1, Consumers: 1, Capacity: 1024, Elem: queues.Int64}
		if k.Batch > 1 || !k.Serves(1, 1) || !k.New(s).HasBurst() {
			continue
		}
		b.Run(fmt.Sprintf("capacity=1024/elem=int64/%s", way(k)), func(b *testing.B) {
			burst := k.New(s).Burst(size)
			before := queues.LineNs()
			bench.Group(b, bench.Average(),
				bench.Role{Name: "producer", Workers: 1, Body: burst.Give},
				bench.Role{Name: "consumer", Workers: 1, Body: burst.Take},
			)
			reportLine(b, before)
		})
	}
}

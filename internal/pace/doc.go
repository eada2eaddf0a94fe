// Package pace says when operations are due, and makes workers wait until then.
//
// The due time of every operation is known before anybody does it, and does not
// move when the system under test is slow: latency counts from it. That is what
// keeps a stall in the figures instead of pausing the load together with it
// (coordinated omission).
//
//	s, err := pace.New(pace.Config{Rate: 5000, For: 30 * time.Second})
//	g, err := pace.NewGroup(pace.Hybrid, ctx.Done())
//	defer g.Close()
//	start := clock.Now() + int64(time.Millisecond)
//	// in each worker:
//	p, err := g.Pacer()
//	for {
//		k, due, ok := s.Claim()
//		if !ok {
//			return nil // the schedule has ended
//		}
//		at := start + int64(due)
//		began, waited, err := p.Wait(at)
//		if err != nil {
//			return err // stopped: operation k was claimed and not sent
//		}
//		do(k)
//		end := clock.Now()
//		response, service := end-at, end-began
//		if waited {
//			lateness := began - at // the generator's own
//		}
//	}
//
// # The schedule
//
// [Schedule] is one for all workers, so that whoever is free takes what is due,
// the backlog of a stalled worker too. Arrivals are spaced evenly or those of a
// Poisson process; the rate is constant, a ramp, or steps; or due times come
// from a file ([ReadFile]). The k-th due time is computed from k: no rounding
// adds up. A claim takes 15 ns, and about 40 when eight workers do nothing else.
//
// # The pacer
//
// A Go timer fires 0.5 ms late in the median on Linux, because the runtime waits
// in whole milliseconds (golang/go#44343). A worker of a [Group] sleeps by a
// timer of the kernel that Go's poller waits for, until shortly before its due
// time, and spins the rest. How shortly is learnt while it runs. One worker
// spins at a time, the one whose operation is due first; the others sleep on,
// and if they wake up too late for it, their lateness says so.
//
// Lateness of the workers that were there in time, and CPU time in percent of
// one core, on two cores of a virtual machine (EPYC) while other programs took
// half a core; medians of three runs of BenchmarkLateness, 1 s each:
//
//	rate       workers  mode     p50     p95      cpu
//	  1 000/s  8        hybrid   12 ns   15 µs     3 %
//	                    sleep    21 µs   41 µs     1 %
//	                    timer   535 µs   1.0 ms    3 %
//	 10 000/s  8        hybrid   12 ns    1 µs    17 %
//	                    sleep    19 µs   23 µs    10 %
//	                    timer   663 µs   1.1 ms    5 %
//	 25 000/s  8        hybrid   13 ns   33 µs    42 %
//	                    sleep    18 µs   21 µs    25 %
//	100 000/s  1        hybrid   11 ns   27 ns    99 %
//	                    spin     11 ns   26 ns    96 %
//
// Where operations are due closer to each other than the spinning takes, some
// 30 µs here, the workers get into each other's way: from 50 000/s on, with
// eight of them on two cores, up to a tenth of the operations is tens of µs late.
// Few workers whose operations are short keep such rates better than many.
package pace

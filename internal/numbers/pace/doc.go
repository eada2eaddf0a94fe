// Package pace says when operations are due, and makes workers wait until then.
//
// The due time of every operation is known before the run and does not change when
// the system under test is slow: latency is measured from it. So a stall appears in
// the results instead of pausing the load (coordinated omission).
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
// One [Schedule] serves all workers, so that a free worker takes the next operation,
// including the backlog of a stalled worker. Arrivals are spaced evenly or those of a
// Poisson process; the rate is constant, a ramp, or steps; or due times come
// from a file ([ReadFile]). The k-th due time is computed from k: no rounding
// adds up. A claim takes 15 ns, and about 40 when eight workers do nothing else.
//
// A [Share] hands out a part of the operations, with the numbers and due times that they have
// in the whole. To pass over operations of others takes 10 ns at a constant rate, however many
// they are, and 15 ns for each of a ramp or of Poisson arrivals.
//
// # The pacer
//
// A Go timer fires 0.5 ms late in the median on Linux, because the runtime waits
// in whole milliseconds (golang/go#44343). A worker of a [Group] sleeps by a
// timer of the kernel that Go's poller waits for, until shortly before its due
// time, and spins the rest. It adapts the length of the spin at run time, up to 150 µs. If no other
// operation was due in the 0.4 ms before, it sleeps in two steps, because a processor that has been idle for 0.2 ms
// starts sooner than one that has been idle for longer. One worker
// spins at a time, the one whose operation is due first; the others sleep. If they
// wake up too late, their lateness shows it.
//
// The lateness of workers that called Wait before the due time, and CPU time in percent
// of one core, with eight workers on two cores of a virtual machine (EPYC) on which
// nothing else ran; medians of five runs of 2 s:
//
//	rate       mode     p50      p99      cpu
//	  1 000/s  hybrid   0.4 µs     9 µs   10 %
//	           sleep     50 µs   125 µs    3 %
//	 10 000/s  hybrid   0.1 µs    32 µs   30 %
//	           sleep     28 µs    67 µs   17 %
//	 25 000/s  hybrid   0.2 µs   122 µs   88 %
//	           sleep     20 µs   105 µs   33 %
//
// If operations are due at shorter intervals than the spin, the workers disturb each
// other: at such rates use few workers. A single one that spins (mode spin, 100 000/s) takes a core.
package pace

// Package mock is a database without data: operations take a configured time and do
// nothing. It shows the results of a load generator for known delays, and its overhead
// without delays.
//
//	tare load --workload c --db mock -p mock.delay=4ms --rate 1000 --workers 1 --duration 60s
//	tare load --workload c --db mock -p mock.mode=stalls --rate 10000 --workers 25
//
// # Properties
//
//	mock.delay          0s         what each operation takes
//	mock.distribution   constant   of delays, see below
//	mock.random         false      mock.distribution=uniform
//	mock.servers        0          how many operations are served at once; 0 for all
//	mock.stall          0s         how long nothing is served …
//	mock.stall.every    10s        … from the beginning of one stall to that of the next
//	mock.mode           -          "stalls": see below
//
//	basicdb.simulatedelay    mock.delay in ms, as YCSB's BasicDB has it
//	basicdb.randomizedelay   random whole milliseconds below it, by default true
//	basicdb.verbose          print each operation, by default false (in YCSB true)
//	basicdb.count            print how many different operations there were, by default false
//
// The distributions are those of service times:
//
//	constant      mock.delay
//	uniform       from 0 to mock.delay
//	exponential   with the mean mock.delay
//	lognormal     with the median mock.delay; mock.sigma [1] is the standard deviation of the natural logarithm
//	pareto        from mock.delay on; mock.alpha [2] is the tail index: P(delay > t) = (mock.delay / t)^alpha
//	bimodal       mock.delay, or mock.slow [10 × mock.delay] with the probability mock.slow.share [0.01]
//
// A delay is an hour at most. With mock.servers=k the k servers take operations in the order in which they come, so that with
// exponential delays and --arrivals poisson the mock is M/M/k: Erlang's C formula gives the waits. An operation that times out keeps
// its server busy until it would have been served.
//
// During a stall no operation proceeds, those included that are being served. The record of a run has the stalls, and a page shows them
// as bands behind the latencies over time.
//
// With mock.mode=stalls, 90 % of the operations take 200 µs to 1 ms, 9 % 1 to
// 10 ms and 0.99 % 10 to 50 ms. One of 10 000 takes 50 to 200 ms and stalls all
// workers, like a garbage collector that stops the world: it holds a lock for writing
// that the others hold for reading. So it first waits until operations in progress
// have ended, while no other operation begins. These are the delays with
// which N. Wakart showed YCSB's coordinated omission (Correcting YCSB's
// Coordinated Omission problem, 2015).
//
// Delays follow from the seed and the number of the worker.
//
// # Precision of delays
//
// A delay is never shorter than configured. A Go timer would be up to 1 ms late on
// Linux (golang/go#44343), so delays wait as in package internal/numbers/pace: for a kernel
// timer through Go's poller, without holding a processor or thread. Delays below
// 50 µs, and the rest of longer ones, are spun. Other systems use their own timers.
// Lateness, and CPU time in percent of a core, by BenchmarkDelay on two busy cores of
// a virtual machine:
//
//	workers   delay    p50       p99      cpu
//	1         20 µs    0.1 µs    0.4 ms   spins
//	          200 µs   17 µs     32 µs    7 %
//	          1 ms     23 µs     1.2 ms   2 %
//	          4 ms     25 µs     2.1 ms   0.5 %
//	8         200 µs   30 µs     0.2 ms   14 %
//	          1 ms     42 µs     0.1 ms   5 %
//	          4 ms     50 µs     0.1 ms   1.4 %
//
// A longer spin would delay the load generator: workers that spin on all processors
// keep the scheduler from polling, and the generator's timers are then up to 10 ms
// late.
//
// The timeout of operations and the end of their context end a delay, the latter
// within 10 ms. Operations that wait for a stall wait until it ends. The end of the
// run's context ends the stall.
package mock

// Package mock is a database without data: operations take as long as they are
// told to and do nothing. It shows what a load generator makes of delays that are
// known, and what it costs by itself where there are none.
//
//	tare load --workload c --db mock -p mock.delay=4ms --rate 1000 --workers 1 --duration 60s
//	tare load --workload c --db mock -p mock.mode=stalls --rate 10000 --workers 25
//
// # Properties
//
//	mock.delay    0s      what each operation takes
//	mock.random   false   uniformly random from 0 to mock.delay instead
//	mock.mode     -       "stalls": see below
//
//	basicdb.simulatedelay    mock.delay in ms, as YCSB's BasicDB has it
//	basicdb.randomizedelay   mock.random, by default true, for that
//
// With mock.mode=stalls, 90 % of the operations take 200 µs to 1 ms, 9 % 1 to
// 10 ms and 0.99 % 10 to 50 ms, and one of 10 000 takes 50 to 200 ms and keeps
// everybody from working meanwhile, as a collector that stops the world does: it
// holds a lock for writing that the others hold for reading, and so waits first
// until those under way have ended, while nobody begins. These are the delays with
// which N. Wakart showed YCSB's coordinated omission (Correcting YCSB's
// Coordinated Omission problem, 2015).
//
// Delays follow from the seed and the number of the worker.
//
// # How long a delay is
//
// Never shorter than asked. A Go timer would be up to 1 ms late on Linux
// (golang/go#44343), so delays wait as package internal/pace does: for a timer of
// the kernel, through Go's poller, holding neither processor nor thread. Delays
// below 50 µs, and what is left of others, are spun away. Elsewhere timers are as
// good as the system's. Lateness, and CPU time in percent of a core, by
// BenchmarkDelay on two cores of a virtual machine that others kept busy as well:
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
// A longer spin would be more precise, and wrong: workers that spin on all
// processors keep the scheduler from asking the poller, and the generator's own
// timers are then up to 10 ms late.
//
// The timeout of operations and the end of their context end a delay, the latter
// within 10 ms. Those who wait for a stall wait until it ends, as with any lock;
// when the context of the whole run ends, the stall ends by that.
package mock

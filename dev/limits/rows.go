//go:build unix

package main

import "strings"

// row is a figure of tare that should be as small, or as large, as the machine allows.
type row struct {
	name string // what it is, for people; unique

	dir   string   // directory of the module of its benchmarks; "": this one
	pkg   string   // directory of its benchmarks
	bench string   // pattern of --bench
	args  []string // more arguments of tare bench

	of     string // benchmark that is measured, without the word Benchmark
	metric string // its unit
	role   string // whose figure it is, if it has several
	over   string // the figure is a ratio: of over this benchmark, in the same rounds; "": none
	rate   bool   // a ratio of rates: how many times as much is done

	build func(*lab) (figure, error) // instead of benchmarks

	anchor   string  // with what it is compared
	reach    float64 // the aim
	moonshot float64
	more     bool   // more is better
	bound    string // what bounds it, and why

	says string // a sentence of the README, with %s for the figure; "": none
}

// rows returns the table.
func rows() []row {
	return []row{
		{
			name: "loop over Next", pkg: "./bench", bench: "^BenchmarkNext$", args: []string{"--layouts", "8", "--forks", "16"},
			of: "Next", metric: "x-range", anchor: "a loop over b.N: 1", reach: 1.10, moonshot: 1.0,
			bound: "one taken branch a cycle: two loads, a store and two branches fit into one, where the processor forwards a store to the next load",
			says:  "a loop over `Next` takes %s of one over `b.N`",
		},
		{
			name: "recording three latencies", pkg: "./load", bench: "^BenchmarkRecording$/^clock=tsc$", of: "Recording/clock=tsc", metric: "ns/op",
			anchor: "two counter reads", reach: 40, moonshot: 25, bound: "two counter reads: the begin and the end of an operation",
			says: "all three latencies of an operation take %s, two readings of the clock included",
		},
		{
			name: "operation of an open loop at saturation", pkg: "./load", bench: "^BenchmarkSaturated$/^clock=tsc$", of: "Saturated/clock=tsc", metric: "ns/op",
			anchor: "two counter reads", reach: 100, moonshot: 60, bound: "two counter reads and the recording",
		},
		{
			name: "probe, timed", pkg: "./internal/golang/instrument", bench: "^BenchmarkProbe$/^exact$", args: []string{"--forks", "8", "--benchtime", "5x"},
			of: "Probe/exact", metric: "added-ns/call", anchor: "two counter reads", reach: 20, moonshot: 12,
			bound: "two counter reads: entry and exit of a call",
			says:  "a call that is counted and timed takes %s longer, two readings of the counter included",
		},
		{
			name: "probe, counted", pkg: "./internal/golang/instrument", bench: "^BenchmarkProbe$/^count$", args: []string{"--forks", "8", "--benchtime", "5x"},
			// A loop of empty calls hides what a count adds: the calibration does not.
			of: "Probe/count", metric: "calibrated-ns/call", anchor: "an increment in memory", reach: 1.2, moonshot: 0.6,
			bound: "a load, an addition and a store, and finding out where",
			says:  "one that is counted alone takes %s longer",
		},
		queueRow("Buffered(32) SPSC", "OneToOne", "Buffered/wait=backoff", 10, 15, "the transfer of a cache line for every 8 elements each way"),
		queueRow("MPMC 2–2", "TwoToTwo", "MPMC/wait=backoff", 2.5, 4, "a compare-and-swap on a line that two producers share"),
		{
			name: "round trip of SPSC, against a channel", pkg: "./queue", bench: "^BenchmarkRoundTrip$", of: "RoundTrip/SPSC/wait=spin", over: "RoundTrip/channel", metric: "ns/op",
			anchor: "a channel: 1", reach: 0.5, moonshot: 0.3, bound: "four transfers of a cache line",
		},
		rivalRow("batches of 64", "JCTools' fill and drain", onSuite("Throughput", "parties=1to1/queue=SPSC/wait=backoff/batch=64"), onSuite("JCTools", "parties=1to1/queue=SPSC/how=fill/wait=backoff"),
			1.3, 2, "the copies of the elements"),
		rivalRow("Buffered(32) at both ends", "JCTools", onSuite("Throughput", "parties=1to1/queue=BufferedBoth/wait=backoff/batch=32"), onSuite("JCTools", "parties=1to1/queue=SPSC/how=poll/wait=backoff"),
			0.6, 1, "the bounds checks and the test for the next flush, an element at a time"),
		rivalRow("MPMC 2–2", "xsync", onSuite("Throughput", "parties=2to2/queue=MPMC/wait=backoff/batch=1"), onSuite("Throughput", "parties=2to2/queue=xsync.MPMC/wait=backoff/batch=1"),
			1.2, 1.5, "a compare-and-swap on a line that two producers share, as in the rival"),
		{
			name: "round trip of SPSC, against JCTools", dir: queueSuite, pkg: ".", bench: "RoundTrip|JCTools", role: "sender", metric: "ns/op",
			of: onSuite("RoundTrip", "burst=1/queue=SPSC/wait=spin/batch=1"), over: onSuite("JCTools", "parties=1to1/queue=SPSC/how=ring-1/wait=spin"),
			anchor: "JCTools: 1", reach: 0.8, moonshot: 0.6, bound: "two exchanges with memory, which Java's ordered stores are not",
		},
		{
			name: "CPU time of an HTTP request at 10,000/s with --pace sleep, against vegeta", build: vegeta, anchor: "vegeta: 1", reach: 0.7, moonshot: 0.4,
			bound: "two wake-ups of a thread: when the request is due, and when it is answered; vegeta sends several requests with one",
			says:  "at 10,000 HTTP requests a second and with `--pace sleep` one takes %s of the CPU time that it takes with vegeta",
		},
		{
			name: "CPU time of an HTTP request in a closed loop, against net/http", pkg: "./load/http", bench: "^BenchmarkRequest$", of: "Request", metric: "direct/nethttp",
			args:   []string{"--forks", "8", "--benchtime", "6x", "--iterations", "1", "--warmup", "0"},
			anchor: "net/http: 1", reach: 0.45, moonshot: 0.3, bound: "the system calls that write and read",
		},
		{
			name: "lateness at 1000/s, p99", pkg: "./load", bench: "^BenchmarkLateness$/^rate=1000$/^workers=8$/^pace=hybrid$", of: "Lateness/rate=1000/workers=8/pace=hybrid", metric: "p99-ns",
			args:   []string{"--forks", "10", "--benchtime", "2000x", "--iterations", "1", "--warmup", "0"},
			anchor: "spinning: 100", reach: 20_000, moonshot: 5000, bound: "the wake-up by a timer",
			says: "of 1000 operations a second by eight workers, 99 in 100 begin at most %s late, while no other process uses the processors",
		},
		{name: "cold build of cmd/tare, std cached", build: coldBuild, anchor: "–", reach: 18, moonshot: 10, bound: "40 s of CPU time on two cores, 33 s of it for packages of tare and 8 s for other modules; both cores work but for 2 s", says: "to compile the command takes %s with the standard library compiled"},
		{name: "size of cmd/tare as released", build: size, anchor: "–", reach: 30, moonshot: 25, bound: "the libraries that are chosen; the limit is an alarm and shapes no code", says: "the command has %s as released (`CGO_ENABLED=0`, `-trimpath -ldflags='-s -w'`)"},
		{name: "README's first command, nothing cached", build: firstCommand, anchor: "a download", reach: 60, moonshot: 40, bound: "96 s of CPU time on two cores: 36 s for the standard library, each package once, 41 s for tare, 5 s for the tests of package sort", says: "the first command of this page takes %s where nothing is compiled"},
	}
}

// queueRow returns a row of package queue: the throughput of a queue, divided by that of a channel.
func queueRow(name, bench, queue string, reach, moonshot float64, bound string) row {
	kind, _, _ := strings.Cut(queue, "/")
	return row{
		name: name + ", against a channel", pkg: "./queue", bench: "^Benchmark" + bench + "$/^(channel|" + kind + ")$", of: bench + "/" + queue, over: bench + "/channel", metric: "ns/op",
		rate: true, more: true, anchor: "a channel: 1", reach: reach, moonshot: moonshot, bound: bound,
	}
}

const queueSuite = "suites/queues"

// onSuite returns the name of a benchmark of the suite of queues.
func onSuite(name, rest string) string { return name + "/capacity=1024/elem=ptr/" + rest }

// rivalRow returns a row of the suite of queues: the throughput of a queue, divided by that of another library.
func rivalRow(name, rival, of, over string, reach, moonshot float64, bound string) row {
	return row{
		name: name + ", against " + rival, dir: queueSuite, pkg: ".", bench: "Throughput|JCTools", of: of, over: over, role: "consumer", metric: "op/s",
		more: true, anchor: rival + ": 1", reach: reach, moonshot: moonshot, bound: bound,
	}
}

// suiteArgs returns the arguments of tare bench for a row of the suite of queues: a filter for its two benchmarks, and how long they run.
func (r *row) suiteArgs() []string {
	return []string{"--filter", filterOf(r.of) + " OR " + filterOf(r.over), "--warmup", "1", "--iterations", "2", "--time", "50ms"}
}

// filterOf returns the filter that only a benchmark of this name passes.
func filterOf(name string) string {
	parts := strings.Split(name, "/")
	parts[0] = ".name:" + parts[0]
	for i := range parts[1:] {
		parts[i+1] = "/" + strings.Replace(parts[i+1], "=", ":", 1)
	}
	return "(" + strings.Join(parts, " ") + ")"
}

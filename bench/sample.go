package bench

import "testing"

// Sample measures the latency of single operations. It reports their mean, ns/op, and p50-ns, p90-ns, p99-ns,
// p99.9-ns and max-ns. Under tare the whole histogram is recorded.
//
//	bench.Sample(b, func(w *bench.Worker) {
//		for w.Next() {
//			cache.Get(key(w.Rand()))
//		}
//	}, bench.Workers(4))
//
// The overhead of timing is measured, reported as clock-ns and subtracted; a shorter operation counts as 0.
// Operations that take 1 µs or more are all timed. Of shorter ones about one every 2 µs is timed. The sampling
// step is found before the first window opens (or set by [SampleEvery]) and then fixed, so that all samples
// have the same weight. Which operations are timed is random, so that samples do not fall into step with
// periodic events.
//
// A worker waits for each operation before it begins the next (a closed loop). For a service whose users do
// not wait for each other this omits all queueing; use [Rate] for that.
func Sample(b *testing.B, body func(w *Worker), options ...Option) {
	b.Helper()
	measure(b, newConfig(callSample, options).single(body))
}

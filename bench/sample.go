package bench

import "testing"

// Sample measures the latency of single operations: the score, ns/op, is their
// mean, and beside it stand the percentiles p50-ns, p90-ns, p99-ns, p99.9-ns and
// max-ns. Under tare the whole histogram is recorded.
//
//	bench.Sample(b, func(w *bench.Worker) {
//		for w.Next() {
//			cache.Get(key(w.Rand()))
//		}
//	}, bench.Workers(4))
//
// What the timing itself takes is measured, stated as clock-ns and subtracted;
// an operation shorter than that reads 0. Operations that take 1 µs or more are
// all timed. Of shorter ones so many are left out that about one in 2 µs is
// timed; how many is found before the first window opens (or said, by
// [SampleEvery]) and the same from then on, so that all samples weigh the same,
// and which ones is random, so that samples do not keep step with something
// that happens every so many operations.
//
// The worker waits for each operation before it begins the next. Of a service
// whose users do not wait for each other, this leaves out all the waiting: for
// that there is [Rate].
func Sample(b *testing.B, body func(w *Worker), parts ...Part) {
	b.Helper()
	measure(b, newConfig(callSample, parts).single(body))
}

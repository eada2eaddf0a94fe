// Package hist counts latencies in histograms of bounded relative error, takes
// intervals of them while they are being recorded, and reads and writes the
// formats of HdrHistogram.
//
// # Recipe
//
//  1. Give each worker a [Recorder] of its own, or a [Recorders] if it measures
//     several times of each operation. Record costs two atomic operations, waits
//     for nobody and does not allocate once a magnitude has occurred.
//  2. After the warm-up, Swap(nil) every Recorder: what was recorded is forgotten.
//  3. Once per interval, Swap every worker's Recorder into one [Histogram]. Counts
//     are merged, never percentiles: a mean of 99th percentiles is not one.
//  4. Show [Histogram.Percentiles], and beside a high one [Percentiles.Beyond]: how
//     many values it rests on. Say so when Saturated is not 0.
//  5. Keep the interval: [Histogram.Encode] for a record, or a line of a
//     [LogWriter], which HdrHistogram's own tools can read.
//
// A program with one goroutine does without a Recorder and calls
// [Histogram.Record].
//
// # Values
//
// Values are int64 in a unit of the caller's choice, by convention nanoseconds.
// None is lost: what lies above [Config].Highest or below 0 is counted at the end
// of the range and again by [Histogram.Saturated] or [Histogram.Negative]. Min and
// Max are exact, everything else is exact to [Config].Digits digits.
//
// Latency must be measured from the time at which an operation was due, not from
// that at which it was sent, or the worst moments are left out. [Histogram.Correct]
// estimates what a closed loop left out when nothing better was recorded.
//
// # What is HdrHistogram's
//
// The arrangement of buckets, the definition of percentiles, the V2 compressed
// payload and the log format are those of Gil Tene's HdrHistogram
// (github.com/HdrHistogram/HdrHistogram), so that numbers and files can be
// compared with it and its ports. Storage and recording are this package's own.
package hist

// Package hist counts latencies in histograms of bounded relative error. Interval
// histograms can be taken while workers record. The package reads and writes the
// formats of HdrHistogram.
//
// # Recipe
//
//  1. Give each worker its own [Recorder], or a [Recorders] if it measures several
//     durations of each operation. Record costs two atomic operations, never waits
//     and allocates only at the first value of a magnitude.
//  2. After the warm-up, Swap(nil) every Recorder to discard its values.
//  3. Once per interval, Swap every worker's Recorder into one [Histogram]. Counts
//     are merged, never percentiles: a mean of 99th percentiles is no percentile.
//  4. Show [Histogram.Percentiles], and with a high percentile [Percentiles.Beyond],
//     the number of values above it. Report Saturated if it is not 0.
//  5. Keep the interval: [Histogram.Encode] for a record, or a line of a
//     [LogWriter], which HdrHistogram's own tools can read. [Histogram.AppendCounts] is
//     for messages: it is quicker to merge.
//
// A program with one goroutine needs no Recorder and calls [Histogram.Record].
//
// # Values
//
// Values are int64 in a unit of the caller's choice, by convention nanoseconds.
// Every value is counted: values above [Config].Highest or below 0 count at the end
// of the range, and also in [Histogram.Saturated] or [Histogram.Negative]. Min and
// Max are exact, all other results are exact to [Config].Digits digits.
//
// Latency must be measured from the time at which an operation was due, not from
// the time at which it was sent; otherwise the worst latencies are omitted
// (coordinated omission). [Histogram.Correct] estimates the values that a closed loop
// omitted.
//
// # HdrHistogram
//
// The arrangement of buckets, the definition of percentiles, the V2 compressed
// payload and the log format are those of Gil Tene's HdrHistogram
// (github.com/HdrHistogram/HdrHistogram), so that numbers and files can be
// compared with it and its ports. Storage and recording are different.
package hist

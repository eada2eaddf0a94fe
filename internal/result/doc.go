// Package result is the only reader of records: it turns them into a [Result],
// which is rendered, and which gates and stop rules judge.
//
// To read a record file of any kind:
//
//	r, err := result.Read(file, "old.jsonl")
//
// While measuring, give each line to a [Builder] as it is written. A Result may be
// asked for at any time:
//
//	b := result.NewBuilder()
//	b.Add(line)
//	r := b.Result()
//
// The fork is the sample: a fork's value is the median of its measured
// iterations, and every interval is over fork values. A Builder keeps a few
// figures per fork and nothing per sample, so that its memory does not grow with
// the number of iterations.
//
// Benchmarks that differ only in a parameter called n or size form a curve:
// [Complexity] says how their cost grows, if any curve fits.
//
// A load run is one sample of many latencies. [Load] counts what became of every
// operation that was due, and a verdict says how far the latencies can be trusted.
// Histograms are merged over the run's intervals. Insertion and warm-up are
// [Result.Phases] and excluded from all other figures. A search or a sweep has [Result.Steps], and a search its
// [Knee]. An [Objective] is held against all that was due, not only against what was answered.
//
// Warnings that follow from the samples (two groups of forks, a trend, a stopped
// timer, …) are derived here. Measurers write them into the
// record when they finish; a reader derives them anew, so that a record that was
// cut off, or resumed, carries the warnings that its samples deserve.
package result

// Package summary turns records into their meaning: the [Result] object that
// reports print, gates judge and stop rules look at.
//
// To summarise a record file:
//
//	s, err := summary.Read(file, "old.jsonl")
//
// or, while measuring, feed each line to a [Builder] as it is written and ask
// for a Summary whenever one is wanted:
//
//	b := summary.NewBuilder()
//	b.Add(line)
//	s := b.Summary()
//
// The fork is the sample: a fork's value is the median of its measured
// iterations, and every interval is over fork values. A Builder keeps a few
// figures per fork and nothing per sample, so that its memory does not grow with
// the number of iterations.
//
// Benchmarks that differ only in a parameter called n or size are looked at
// together besides: [Complexity] says by which curve their cost grows, if by any.
//
// A load run is one sample of many latencies: [Load] says what became of everything
// that was due, and a verdict says what the latencies are worth. They are merged over
// the run's intervals; insertion and warm-up are [Result.Phases], and in none of its
// figures. A search or a sweep has [Result.Steps], and a search its [Knee]. An
// [Objective] is held against all that was due, not only against what was answered.
//
// Doubts that follow from the samples (two groups of forks, a trend, a stopped
// timer, …) are derived here, by [Builder.Doubts]. Measurers write them into the
// record when they finish; a reader derives them anew, so that a record that was
// cut off, or resumed, carries the warnings that its samples deserve.
package result

// Package job holds the values that say what to measure.
//
// [Bench] is a run of benchmarks, [Load] is load for a database or a service, [Command] measures commands, as tare time
// does, and [Program] has a program run under a profiler, as tare trace, sample, contrast and asm do. DefaultBench and its
// like return the defaults, and a field means what it says: Warmup 0 is no warm-up. Beside each struct stands its table, such
// as [Bench.Options]: one row for each option. Flags, completion and help come from the rows, and of benchmarks also keys of
// tare.toml and variables TARE_NAME. A new option is one field, one row, and
// its use.
//
//	j := job.DefaultBench()
//	j.Packages, j.Bench, j.Forks = []string{"sort"}, "SortInt1K", 6
//	plan, err := j.Plan()
package job

// Package job holds the values that say what to measure.
//
// [Bench] is a run of benchmarks, [Command] one of commands as by tare time, [Program] one of a program under a profiler,
// as by tare trace, sample, contrast and asm. [DefaultBench] returns the defaults of tare bench, and a field means what it
// says: Warmup 0 is no warm-up. Beside the struct stands its table, [Bench.Options]: one row for each option. Flags, keys
// of tare.toml, variables TARE_NAME, completion and help come from the rows. A new option is one field, one row, and
// its use.
//
//	j := job.DefaultBench()
//	j.Packages, j.Bench, j.Forks = []string{"sort"}, "SortInt1K", 6
//	plan, err := j.Plan()
package job

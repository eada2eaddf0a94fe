// Package job holds the values that say what to measure.
//
// [Bench] is a run of benchmarks, [Load] is load for a database or a service. [DefaultBench] and [DefaultLoad] return
// the defaults of tare bench and tare load, and a field means what it says: Warmup 0 is no warm-up. Beside each struct
// stands its table, [Bench.Options] and [Load.Options]: one row for each option. Flags, completion and help come from
// the rows, and of benchmarks also keys of tare.toml and variables TARE_NAME. A new option is one field, one row, and
// its use.
//
//	j := job.DefaultBench()
//	j.Packages, j.Bench, j.Forks = []string{"sort"}, "SortInt1K", 6
//	plan, err := j.Plan()
package job

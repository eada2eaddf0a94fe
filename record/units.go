package record

import "strings"

// The words of [Unit], which are those of x/perf's unit metadata.
const (
	Higher  = "higher"  // Better: more is better
	Lower   = "lower"   // Better: less is better
	Nothing = "nothing" // Assume: a distribution of unknown form
	Exact   = "exact"   // Assume: the same value in every sample of the same code
)

// UnitOf returns the metadata of a unit for which a benchmark has none in
// [Case.Units]:
//
//   - a rate ([IsRate]): higher is better;
//   - a time or bytes ([IsTime], [IsBytes]), per operation or not, and the
//     allocs, cycles, instructions, misses and faults of an operation: lower;
//   - anything else: Better is empty, because a wrong direction is worse than none.
//
// The part before the last "-" names a role or a quantity and is ignored:
// producer-ns/op, p99-ns and heap-B are treated as ns/op, ns and B.
//
// Assume is always "nothing", for B/op and allocs/op too, as in benchstat. These are
// not exact: they are means over N operations of all allocations of the process. The
// growth of a map depends on its random seed, the content of a sync.Pool on garbage
// collections, and the share of a single allocation on N. If they were exact, such
// differences would count as changes of the code. A benchmark may declare its units
// exact.
func UnitOf(name string) Unit {
	u := Unit{Assume: Nothing}
	switch {
	case IsRate(name):
		u.Better = Higher
	case IsTime(name), IsBytes(name), isCost(name):
		u.Better = Lower
	}
	return u
}

// IsRate reports whether the unit is a rate per second, such as MB/s, op/s or
// producer-op/s.
func IsRate(unit string) bool {
	_, per := splitUnit(unit)
	return per == "s" || per == "sec"
}

// IsTime reports whether the unit is a time, such as ns/op, sec/op, p99-ns or ns/GC.
func IsTime(unit string) bool {
	what, _ := splitUnit(unit)
	switch what {
	case "ns", "us", "µs", "μs", "ms", "s", "sec":
		return !IsRate(unit)
	}
	return false
}

// IsBytes reports whether the unit is an amount of memory or data, such as B/op,
// heap-B or MiB. A rate of bytes is a rate and not an amount.
func IsBytes(unit string) bool {
	what, _ := splitUnit(unit)
	switch what {
	case "B", "bytes", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB":
		return !IsRate(unit)
	}
	return false
}

// isCost reports whether the unit counts something of which an operation should need
// less.
func isCost(unit string) bool {
	what, per := splitUnit(unit)
	switch what {
	case "allocs", "cycles", "instructions", "misses", "faults":
		return per == "op"
	}
	return false
}

// splitUnit returns the part of a unit before its last slash, without the prefix, and
// the part after it.
func splitUnit(unit string) (what, per string) {
	what = unit
	if i := strings.LastIndexByte(unit, '/'); i >= 0 {
		what, per = unit[:i], unit[i+1:]
	}
	return what[strings.LastIndexByte(what, '-')+1:], per
}

package record

import "strings"

// The words of [Unit], which are those of x/perf's unit metadata.
const (
	Higher  = "higher"  // Better: more is better
	Lower   = "lower"   // Better: less is better
	Nothing = "nothing" // Assume: a distribution of unknown form
	Exact   = "exact"   // Assume: the same value in every sample of the same code
)

// UnitOf returns how to read a unit of which a benchmark says nothing
// ([Case.Units] does for those of which it does):
//
//   - a rate ([IsRate]): higher is better;
//   - a time or bytes ([IsTime], [IsBytes]), per operation or not, and the
//     allocs, cycles, instructions, misses and faults of an operation: lower;
//   - anything else: Better is empty, because a verdict in the wrong direction is
//     worse than none.
//
// What stands before the last "-" names a role or a quantity and does not
// matter: producer-ns/op, p99-ns and heap-B read like ns/op, ns and B.
//
// Assume is always "nothing", for B/op and allocs/op too, as in benchstat. They
// look exact, but they are means over N operations of whatever the process
// allocates meanwhile: a map's growth depends on its random seed, a sync.Pool's
// content on when the collector ran, and what is allocated once is shared out
// over an N that need not be the same. Taking them for exact would call such
// differences changes of the code; a benchmark that knows better says so.
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

// IsRate tells whether the unit is something per second, such as MB/s, op/s or
// producer-op/s.
func IsRate(unit string) bool {
	_, per := splitUnit(unit)
	return per == "s" || per == "sec"
}

// IsTime tells whether the unit is a time, such as ns/op, sec/op, p99-ns or
// ns/GC.
func IsTime(unit string) bool {
	what, _ := splitUnit(unit)
	switch what {
	case "ns", "us", "µs", "μs", "ms", "s", "sec":
		return !IsRate(unit)
	}
	return false
}

// IsBytes tells whether the unit is an amount of memory or data, such as B/op,
// heap-B or MiB. A rate of bytes is a rate.
func IsBytes(unit string) bool {
	what, _ := splitUnit(unit)
	switch what {
	case "B", "bytes", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB":
		return !IsRate(unit)
	}
	return false
}

// isCost tells whether the unit counts something that an operation should do
// with less of.
func isCost(unit string) bool {
	what, per := splitUnit(unit)
	switch what {
	case "allocs", "cycles", "instructions", "misses", "faults":
		return per == "op"
	}
	return false
}

// splitUnit returns the part of a unit before its last slash, without the name
// in front, and the part after it.
func splitUnit(unit string) (what, per string) {
	what = unit
	if i := strings.LastIndexByte(unit, '/'); i >= 0 {
		what, per = unit[:i], unit[i+1:]
	}
	return what[strings.LastIndexByte(what, '-')+1:], per
}

package result

import "strings"

// measuredUnits are what profilers report besides sizes of memory. They are no
// counts of what the code does, however whole their numbers look.
var measuredUnits = map[string]bool{
	"user-ns/op": true, "sys-ns/op": true, "cpu-ns/op": true, "cores": true, "alloc-B/s": true,
	"voluntary-switches/op": true, "involuntary-switches/op": true, "page-faults/op": true,
	"cycles/op": true, "instructions/op": true, "branch-misses/op": true, "cache-misses/op": true, "IPC": true,
	"mem-poll-share": true, "task-clock-ns/op": true, "context-switches/op": true, "cpu-migrations/op": true,
	"valgrind-instructions/op": true,
}

// ofTool tells units that tare's own profilers and hooks add to what a benchmark
// reports.
func ofTool(unit string) bool {
	return measuredUnits[unit] || strings.HasPrefix(unit, "sched-") || strings.HasPrefix(unit, "gc-") || strings.HasPrefix(unit, FloorPrefix)
}

// ofMemory tells units of memory.
func ofMemory(unit string) bool {
	return unit == "B/op" || unit == "allocs/op" || strings.HasSuffix(unit, "-B")
}

// incomparable tells units of which more is neither better nor worse: floors are
// the tool's, and a program that allocates faster may just be faster.
func incomparable(unit string) bool {
	return strings.HasPrefix(unit, FloorPrefix) || unit == "alloc-B/s" || unit == "mem-poll-share"
}

package result

import "strings"

// UnitInstructions is the unit of profiler instructions.
const UnitInstructions = "valgrind-instructions/op"

// measuredUnits are what profilers report besides sizes of memory. They are no
// counts of what the code does, however whole their numbers look.
var measuredUnits = map[string]bool{
	"user-ns/op": true, "sys-ns/op": true, "cpu-ns/op": true, "cores": true, "alloc-B/s": true,
	"voluntary-switches/op": true, "involuntary-switches/op": true, "page-faults/op": true,
	"cycles/op": true, "instructions/op": true, "branch-misses/op": true, "cache-misses/op": true, "IPC": true,
	"mem-poll-share": true, "task-clock-ns/op": true, "context-switches/op": true, "cpu-migrations/op": true,
	UnitInstructions: true,
}

// ofTool reports whether the unit comes from tare's profilers or hooks, and not from the benchmark.
func ofTool(unit string) bool {
	return measuredUnits[unit] || strings.HasPrefix(unit, "sched-") || strings.HasPrefix(unit, "gc-") || strings.HasPrefix(unit, FloorPrefix)
}

// ofMemory reports whether the unit is about memory.
func ofMemory(unit string) bool {
	return unit == "B/op" || unit == "allocs/op" || strings.HasSuffix(unit, "-B")
}

// incomparable reports whether more of the unit is neither better nor worse. Floors are properties of the tool,
// and a program that allocates faster may only be faster.
func incomparable(unit string) bool {
	return strings.HasPrefix(unit, FloorPrefix) || unit == "alloc-B/s" || unit == "mem-poll-share"
}

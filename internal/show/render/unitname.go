package render

import (
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// plainNames are the names of units on screens, in the order in which they are shown. Records, JSON and CSV keep the unit.
var plainNames = []plainName{
	{unit: "usedHeap_settled-B", name: "heap settled"},
	{unit: "usedHeap_growth-B", name: "heap growth"},
	{unit: "usedHeap_min-B", name: "heap on the way, min"},
	{unit: "usedHeap_p50-B", name: "heap on the way, median"},
	{unit: "usedHeap_max-B", name: "heap on the way, max"},
	{unit: "usedHeap_returned-B", name: "heap after return"},
	{unit: "usedMem_fin-B", name: "in use"},
	{unit: "usedMem_settled-B", name: "in use, settled"},
	{unit: "usedMem_max-B", name: "in use, peak"},
	{unit: "totalMem_settled-B", name: "committed, settled"},
	{unit: "totalMem_max-B", name: "committed, peak"},
	{unit: "VmRSS-B", name: "RSS settled"},
	{unit: "PSS-B", name: "PSS settled"},
	{unit: "VmHWM-B", name: "peak RSS"},
	{unit: "peak-RSS-below-B", name: "peak RSS, below"},
	{unit: "usedHeap_reads", name: "heap on the way, reads", detail: true},
	{unit: "usedHeap_baseline-B", name: "heap before", detail: true},
	{unit: "usedMem_baseline-B", name: "in use before", detail: true},
	{unit: "VmRSS_baseline-B", name: "RSS before", detail: true},
	{unit: "mem-poll-share", name: "tare's polling, share of time", detail: true},
	{unit: "alloc-B/s", name: "allocated"},
	{unit: "alloc-objects/op", name: "objects with a site"},
	{unit: "alloc-B/op", name: "bytes with a site"},
	{unit: "alloc-rest-objects/op", name: "objects without a site", detail: true},
	{unit: "alloc-rest-B/op", name: "bytes without a site", detail: true},
	{unit: "gc-cycles", name: "GC cycles, iteration"},
	{unit: "gc-pause-ns", name: "GC pause, iteration"},
	{unit: "gc-cpu-share", name: "GC share of CPU"},
	{unit: "cpu-ns/op", name: "cpu"},
	{unit: "user-ns/op", name: "user"},
	{unit: "sys-ns/op", name: "sys"},
	{unit: "cores", name: "cores busy"},
	{unit: "voluntary-switches/op", name: "switches, voluntary"},
	{unit: "involuntary-switches/op", name: "switches, involuntary"},
	{unit: "page-faults/op", name: "page faults"},
	{unit: "task-clock-ns/op", name: "task clock"},
	{unit: "context-switches/op", name: "context switches"},
	{unit: "cpu-migrations/op", name: "migrations"},
	{unit: "sched-running-ns/op", name: "running, on a P"},
	{unit: "sched-runnable-ns/op", name: "runnable, no P"},
	{unit: "sched-blocked-ns/op", name: "blocked"},
	{unit: "sched-syscall-ns/op", name: "in system calls"},
	{unit: "sched-slices/op", name: "stretches of running"},
	{unit: "sched-goroutines", name: "goroutines that ran"},
	{unit: "sched-blocked-lock-ns/op", name: "blocked: lock", tabled: true},
	{unit: "sched-blocked-send-ns/op", name: "blocked: channel send", tabled: true},
	{unit: "sched-blocked-receive-ns/op", name: "blocked: channel receive", tabled: true},
	{unit: "sched-blocked-select-ns/op", name: "blocked: select", tabled: true},
	{unit: "sched-blocked-network-ns/op", name: "blocked: network", tabled: true},
	{unit: "sched-blocked-sleep-ns/op", name: "blocked: sleep", tabled: true},
	{unit: "sched-blocked-gc-ns/op", name: "blocked: GC", tabled: true},
	{unit: "sched-blocked-cond-ns/op", name: "blocked: Cond", tabled: true},
	{unit: "sched-blocked-waitgroup-ns/op", name: "blocked: WaitGroup", tabled: true},
	{unit: "sched-blocked-workers-ns/op", name: "blocked: workers", tabled: true},
	{unit: "sched-blocked-other-ns/op", name: "blocked: other", tabled: true},
	{unit: "sched-wall-running-ns/op", name: "wall: running", tabled: true},
	{unit: "sched-wall-runnable-ns/op", name: "wall: waiting for a P", tabled: true},
	{unit: "sched-wall-blocked-ns/op", name: "wall: blocked", tabled: true},
	{unit: "sched-wall-syscall-ns/op", name: "wall: in system calls", tabled: true},
	{unit: "valgrind-instructions/op", name: "instructions, valgrind"},
	{unit: "floor-ns/op", name: "floor (empty body)"},
	{unit: "floor-op/s", name: "floor (empty body)"},
}

// unitRank returns the place of a unit among those of a benchmark: its own come first,
// as it reported them.
func unitRank(unit string) int {
	return 1 + slices.IndexFunc(plainNames, func(n plainName) bool { return n.unit == unit })
}

// unitName returns the name of a unit in a row of its own.
func unitName(unit string) string {
	if i := unitRank(unit); i > 0 {
		return plainNames[i-1].name
	}
	return unit
}

// isDetail reports whether a unit is shown with -v only.
func isDetail(unit string) bool {
	rank := unitRank(unit)
	return rank > 0 && plainNames[rank-1].detail
}

// isTabled reports whether a unit is in a table of its own.
func isTabled(unit string) bool {
	rank := unitRank(unit)
	return rank > 0 && plainNames[rank-1].tabled
}

type plainName struct {
	unit, name string
	detail     bool // shown with -v only
	tabled     bool // shown with -v, and in comparisons where it differs; it has a table of its own
}

// beside returns the unit next to a figure in a row that is named by unitName: what the
// name does not say.
func beside(unit string, s units.Scale) string {
	switch {
	case unitRank(unit) == 0:
		return s.Short()
	case record.IsTime(unit) || record.IsRate(unit) || s.IsBytes() || s.Div != 1 && record.IsBytes(unit):
		return s.Whole()
	}
	return s.Per() // the name tells what is counted
}

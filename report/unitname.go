package report

import "github.com/tarebench/tare/record"

// unitNames are what people read in the place of units whose names are made to
// be told apart by programs. Records, JSON and CSV keep the units.
var unitNames = map[string]string{
	"usedHeap_baseline-B":     "heap before",
	"usedMem_baseline-B":      "in use before",
	"VmRSS_baseline-B":        "RSS before",
	"usedHeap_settled-B":      "heap settled",
	"usedHeap_growth-B":       "heap growth",
	"usedHeap_returned-B":     "heap after return",
	"usedMem_fin-B":           "in use",
	"usedMem_settled-B":       "in use, settled",
	"usedMem_max-B":           "in use, peak",
	"totalMem_settled-B":      "committed, settled",
	"totalMem_max-B":          "committed, peak",
	"VmHWM-B":                 "peak RSS",
	"VmRSS-B":                 "RSS settled",
	"PSS-B":                   "PSS settled",
	"user-ns/op":              "user",
	"sys-ns/op":               "sys",
	"cpu-ns/op":               "cpu",
	"cores":                   "cores busy",
	"alloc-B/s":               "allocated",
	"gc-cycles":               "GC cycles, iteration",
	"gc-pause-ns":             "GC pause, iteration",
	"mem-poll-share":          "tare's polling, share of time",
	"gc-cpu-share":            "GC share of CPU",
	"voluntary-switches/op":   "switches, voluntary",
	"involuntary-switches/op": "switches, involuntary",
	"page-faults/op":          "page faults",
	"task-clock-ns/op":        "task clock",
	"context-switches/op":     "context switches",
	"cpu-migrations/op":       "migrations",
	"floor-ns/op":             "floor (empty body)",
	"floor-op/s":              "floor (empty body)",
}

// unitName is the name of a unit in a row of its own.
func unitName(unit string) string {
	if name, ok := unitNames[unit]; ok {
		return name
	}
	return unit
}

// beside is the unit next to a figure in a row that is named by unitName: what the
// name does not say.
func (s scale) beside(unit string) string {
	_, named := unitNames[unit]
	if !named || s.div != 1 || !record.IsTime(unit) && !record.IsRate(unit) && s.what != "B" {
		return s.short()
	}
	return s.prefix + s.what + s.per
}

package bench

import (
	"slices"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A Counter counts events other than operations in one worker, such as failed offers, spins or misses. The
// role reports the sum over its workers per operation, as failed-offers/op. Only events within the window
// count.
type Counter struct {
	_    cacheline.Line
	n    int64
	_    cacheline.Line
	name string
	unit string // name as part of a unit
	from int64  // n when the window opened
	got  int64  // counted within the window
}

// Inc adds 1.
func (c *Counter) Inc() { c.n++ }

// Add adds n.
func (c *Counter) Add(n int) { c.n += int64(n) }

// Counter returns the worker's counter of that name. It must be called before the loop. A name consists of
// letters, digits, "_", "-", "." and blanks, which become "-" in the unit. Counter panics on another name.
func (w *Worker) Counter(name string) *Counter {
	for _, c := range w.counters {
		if c.name == name {
			return c
		}
	}
	unit := unitName(name)
	if unit == "" {
		panic("bench: Counter: a name has only letters, digits, _, -, . and blanks")
	}
	if slices.Contains(reservedCounters, unit) {
		panic("bench: Counter: " + unit + "/op is a figure of the benchmark itself; choose another name than " + name)
	}
	var c *Counter
	if i := len(w.counters); i < len(w.spare) {
		c = &w.spare[i]
	} else {
		c = new(Counter)
	}
	c.name, c.unit = name, unit
	w.counters = append(w.counters, c)
	return c
}

// reservedCounters are names whose units have another meaning.
var reservedCounters = []string{"ns", "B", "allocs", "op", "MB", "service-ns"}

// spareCounters is the number of preallocated counters per worker: a body calls Counter when allocations are
// already being counted.
const spareCounters = 4

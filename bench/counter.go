package bench

import (
	"slices"

	"github.com/tarebench/tare/internal/cacheline"
)

// A Counter counts, in one worker, something that happens besides operations:
// failed offers, spins, misses. The role reports their sum over its workers per
// operation of the role, as failed-offers/op; only what was counted within the
// window is in it.
type Counter struct {
	_    cacheline.Line
	n    int64
	_    cacheline.Line
	name string
	unit string // name as part of a unit
	from int64  // n when the window opened
	got  int64  // counted within the window
}

// Inc counts one.
func (c *Counter) Inc() { c.n++ }

// Add counts n.
func (c *Counter) Add(n int) { c.n += int64(n) }

// Counter returns the worker's counter of that name; the workers of a role have
// one each. It is to be called before the loop. A name has letters, digits, "_",
// "-", "." and blanks, which become "-" in the unit.
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

// reservedCounters would make units that mean something else.
var reservedCounters = []string{"ns", "B", "allocs", "op", "MB", "service-ns"}

// fewCounters are there from the start: a body asks for its counters when
// allocations are counted already.
const fewCounters = 4

package published

import (
	"fmt"
	"math"

	"github.com/tarebench/tare/record"
)

// Conditions say how busy others kept the machine while records were made. The zero
// value is of no record.
type Conditions struct {
	load   float64  // load average at the start, the largest
	steal  float64  // share of the CPU time that was stolen, the largest
	others *float64 // processors that other programs used on average, the most; nil: not known
}

// Add takes what a line of a record says.
func (c *Conditions) Add(o *record.Overhead) {
	c.load, c.steal = math.Max(c.load, o.Load), math.Max(c.steal, o.Steal)
	if o.Others != nil && (c.others == nil || *o.Others > *c.others) {
		c.others = o.Others
	}
}

// Shares of the processors from which on a machine was not quiet. The load average has
// what tare compiled before it measured, so it decides only where others are not known.
const (
	busyOthers = 0.05
	busyLoad   = 0.25
)

// Quiet reports whether others left the machine alone.
func (c Conditions) Quiet(cores int) bool {
	n := float64(max(cores, 1))
	if c.others != nil {
		return *c.others <= busyOthers*n
	}
	return c.load <= busyLoad*n
}

// String says what is known, without a full stop.
func (c Conditions) String() string {
	stolen := fmt.Sprintf("stolen time: %.2f %%", 100*c.steal)
	if c.others == nil {
		return fmt.Sprintf("Load average when it began: %.2f; %s", c.load, stolen)
	}
	return fmt.Sprintf("Other programs used %.2f processors on average; %s", *c.others, stolen)
}

package calls

import (
	"slices"

	"github.com/tarebench/tare/record"
)

// netTime is a time from which that of probes was subtracted, in ns.
type netTime struct {
	raw, net float64
	extra    float64 // part of net that may be none without probes: see findExtra
}

func (c *Calls) netTotal(i int) netTime {
	f := &c.t.Funcs[i]
	return netTime{f.Total, f.Corrected, c.extra[i]}
}

func (c *Calls) netSelf(i int) netTime {
	f := &c.t.Funcs[i]
	out := netTime{raw: f.Self, net: f.CorrectedSelf}
	if slices.Contains(c.t.Allocs, f.Name) || c.t.Goroutines > 1 && f.CorrectedSelf > leastWait*float64(f.Calls) {
		out.extra = c.extra[i]
	}
	return out
}

// netCall is of an element of the tree, as the tree shows it.
func (c *Calls) netCall(i int) netTime { return netTime{c.time[i], c.net[i], c.extraCall[i]} }

// off returns how far a time may be from that without probes, in ns.
func (c *Calls) off(x netTime) float64 {
	out := c.t.Uncertainty(x.raw, x.net)
	if !c.t.Scale.Used { // otherwise it is part of what probes took
		out += min(x.extra, x.net)
	}
	return out
}

// inaccurate reports whether a time may be off by more than a fifth for what probes changed.
func (c *Calls) inaccurate(x netTime) bool { return c.off(x) > record.Unreliable*x.net }

// unreliable reports whether a time may be off by more than a fifth, also for what others did.
func (c *Calls) unreliable(x netTime) bool { return c.tooLong() || c.inaccurate(x) }

// digits returns the finest digit that is known of a time, in ns: one that is unreliable has one digit.
func (c *Calls) digits(x netTime) float64 {
	if c.tooLong() {
		if probes := x.raw - x.net; x.net > 0 && probes > x.net {
			return max(sharing*probes, decade(x.net))
		}
		return sharing * (x.raw - x.net)
	}
	off := c.off(x)
	switch {
	case !(off > 0 && x.net > 0):
		return 0
	case c.inaccurate(x):
		return decade(x.net)
	}
	return decade(off)
}

// markUnreliable marks a time that is unreliable: as an upper bound where others had the processors, and as less than a bound where
// nearly all of it may be the probes'.
func (c *Calls) markUnreliable(f figure, x netTime) figure {
	if c.tooLong() {
		return bound(f)
	}
	if !c.inaccurate(x) || f.below() {
		return f
	}
	const less = 0.5 // probes took no less than that part of what they took where the program started
	if most := min(x.raw, x.net+less*c.t.Uncertainty(x.raw, x.net)); c.off(x) >= x.net && most >= leastTime && !f.least() {
		return upTo(most)
	}
	f.unit += "?"
	return f
}

// findExtra finds, for each function and each element of the tree, the time that may be none without probes although it is not
// that of its own probes: of functions which would be inlined, and allocate; of those that may wait for goroutines with
// probes; and as much as its own probes took for those of a goroutine that it may hand work to and fro.
func (c *Calls) findExtra() {
	n := len(c.t.Tree)
	c.extra, c.extraCall = make([]float64, len(c.t.Funcs)), make([]float64, n)
	heap, waits, root := make([]float64, n), make([]float64, n), make([]int, n)
	probes, all := make([]float64, n), 0.0 // of the goroutines that begin with an element
	for i := range c.t.Tree {
		e := &c.t.Tree[i]
		if root[i] = i; e.Parent >= 0 {
			root[i] = root[e.Parent]
			continue
		}
		probes[i] = max(0, e.Total-e.Corrected) + float64(e.Calls)*max(0, c.t.Probe.Outside-c.t.Probe.Inside)
		all += probes[i]
	}
	for i := n - 1; i >= 0; i-- {
		e := &c.t.Tree[i]
		self := max(0, e.CorrectedSelf)
		if slices.Contains(c.t.Allocs, c.t.Funcs[e.Func].Name) {
			heap[i] += self
		} else if c.t.Goroutines > 1 && self > leastWait*float64(e.Calls) {
			waits[i] += self
		}
		others := all - probes[root[i]]
		c.extraCall[i] = heap[i] + min(waits[i], others)
		if c.t.Goroutines > 1 {
			c.extraCall[i] += min(max(0, e.Total-e.Corrected), others)
		}
		if e.Parent >= 0 {
			heap[e.Parent], waits[e.Parent] = heap[e.Parent]+heap[i], waits[e.Parent]+waits[i]
		}
		if !c.within(i) {
			c.extra[e.Func] += c.extraCall[i]
		}
	}
}

// leastWait is the mean time of calls, in ns, from which a good part of it may be that of waits for other goroutines.
const leastWait = 10e3

// within reports whether an element of the tree is within a call of the same function.
func (c *Calls) within(i int) bool {
	for up := c.t.Tree[i].Parent; up >= 0; up = c.t.Tree[up].Parent {
		if c.t.Tree[up].Func == c.t.Tree[i].Func {
			return true
		}
	}
	return false
}

package usage

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

// Cores returns how many processors the task kept busy on average: CPU / Real. It
// returns NaN if CPU is not available, or if a tenth of it or more may be overhead.
func (u Usage) Cores() float64 {
	if !u.available(FigureCPU) || u.Real < 10*u.Overhead.CPU {
		return math.NaN()
	}
	return quotient(float64(u.CPU), float64(u.Real))
}

// AllocationRate returns how fast the task allocated, in bytes per second of real
// time, or NaN for a task that took no time.
func (u Usage) AllocationRate() float64 { return quotient(float64(u.Bytes), u.Real.Seconds()) }

// quotient returns a/b, or NaN if b is not positive.
func quotient(a, b float64) float64 {
	if !(b > 0) {
		return math.NaN()
	}
	return a / b
}

// Comparison compares two ways to do the same work. Ratios that cannot be computed
// are NaN.
type Comparison struct {
	Seq, Par Usage

	SpeedUp  float64 // real time of Seq over that of Par: above 1, Par is faster
	ExtraCPU float64 // CPU time of Par over that of Seq: above 1, Par costs more

	SeqRate, ParRate float64 // bytes allocated per second

	// Efficiency is SpeedUp over Par.Procs: 1 means that all processors were used
	// without loss. It assumes that Seq had one processor all the time, and that no
	// thread of Par waited for a processor. It is NaN if there are Doubts.
	Efficiency float64

	// Doubts has a warning, one sentence, for each side whose real time is not that of its work:
	// its threads waited for processors, or the sequential one was idle or kept more than one busy.
	Doubts []string `json:",omitempty"`

	// Undisturbed estimates the SpeedUp without run delay: the real time of Seq minus its run delay, over the real time of
	// Par minus the share of its run delay. It is 0 without Doubts, if Seq kept more than one processor busy, and if the CPU
	// time or the run delay is not available.
	Undisturbed float64 `json:",omitempty"`

	// NotChecked says what could not be checked, one sentence each. On systems other than Linux
	// the run delay is not known, so that the absence of Doubts says little.
	NotChecked []string `json:",omitempty"`

	SeqCores, ParCores float64 // processors kept busy
}

// Compare compares two measurements of the same work, usually a sequential and a
// parallel one. Each is a single run, so that the ratios have no interval. For
// intervals use tare bench or tare time.
func Compare(seq, par Usage) Comparison {
	c := Comparison{
		Seq: seq, Par: par,
		SpeedUp:  quotient(float64(seq.Real), float64(par.Real)),
		ExtraCPU: math.NaN(),
		SeqRate:  seq.AllocationRate(), ParRate: par.AllocationRate(),
		SeqCores: seq.Cores(), ParCores: par.Cores(),
	}
	if seq.available(FigureCPU) && par.available(FigureCPU) {
		c.ExtraCPU = quotient(float64(par.CPU), float64(seq.CPU))
	}
	c.Efficiency = quotient(c.SpeedUp, float64(par.Procs))
	for _, d := range []string{seq.disturbance(name(seq, "the first"), true), par.disturbance(name(par, "the second"), false)} {
		if d != "" {
			c.Doubts, c.Efficiency = append(c.Doubts, d), math.NaN()
		}
	}
	c.Undisturbed = c.undisturbed()
	for _, n := range []string{seq.unchecked(name(seq, "the first")), par.unchecked(name(par, "the second"))} {
		if n != "" {
			c.NotChecked = append(c.NotChecked, n)
		}
	}
	return c
}

func (c *Comparison) undisturbed() float64 {
	share := c.Seq.Starved() + c.Par.Starved()
	if len(c.Doubts) == 0 || !(c.SeqCores <= 1+idleShare) || math.IsNaN(share) {
		return 0
	}
	x := quotient(float64(c.Seq.Real-c.Seq.Waited), float64(c.Par.Real)*(1-c.Par.Starved()))
	return max(x, 0)
}

// String returns the comparison in a few lines:
//
//	parallelSort is 7.93x faster than sequentialSort for 1.35x the CPU
//	cores busy       1.0 → 10.7    parallel efficiency 66 % of 12
//	allocation rate  50.3B/s → 1.1GiB/s
//	one run each, no interval
//
// Each of Doubts has a line of its own, which begins "not trustworthy: ", and each of NotChecked one
// that begins "not checked: ". Undisturbed has one if it is known.
func (c Comparison) String() string {
	var b strings.Builder
	seq, par := name(c.Seq, "the first"), name(c.Par, "the second")
	switch word := "faster"; {
	case math.IsNaN(c.SpeedUp):
		fmt.Fprintf(&b, "%s against %s: no time passed", par, seq)
	default:
		x := c.SpeedUp
		if x < 1 {
			word, x = "slower", 1/x
		}
		if text := ratio(x); text != "1.00" {
			fmt.Fprintf(&b, "%s is %sx %s than %s", par, text, word, seq)
			break
		}
		fmt.Fprintf(&b, "%s is as fast as %s", par, seq)
	}
	if math.IsNaN(c.ExtraCPU) {
		fmt.Fprintf(&b, ", for an unknown share of the CPU\n")
	} else {
		fmt.Fprintf(&b, " for %sx the CPU\n", ratio(c.ExtraCPU))
	}
	fmt.Fprintf(&b, "cores busy       %s → %s    parallel efficiency %s of %d\n", ratio(c.SeqCores), ratio(c.ParCores), percent(c.Efficiency), c.Par.Procs)
	fmt.Fprintf(&b, "allocation rate  %s → %s\n", rate(c.SeqRate), rate(c.ParRate))
	for _, d := range c.Doubts {
		fmt.Fprintf(&b, "not trustworthy: %s\n", d)
	}
	if c.Undisturbed > 0 {
		fmt.Fprintf(&b, "for the CPU that they had: %sx, estimated from CPU time and waiting\n", ratio(c.Undisturbed))
	}
	for _, n := range c.NotChecked {
		fmt.Fprintf(&b, "not checked: %s\n", n)
	}
	b.WriteString("one run each, no interval")
	return b.String()
}

func name(u Usage, other string) string {
	if u.Name != "" {
		return u.Name
	}
	return other
}

// unknown stands for a figure that is not available.
const unknown = "?"

// ratio returns x with three digits, or with one decimal if it is 10 or more.
func ratio(x float64) string {
	switch {
	case math.IsNaN(x):
		return unknown
	case x >= 99.95:
		return units.Fixed(x, 0)
	case x >= 9.995:
		return units.Fixed(x, 1)
	}
	return units.Fixed(x, 2)
}

func percent(x float64) string {
	if math.IsNaN(x) {
		return unknown
	}
	return units.PercentTo(x, 0)
}

func rate(bytesPerSecond float64) string {
	if math.IsNaN(bytesPerSecond) {
		return unknown
	}
	return memory(bytesPerSecond) + "/s"
}

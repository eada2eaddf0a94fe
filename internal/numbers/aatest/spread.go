package aatest

import (
	"math"

	"github.com/tarebench/tare/stat"
)

// Spread says where the noise of a benchmark lies: inside its processes or
// between them. It comes from the processes of the usual way, which have many
// iterations; what lies between them includes the drift of the machine.
type Spread struct {
	Within    stat.Number `json:"within"`    // relative sd of the iterations of a process
	Between   stat.Number `json:"between"`   // relative sd of the processes
	ICC       stat.Number `json:"icc"`       // share of Between in the variance of an iteration
	Processes int         `json:"processes"` // that this comes from
	// Optimal is the number of iterations of this length that a fork should
	// have, for the most precise result in a given time (Kalibera & Jones):
	// +Inf if processes do not differ, NaN if not known.
	Optimal stat.Number `json:"optimal_iterations"`
	Advice  string      `json:"advice,omitempty"` // what to add: AddForks or AddIterations; absent if not known
}

// What a self-test advises to increase over the defaults of tare bench.
const (
	AddForks      = "forks"
	AddIterations = "iterations"
)

// fewProcesses is the number of processes below which there is no advice: how
// much they differ is known too badly.
const fewProcesses = 10

// spread takes the costs from this way's forks.
func (x *benchmark) spread() Spread {
	s := stat.OneWay(x.processes)
	out := Spread{
		Within: stat.Number(s.Within), Between: stat.Number(s.Between), ICC: stat.Number(s.ICC),
		Processes: s.Forks, Optimal: stat.Number(math.NaN()),
	}
	if len(x.forkCost) == 0 {
		return out
	}
	iteration := stat.Median(x.iterCost)
	optimal := s.OptimalIterations(stat.Median(x.forkCost), iteration)
	out.Optimal = stat.Number(optimal)
	// The default's measured time holds so many iterations of this length.
	held := math.Max(1, DefaultIterations*float64(DefaultTime)/iteration)
	switch {
	case math.IsNaN(optimal), s.Forks < fewProcesses:
	case optimal <= held:
		out.Advice = AddForks
	default:
		out.Advice = AddIterations
	}
	return out
}

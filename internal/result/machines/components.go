package machines

import (
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// LevelMachine is the level above forks.
const LevelMachine = "machine"

// components splits the variation of a benchmark's main unit over iterations, forks and machines.
//
// Those of iterations and forks are inside a side of a machine, as if its values were divided by their median, and
// averaged over machines and sides. The one of machines is not that of values: how fast a machine is says nothing of the
// change, and after that division there would be none. It is the spread of the machines' true ratios.
func components(all []found, of stat.Combination) []result.Component {
	var root stat.VarianceTree
	for _, x := range all {
		for i := range x.run.Results {
			b := &x.run.Results[i]
			if b.Pkg != x.c.Pkg || b.Name != x.c.Name || b.Procs != x.c.Procs || b.Role != x.c.Role || b.Side != x.c.Base && b.Side != x.c.Side {
				continue
			}
			var side stat.VarianceTree
			for _, fork := range b.Iterations {
				side.Children = append(side.Children, stat.VarianceTree{Values: fork})
			}
			root.Children = append(root.Children, side)
		}
	}
	levels := []string{result.LevelIteration, result.LevelFork}
	var out []result.Component
	for i, c := range stat.Components(root) { // the third level is the speed of machines
		if i < len(levels) {
			out = append(out, result.Component{Level: levels[i], Units: c.Units, SD: result.Number(c.SD())})
		}
	}
	if out == nil {
		return nil
	}
	return append(out, result.Component{Level: LevelMachine, Units: of.Machines, SD: result.Number(of.SD)})
}

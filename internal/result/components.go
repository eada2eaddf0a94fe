package result

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/stat"
)

// Component is how much one level of the experiment adds to the variation of a
// benchmark's main unit (Kalibera & Jones, ISMM 2013).
type Component struct {
	Level string `json:"level"` // "iteration", "fork" or "layout"
	Units int    `json:"units"` // of this level in all
	SD    Number `json:"sd"`    // relative: 0.03 is 3 %; NaN if the level was not repeated
}

// The levels of an experiment, lowest first.
const (
	LevelIteration = "iteration"
	LevelFork      = "fork"
	LevelLayout    = "layout"
)

var levels = []string{LevelIteration, LevelFork, LevelLayout}

// keptIterations is how many iterations of a fork are kept for the components:
// more would make the memory grow with the samples and the figures hardly
// better.
const keptIterations = 32

// components splits the variance of one role's main unit over the levels, and
// says what follows for the next run.
func (b *Builder) components(c *caseData, role, unit string) ([]Component, string) {
	byLayout := map[string][]stat.VarianceTree{}
	var layouts []string
	var walls, rests []float64
	for i := range c.forks {
		s := c.forks[i].role(role)
		if s == nil || s.unit(unit) == nil {
			continue
		}
		u := s.unit(unit)
		layout := ""
		if bin := b.bins[c.forks[i].line.Bin]; bin != nil {
			layout = bin.Layout
		}
		if byLayout[layout] == nil {
			layouts = append(layouts, layout)
		}
		byLayout[layout] = append(byLayout[layout], stat.VarianceTree{Values: u.values})
		if s.wall > 0 {
			walls = append(walls, s.wall)
			rests = append(rests, float64(c.forks[i].line.Wall)-float64(u.n)*s.wall)
		}
	}
	cs := stat.Components(varianceTree(byLayout, layouts))
	var out []Component
	for i, x := range cs {
		if i < len(levels) {
			out = append(out, Component{levels[i], x.Units, Number(x.SD())})
		}
	}
	return out, advice(cs, walls, rests)
}

func varianceTree(byLayout map[string][]stat.VarianceTree, layouts []string) stat.VarianceTree {
	if len(layouts) == 1 {
		return stat.VarianceTree{Children: byLayout[layouts[0]]}
	}
	slices.Sort(layouts)
	var root stat.VarianceTree
	for _, l := range layouts {
		root.Children = append(root.Children, stat.VarianceTree{Children: byLayout[l]})
	}
	return root
}

// advice returns where more measuring pays: walls are the wall times of an
// iteration, rests what a fork costs besides.
func advice(cs []stat.Component, walls, rests []float64) string {
	if len(cs) < 2 || len(walls) == 0 {
		return ""
	}
	costs := []float64{stat.Median(walls), math.Max(0, stat.Median(rests))}
	if len(cs) > 2 {
		costs = append(costs, 0)
	}
	best := stat.OptimalCounts(cs, costs)[0]
	have := cs[0].PerUnit
	switch {
	case math.IsNaN(best):
		return ""
	case best > 2*have && best < 1000:
		return fmt.Sprintf("add iterations: %s per fork give the most for the time", units.Fixed(best, 0))
	case best > 2*have:
		return "add iterations, not forks"
	}
	return "add forks, not iterations"
}

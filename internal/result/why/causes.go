package why

import (
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

// Two runs of the same code may differ by less than these thresholds: see docs/method.md.
const (
	leastObjects      = 0.5   // per operation; or
	leastShareObjects = 0.01  // of the objects of all sites
	leastOwn          = 0.003 // of all instructions, in functions outside of the runtime
	leastRuntime      = 0.03  // of all instructions, in the runtime
	leastBytes        = 0.01  // of a site's bytes, or of all bytes
)

// causesOf returns what made a group's change, each with its part of it from 0 to 1. The parts add up to 1, or are joint.
func (e *Evidence) causesOf(g *group) (causes []Cause, parts []float64) {
	if g.kind == Allocator {
		if causes, parts = e.allocationCauses(); len(causes) == 0 && e.grew(g, leastRuntime) && g.agrees() {
			return []Cause{collectorCause(g)}, []float64{1}
		}
		return causes, parts
	}
	add := func(c Cause, part float64) { causes, parts = append(causes, c), append(parts, part) }
	switch {
	case g.system && e.systemCalls() != nil:
		add(e.systemCause(g), 1)
	case g.kind == Kernel:
		add(kernelCause(g), 1)
	case g.kind != Own:
		if e.grew(g, leastRuntime) && g.agrees() {
			add(e.runtimeCause(g), 1)
		}
	case e.slowed(g):
		add(e.slowerCause(g), 1)
	case g.has(Inlined) && g.agrees() && e.callsMatter(g):
		add(g.inliningCause(), 1)
	case e.checks(g) != 0 && e.grew(g, leastOwn) && g.agrees():
		add(e.boundsCause(g), 1)
	case e.grew(g, leastOwn) && g.agrees():
		add(e.ownCause(g), 1)
	case e.Counted && !e.grew(g, leastOwn):
		if _, known := e.same(g); known || g.cpu.Value != 0 {
			add(e.slowerCause(g), 1)
		}
	}
	return causes, parts
}

// grew reports whether the instructions of a group changed by at least a part of all instructions.
func (e *Evidence) grew(g *group, least float64) bool {
	return e.Counted && math.Abs(g.added) >= least*e.instructions()
}

// instructions returns the instructions of an operation on the side that has fewer.
func (e *Evidence) instructions() float64 {
	var sum [2]float64
	for _, f := range e.Functions {
		sum[0] += f.Instructions[0]
		sum[1] += f.Instructions[1]
	}
	return min(sum[0], sum[1])
}

// agrees reports whether the time of a group may have gone the way of its instructions.
func (g *group) agrees() bool {
	return g.cpu.Value*g.added >= 0 || math.Abs(g.cpu.Value) <= z95*g.cpu.Err
}

func (g *group) has(kind NoteKind) bool {
	return slices.ContainsFunc(g.notes, func(n Note) bool { return n.Kind == kind })
}

// main returns the function of a group that changed most.
func (g *group) main() *Function {
	return slices.MaxFunc(g.functions, func(a, b *Function) int {
		return cmpFloat(a.weight(), b.weight())
	})
}

// weight is how much a function changed.
func (f *Function) weight() float64 {
	if d := math.Abs(f.Instructions[1] - f.Instructions[0]); d > 0 {
		return d
	}
	return math.Abs(f.Samples[1] - f.Samples[0])
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func more(d float64, up, down string) string {
	if d < 0 {
		return down
	}
	return up
}

// short returns a symbol without the path of its package.
func short(symbol string) string { return symbol[strings.LastIndexByte(symbol, '/')+1:] }

// signed writes a count with its sign: in whole numbers from a thousand on.
func signed(x float64) string {
	if math.Abs(x) >= 1000 {
		return units.Signed(x, units.Fixed(math.Abs(x), 0))
	}
	return units.Signed(x, units.Trimmed(math.Abs(x), 4))
}

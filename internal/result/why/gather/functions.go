package gather

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
)

// kinds of functions by the part of the instructions.
var kinds = map[string]why.Kind{
	record.PartOwn: why.Own, record.PartAllocation: why.Allocator, record.PartGC: why.Allocator, record.PartScheduler: why.Scheduler,
}

// assembly are functions of internal/bytealg that the runtime's maps and strings call, too: their symbols have no package.
var assembly = []string{"memeqbody", "cmpbody"}

func kindOfCounted(f attached.FunctionChange) why.Kind {
	if slices.Contains(assembly, f.Name) {
		return why.Helper
	}
	return cmp.Or(kinds[f.Part], why.Helper)
}

// instructions takes counts by function and line.
func (g *gatherer) instructions() {
	i := slices.IndexFunc(g.res.Counted, func(x result.CountedInstructions) bool {
		return x.Pkg == g.c.Pkg && x.Name == g.c.Name && x.Procs == g.c.Procs && x.Base == g.c.Base && x.Side == g.c.Side
	})
	if i < 0 {
		return
	}
	g.profiled.Instructions, g.e.Counted = true, true
	for _, f := range g.res.Counted[i].Functions {
		x := why.Function{Symbol: symbolOf(f.Name), Base: baseOf(f.Name), Kind: kindOfCounted(f), Instructions: [2]float64{float64(f.Old), float64(f.New)}}
		for _, l := range f.Lines {
			x.Lines = append(x.Lines, why.Line{
				Place:        [2]why.Place{{Func: f.Name, File: l.File, Line: l.OldLine}, {Func: f.Name, File: l.File, Line: l.NewLine}},
				Instructions: [2]float64{float64(l.Old), float64(l.New)},
			})
		}
		g.e.Functions = append(g.e.Functions, x)
	}
	for side, b := range g.counted() {
		if b == nil {
			continue
		}
		for _, f := range b.Instructions.Functions {
			for _, l := range f.Lines {
				g.done.add(side, f.Name, l.File, l.Line)
			}
		}
	}
}

// counted returns the benchmark with counted instructions of each side.
func (g *gatherer) counted() (out [2]*result.Benchmark) {
	for side, name := range []string{g.c.Base, g.c.Side} {
		out[side] = g.side(name, func(b *result.Benchmark) bool { return b.Instructions != nil })
	}
	return out
}

// sameLines pairs the lines of functions whose machine code is the same: in order, as it has the same lines then, moved.
func (g *gatherer) sameLines() {
	sides := g.counted()
	if sides[0] == nil || sides[1] == nil {
		return
	}
	for i := range g.e.Functions {
		f := &g.e.Functions[i]
		if len(f.Lines) == 0 {
			f.Lines = linesOfOne(f, sides)
		}
		if same, known := g.e.Unchanged(f); !same || !known || f.Kind != why.Own {
			continue
		}
		old, new := linesOf(sides[0], f.Symbol), linesOf(sides[1], f.Symbol)
		if len(old) != len(new) {
			continue
		}
		f.Lines = nil
		for j, o := range old {
			n := new[j]
			f.Lines = append(f.Lines, why.Line{
				Place:        [2]why.Place{{Func: f.Symbol, File: o.File, Line: o.Line}, {Func: f.Symbol, File: n.File, Line: n.Line}},
				Instructions: [2]float64{float64(o.PerOp), float64(n.PerOp)},
			})
		}
	}
}

// linesOfOne returns the lines of a function that ran on one side only.
func linesOfOne(f *why.Function, sides [2]*result.Benchmark) (out []why.Line) {
	for side := range sides {
		if f.Instructions[side] == 0 || f.Instructions[1-side] != 0 {
			continue
		}
		for _, l := range linesOf(sides[side], f.Symbol) {
			var x why.Line
			x.Place[side] = why.Place{Func: f.Symbol, File: l.File, Line: l.Line}
			x.Instructions[side] = float64(l.PerOp)
			out = append(out, x)
		}
	}
	return out
}

// linesOf returns the lines of a function in order.
func linesOf(b *result.Benchmark, symbol string) []attached.InstructionLine {
	for _, f := range b.Instructions.Functions {
		if symbolOf(f.Name) == symbol {
			lines := slices.Clone(f.Lines)
			slices.SortFunc(lines, func(a, b attached.InstructionLine) int { return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) })
			return lines
		}
	}
	return nil
}

// abi ends the name of a function in assembly. Samples have it without.
const abi = ".abi0"

func symbolOf(name string) string { return strings.TrimSuffix(name, abi) }

// baseOf returns a symbol without type arguments.
func baseOf(name string) string { return gofunc.WithoutTypeArgs(symbolOf(name)) }

// areas of functions by that of a listing.
var areas = map[string]why.Kind{record.AreaGC: why.Allocator, record.AreaAllocator: why.Allocator, record.AreaScheduler: why.Scheduler, record.AreaKernel: why.Kernel}

// samples takes in which functions the time was.
func (g *gatherer) samples() {
	found := [2]bool{}
	at := map[string]int{}
	for i := range g.e.Functions {
		at[g.e.Functions[i].Symbol] = i
	}
	for _, p := range g.res.Listings {
		side := slices.Index([]string{g.c.Base, g.c.Side}, p.Side)
		if side < 0 || p.Pkg != g.c.Pkg || p.Name != g.c.Name || p.Procs != g.c.Procs {
			continue
		}
		found[side] = true
		for _, fork := range p.Forks {
			for _, f := range fork.Funcs {
				i, ok := at[symbolOf(f.Name)]
				if !ok {
					i = len(g.e.Functions)
					at[symbolOf(f.Name)] = i
					g.e.Functions = append(g.e.Functions, why.Function{Symbol: symbolOf(f.Name), Base: baseOf(f.Name), Kind: kindOf(f)})
				}
				g.e.Functions[i].Samples[side] += float64(f.Samples[0])
				g.e.Functions[i].Place[side] = why.Place{Func: f.Name, File: f.File, Line: f.Line}
				g.e.Samples[side] += f.Samples[0]
				for _, l := range f.Lines {
					g.done.add(side, f.Name, l.File, l.Line)
				}
			}
		}
	}
	if g.profiled.Samples = found[0] && found[1]; !g.profiled.Samples {
		g.e.Samples = [2]int64{}
	}
}

// kindOf returns what a function of a listing is for.
func kindOf(f record.AsmFunc) why.Kind {
	switch {
	case areas[f.Area] != "":
		return areas[f.Area]
	case strings.HasPrefix(f.Name, "runtime."):
		return why.Helper
	}
	return why.Own
}

package attached

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Noise of instruction counts between runs of the same code, as a share of the benchmark's instructions: see "Instructions
// by line" in docs/method.md.
const (
	OwnNoise      = 0.001 // of code outside the runtime
	RuntimeNoise  = 0.02  // of the runtime, by several forks
	FewForksNoise = 0.10  // of the runtime, by fewer than SeveralForks of a side: their spread is not known
	SeveralForks  = 3
)

// InstructionChange compares the instructions per operation of two sides: of all code, a part, a function or a line. The Deltas of
// all parts add up to the Delta of all code.
type InstructionChange struct {
	Old    stat.Number `json:"old"`
	New    stat.Number `json:"new"`
	Delta  stat.Number `json:"delta"`   // New − Old
	Beyond bool        `json:"changed"` // Delta is beyond the noise of such counts, and the forks of the sides do not overlap
}

// PartChange is a part of the instructions on two sides.
type PartChange struct {
	Part string `json:"part"`
	InstructionChange
}

// FunctionChange is a function on two sides. Old or New is 0 where the side does not list it.
type FunctionChange struct {
	Name string `json:"name"`
	Part string `json:"part"`
	InstructionChange
	Lines []LineChange `json:"lines,omitempty"` // those that differ, the largest difference first
}

// LineChange is a line on two sides. A line that only one side executes has the number 0 on the other.
type LineChange struct {
	File    string `json:"file"`
	OldLine int    `json:"old_line,omitempty"`
	NewLine int    `json:"new_line,omitempty"`
	InstructionChange
}

// InstructionChanges is what differs between two sides.
type InstructionChanges struct {
	InstructionChange                  // of all instructions
	Parts             []PartChange     `json:"parts"`     // all, in the order of record.Parts
	Functions         []FunctionChange `json:"functions"` // all that a side lists, the largest difference first
}

// CompareInstructions returns what differs from old to new.
func CompareInstructions(old, new *Instructions) *InstructionChanges {
	noise := noiseOf(old, new)
	out := &InstructionChanges{Functions: []FunctionChange{}}
	out.InstructionChange = change(old.InstructionCount, new.InstructionCount, 0)
	parts := false // one of them differs
	for _, part := range record.Parts() {
		a, b := partOf(old.Parts, part), partOf(new.Parts, part)
		if a.Count != 0 || b.Count != 0 {
			x := PartChange{part, change(a, b, noise(part))}
			out.Parts, parts = append(out.Parts, x), parts || x.Beyond
		}
	}
	out.Beyond = out.Beyond && parts
	after := map[string]*InstructionFunction{}
	for i := range new.Functions {
		after[new.Functions[i].Name] = &new.Functions[i]
	}
	for i := range old.Functions {
		f := &old.Functions[i]
		g := after[f.Name]
		delete(after, f.Name)
		out.Functions = append(out.Functions, functionChange(f, g, noise))
	}
	for _, g := range after {
		out.Functions = append(out.Functions, functionChange(nil, g, noise))
	}
	slices.SortFunc(out.Functions, func(a, b FunctionChange) int {
		return cmp.Or(larger(a.Delta, b.Delta), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// noiseOf returns the noise of a part in instructions per operation.
func noiseOf(old, new *Instructions) func(part string) float64 {
	ofRuntime := RuntimeNoise
	if min(old.Forks, new.Forks) < SeveralForks {
		ofRuntime = FewForksNoise
	}
	return func(part string) float64 {
		if part == record.PartOwn {
			return OwnNoise * float64(old.PerOp)
		}
		return ofRuntime * float64(old.PerOp)
	}
}

func larger(a, b stat.Number) int {
	return cmp.Compare(math.Abs(float64(b)), math.Abs(float64(a)))
}

func partOf(parts []InstructionPart, part string) InstructionCount {
	for _, p := range parts {
		if p.Part == part {
			return p.InstructionCount
		}
	}
	return InstructionCount{}
}

// change returns the row of two counts; noise is in instructions per operation.
func change(a, b InstructionCount, noise float64) InstructionChange {
	d := b.PerOp - a.PerOp
	disjoint := b.Lo > a.Hi || b.Hi < a.Lo
	return InstructionChange{Old: a.PerOp, New: b.PerOp, Delta: d, Beyond: disjoint && math.Abs(float64(d)) > noise}
}

// functionChange returns the row of a function, of which one side may be nil.
func functionChange(f, g *InstructionFunction, noise func(part string) float64) FunctionChange {
	var none InstructionFunction
	named := f
	if f == nil {
		f, named = &none, g
	}
	if g == nil {
		g = &none
	}
	out := FunctionChange{Name: named.Name, Part: named.Part, InstructionChange: change(f.InstructionCount, g.InstructionCount, noise(named.Part))}
	if !out.Beyond {
		return out
	}
	for _, p := range pairLines(f.Lines, g.Lines) {
		x := LineChange{InstructionChange: change(p.old.InstructionCount, p.new.InstructionCount, noise(named.Part))}
		x.File, x.OldLine, x.NewLine = cmp.Or(p.new.File, p.old.File), p.old.Line, p.new.Line
		if x.Beyond {
			out.Lines = append(out.Lines, x)
		}
	}
	slices.SortFunc(out.Lines, func(a, b LineChange) int {
		return cmp.Or(larger(a.Delta, b.Delta), cmp.Compare(a.File, b.File), a.OldLine-b.OldLine, a.NewLine-b.NewLine)
	})
	return out
}

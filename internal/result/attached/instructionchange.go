package attached

import (
	"cmp"
	"math"
	"path"
	"slices"
	"sort"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Noise of instruction counts between runs of the same code, as a share of the benchmark's instructions: see "Instructions
// by line" in docs/method.md.
const (
	OwnNoise     = 0.001 // of code outside the runtime
	RuntimeNoise = 0.02  // of the runtime
)

// InstructionChange is a row of the instructions of two sides, per operation. New − Old of all parts is that of the total.
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
	total := float64(old.PerOp)
	out := &InstructionChanges{Functions: []FunctionChange{}}
	out.InstructionChange = change(old.InstructionCount, new.InstructionCount, RuntimeNoise*total)
	for _, part := range record.Parts() {
		a, b := partOf(old.Parts, part), partOf(new.Parts, part)
		if a.Count != 0 || b.Count != 0 {
			out.Parts = append(out.Parts, PartChange{part, change(a, b, noise(part)*total)})
		}
	}
	after := map[string]*InstructionFunction{}
	for i := range new.Functions {
		after[new.Functions[i].Name] = &new.Functions[i]
	}
	for i := range old.Functions {
		f := &old.Functions[i]
		g := after[f.Name]
		delete(after, f.Name)
		out.Functions = append(out.Functions, functionChange(f, g, total))
	}
	for _, g := range after {
		out.Functions = append(out.Functions, functionChange(nil, g, total))
	}
	sort.Slice(out.Functions, func(i, j int) bool {
		a, b := out.Functions[i], out.Functions[j]
		return cmp.Or(larger(a.Delta, b.Delta), cmp.Compare(a.Name, b.Name)) < 0
	})
	return out
}

// noise returns the noise of a part as a share of all instructions.
func noise(part string) float64 {
	if part == record.PartOwn {
		return OwnNoise
	}
	return RuntimeNoise
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
	apart := b.Lo > a.Hi || b.Hi < a.Lo
	return InstructionChange{Old: a.PerOp, New: b.PerOp, Delta: d, Beyond: apart && math.Abs(float64(d)) > noise}
}

// functionChange returns the row of a function, of which one side may be nil.
func functionChange(f, g *InstructionFunction, total float64) FunctionChange {
	var none InstructionFunction
	named := f
	if f == nil {
		f, named = &none, g
	}
	if g == nil {
		g = &none
	}
	out := FunctionChange{Name: named.Name, Part: named.Part, InstructionChange: change(f.InstructionCount, g.InstructionCount, noise(named.Part)*total)}
	if !out.Beyond {
		return out
	}
	for _, p := range pairLines(f.Lines, g.Lines) {
		x := LineChange{InstructionChange: change(p.old.InstructionCount, p.new.InstructionCount, noise(named.Part)*total)}
		x.File, x.OldLine, x.NewLine = cmp.Or(p.new.File, p.old.File), p.old.Line, p.new.Line
		if x.Beyond {
			out.Lines = append(out.Lines, x)
		}
	}
	sort.Slice(out.Lines, func(i, j int) bool {
		a, b := out.Lines[i], out.Lines[j]
		return cmp.Or(larger(a.Delta, b.Delta), cmp.Compare(a.File, b.File), a.OldLine-b.OldLine, a.NewLine-b.NewLine) < 0
	})
	return out
}

// linePair is a line on two sides; a side that has it not is zero.
type linePair struct{ old, new InstructionLine }

// pairLines pairs the lines of a function, whose numbers may have moved. In each file, lines with the same count are
// paired in order, as many as possible, and between them those that remain: in order if the sides have as many, else by
// number.
func pairLines(old, new []InstructionLine) (out []linePair) {
	files := map[string][2][]InstructionLine{}
	for side, lines := range [2][]InstructionLine{old, new} {
		for _, l := range lines {
			x := files[path.Base(l.File)]
			x[side] = append(x[side], l)
			files[path.Base(l.File)] = x
		}
	}
	for _, x := range files {
		for _, lines := range x {
			sort.Slice(lines, func(i, j int) bool {
				a, b := lines[i], lines[j]
				return a.Line-b.Line < 0
			})
		}
		a, b := x[0], x[1]
		i, j := 0, 0
		for _, p := range append(commonLines(a, b), [2]int{len(a), len(b)}) {
			out = append(out, pairRest(a[i:p[0]], b[j:p[1]])...)
			if p[0] < len(a) {
				out = append(out, linePair{a[p[0]], b[p[1]]})
			}
			i, j = p[0]+1, p[1]+1
		}
	}
	return out
}

// mostCells limits the table of commonLines, for the lines of a damaged record.
const mostCells = 4_000_000

// commonLines returns the indices of a longest common subsequence: lines with the same count.
func commonLines(a, b []InstructionLine) (out [][2]int) {
	if len(a)*len(b) > mostCells {
		return nil
	}
	longest := make([][]int, len(a)+1) // of a[i:] and b[j:]
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if sameCount(a[i], b[j]) {
				longest[i][j] = max(longest[i][j], longest[i+1][j+1]+1)
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case sameCount(a[i], b[j]) && longest[i][j] == longest[i+1][j+1]+1:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

func sameCount(a, b InstructionLine) bool {
	x, y := float64(a.PerOp), float64(b.PerOp)
	return math.Abs(x-y) <= OwnNoise*max(math.Abs(x), math.Abs(y))
}

// pairRest pairs lines between those that are the same on both sides.
func pairRest(a, b []InstructionLine) (out []linePair) {
	if len(a) == len(b) {
		for i := range a {
			out = append(out, linePair{a[i], b[i]})
		}
		return out
	}
	for _, l := range a {
		k := slices.IndexFunc(b, func(x InstructionLine) bool { return x.Line == l.Line })
		if k < 0 {
			out = append(out, linePair{old: l})
			continue
		}
		out = append(out, linePair{l, b[k]})
		b = slices.Delete(slices.Clone(b), k, k+1)
	}
	for _, l := range b {
		out = append(out, linePair{new: l})
	}
	return out
}

package attached

import (
	"math"
	"path"
	"slices"
)

// linePair is a line of source on both sides. The side that lacks it has the zero value.
type linePair struct{ old, new InstructionLine }

// pairLines pairs the lines of a function on two sides. A line may have another number on the new side. In each file, lines with the
// same count are paired in order, as many as possible. The lines between two such pairs are paired in order if both sides have as
// many, and else by their numbers.
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
			slices.SortFunc(lines, func(a, b InstructionLine) int { return a.Line - b.Line })
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

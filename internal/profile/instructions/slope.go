package instructions

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
)

// Limits of what a fork's attachment lists.
const (
	maxFunctions = 200
	maxLines     = 1000
	leastShare   = 1e-4 // of all instructions, for a function or a line to be listed
)

// function is a function of the machine code with its rows.
type function struct {
	name, part string
	count      int64
	lines      []line
}

type line struct {
	file   string
	number int
	count  int64
}

// slopes returns what hi counted beyond lo, by function and line: the functions and their lines with the largest counts,
// and the rest in sums.
func slopes(lo, hi counts, ops int64) *record.Instructions {
	functions := differences(lo, hi)
	out := &record.Instructions{Ops: ops, Total: hi.total - lo.total, Files: []string{}}
	moved := int64(0)
	for _, f := range functions {
		moved += abs(f.count)
	}
	files, left := map[string]int{}, maxLines
	least := int64(leastShare * float64(moved))
	rest := map[string]*record.InstructionRest{}
	for _, f := range functions {
		if len(out.Functions) < maxFunctions && abs(f.count) >= max(1, least) {
			x := record.InstructionFunction{Name: f.name, Part: f.part, Count: f.count, Rest: f.count}
			for _, l := range f.lines {
				if left == 0 || abs(l.count) < max(1, least) {
					break // the largest are first
				}
				at, ok := files[l.file]
				if !ok {
					at = len(out.Files)
					files[l.file], out.Files = at, append(out.Files, l.file)
				}
				x.Lines, x.Rest, left = append(x.Lines, record.InstructionLine{File: at, Line: l.number, Count: l.count}), x.Rest-l.count, left-1
			}
			out.Functions = append(out.Functions, x)
			continue
		}
		if rest[f.part] == nil {
			rest[f.part] = &record.InstructionRest{Part: f.part}
		}
		rest[f.part].Functions++
		rest[f.part].Count += f.count
	}
	for _, part := range record.Parts() {
		if r := rest[part]; r != nil {
			out.Rest = append(out.Rest, *r)
		}
	}
	return out
}

// differences returns the functions of two processes with what hi counted beyond lo. Functions, and the lines of each, are
// sorted by this difference, the largest first.
func differences(lo, hi counts) []function {
	rows := map[string]map[row]int64{}
	weights := map[string]map[string]int64{} // of the files of a function
	for i, c := range []counts{lo, hi} {
		for r, n := range c.rows {
			if rows[r.fn] == nil {
				rows[r.fn], weights[r.fn] = map[row]int64{}, map[string]int64{}
			}
			if i == 0 {
				rows[r.fn][r] -= n
			} else {
				rows[r.fn][r] += n
			}
			weights[r.fn][r.file] += n
		}
	}
	var out []function
	for name, rs := range rows {
		f := function{name: name, part: partOf(name, heaviest(weights[name]))}
		for r, n := range rs {
			f.count += n
			if n != 0 {
				f.lines = append(f.lines, line{r.file, r.line, n})
			}
		}
		slices.SortFunc(f.lines, func(a, b line) int {
			return cmp.Or(cmp.Compare(abs(b.count), abs(a.count)), cmp.Compare(a.file, b.file), cmp.Compare(a.number, b.number))
		})
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b function) int {
		return cmp.Or(cmp.Compare(abs(b.count), abs(a.count)), cmp.Compare(a.name, b.name))
	})
	return out
}

// heaviest returns files, those with the most instructions first.
func heaviest(weights map[string]int64) []string {
	var out []string
	for file := range weights {
		out = append(out, file)
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	return out
}

func abs(n int64) int64 { return max(n, -n) }

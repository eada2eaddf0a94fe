package attached

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Instructions are the instructions of a benchmark by function and line. Counts are sums over all forks that counted, of
// Ops operations, so that parts add up to the total exactly. See [record.Instructions].
type Instructions struct {
	Forks int   `json:"forks"`
	Ops   int64 `json:"ops"` // operations of all forks
	InstructionCount
	Parts     []InstructionPart     `json:"parts"`     // all instructions by part, in the order of record.Parts
	Functions []InstructionFunction `json:"functions"` // most instructions first
	Rest      []InstructionPart     `json:"rest,omitempty"`
}

// InstructionCount is a count of instructions. Lo and Hi are the extremes per operation of the forks that list the row.
type InstructionCount struct {
	Count int64       `json:"count"` // of all forks and operations
	PerOp stat.Number `json:"per_op"`
	Lo    stat.Number `json:"lo"`
	Hi    stat.Number `json:"hi"`

	forks int // that list it
}

// InstructionPart is a part of all instructions. In Rest it is what no function of the list has.
type InstructionPart struct {
	Part string `json:"part"` // one of the record.Part constants
	InstructionCount
}

// InstructionFunction is a function of the machine code, with what was inlined into it.
type InstructionFunction struct {
	Name string `json:"name"`
	Part string `json:"part"`
	InstructionCount
	Lines []InstructionLine `json:"lines,omitempty"` // most instructions first
	Rest  int64             `json:"rest,omitempty"`  // count of the lines that are not listed
}

// InstructionLine is a line of source.
type InstructionLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
	InstructionCount
}

// Own returns the instructions outside the runtime.
func (x *Instructions) Own() InstructionCount {
	for _, p := range x.Parts {
		if p.Part == record.PartOwn {
			return p.InstructionCount
		}
	}
	return InstructionCount{}
}

// add adds what a fork counted of a row.
func (c *InstructionCount) add(n, ops int64) {
	perOp := stat.Number(float64(n) / float64(ops))
	if c.forks == 0 {
		c.Lo, c.Hi = perOp, perOp
	}
	c.Count, c.forks = c.Count+n, c.forks+1
	c.Lo, c.Hi = min(c.Lo, perOp), max(c.Hi, perOp)
}

// total sets PerOp.
func (c *InstructionCount) total(ops int64) { c.PerOp = stat.Number(float64(c.Count) / float64(ops)) }

// AddInstructions returns what all forks that counted come to, nil if there are none.
func AddInstructions(forks []*record.Instructions) *Instructions {
	if len(forks) == 0 {
		return nil
	}
	out := &Instructions{Forks: len(forks), Functions: []InstructionFunction{}}
	functions := map[string]*instructionSum{}
	parts, rest := map[string]*InstructionCount{}, map[string]*InstructionCount{}
	for _, x := range forks {
		out.Ops += x.Ops
		out.add(x.Total, x.Ops)
		here := map[string]int64{}
		for i := range x.Functions {
			f := &x.Functions[i]
			if functions[f.Name] == nil {
				functions[f.Name] = &instructionSum{InstructionFunction{Name: f.Name, Part: f.Part}, map[sourceLine]*InstructionCount{}}
			}
			functions[f.Name].add(x, f)
			here[functions[f.Name].Part] += f.Count
		}
		for _, r := range x.Rest {
			here[r.Part] += r.Count
			countOf(rest, r.Part).add(r.Count, x.Ops)
		}
		for part, n := range here {
			countOf(parts, part).add(n, x.Ops)
		}
	}
	out.total(out.Ops)
	for _, f := range functions {
		out.Functions = append(out.Functions, f.function(out.Ops))
	}
	slices.SortFunc(out.Functions, func(a, b InstructionFunction) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	out.Parts, out.Rest = partList(parts, out.Ops), partList(rest, out.Ops)
	return out
}

func countOf[K comparable](m map[K]*InstructionCount, key K) *InstructionCount {
	if m[key] == nil {
		m[key] = &InstructionCount{}
	}
	return m[key]
}

// partList returns parts in the order of record.Parts, those of other versions last.
func partList(parts map[string]*InstructionCount, ops int64) []InstructionPart {
	var out []InstructionPart
	for part, c := range parts {
		c.total(ops)
		out = append(out, InstructionPart{part, *c})
	}
	order := func(part string) int {
		if i := slices.Index(record.Parts(), part); i >= 0 {
			return i
		}
		return len(record.Parts())
	}
	slices.SortFunc(out, func(a, b InstructionPart) int {
		return cmp.Or(cmp.Compare(order(a.Part), order(b.Part)), cmp.Compare(a.Part, b.Part))
	})
	return out
}

// sourceLine identifies a source line.
type sourceLine struct {
	file string
	line int
}

// instructionSum is a function whose forks are added up.
type instructionSum struct {
	InstructionFunction
	lines map[sourceLine]*InstructionCount
}

func (s *instructionSum) add(x *record.Instructions, f *record.InstructionFunction) {
	s.InstructionCount.add(f.Count, x.Ops)
	s.Rest += f.Rest
	for _, l := range f.Lines {
		countOf(s.lines, sourceLine{x.Files[l.File], l.Line}).add(l.Count, x.Ops)
	}
}

func (s *instructionSum) function(ops int64) InstructionFunction {
	s.total(ops)
	for at, c := range s.lines {
		c.total(ops)
		s.Lines = append(s.Lines, InstructionLine{at.file, at.line, *c})
	}
	slices.SortFunc(s.Lines, func(a, b InstructionLine) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return s.InstructionFunction
}

package render

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

// mostCompiled is how many functions are listed of a package, unless all are asked for.
const mostCompiled = 10

// compiled shows what the compiler said about the functions that benchmarks reach, of a run that compares nothing.
func (p *view) compiled(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{
		{}, {Title: "line", Gap: 3, Drop: 1}, {Title: "inlined at cost", Gap: 3, Kind: table.Right, Drop: 2}, {Title: "code", Kind: table.Right},
		{Title: "frame", Kind: table.Right}, {Title: "escapes", Kind: table.Right}, {Title: "checks", Kind: table.Right}, {Title: "calls inlined", Kind: table.Right, Drop: 3},
	}}, least: 16, subject: "function", notes: []string{
		"code and frame: bytes, – if every call is inlined; escapes: places that allocate on the heap; checks: of indices and slices, in code inlined there too",
	}}
	if s.Run != nil && len(s.Run.Sides) > 1 { // only differences are shown
		return out
	}
	for i := range s.Compiled {
		x := &s.Compiled[i]
		title := "compiler: " + p.Name(x.Pkg)
		if x.Side != "" {
			title += ", " + p.Name(x.Side)
		}
		out.table.Blocks = append(out.table.Blocks, table.Block{Title: title, Lines: p.compiledLines(s, x, all)})
	}
	return out
}

func (p *view) compiledLines(s *result.Result, x *result.Compiled, all bool) (lines []table.Line) {
	list := reachedFunctions(s, x)
	for i, f := range list {
		if !all && i >= mostCompiled && len(list) > mostCompiled+1 {
			text := units.Plural(len(list)-i, "more function") + " that the benchmarks reach; -v shows all"
			return append(lines, dimLine(text))
		}
		lines = append(lines, p.compiledLine(f))
	}
	if len(list) == 0 {
		lines = append(lines, dimLine("the benchmarks reach no function of the package by direct calls"))
	}
	return lines
}

// reachedFunctions returns the functions that benchmarks reach: the hottest first if machine code was sampled, else those
// of which the compiler said most.
func reachedFunctions(s *result.Result, x *result.Compiled) (out []*record.CompiledFunction) {
	samples := map[string]int64{}
	for i := range s.Listings {
		if l := &s.Listings[i]; l.Pkg == x.Pkg && l.Side == x.Side {
			hot, _ := hottest(l.Forks)
			for _, h := range hot {
				samples[h.name] += h.samples
			}
		}
	}
	weight := func(f *record.CompiledFunction) int64 { return samples[f.Pkg+"."+f.Name] }
	for i := range x.Functions {
		if f := &x.Functions[i]; f.Reached {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *record.CompiledFunction) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(costs(b), costs(a)))
	})
	return out
}

// costs returns how many notes of a function are about what costs time.
func costs(f *record.CompiledFunction) int {
	return countNotes(f, record.NoteEscape) + countNotes(f, record.NoteBounds, record.NoteSliceBounds)
}

func countNotes(f *record.CompiledFunction, kinds ...string) (n int) {
	for i := range f.Notes {
		if slices.Contains(kinds, f.Notes[i].Kind) {
			n++
		}
	}
	return n
}

func (p *view) compiledLine(f *record.CompiledFunction) table.Line {
	inlined, code, frame := "no", "–", "–"
	for i := range f.Notes {
		if n := &f.Notes[i]; n.Kind == record.NoteInlinable {
			inlined = strconv.Itoa(n.Cost)
		}
	}
	if f.Copies > 0 {
		code, frame = strconv.Itoa(f.Size), strconv.Itoa(f.Frame)
	}
	l := table.Line{Cells: []table.Cell{{Text: "  " + p.Name(f.Name)}, {Text: p.Name(f.File) + ":" + strconv.Itoa(f.Line)}, {Text: inlined}, {Text: code}, {Text: frame}}}
	for _, n := range []int{countNotes(f, record.NoteEscape), countNotes(f, record.NoteBounds, record.NoteSliceBounds), countNotes(f, record.NoteInlined)} {
		l.Cells = append(l.Cells, table.Cell{Text: strconv.Itoa(n)})
	}
	return l
}

package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

// instructionChanges shows what differs in the instructions of benchmarks that were counted on two sides: functions and
// lines outside the runtime, then the parts of the runtime, which add up to the whole difference.
func (p *view) instructionChanges(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{
		{}, {Title: "line", Drop: 3}, {Title: "old/op", Gap: 3, Kind: table.Right, Drop: 1}, {Title: "new/op", Kind: table.Right, Drop: 2},
		{Title: "difference", Kind: table.Right}, {Title: "of old", Kind: table.Right}, {Gap: 2},
	}}, least: 20, subject: "function", notes: []string{changesNote}}
	same := 0
	for i := range s.Counted {
		c := &s.Counted[i]
		if !all && !changedInstructions(c) {
			same++
			continue
		}
		title := "instructions of " + p.benchmark(c.Name, c.Procs, s.Run != nil && len(s.Run.Config.CPU) > 1) + ", " + p.Name(c.Base) + " → " + p.Name(c.Side)
		out.table.Blocks = append(out.table.Blocks, table.Block{Title: title, Lines: p.changeLines(c, all)})
	}
	if same > 0 && len(out.table.Blocks) > 0 {
		out.notes = append(out.notes, units.Plural(same, "more benchmark")+" without a difference in its instructions beyond noise; -v shows all")
	}
	return out
}

const changesNote = "differences are per operation; those outside the runtime are listed from 0.1 % of the benchmark's instructions on, which counts of the same code " +
	"mostly do not reach. Within noise: the forks of both sides overlap, or differ by less than 0.1 % of all instructions, in the runtime 2 %, and 10 % with fewer than 3 forks of a side"

// changedInstructions reports whether a part differs beyond noise.
func changedInstructions(c *result.CountedInstructions) bool {
	for _, part := range c.Parts {
		if part.Beyond {
			return true
		}
	}
	for i := range c.Functions {
		if c.Functions[i].Beyond && c.Functions[i].Part == record.PartOwn {
			return true
		}
	}
	return false
}

const leastDifference = 0.005 // instructions per operation that are not rounded to 0

// differenceLine returns a row of which only the difference is known.
func differenceLine(name string, d, total float64) table.Line {
	return table.Line{Cells: []table.Cell{{Text: name}, {}, {}, {}, {Text: difference(d)}, {Text: shareOf(d, total)}}}
}

func (p *view) changeLines(c *result.CountedInstructions, all bool) (out []table.Line) {
	total := float64(c.Old)
	most := mostCounted
	if all {
		most = mostCountedAll
	}
	hidden := 0.0
	for _, part := range c.Parts {
		if !all && part.Part != record.PartOwn && math.Abs(float64(part.Delta)) < leastCountedAll*total {
			hidden += float64(part.Delta)
			continue
		}
		out = append(out, changeLine("  "+p.partName(part.Part), "", part.InstructionChange, total, true))
		if part.Part != record.PartOwn && !all {
			continue
		}
		shown, rest := 0, float64(part.Delta)
		for i := range c.Functions {
			f := &c.Functions[i]
			if f.Part != part.Part || !f.Beyond || shown == most {
				continue
			}
			shown, rest = shown+1, rest-float64(f.Delta)
			out = append(out, p.changeFunction(c.Pkg, f, total, all)...)
		}
		if shown > 0 && math.Abs(rest) >= leastDifference {
			out = append(out, differenceLine("    other functions", rest, total))
		}
	}
	if math.Abs(hidden) >= leastDifference {
		out = append(out, differenceLine("  runtime: the rest", hidden, total))
	}
	return append(out, changeLine("  all instructions", "", c.InstructionChange, total, true))
}

// changeFunction returns the row of a function and those of its lines that differ.
func (p *view) changeFunction(pkg string, f *attached.FunctionChange, total float64, all bool) []table.Line {
	most := mostLines
	if all {
		most = mostCountedAll
	}
	out := []table.Line{changeLine("    "+p.Name(funcName(f.Name, pkg)), "", f.InstructionChange, total, false)}
	for _, l := range f.Lines[:min(len(f.Lines), most)] {
		out = append(out, changeLine("", p.Name(movedLine(&l)), l.InstructionChange, total, false))
	}
	return out
}

// movedLine names a line by its number on both sides: sum.go:7, sum.go:7 → 9.
func movedLine(l *attached.LineChange) string {
	switch {
	case l.OldLine == l.NewLine || l.OldLine == 0:
		return sourceLine(l.File, l.NewLine)
	case l.NewLine == 0:
		return sourceLine(l.File, l.OldLine)
	}
	return fmt.Sprintf("%s → %d", sourceLine(l.File, l.OldLine), l.NewLine)
}

func changeLine(name, line string, c attached.InstructionChange, total float64, mark bool) table.Line {
	l := table.Line{Cells: []table.Cell{
		{Text: name}, {Text: line}, {Text: countOrNone(float64(c.Old))}, {Text: countOrNone(float64(c.New))}, {Text: difference(float64(c.Delta))}, {Text: shareOf(float64(c.Delta), total)},
	}}
	if mark && !c.Beyond && c.Delta != 0 {
		l.Cells = append(l.Cells, table.Cell{Text: "within noise", Style: termtext.Dim})
	}
	return l
}

func countOrNone(n float64) string {
	if n == 0 {
		return units.None
	}
	return countPerOp(n)
}

// difference writes instructions per operation with a sign.
func difference(n float64) string { return withSign(n, countPerOp(math.Abs(n))) }

// shareOf writes a difference as a share of all instructions of the old side.
func shareOf(n, total float64) string {
	if total == 0 {
		return units.None
	}
	return withSign(n, units.PercentTo(math.Abs(n)/total, 2))
}

// withSign returns the text of a magnitude with the sign of n. What is rounded to 0 has none.
func withSign(n float64, text string) string {
	if strings.Trim(text, "0. %") == "" {
		return text
	}
	if n < 0 {
		return "−" + text
	}
	return "+" + text
}

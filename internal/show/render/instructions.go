package render

import (
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

const (
	mostCounted     = 5     // functions of a benchmark that are shown, unless all are asked for
	mostLines       = 3     // of a function, unless all are asked for
	mostCountedAll  = 40    // and then, of either
	leastCounted    = 0.01  // of all instructions, for a function or line to be shown
	leastCountedAll = 0.001 // of all instructions, for a function or line to be shown if all are asked for
)

// partNames are what parts of the instructions are called, by the Part constants of package record.
var partNames = map[string]string{
	record.PartOwn:        "outside the runtime",
	record.PartAllocation: "runtime: allocation",
	record.PartGC:         "runtime: garbage collector",
	record.PartScheduler:  "runtime: scheduler, locks, timers",
	record.PartMaps:       "runtime: maps",
	record.PartChannels:   "runtime: channels",
	record.PartMemmove:    "runtime: copying and clearing memory",
	record.PartRuntime:    "runtime: other",
	record.PartUnknown:    "code without symbols",
}

func (p *view) partName(part string) string {
	if name := partNames[part]; name != "" {
		return name
	}
	return p.Name(part)
}

// instructions shows the functions and lines of each benchmark whose instructions were counted.
func (p *view) instructions(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{
		{}, {Title: "line", Drop: 3}, {Title: "instructions/op", Gap: 3, Kind: table.Right}, {Title: "share", Kind: table.Right, Drop: 2},
		{Title: "range of forks", Kind: table.Right, Drop: 1},
	}}, least: 20, subject: "function", notes: []string{instructionsNote}}
	for _, r := range result.InOrder(s.Results) {
		if r.Instructions == nil || len(s.Counted) > 0 && !all {
			continue
		}
		name := p.named(r.Pkg, r.Name, r.Procs, r.Side)
		out.table.Blocks = append(out.table.Blocks, table.Block{
			Title: "instructions of " + name + ", " + units.Plural(r.Instructions.Forks, "fork"), Lines: p.countedLines(r.Pkg, r.Instructions, all),
		})
	}
	return out
}

// instructionsNote says how far the counts can be relied on.
const instructionsNote = "a line is that of the source, of inlined code too; a function has what was inlined into it. Outside the runtime, counts mostly repeat within " +
	"0.1 % from run to run. Those of the runtime, and with them the total, vary more, mostly by less than 2 % of the total: garbage collection and scheduling depend on time"

// countedLines returns the rows of a benchmark, which add up to its total: functions outside the runtime with their lines,
// then the parts of the runtime.
func (p *view) countedLines(pkg string, x *attached.Instructions, all bool) (out []table.Line) {
	total := float64(x.PerOp)
	most, least := mostCounted, leastCounted
	if all {
		most, least = mostCountedAll, leastCountedAll
	}
	hidden := 0.0
	for _, part := range x.Parts {
		if !all && part.Part != record.PartOwn && math.Abs(float64(part.PerOp)) < least*total {
			hidden += float64(part.PerOp)
			continue
		}
		out = append(out, countedLine("  "+p.partName(part.Part), "", part.InstructionCount, total))
		if part.Part != record.PartOwn && !all {
			continue
		}
		shown, rest := 0, part.Count
		for i := range x.Functions {
			f := &x.Functions[i]
			if f.Part != part.Part || shown == most || float64(f.PerOp) < least*total {
				continue
			}
			shown, rest = shown+1, rest-f.Count
			out = append(out, p.countedFunction(pkg, f, total, all)...)
		}
		if shown > 0 && rest != 0 {
			out = append(out, restLine("    other functions", float64(rest)/float64(x.Ops), total))
		}
	}
	if hidden != 0 {
		out = append(out, restLine("  runtime: the rest", hidden, total))
	}
	return append(out, countedLine("  all instructions", "", x.InstructionCount, total))
}

// countedFunction returns the row of a function and those of its lines. If a function has one line, they are one row.
func (p *view) countedFunction(pkg string, f *attached.InstructionFunction, total float64, all bool) []table.Line {
	most, least := mostLines, leastCounted
	if all {
		most, least = mostCountedAll, leastCountedAll
	}
	var lines []table.Line
	shown := 0
	for _, l := range f.Lines {
		if shown == most || float64(l.PerOp) < least*total {
			break
		}
		shown++
		lines = append(lines, countedLine("", p.Name(sourceLine(l.File, l.Line)), l.InstructionCount, total))
	}
	name := "    " + p.Name(funcName(f.Name, pkg))
	if len(f.Lines) == 1 && len(lines) == 1 && f.Rest == 0 {
		return []table.Line{countedLine(name, p.Name(sourceLine(f.Lines[0].File, f.Lines[0].Line)), f.InstructionCount, total)}
	}
	return append([]table.Line{countedLine(name, "", f.InstructionCount, total)}, lines...)
}

func countedLine(name, line string, c attached.InstructionCount, total float64) table.Line {
	l := restLine(name, float64(c.PerOp), total)
	l.Cells[1].Text = line
	if float64(c.Hi-c.Lo) > attached.OwnNoise*math.Abs(float64(c.PerOp)) {
		l.Cells = append(l.Cells, table.Cell{Text: countPerOp(float64(c.Lo)) + units.Dots + countPerOp(float64(c.Hi)), Style: termtext.Dim})
	}
	return l
}

// restLine returns a row without a range.
func restLine(name string, n, total float64) table.Line {
	return table.Line{Cells: []table.Cell{{Text: name}, {}, {Text: countPerOp(n)}, {Text: units.PercentTo(n/total, 1)}}}
}

// countPerOp writes instructions per operation: whole from 100 on.
func countPerOp(n float64) string {
	if math.Abs(n) < 100 {
		return units.Rounding{Places: 2, Trim: true}.Text(n)
	}
	return units.Fixed(n, 0)
}

// sourceLine names a line by the last element of its file.
func sourceLine(file string, line int) string {
	switch {
	case file == "" || strings.HasPrefix(file, "?"):
		return ""
	case line == 0:
		return path.Base(file)
	}
	return fmt.Sprintf("%s:%d", path.Base(file), line)
}

package render

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

const (
	mostSampled  = 5    // functions of a benchmark that was sampled, unless all are asked for
	leastSampled = 0.01 // of its samples
)

// sampled shows the hottest functions of what was sampled. Package listing shows their code.
func (p *view) sampled(s *result.Result, all bool) section {
	tb := &table.Table{Columns: []table.Column{{}, {Title: "share", Gap: 3, Kind: table.Right}, {Title: "samples", Kind: table.Right}}}
	for i := range s.Listings {
		tb.Blocks = append(tb.Blocks, p.sampledBlock(&s.Listings[i], all))
	}
	return section{table: tb, least: 10, subject: "function", notes: []string{"tare asm, given the record, shows their machine code"}}
}

func (p *view) sampledBlock(x *result.Profiled[record.Asm], all bool) table.Block {
	name := p.benchmark(x.Name, 0, false)
	if x.Side != "" {
		name += ", " + p.Name(x.Side)
	}
	b := table.Block{Title: "hottest functions of " + name + ", by " + p.Name(x.Forks[0].Events[0].Name)}
	funcs, total := hottest(x.Forks)
	shown := int64(0)
	for i, f := range funcs {
		if !all && (i >= mostSampled || float64(f.samples) < leastSampled*float64(total)) {
			break
		}
		shown += f.samples
		b.Lines = append(b.Lines, sampledLine(p.Name(funcName(f.name, x.Pkg)), f.samples, total))
	}
	if rest := total - shown; rest > 0 {
		b.Lines = append(b.Lines, sampledLine("other functions", rest, total))
	}
	return b
}

func sampledLine(name string, n, total int64) table.Line {
	return table.Line{Cells: []table.Cell{{Text: "  " + name}, {Text: units.PercentTo(float64(n)/float64(total), 1)}, {Text: units.Count(n)}}}
}

// hotFunction is a function with the samples of the first event that all forks
// found it with.
type hotFunction struct {
	name    string
	samples int64
}

// hottest adds up the forks: the functions, the hottest first, and all samples.
func hottest(asms []*record.Asm) (out []hotFunction, total int64) {
	sums := map[string]int64{}
	for _, a := range asms {
		for i := range a.Funcs {
			sums[a.Funcs[i].Name] += a.Funcs[i].Samples[0]
			total += a.Funcs[i].Samples[0]
		}
	}
	for name, n := range sums {
		if n > 0 {
			out = append(out, hotFunction{name, n})
		}
	}
	slices.SortFunc(out, func(a, b hotFunction) int {
		return cmp.Or(cmp.Compare(b.samples, a.samples), cmp.Compare(a.name, b.name))
	})
	return out, total
}

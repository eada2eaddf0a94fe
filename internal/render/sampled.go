package render

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

const (
	mostSampled  = 5    // functions of a benchmark that was sampled, unless all are asked for
	leastSampled = 0.01 // of its samples
)

// sampled prints the hottest functions of what was sampled. Their code is the
// matter of package report/listing.
func (t *textReport) sampled(s *result.Result, all bool) {
	if len(s.Sampled) == 0 {
		return
	}
	tb := &table{columns: []column{{}, {title: "share", gap: 3, kind: ends}, {title: "samples", gap: 2, kind: ends}}}
	for i := range s.Sampled {
		tb.blocks = append(tb.blocks, t.sampledBlock(&s.Sampled[i], all))
	}
	sizes := tb.layout()
	tb.shrink(t.glyphs, max(10, t.n-(tb.total(sizes)-sizes[0].whole)), sizes)
	t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
	t.print(termtext.Dim, t.Text("tare asm, given the record, shows their machine code"))
	t.print(termtext.Normal, "")
}

func (t *textReport) sampledBlock(x *result.Sampled, all bool) tableBlock {
	name := t.benchmark(x.Name, 0, false)
	if x.Side != "" {
		name += ", " + t.Name(x.Side)
	}
	b := tableBlock{title: t.Middle("hottest functions of "+name+", by "+x.Asm[0].Events[0].Name, t.n)}
	funcs, total := hottest(x.Asm)
	shown := int64(0)
	for i, f := range funcs {
		if !all && (i >= mostSampled || float64(f.samples) < leastSampled*float64(total)) {
			break
		}
		shown += f.samples
		b.lines = append(b.lines, sampledLine("  "+funcName(f.name, x.Pkg), f.samples, total))
	}
	if rest := total - shown; rest > 0 {
		b.lines = append(b.lines, sampledLine("  other functions", rest, total))
	}
	return b
}

func sampledLine(name string, n, total int64) tableLine {
	return tableLine{cells: []cell{{text: name}, {text: fmt.Sprintf("%.1f %%", 100*float64(n)/float64(total))}, {text: group(strconv.FormatInt(n, 10))}}}
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
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return cmp.Or(cmp.Compare(b.samples, a.samples), cmp.Compare(a.name, b.name)) < 0
	})
	return out, total
}

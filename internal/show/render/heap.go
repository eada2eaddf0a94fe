package render

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

const (
	mostParts  = 5        // of a heap that are shown, unless all are asked for
	allParts   = 20       // and then
	leastShare = 0.001    // of the heap that is shown, unless all are asked for
	leastHeap  = 16 << 10 // bytes that are worth a table, unless all are asked for: package testing holds some itself
)

// heaps shows what occupied the heaps that were examined: a block by site for each, and one
// by type where that says more.
func (p *view) heaps(s *result.Result, all bool) section {
	tb := &table.Table{Columns: []table.Column{
		{}, {Title: "line", Drop: 2}, {Title: "bytes", Gap: 3, Kind: table.Right}, {Title: "share", Kind: table.Right},
		{Title: "objects", Kind: table.Right}, {Title: "type", Drop: 1, Max: 32},
	}}
	for _, r := range result.InOrder(s.Results) {
		if r.Heap == nil || !all && r.Heap.Bytes < leastHeap {
			continue
		}
		name := p.named(r.Pkg, r.Name, r.Procs, r.Side)
		tb.Blocks = append(tb.Blocks, table.Block{Title: "heap of " + name + " by site", Lines: p.heapSites(r.Pkg, r.Heap, all)})
		if all || telling(r.Heap) {
			tb.Blocks = append(tb.Blocks, table.Block{Title: "heap of " + name + " by type", Lines: p.heapTypes(r.Heap, all)})
		}
		last := &tb.Blocks[len(tb.Blocks)-1]
		for _, n := range heapNotes(r.Heap) {
			last.Lines = append(last.Lines, dimLine(n))
		}
	}
	return section{table: tb, least: 20, subject: "function or type"}
}

// telling reports whether the types say more than the sites do: one of some weight
// comes from several.
func telling(h *result.Heap) bool {
	sites := map[string]int{}
	for _, s := range h.Sites {
		if s.Share >= leastShare {
			sites[s.Type]++
		}
	}
	for _, t := range h.Types {
		if sites[t.Type] > 1 {
			return true
		}
	}
	return false
}

// shown returns how many parts are, of n.
func shown(n int, all bool, share func(int) result.Number) int {
	if all {
		return min(n, allParts)
	}
	k := 0
	for k < min(n, mostParts) && (k == 0 || share(k) >= leastShare) {
		k++
	}
	return k
}

func (p *view) heapSites(pkg string, h *result.Heap, all bool) []table.Line {
	var out []table.Line
	k := shown(len(h.Sites), all, func(i int) result.Number { return h.Sites[i].Share })
	for i := range h.Sites[:k] {
		x := &h.Sites[i]
		file, typ := "", typeName(x.Type)
		if x.File != "" {
			file = path.Base(x.File) + ":" + strconv.Itoa(x.Line)
		}
		if h.NoTypes != "" {
			typ = ""
		}
		out = append(out, heapLine(p.Name(funcName(x.Func, pkg)), p.Name(file), x.HeapPart, p.Name(typ)))
		if all && len(x.Path) > 0 {
			callers := make([]string, len(x.Path))
			for i, f := range x.Path {
				callers[i] = "from " + p.Name(funcName(f, pkg))
			}
			out = append(out, table.Line{Wide: strings.Join(callers, ", "), Indent: 4, Style: termtext.Dim})
		}
	}
	rest := h.Rest
	for _, x := range h.Sites[k:] {
		rest = plus(rest, x.HeapPart)
	}
	return withRest(out, rest, "other sites")
}

func (p *view) heapTypes(h *result.Heap, all bool) []table.Line {
	var out []table.Line
	k := shown(len(h.Types), all, func(i int) result.Number { return h.Types[i].Share })
	for _, x := range h.Types[:k] {
		out = append(out, heapLine(p.Name(typeName(x.Type)), "", x.HeapPart, ""))
	}
	rest := h.Rest
	for _, x := range h.Types[k:] {
		rest = plus(rest, x.HeapPart)
	}
	return withRest(out, rest, "others")
}

func withRest(lines []table.Line, rest result.HeapPart, name string) []table.Line {
	if rest.Bytes == 0 {
		return lines
	}
	return append(lines, heapLine(name, "", rest, ""))
}

func plus(a, b result.HeapPart) result.HeapPart {
	return result.HeapPart{Bytes: a.Bytes + b.Bytes, Objects: a.Objects + b.Objects, Share: a.Share + b.Share}
}

func heapLine(name, file string, x result.HeapPart, typ string) table.Line {
	objects := units.Value("", float64(x.Objects), 3)
	if x.Objects < 10_000 {
		objects = units.Count(x.Objects)
	}
	return table.Line{Cells: []table.Cell{
		{Text: "  " + name}, {Text: file}, {Text: units.Value("B", float64(x.Bytes), 3)}, {Text: units.PercentTo(float64(x.Share), 1)}, {Text: objects}, {Text: typ},
	}}
}

// funcName returns the name of a function with the last element of its package's path,
// and without it if that is the package of the benchmark.
func funcName(f, pkg string) string {
	if name, ok := strings.CutPrefix(f, pkg+"."); ok && pkg != "" {
		return name
	}
	dot := strings.IndexAny(f, "[(") // what follows may hold other paths
	if dot < 0 {
		dot = len(f)
	}
	return f[strings.LastIndexByte(f[:dot], '/')+1:]
}

func typeName(t string) string {
	if t == "" {
		return "unknown"
	}
	return t
}

// heapNotes say how good the figures are.
func heapNotes(h *result.Heap) []string {
	text := units.Plural(h.Forks, "fork")
	if h.When == record.HeapMidRun {
		text += ", read while it ran"
	}
	text += fmt.Sprintf(", one sample in %s", units.Value("B", float64(h.Rate), 3))
	if e := samplingError(h); e != "" {
		text += ": the error of the first site is ± " + e
	}
	text += fmt.Sprintf("; all sites together %s", units.Value("B", float64(h.Bytes), 3))
	if h.Growth > 0 {
		text += fmt.Sprintf(", heap growth in these forks %s", units.Value("B", float64(h.Growth), 3))
	}
	out := []string{text}
	if h.NoTypes != "" {
		out = append(out, "types: not available: "+h.NoTypes)
	}
	return out
}

// samplingError returns the standard deviation of the heaviest site's bytes, relative.
func samplingError(h *result.Heap) string {
	if len(h.Sites) == 0 || h.Sites[0].Bytes == 0 || h.Sites[0].SD == 0 {
		return ""
	}
	return units.Percent(float64(h.Sites[0].SD) / float64(h.Sites[0].Bytes))
}

package render

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// heapBlock says in words what occupied the heap of one benchmark.
type heapBlock struct {
	sites, types heapTable
	notes        []string
}

// heapTable holds the parts of a heap, from some view.
type heapTable struct {
	title string
	rows  []heapRow
	rest  *heapRow // all others
}

// heapRow is a part of a heap.
type heapRow struct {
	name, file            string // file: with the line, "" where the name says it all
	bytes, share, objects string
	typ                   string
	path                  string // what led there, if that is wanted
}

const (
	mostParts  = 5        // of a heap that are shown, unless all are asked for
	allParts   = 20       // and then
	leastShare = 0.001    // of the heap that is shown, unless all are asked for
	leastHeap  = 16 << 10 // bytes that are worth a table, likewise: package testing holds some itself
)

// heaps makes the words of all heaps that were looked at.
func (p *page) heaps(s *result.Result, all bool) []heapBlock {
	var out []heapBlock
	procs := procsOf(s.Results)
	for _, r := range inOrder(s.Results) {
		if r.Heap == nil || !all && r.Heap.Bytes < leastHeap {
			continue
		}
		name := p.benchmark(r.Name, r.Procs, len(procs[[2]string{r.Pkg, r.Name}]) > 1)
		if r.Side != "" {
			name += ", " + p.Name(r.Side)
		}
		out = append(out, p.heapBlock(name, r.Pkg, r.Heap, all))
	}
	return out
}

func (p *page) heapBlock(name, pkg string, h *result.Heap, all bool) heapBlock {
	b := heapBlock{sites: p.heapSites(pkg, h, all), notes: p.heapNotes(h)}
	b.sites.title = "heap of " + name + " by site"
	if all || telling(h) {
		b.types = p.heapTypes(h, all)
		b.types.title = "heap of " + name + " by type"
	}
	return b
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

// shown is how many parts are, of n.
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

func (p *page) heapSites(pkg string, h *result.Heap, all bool) (t heapTable) {
	k := shown(len(h.Sites), all, func(i int) result.Number { return h.Sites[i].Share })
	for i := range h.Sites[:k] {
		s := &h.Sites[i]
		row := p.heapRow(s.HeapPart)
		row.name, row.typ = p.Name(funcName(s.Func, pkg)), p.Name(typeName(s.Type))
		if s.File != "" {
			row.file = p.Name(path.Base(s.File)) + ":" + strconv.Itoa(s.Line)
		}
		if h.NoTypes != "" {
			row.typ = ""
		}
		if all && len(s.Path) > 0 {
			row.path = "from " + strings.Join(p.callers(s.Path, pkg), ", from ")
		}
		t.rows = append(t.rows, row)
	}
	rest := h.Rest
	for _, s := range h.Sites[k:] {
		rest = plus(rest, s.HeapPart)
	}
	t.rest = p.heapRest(rest, "other sites")
	return t
}

func (p *page) heapTypes(h *result.Heap, all bool) (t heapTable) {
	k := shown(len(h.Types), all, func(i int) result.Number { return h.Types[i].Share })
	for i := range h.Types[:k] {
		row := p.heapRow(h.Types[i].HeapPart)
		row.name = p.Name(typeName(h.Types[i].Type))
		t.rows = append(t.rows, row)
	}
	rest := h.Rest
	for _, x := range h.Types[k:] {
		rest = plus(rest, x.HeapPart)
	}
	t.rest = p.heapRest(rest, "others")
	return t
}

func plus(a, b result.HeapPart) result.HeapPart {
	return result.HeapPart{Bytes: a.Bytes + b.Bytes, Objects: a.Objects + b.Objects, Share: a.Share + b.Share}
}

func (p *page) callers(path []string, pkg string) []string {
	out := make([]string, len(path))
	for i, f := range path {
		out[i] = p.Name(funcName(f, pkg))
	}
	return out
}

func (p *page) heapRest(rest result.HeapPart, name string) *heapRow {
	if rest.Bytes == 0 {
		return nil
	}
	row := p.heapRow(rest)
	row.name = name
	return &row
}

func (p *page) heapRow(x result.HeapPart) heapRow {
	objects := p.three("", float64(x.Objects))
	if x.Objects < 10_000 {
		objects = group(strconv.FormatInt(x.Objects, 10))
	}
	return heapRow{bytes: p.three("B", float64(x.Bytes)), share: fmt.Sprintf("%.1f %%", 100*float64(x.Share)), objects: objects}
}

// funcName is the name of a function with the last element of its package's path,
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
func (p *page) heapNotes(h *result.Heap) []string {
	text := plural(h.Forks, "fork")
	if h.When == record.HeapMidRun {
		text += ", read while it ran"
	}
	text += fmt.Sprintf(", one sample in %s", p.three("B", float64(h.Rate)))
	if e := p.samplingError(h); e != "" {
		text += ": the first site is known to " + p.pm + " " + e
	}
	text += fmt.Sprintf("; all sites together %s", p.three("B", float64(h.Bytes)))
	if h.Growth > 0 {
		text += fmt.Sprintf(", heap growth in these forks %s", p.three("B", float64(h.Growth)))
	}
	out := []string{text}
	if h.NoTypes != "" {
		out = append(out, "types: not available: "+p.Text(h.NoTypes))
	}
	return out
}

// samplingError is the standard deviation of the heaviest site's bytes, relative.
func (p *page) samplingError(h *result.Heap) string {
	if len(h.Sites) == 0 || h.Sites[0].Bytes == 0 || h.Sites[0].SD == 0 {
		return ""
	}
	return p.percent(float64(h.Sites[0].SD) / float64(h.Sites[0].Bytes))
}

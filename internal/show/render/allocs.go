package render

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
)

const (
	mostAllocSites   = 8     // of a benchmark that are shown, unless all are asked for
	allAllocSites    = 50    // and then
	leastAllocs      = 0.005 // objects per operation of a site that is shown, unless all are asked for
	leastAllocsBytes = 0.5   // or bytes
)

// allocs shows what operations allocate: the sites of each benchmark that was counted. Of one with several sides the
// table of changes has what matters, and all sites are shown only if that is asked for.
func (p *view) allocs(s *result.Result, all bool) section {
	tb := &table.Table{Columns: []table.Column{
		{}, {Title: "line", Drop: 2}, {Title: "objects/op", Gap: 3, Kind: table.Right}, {Title: "bytes/op", Kind: table.Right},
		{Title: "size", Kind: table.Right, Drop: 3}, {Title: "type", Drop: 1, Max: 32},
	}}
	for _, r := range result.InOrder(s.Results) {
		if r.Allocs == nil || !all && (r.Side != "" || r.Allocs.ByChance(r.Allocs.Objects)) {
			continue
		}
		name := p.named(r.Pkg, r.Name, r.Procs, r.Side)
		lines := append(p.allocSites(r.Pkg, r.Allocs, all), dimLine(allocNote(r.Allocs)))
		tb.Blocks = append(tb.Blocks, table.Block{Title: "allocations of " + name + " by site", Lines: lines})
	}
	return section{table: tb, least: 20, subject: "function"}
}

func worthAllocs(x result.AllocPart) bool {
	return math.Abs(float64(x.Objects)) >= leastAllocs || math.Abs(float64(x.Bytes)) >= leastAllocsBytes
}

func (p *view) allocSites(pkg string, a *result.Allocs, all bool) []table.Line {
	var out []table.Line
	most, shown, rest := mostAllocSites, 0, a.Rest
	if all {
		most = allAllocSites
	}
	for _, x := range allocRows(a.Sites) {
		if shown == most || !all && (a.ByChance(x.Objects) || !worthAllocs(x.AllocPart)) {
			rest = plusAllocs(rest, x.AllocPart)
			continue
		}
		shown++
		out = append(out, allocLine(p.Name(funcName(x.Func, pkg)), p.Name(sitePlace(x.File, x.Line)), x.AllocPart, x.size(), p.Name(typeName(x.Type))))
		if path := p.callPath(pkg, x.Path); all && path != "" {
			out = append(out, table.Line{Wide: path, Indent: 4, Style: termtext.Dim})
		}
	}
	if worthAllocs(rest) {
		out = append(out, allocLine("other sites", "", rest, "", ""))
	}
	if all && a.Unseen != (result.AllocPart{}) || !a.ByChance(a.Unseen.Objects) {
		out = append(out, allocLine("no site", "", a.Unseen, "", ""))
	}
	return out
}

func plusAllocs(a, b result.AllocPart) result.AllocPart {
	return result.AllocPart{Objects: a.Objects + b.Objects, Bytes: a.Bytes + b.Bytes}
}

// allocRow is a line of source that allocates a type, whatever the size of the objects.
type allocRow struct {
	result.AllocSite
	least int64 // bytes of a slot
}

// allocRows adds up the sites that differ only in size, in the order of the first.
func allocRows(sites []result.AllocSite) (out []*allocRow) {
	for i := range sites {
		s := &sites[i]
		at := slices.IndexFunc(out, func(x *allocRow) bool {
			return x.Func == s.Func && x.File == s.File && x.Line == s.Line && x.Type == s.Type
		})
		if at < 0 {
			out = append(out, &allocRow{*s, s.Size})
			continue
		}
		x := out[at]
		x.AllocPart = plusAllocs(x.AllocPart, s.AllocPart)
		x.least, x.Size = min(x.least, s.Size), max(x.Size, s.Size)
	}
	return out
}

// size returns the bytes of an object. Those that share slots are smaller than one.
func (x *allocRow) size() string {
	most := units.Value("B", float64(x.Size), 3)
	switch {
	case x.Size == 0:
		return "shared"
	case x.least == 0 && x.Size <= tinySlot:
		return "< " + most
	case x.least < x.Size:
		return "≤ " + most
	}
	return most
}

// tinySlot is the slot that objects without pointers share, bytes.
const tinySlot = 16

// callPath names the callers of a site.
func (p *view) callPath(pkg string, path []string) string {
	callers := make([]string, len(path))
	for i, f := range path {
		callers[i] = "from " + p.Name(funcName(f, pkg))
	}
	return strings.Join(callers, ", ")
}

// sitePlace returns the name of a file without its directory, and the line.
func sitePlace(file string, line int) string {
	if file == "" {
		return ""
	}
	return path.Base(file) + ":" + strconv.Itoa(line)
}

func allocLine(name, line string, x result.AllocPart, size, typ string) table.Line {
	return table.Line{Cells: []table.Cell{
		{Text: "  " + name}, {Text: line}, {Text: allocObjects(x)}, {Text: allocBytes(x)}, {Text: size}, {Text: typ},
	}}
}

func allocObjects(x result.AllocPart) string { return units.Value("", float64(x.Objects), 3) }
func allocBytes(x result.AllocPart) string   { return units.Value("B", float64(x.Bytes), 3) }

// allocNote says what the figures are of.
func allocNote(a *result.Allocs) string {
	text := fmt.Sprintf("%s; together %s objects/op, %s/op", units.Plural(a.Forks, "fork"), allocObjects(a.AllocPart), allocBytes(a.AllocPart))
	if a.Windows < 2 {
		text += "; one window: what is allocated once in a run is divided by its operations"
	}
	return text
}

package gather

import (
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
)

// allocations takes the sites that differ.
func (g *gatherer) allocations() {
	old, new, ok := g.both(func(b *result.Benchmark) bool { return b.Allocs != nil })
	if !ok {
		return
	}
	g.profiled.Allocations = true
	for _, c := range (result.AllocPair{Old: old, New: new}).Changes() {
		if strings.HasPrefix(c.Type, "runtime.") {
			continue // a record of a goroutine that waits: an effect
		}
		g.e.Sites = append(g.e.Sites, why.Site{
			Owner: owner(c.Func, c.Path),
			Place: [2]why.Place{{Func: c.Func, File: c.File, Line: c.OldLine}, {Func: c.Func, File: c.File, Line: c.NewLine}}, Type: c.Type,
			Growth:  c.Type == growing,
			Objects: [2]float64{float64(c.Old.Objects), float64(c.New.Objects)}, Bytes: [2]float64{float64(c.Old.Bytes), float64(c.New.Bytes)},
		})
	}
}

// owner returns the innermost function on a call path that is not of the standard library; "" if fn is not, or if there is none.
func owner(fn string, path []string) string {
	for i, name := range append([]string{fn}, path...) {
		if !gofunc.IsStd(gofunc.Package(name)) {
			if i == 0 {
				return ""
			}
			return name
		}
	}
	return ""
}

// growing is the type of what runtime.growslice allocates, which does not know it.
const growing = "slice without pointers"

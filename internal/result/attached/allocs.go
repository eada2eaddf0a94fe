package attached

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Allocs says what an operation of a benchmark allocates, by site: the counts of the fork in the middle of those that
// counted, by objects and then bytes. They add up, as medians of sites would not. See [record.Allocs].
type Allocs struct {
	Forks   int   `json:"forks"`
	Windows int   `json:"windows"` // of a fork: 2, or 1 if what is allocated once is in the figures
	Ops     int64 `json:"ops"`     // operations in the figures

	AllocPart             // allocs/op and B/op of these forks, the sum of Sites, Rest and Unseen
	Sites     []AllocSite `json:"sites"`  // largest share of objects or bytes first
	Rest      AllocPart   `json:"rest"`   // sites that are not listed
	Unseen    AllocPart   `json:"unseen"` // counted by package testing only; negative: by site only
}

// A run allocates a few objects by chance: the runtime starts a thread, a collection empties a sync.Pool. So fewer than
// chanceObjects in all operations, and fewer than chancePerOp in one, may be such.
const (
	chanceObjects = 20
	chancePerOp   = 0.1
)

// ByChance reports whether so many objects per operation may not belong to the operations.
func (a *Allocs) ByChance(objects stat.Number) bool {
	n := math.Abs(float64(objects))
	return n < chancePerOp && n*float64(a.Ops) < chanceObjects
}

// AllocPart is a number of objects and bytes per operation.
type AllocPart struct {
	Objects stat.Number `json:"objects/op"`
	Bytes   stat.Number `json:"bytes/op"`
}

// AllocSite is a line of source that allocated objects of one type and size.
type AllocSite struct {
	Func string   `json:"func"`
	File string   `json:"file,omitempty"`
	Line int      `json:"line,omitempty"`
	Type string   `json:"type,omitempty"` // "": not known
	Size int64    `json:"size"`           // bytes of the slot of an object; 0: it shared the slot of another one
	Path []string `json:"path,omitempty"` // functions that led there most: the caller, its caller, …
	AllocPart
	Lo AllocPart `json:"lo"` // least of a fork
	Hi AllocPart `json:"hi"` // most
}

// allocKey identifies an allocation site.
type allocKey struct {
	fn, file string
	line     int
	typ      string
	size     int64
}

// MedianAllocs returns the counts of the fork in the middle, nil if there is no fork. A fork that does not list a site
// counts as 0 there.
func MedianAllocs(forks []*record.Allocs) *Allocs {
	if len(forks) == 0 {
		return nil
	}
	sorted := slices.Clone(forks)
	slices.SortStableFunc(sorted, func(x, y *record.Allocs) int {
		a, b := perOp(x, x.Objects, x.Bytes), perOp(y, y.Objects, y.Bytes)
		return cmp.Or(cmp.Compare(a.Objects, b.Objects), cmp.Compare(a.Bytes, b.Bytes))
	})
	middle := sorted[(len(sorted)-1)/2]
	out := &Allocs{
		Forks: len(forks), Windows: middle.Windows, Ops: middle.Ops, AllocPart: perOp(middle, middle.Objects, middle.Bytes), Sites: []AllocSite{},
		Rest: perOp(middle, middle.Rest.Objects, middle.Rest.Bytes), Unseen: perOp(middle, middle.Unseen.Objects, middle.Unseen.Bytes),
	}
	seen := allocsBySite(forks)
	for _, s := range middle.Sites {
		x := AllocSite{Func: s.Func, File: s.File, Line: s.Line, Type: s.Type, Size: s.Size, Path: s.Path, AllocPart: perOp(middle, s.Objects, s.Bytes)}
		x.Lo, x.Hi = allocRange(seen[keyOf(&s)], len(forks))
		out.Sites = append(out.Sites, x)
	}
	return out
}

func perOp(a *record.Allocs, objects, bytes int64) AllocPart {
	return AllocPart{Objects: stat.Number(float64(objects) / float64(a.Ops)), Bytes: stat.Number(float64(bytes) / float64(a.Ops))}
}

func keyOf(s *record.AllocSite) allocKey { return allocKey{s.Func, s.File, s.Line, s.Type, s.Size} }

func allocsBySite(forks []*record.Allocs) map[allocKey][]AllocPart {
	out := map[allocKey][]AllocPart{}
	for _, a := range forks {
		for i := range a.Sites {
			s := &a.Sites[i]
			out[keyOf(s)] = append(out[keyOf(s)], perOp(a, s.Objects, s.Bytes))
		}
	}
	return out
}

// allocRange returns the least and the most of the forks that list a site. The others have 0.
func allocRange(seen []AllocPart, forks int) (lo, hi AllocPart) {
	if len(seen) < forks {
		seen = append(slices.Clone(seen), AllocPart{})
	}
	lo, hi = seen[0], seen[0]
	for _, x := range seen[1:] {
		lo.Objects, lo.Bytes = min(lo.Objects, x.Objects), min(lo.Bytes, x.Bytes)
		hi.Objects, hi.Bytes = max(hi.Objects, x.Objects), max(hi.Bytes, x.Bytes)
	}
	return lo, hi
}

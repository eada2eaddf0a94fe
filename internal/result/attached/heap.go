package attached

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Heap says what occupied the heap of a benchmark when it was settled: medians over
// the forks that report them, of what is estimated from samples. See [record.Heap].
// Bytes and objects are the sums of what is listed, so that shares add up to 1.
type Heap struct {
	Forks   int         `json:"forks"`
	When    string      `json:"when"`   // record.HeapInLoop or record.HeapMidRun
	Rate    int         `json:"rate"`   // one sample for so many bytes, on average
	Growth  int64       `json:"growth"` // of the live heap, bytes, as the runtime counts it
	Bytes   int64       `json:"bytes"`
	Objects int64       `json:"objects"`
	Missed  stat.Number `json:"missed"` // share of Growth that is not in Bytes; below 0: they are more

	Sites   []HeapSite `json:"sites"` // most bytes first
	Rest    HeapPart   `json:"rest"`  // all that are not listed
	Types   []HeapType `json:"types,omitempty"`
	NoTypes string     `json:"no_types,omitempty"` // why there are no Types
}

// HeapPart is a part of a heap.
type HeapPart struct {
	Bytes   int64       `json:"bytes"`
	Objects int64       `json:"objects"`
	Share   stat.Number `json:"share"` // of the heap's Bytes
}

// HeapSite is a line of source that allocated objects of a type.
type HeapSite struct {
	Func string   `json:"func"`
	File string   `json:"file,omitempty"`
	Line int      `json:"line,omitempty"`
	Type string   `json:"type,omitempty"` // "": not known
	Path []string `json:"path,omitempty"` // functions that led there most: the caller, its caller, …
	HeapPart
	Lo int64       `json:"lo"` // least bytes of a fork
	Hi int64       `json:"hi"` // most
	SD stat.Number `json:"sd"` // of Bytes of one fork, from sampling
}

// HeapType are all objects of one type that are listed.
type HeapType struct {
	Type string `json:"type"` // "": not known
	HeapPart
}

// CheckHeap refuses what cannot be: sums of such numbers would overflow.
func CheckHeap(h *record.Heap) error {
	const most = 1 << 50
	for _, s := range append(slices.Clone(h.Sites), h.Rest) {
		if s.Bytes < 0 || s.Objects < 0 || s.Bytes > most || s.Objects > most || !(s.SD >= 0) {
			return fmt.Errorf("%q holds %d objects of %d bytes", s.Func, s.Objects, s.Bytes)
		}
	}
	if len(h.Sites) > 1000 {
		return fmt.Errorf("it lists %d sites", len(h.Sites))
	}
	return nil
}

// heapKey identifies an allocation site.
type heapKey struct {
	fn, file string
	line     int
	typ      string
}

// MedianHeap returns the median of the forks that report a heap, nil if none does. What a fork
// does not list counts as 0 there.
func MedianHeap(heaps []*record.Heap) *Heap {
	if len(heaps) == 0 {
		return nil
	}
	first := heaps[0]
	out := &Heap{Forks: len(heaps), When: first.When, Rate: first.Rate, Sites: []HeapSite{}}
	var growths, restBytes, restObjects []float64
	sites := map[heapKey][]record.HeapSite{}
	for _, h := range heaps {
		growths = append(growths, float64(h.Growth))
		restBytes, restObjects = append(restBytes, float64(h.Rest.Bytes)), append(restObjects, float64(h.Rest.Objects))
		out.NoTypes = cmp.Or(out.NoTypes, h.NoTypes)
		for _, s := range h.Sites {
			k := heapKey{s.Func, s.File, s.Line, s.Type}
			sites[k] = append(sites[k], s)
		}
	}
	out.Growth = whole(stat.Median(growths))
	out.Rest = HeapPart{Bytes: whole(stat.Median(restBytes)), Objects: whole(stat.Median(restObjects))}
	for k, seen := range sites {
		if s := heapSite(k, seen, len(heaps)); s.Bytes > 0 {
			out.Sites = append(out.Sites, s)
		}
	}
	slices.SortFunc(out.Sites, func(a, b HeapSite) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Func, b.Func), cmp.Compare(a.File, b.File), a.Line-b.Line, cmp.Compare(a.Type, b.Type))
	})
	out.sum()
	return out
}

// heapSite returns the median of a site over so many forks.
func heapSite(k heapKey, seen []record.HeapSite, forks int) HeapSite {
	s := HeapSite{Func: k.fn, File: k.file, Line: k.line, Type: k.typ}
	bytes, objects := make([]float64, forks), make([]float64, forks)
	var variance float64
	var most int64
	for i, x := range seen[:min(len(seen), forks)] {
		bytes[i], objects[i] = float64(x.Bytes), float64(x.Objects)
		variance += x.SD * x.SD / float64(len(seen))
		if x.Bytes >= most {
			most, s.Path = x.Bytes, x.Path
		}
	}
	s.Bytes, s.Objects = whole(stat.Median(bytes)), whole(stat.Median(objects))
	s.Lo, s.Hi = whole(slices.Min(bytes)), whole(slices.Max(bytes))
	s.SD = stat.Number(math.Sqrt(variance))
	return s
}

func whole(x float64) int64 { return int64(math.Round(x)) }

// sum adds up the listed sites, in all and by type.
func (h *Heap) sum() {
	h.Bytes, h.Objects = h.Rest.Bytes, h.Rest.Objects
	for _, s := range h.Sites {
		h.Bytes, h.Objects = h.Bytes+s.Bytes, h.Objects+s.Objects
	}
	share := func(p *HeapPart) {
		if h.Bytes > 0 {
			p.Share = stat.Number(float64(p.Bytes) / float64(h.Bytes))
		}
	}
	share(&h.Rest)
	for i := range h.Sites {
		share(&h.Sites[i].HeapPart)
	}
	if h.Growth > 0 {
		h.Missed = 1 - stat.Number(float64(h.Bytes)/float64(h.Growth))
	}
	if h.NoTypes != "" {
		return
	}
	for _, s := range h.Sites {
		i := slices.IndexFunc(h.Types, func(t HeapType) bool { return t.Type == s.Type })
		if i < 0 {
			i = len(h.Types)
			h.Types = append(h.Types, HeapType{Type: s.Type})
		}
		t := &h.Types[i]
		t.Bytes, t.Objects = t.Bytes+s.Bytes, t.Objects+s.Objects
		share(&t.HeapPart)
	}
	slices.SortStableFunc(h.Types, func(a, b HeapType) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Type, b.Type))
	})
}

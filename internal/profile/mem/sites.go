package mem

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

const (
	maxSites = 50 // listed individually
	maxPath  = 6  // listed callers of a site
)

// heap returns the attachment: the stacks added up by site and type.
func (s *heapSamples) heap() ([]byte, error) {
	h := record.Heap{When: s.How, Rate: s.Rate, Growth: s.Growth}
	if s.noTypes != nil {
		h.NoTypes = s.noTypes.Error()
	}
	sites := s.sites()
	objects, bytes := s.OthersObjects, s.OthersBytes
	var variance float64
	for i, x := range sites {
		h.Bytes += int64(math.Round(x.bytes))
		h.Objects += int64(math.Round(x.objects))
		if i >= maxSites {
			objects, bytes, variance = objects+x.objects, bytes+x.bytes, variance+x.variance
			continue
		}
		h.Sites = append(h.Sites, x.site())
	}
	h.Rest = record.HeapSite{Bytes: int64(math.Round(bytes)), Objects: int64(math.Round(objects)), SD: math.Sqrt(variance)}
	h.Bytes += int64(math.Round(s.OthersBytes))
	h.Objects += int64(math.Round(s.OthersObjects))
	return json.Marshal(h)
}

// site is a line that allocates objects of one type.
type site struct {
	frame
	typ                      string
	path                     []string // callers in the stack with the most bytes
	pathBytes                float64  // bytes of that stack
	objects, bytes, variance float64
}

// sites returns the allocation sites by size, largest first, without those of tare itself.
func (s *heapSamples) sites() []*site {
	type key struct {
		frame
		typ string
	}
	by := map[key]*site{}
	var out []*site
	for i := range s.Stacks {
		x := &s.Stacks[i]
		if x.isOwn() {
			continue
		}
		k := key{x.Frames[0], x.typ}
		if by[k] == nil {
			by[k] = &site{frame: k.frame, typ: k.typ}
			out = append(out, by[k])
		}
		by[k].add(s, x)
	}
	slices.SortFunc(out, func(a, b *site) int {
		return cmp.Or(-cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.Func, b.Func), a.Line-b.Line, cmp.Compare(a.typ, b.typ))
	})
	return out
}

// isOwn reports whether tare's hooks allocated the objects. Hooks of other parts may call the benchmark.
func (x *stack) isOwn() bool {
	return strings.HasPrefix(x.Frames[0].Func, "testing.tare") ||
		slices.ContainsFunc(x.Frames, func(f frame) bool {
			return strings.Contains(f.Func, "testing.tareHeap") || strings.Contains(f.Func, "testing.(*tareHeap")
		})
}

func (t *site) add(s *heapSamples, x *stack) {
	objects, bytes, variance := s.estimate(x)
	t.objects, t.bytes, t.variance = t.objects+objects, t.bytes+bytes, t.variance+variance
	if bytes <= t.pathBytes {
		return
	}
	t.pathBytes, t.path = bytes, nil
	for _, f := range x.Frames[1:min(len(x.Frames), 1+maxPath)] {
		t.path = append(t.path, f.Func)
	}
}

func (t *site) site() record.HeapSite {
	return record.HeapSite{
		Func: t.Func, File: t.File, Line: t.Line, Type: t.typ, Path: t.path,
		Bytes: int64(math.Round(t.bytes)), Objects: int64(math.Round(t.objects)), SD: math.Sqrt(t.variance),
	}
}

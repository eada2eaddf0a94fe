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
	maxSites = 50 // that are told of one by one
	maxPath  = 6  // callers of a site
)

// heap is what the record says: the stacks added up by where and what was allocated.
func (s *sampled) heap() ([]byte, error) {
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

// site is one line that allocates objects of one type.
type site struct {
	frame
	typ                      string
	path                     []string // of the stack with the most bytes
	most                     float64  // which are
	objects, bytes, variance float64
}

// sites are the lines that allocate, the heaviest first. What tare itself holds on
// to is none of them.
func (s *sampled) sites() []*site {
	type key struct {
		frame
		typ string
	}
	by := map[key]*site{}
	var out []*site
	for i := range s.Stacks {
		x := &s.Stacks[i]
		if x.ours() {
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

// ours tells what the hooks of tare have allocated. Others of them than this
// profiler's call the benchmark.
func (x *stack) ours() bool {
	return strings.HasPrefix(x.Frames[0].Func, "testing.tare") ||
		slices.ContainsFunc(x.Frames, func(f frame) bool {
			return strings.Contains(f.Func, "testing.tareHeap") || strings.Contains(f.Func, "testing.(*tareHeap")
		})
}

func (t *site) add(s *sampled, x *stack) {
	objects, bytes, variance := s.estimate(x)
	t.objects, t.bytes, t.variance = t.objects+objects, t.bytes+bytes, t.variance+variance
	if bytes <= t.most {
		return
	}
	t.most, t.path = bytes, nil
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

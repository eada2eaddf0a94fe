package footprint

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// vertex has an edge of each kind.
type vertex struct {
	one   *vertex
	many  []*vertex
	named map[int32]*vertex
	boxed any // a vertex, or a copy of one
	pad   [3]int64
	field *int64 // one of pad, of another
}

// TestRandomGraphs weighs what is reachable in random graphs, and compares with
// a search that knows the types.
func TestRandomGraphs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		all := randomGraph(rnd, 1+rnd.IntN(300))
		s := search{blocks: map[unsafe.Pointer]uintptr{}, fields: map[unsafe.Pointer]bool{}}
		s.vertex(all[0])
		objects, bytes := s.sum()
		if r := Measure(all[0]); r.Objects != objects || r.Bytes != bytes {
			t.Fatalf("%d objects of %d bytes, want %d of %d (seed %d):\n%s", r.Objects, r.Bytes, objects, bytes, seed, r)
		}
	}
}

func randomGraph(rnd *rand.Rand, n int) []*vertex {
	all := make([]*vertex, n)
	for i := range all {
		all[i] = new(vertex)
	}
	pick := func() *vertex { return all[rnd.IntN(n)] }
	for _, v := range all {
		switch rnd.IntN(6) {
		case 0:
			v.one = pick()
		case 1:
			for range rnd.IntN(5) {
				v.many = append(v.many, pick())
			}
		case 2:
			v.named = map[int32]*vertex{1: pick(), 2: pick()}
		case 3:
			v.boxed = pick()
		case 4:
			v.boxed = *pick()
		case 5:
			// Of a vertex that nothing else leads to the field is all that is seen.
			v.field = &pick().pad[rnd.IntN(3)]
		}
	}
	return all
}

// search finds the blocks behind a vertex.
type search struct {
	blocks map[unsafe.Pointer]uintptr
	fields map[unsafe.Pointer]bool
}

func (s *search) add(p unsafe.Pointer, size uintptr) (isNew bool) {
	if _, ok := s.blocks[p]; ok || p == nil || size == 0 {
		return false
	}
	s.blocks[p] = size
	return true
}

func (s *search) vertex(v *vertex) {
	if !s.add(unsafe.Pointer(v), unsafe.Sizeof(*v)) {
		return
	}
	s.vertex(v.one)
	s.add(unsafe.Pointer(unsafe.SliceData(v.many)), uintptr(cap(v.many))*wordBytes)
	for _, to := range v.many {
		s.vertex(to)
	}
	if v.named != nil {
		header := *(**swissMap)(unsafe.Pointer(&v.named))
		s.add(unsafe.Pointer(header), unsafe.Sizeof(*header))
		s.add(header.dir, 8+8*2*wordBytes)
	}
	for _, to := range v.named {
		s.vertex(to)
	}
	if v.boxed != nil {
		s.vertex((*vertex)((*[2]unsafe.Pointer)(unsafe.Pointer(&v.boxed))[1]))
	}
	if v.field != nil {
		s.fields[unsafe.Pointer(v.field)] = true
	}
}

// sum counts a field that is not in a vertex of its own as an object, and what it
// takes by blocks of 16 bytes.
func (s *search) sum() (objects, bytes int64) {
	for _, size := range s.blocks {
		objects++
		bytes += int64(BlockBytes(size, true))
	}
	tiny := map[uintptr]bool{}
	for f := range s.fields {
		if !s.within(f) {
			objects++
			tiny[uintptr(f)&^15] = true
		}
	}
	return objects, bytes + 16*int64(len(tiny))
}

func (s *search) within(f unsafe.Pointer) bool {
	for p, size := range s.blocks {
		if d := uintptr(f) - uintptr(p); d < size {
			return true
		}
	}
	return false
}

package footprint

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

type callbacks struct {
	plain, bound, open, open2 func() int
	raw                       unsafe.Pointer
	number                    uintptr
	numbers                   [3]uintptr
}

func one() int { return 1 }

func (p *pair) sum() int { return int(*p.a + *p.b) }

// TestGaps: what cannot be followed is listed, once for each thing, and weighs
// nothing.
func TestGaps(t *testing.T) {
	if image() == nil {
		t.Skip("closures cannot be distinguished from functions here")
	}
	n, big := 0, make([]int, 1000)
	open := func() int { n++; return n + len(big) }
	c := &callbacks{plain: one, bound: (&pair{new(int64), new(int64)}).sum, open: open, open2: open,
		raw: unsafe.Pointer(&big[0]), number: uintptr(unsafe.Pointer(&big[0])), numbers: [3]uintptr{1, 2, 3}}
	r := Measure(c, c)
	if r.Objects != 1 || r.Bytes != int64(BlockBytes(unsafe.Sizeof(*c), true)) {
		t.Errorf("want the struct alone:\n%s", r)
	}
	for _, want := range []Gap{
		{"uintptr", "in footprint.callbacks", 4},
		{"unsafe.Pointer", "in footprint.callbacks", 1},
		{"variables of the closure", "github.com/tarebench/tare/footprint.TestGaps.func1", 1},
		{"variables of the closure", "github.com/tarebench/tare/footprint.(*pair).sum-fm", 1},
	} {
		if !slices.Contains(r.NotFollowed, want) {
			t.Errorf("%v is not listed:\n%s", want, r)
		}
	}
	if len(r.NotFollowed) != 4 {
		t.Errorf("want four entries:\n%s", r)
	}
}

// TestSeed: the number within a sync.Map is no address, and not the user's either.
func TestSeed(t *testing.T) {
	x := &struct {
		m sync.Map
		n uintptr
	}{}
	x.m.Store(1, "one")
	r := Measure(x)
	if len(r.NotFollowed) != 1 || r.NotFollowed[0].Count != 1 {
		t.Errorf("want the user's uintptr alone:\n%s", r)
	}
}

// TestWithoutImage: where it is not known what belongs to the program all is
// taken for heap, and functions are listed as what may hold variables.
func TestWithoutImage(t *testing.T) {
	w := newWalk(layouts(), nil)
	w.root(&callbacks{plain: one})
	w.root(&constant)
	r := w.report()
	if r.StaticObjects != 0 || r.Objects != 3 {
		t.Errorf("want three objects on the heap:\n%s", r)
	}
	if !slices.ContainsFunc(r.NotFollowed, func(g Gap) bool { return g.What == "variables of closures" && g.Count == 1 }) {
		t.Errorf("want one function listed:\n%s", r)
	}
}

// TestUnreadable: a pointer to nowhere costs neither the program nor the rest of
// the walk.
func TestUnreadable(t *testing.T) {
	bad := forged[pair](1 << 30)
	if image().contain(uintptr(unsafe.Pointer(bad))) {
		t.Skip("the address is one of the program's")
	}
	type list struct {
		before *ring
		bad    *pair
		after  *ring
		mark   *ring
	}
	r := Measure(&list{&ring{}, bad, &ring{}, forged[ring](1)})
	if rows := rowsOf(r); rows["footprint.ring"].Objects != 2 {
		t.Errorf("want both rings:\n%s", r)
	}
	if !hasGap(r, "memory that cannot be read", "referred to by footprint.pair", 1) {
		t.Errorf("want the pointer listed:\n%s", r)
	}
}

// forged is a pointer to where nothing is.
func forged[T any](addr uintptr) *T { return *(**T)(unsafe.Pointer(&addr)) }

// TestInside: a part of an object is recognised by its address, where no block of the size begins.
func TestInside(t *testing.T) {
	big := new([64]struct {
		_    int64
		part [8]*int64
	})
	r := Measure(&big[3].part)
	if r.Inside != 1 || !strings.Contains(r.String(), "parts of larger blocks") {
		t.Errorf("want one object inside another:\n%s", r)
	}
	if r := Measure(&big[3].part, big); r.Inside != 0 {
		t.Errorf("want the whole:\n%s", r)
	}
}

// TestInsideIsSure: nothing that has a block of its own is said to be a part.
func TestInsideIsSure(t *testing.T) {
	var all []any
	for n := 1; n < 70000; n += 1 + n/5 {
		for range 5 {
			all = append(all, make([]byte, n), make([]*int, n))
		}
	}
	if r := Measure(all...); r.Inside != 0 || r.Objects != int64(len(all)) {
		t.Errorf("%d objects of %d, %d inside others:\n%s", r.Objects, len(all), r.Inside, r)
	}
}

// TestLeavesAlone: what was weighed is as it was, and may be weighed by several
// at once.
func TestLeavesAlone(t *testing.T) {
	m := map[string][]*ring{"a": {{}, {}}, "b": {nil}}
	want := Measure(m)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if r := Measure(m); r.Bytes != want.Bytes || r.Objects != want.Objects {
				t.Errorf("%d bytes, want %d", r.Bytes, want.Bytes)
			}
		})
	}
	all.Wait()
	if len(m) != 2 || len(m["a"]) != 2 {
		t.Errorf("the map has changed: %v", m)
	}
}

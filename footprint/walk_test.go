package footprint

import (
	"container/list"
	"runtime"
	"testing"
	"unsafe"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestLongList: the walk does not recurse, and what it needs is what the package
// says.
func TestLongList(t *testing.T) {
	n := testutil.PickSeconds[int64](1_000_000, 10_000_000)
	if underRace {
		n /= 20
	}
	first := chain(int(n))
	r := Measure(first)
	runtime.KeepAlive(first)
	if r.Objects != n || r.Bytes != n*int64(BlockBytes(unsafe.Sizeof(link{}), true)) {
		t.Fatalf("want %d links:\n%s", n, r)
	}
	pages := r.Bytes/pageBytes + 1
	arenas := r.Bytes>>arenaShift + 2
	most := pages*int64(unsafe.Sizeof(page{})) + 8*n + arenas*int64(unsafe.Sizeof(arena{})) + 1<<20
	if r.WalkBytes > most {
		t.Errorf("the walk needs %d bytes, at most %d are promised", r.WalkBytes, most)
	}
	t.Logf("%d bytes for %d", r.WalkBytes, r.Bytes)
}

type before struct {
	next    *before
	payload *tree
}

type behind struct {
	payload *tree
	text    []*string
	next    *behind
}

type mutual struct {
	other *struct{ back *mutual }
	value any
}

// TestStackStaysShort: in whatever order a type has its fields, the rest of a
// list does not wait on the stack while the list goes on.
func TestStackStaysShort(t *testing.T) {
	const n = 20_000
	var a *before
	var b *behind
	var c *mutual
	l := list.New()
	var nested [][][]*ring
	m := map[int]any{}
	for i := range n {
		a = &before{a, grow(2, 1)}
		b = &behind{grow(2, 1), []*string{new(string)}, b}
		c = &mutual{&struct{ back *mutual }{c}, grow(2, 1)}
		l.PushBack(grow(2, 1))
		nested = append(nested, [][]*ring{{{}, {}}, {{}}})
		m[i] = grow(2, 1)
	}
	var tall *tree
	for range n {
		tall = &tree{left: tall, right: grow(2, 1)}
	}
	for name, root := range map[string]any{"next first": a, "next last": b, "two types": c, "list": l, "slices": nested, "map": m, "tree to the left": tall} {
		w := newWalk(layouts(), image())
		w.root(root)
		if w.deepest > 1000 {
			t.Errorf("%s: %d jobs wait at once", name, w.deepest)
		}
	}
}

// TestSuffixes: slices of slices are not walked again and again.
func TestSuffixes(t *testing.T) {
	const n = 20_000
	all := make([]*ring, n)
	suffixes := make([][]*ring, n)
	for i := range all {
		all[i] = &ring{}
		suffixes[n-1-i] = all[n-1-i:]
	}
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		suffixes[i], suffixes[j] = suffixes[j], suffixes[i]
	}
	r := Measure(suffixes)
	if rows := rowsOf(r); rows["footprint.ring"].Objects != n || rows["[]*footprint.ring"].Objects != 1 {
		t.Errorf("want one array of %d:\n%s", n, r)
	}
}

func BenchmarkOf(b *testing.B) {
	const n = 1_000_000
	objects := make([]*[64]byte, n)
	for i := range objects {
		objects[i] = new([64]byte)
	}
	for _, c := range []struct {
		name string
		root any
	}{
		{"of=map/n=1e6", mapOfInts(n)},
		{"of=pointers/n=1e6", objects},
		{"of=list/n=1e6", chain(n)},
		{"of=tree/n=1e6", grow(20, 1)},
		{"of=bytes/n=256Mi", make([]byte, 256<<20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var r Report
			for b.Loop() {
				r = Measure(c.root)
			}
			b.ReportMetric(float64(r.WalkBytes), "walk-B")
		})
	}
}

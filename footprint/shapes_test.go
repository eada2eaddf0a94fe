package footprint

import (
	"container/list"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

type pair struct{ a, b *int64 }

type ring struct {
	next *ring
	_    [3]int
}

type wide struct {
	_     int64
	inner struct{ x, y int64 }
	tail  *wide
}

type hidden struct {
	name  string
	value any
	deep  struct{ list []*ring }
}

func fresh(s string) string { return string([]byte(s)) }

func chanOf[T any](n int, values ...T) chan T {
	c := make(chan T, n)
	for _, v := range values {
		c <- v
	}
	return c
}

// TestShapes weighs one of each, with figures that follow from the size classes
// of 64-bit systems.
func TestShapes(t *testing.T) {
	if wordBytes != 8 {
		t.Skip("the figures are for 64-bit systems")
	}
	chanBytes := int64(BlockBytes(layouts().chanHeader, true))
	loop := &ring{}
	loop.next = &ring{next: &ring{next: loop}}
	w := &wide{tail: &wide{}}
	backing := make([]int64, 100)
	refs := make([]*ring, 64)
	for i := range refs {
		refs[i] = &ring{}
	}
	shared := new([4]int64)
	one := int64(len(os.Args)) // so that its boxes are no constants
	box := any([4]int64{one})
	var set atomic.Pointer[ring]
	set.Store(&ring{})
	var val atomic.Value
	val.Store(&ring{})
	l := list.New()
	l.PushBack(&ring{})

	for _, c := range []struct {
		name           string
		roots          []any
		objects, bytes int64
	}{
		{"nothing", nil, 0, 0},
		{"nil", []any{nil, (*ring)(nil), map[int]int(nil), []int(nil), "", error(nil), (chan int)(nil)}, 0, 0},
		{"number", []any{7, 1.5, [9]int{}}, 0, 0},
		{"pointer", []any{&ring{}}, 1, 32},
		{"odd size", []any{new([33]byte)}, 1, 48},
		{"no size", []any{new(struct{}), &[0]int{}, make([]struct{}, 9)}, 0, 0},
		{"cycle", []any{loop}, 3, 96},
		{"shared, as roots", []any{shared, shared, shared[:2], &shared[3]}, 1, 32},
		{"shared, in fields", []any{&pair{&shared[0], &shared[1]}, &shared[3]}, 4, 16 + 32},
		{"inside, then whole", []any{&w.inner.y, &w.inner, w}, 2, 64},
		{"whole, then inside", []any{w, &w.inner, &w.inner.y}, 2, 64},
		{"inside alone", []any{&w.tail}, 2, 8 + 32},
		{"slice", []any{make([]int64, 3)}, 1, 24},
		{"slice, by pointer", []any{ptr(make([]int64, 3))}, 2, 24 + 24},
		{"capacity", []any{make([]int64, 0, 1000)}, 1, 8192},
		{"pages", []any{make([]byte, 32<<10+1)}, 1, 40 << 10},
		{"header", []any{make([]*int, 65)}, 1, 576},
		{"no header", []any{make([]*int, 64)}, 1, 512},
		{"large with pointers", []any{make([]*int, 4095)}, 1, 32 << 10},
		{"overlapping slices", []any{backing[40:], backing[:60], backing[10:20]}, 1, 896},
		{"overlapping slices, small first", []any{backing[10:20:20], backing[5:15:15], backing}, 1, 896},
		{"slices side by side", []any{backing[:50:50], backing[50:]}, 2, 416 + 416},
		{"slices of pointers", []any{refs[60:], refs[8:16:16], refs[10:]}, 1 + 56, 448 + 56*32},
		{"slices of pointers, all", []any{refs[63:], refs}, 1 + 64, 512 + 64*32},
		{"array of pointers", []any{(*[64]*ring)(refs)}, 1 + 64, 512 + 64*32},
		{"string", []any{fresh("a string of 24 bytes .. ")}, 1, 24},
		{"substring", []any{strings.Repeat("x", 64)[10:30]}, 1, 24},
		{"string, twice", []any{ptr([]string{strings.Repeat("x", 64)}), "const"}, 3, 24 + 16 + 64},
		{"box", []any{&box}, 2, 16 + 32},
		{"box of a pointer", []any{ptr(any(&ring{}))}, 2, 16 + 32},
		{"box of a small number", []any{ptr(any(one))}, 1, 16},
		{"box of a number", []any{ptr(any(one << 40))}, 2, 16 + 16},
		{"hidden", []any{&hidden{name: strings.Repeat("n", 32), value: map[int]int(nil), deep: struct{ list []*ring }{refs[:1]}}}, 2 + 1 + 64, 64 + 32 + 512 + 64*32},
		{"atomic.Pointer", []any{&set}, 2, 8 + 32},
		{"atomic.Value", []any{&val}, 2, 16 + 32},
		{"container/list", []any{l}, 3, 48 + 48 + 32},
		{"empty map", []any{make(map[int64]int64)}, 1, 48},
		{"map of 8", []any{mapOf(8)}, 2, 48 + 144},
		{"map of 9", []any{mapOf(9)}, 4, 48 + 8 + 32 + 288},
		{"map of 896", []any{mapOf(896)}, 4, 48 + 8 + 32 + 18432},
		{"map without elements", []any{map[string]struct{}{"": {}}}, 2, 48 + 208},
		{"map of nothing", []any{map[struct{}]struct{}{{}: {}}}, 2, 48 + 16},
		{"map to pointers", []any{map[int64]*ring{1: loop}}, 2 + 3, 48 + 144 + 96},
		{"map with keys and elements outside of its slots", []any{map[[17]*ring][200]byte{{loop}: {}}}, 2 + 2 + 3, 48 + 144 + 144 + 208 + 96},
		{"channel", []any{make(chan int)}, 1, chanBytes},
		{"channel of numbers", []any{chanOf[int64](10, 1, 2)}, 1, int64(BlockBytes(layouts().chanHeader+80, false))},
		{"channel of pointers", []any{chanOf(4, loop, loop)}, 2 + 3, chanBytes + 32 + 96},
		{"channel of nothing", []any{make(chan struct{}, 99)}, 1, chanBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Measure(c.roots...)
			if r.Objects != c.objects || r.Bytes != c.bytes || len(r.NotFollowed) > 0 {
				t.Errorf("%d objects, %d bytes; want %d, %d:\n%s", r.Objects, r.Bytes, c.objects, c.bytes, r)
			}
			slices.Reverse(c.roots)
			if back := Measure(c.roots...); back.Bytes != r.Bytes || back.Objects != r.Objects {
				t.Errorf("%d bytes, and %d with the roots in reverse order", r.Bytes, back.Bytes)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

func mapOf(n int) map[int64]int64 {
	m := map[int64]int64{}
	for i := range n {
		m[int64(i)] = 0
	}
	return m
}

// TestTiny: pointer-free objects of less than 16 bytes share blocks; their number
// is exact, and so is that of the blocks.
func TestTiny(t *testing.T) {
	var values []*int32
	var texts []string
	blocks := map[uintptr]bool{}
	for i := range 1000 {
		values = append(values, ptr(int32(i)))
		texts = append(texts, fmt.Sprint("t", i))
		blocks[uintptr(unsafe.Pointer(values[i]))&^15] = true
		blocks[uintptr(unsafe.Pointer(unsafe.StringData(texts[i])))&^15] = true
	}
	r := Measure(values, texts, texts)
	rows := rowsOf(r)
	if rows["int32"].Objects != 1000 || rows["string bytes"].Objects != 1000 {
		t.Errorf("want 1000 objects of each type:\n%s", r)
	}
	if got := rows["int32"].Bytes + rows["string bytes"].Bytes; got != int64(16*len(blocks)) {
		t.Errorf("%d bytes, want %d blocks of 16", got, len(blocks))
	}
	whole := new(struct{ a, b, c, d int32 })
	for _, roots := range [][]any{{&whole.b, &whole.d, whole}, {whole, &whole.b}} {
		if r := Measure(roots...); r.Bytes != 16 || r.Objects != 1 {
			t.Errorf("fields of a struct are not a part of it:\n%s", r)
		}
	}
	runtime.KeepAlive(values)
}

func rowsOf(r Report) map[string]Row {
	rows := map[string]Row{}
	for _, row := range r.Rows {
		rows[row.Type] = row
	}
	return rows
}

var (
	global   = [4]*ring{{}, {}}
	constant = "a constant text"
)

func TestStatic(t *testing.T) {
	if image() == nil {
		t.Skip("not known here where the program lies")
	}
	r := Measure(&global, &constant)
	rows := rowsOf(r)
	if r.Bytes != 0 || r.Objects != 0 || r.StaticObjects != 5 {
		t.Errorf("want two variables, two values and a text, all static:\n%s", r)
	}
	if want := int64(4 * wordBytes); rows["[4]*footprint.ring"].Bytes != want || !rows["[4]*footprint.ring"].Static {
		t.Errorf("want the variable in a static row of %d bytes:\n%s", want, r)
	}
	global[3] = &ring{next: &ring{}}
	defer func() { global[3] = nil }()
	if r := Measure(&global); r.Objects != 2 {
		t.Errorf("what a variable leads to is on the heap:\n%s", r)
	}
}

func TestSyncMap(t *testing.T) {
	var m sync.Map
	for i := range 1000 {
		m.Store(fmt.Sprint("a key of the map, ", i), &ring{})
	}
	for i := range 500 {
		m.Delete(fmt.Sprint("a key of the map, ", i))
	}
	known, unknown := newWalk(layouts(), image()), newWalk(runtimeLayouts{maps: true}, image())
	known.root(&m)
	unknown.root(&m)
	if rows := rowsOf(known.report()); rows["sync.Map entry"].Objects != 500 || rows["footprint.ring"].Objects != 500 || rows["sync.Map branch"].Objects == 0 {
		t.Errorf("want 500 entries:\n%s", known.report())
	}
	r := unknown.report()
	if rows := rowsOf(r); rows["footprint.ring"].Objects != 500 || rows["string"].Objects != 500 || rows["string bytes"].Objects != 500 {
		t.Errorf("want the 500 keys, with their boxes, and values:\n%s", r)
	}
	if !hasGap(r, "entries of a sync.Map of this version of Go", "", 1) {
		t.Errorf("want the entries listed:\n%s", r)
	}
}

func hasGap(r Report, what, where string, n int64) bool {
	return slices.Contains(r.NotFollowed, Gap{what, where, n})
}

// TestLayoutsKnown fails where Go has changed what probe looks for: adapt the
// layouts then.
func TestLayoutsKnown(t *testing.T) {
	if l := layouts(); !l.maps || !l.syncMap || l.chanHeader == 0 {
		t.Errorf("%s arranges maps, channels or sync.Maps in another way: %+v", runtime.Version(), l)
	}
	if image() == nil && slices.Contains([]string{"linux", "darwin", "windows", "freebsd"}, runtime.GOOS) {
		t.Errorf("no header of the program found")
	}
}

// TestProbeCanFail: what is not a map of the known layout is not taken for one.
func TestProbeCanFail(t *testing.T) {
	m := mapOf(5000)
	h := *(**swissMap)(unsafe.Pointer(&m))
	if !h.isPlausible(5000) || !holds(m) {
		t.Fatal("a map is not taken for one")
	}
	if h.isPlausible(4999) {
		t.Error("a map is believed to hold one entry less")
	}
	fake := *h
	fake.globalDepth++
	if fake.isPlausible(5000) {
		t.Error("a directory is believed to be half as long")
	}
	fake = *h
	fake.dir = unsafe.Add(h.dir, wordBytes*4)
	fake.dirLen, fake.globalDepth = 4, 2
	if fake.isPlausible(5000) {
		t.Error("a part of a directory is believed to be the whole")
	}
	if noPanic(func() bool { return *(*bool)(pointer(minAddress * 16)) }) {
		t.Error("no memory is taken for some")
	}
}

// TestUnknownLayouts: with the entries of a map out of reach what they refer to
// is still followed, and they are listed.
func TestUnknownLayouts(t *testing.T) {
	m := map[string]*ring{}
	for i := range 20 {
		m[fmt.Sprintf("a key of some length, %2d", i)] = &ring{}
	}
	w := newWalk(runtimeLayouts{}, image())
	w.root(&struct {
		m map[string]*ring
		c chan *ring
	}{m, chanOf(1, &ring{})})
	r := w.report()
	rows := rowsOf(r)
	if rows["footprint.ring"].Objects != 20 || rows["string bytes"].Objects != 20 {
		t.Errorf("want 20 keys and 20 values:\n%s", r)
	}
	if !hasGap(r, "entries of maps of this version of Go", "map[string]*footprint.ring", 1) ||
		!hasGap(r, "channels of this version of Go", "chan *footprint.ring", 1) {
		t.Errorf("want both listed:\n%s", r)
	}
	runtime.KeepAlive(maps.Clone(m))
}

package footprint

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"
)

var kept []any // what the heap has to hold while it is measured

// grown returns by how many bytes the settled heap grows when make makes a value.
func grown(make func() any) (value any, bytes int64) {
	kept = append(kept[:0], nil)
	settle := func() (s runtime.MemStats) {
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s
	}
	before := settle()
	kept[0] = make()
	after := settle()
	return kept[0], int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// TestParts: of blocks of which only a part is reached the rest is given, and both are what the heap holds.
func TestParts(t *testing.T) {
	if layouts().spanBlock == 0 {
		t.Fatal("the size of blocks is not known in this version of Go")
	}
	const n = 200
	many := func(one func() any) func() any {
		return func() any {
			all := make([]any, n)
			for i := range all {
				all[i] = one()
			}
			return all
		}
	}
	for name, one := range map[string]func() any{
		"head of a slice":       func() any { return make([]int64, 1000)[:2:2] },
		"tail of a slice":       func() any { return make([]int64, 1000)[990:] },
		"tail of a large slice": func() any { return make([]*int, 10_000)[9_000:] },
		"substring":             func() any { return strings.Repeat("x", 5000)[100:200] },
		"short substring":       func() any { return strings.Repeat("x", 5000)[:3] },
		"field":                 func() any { return &new(vertex).pad[1] },
		"timer":                 func() any { return time.NewTimer(time.Hour) },
		"ticker":                func() any { return time.NewTicker(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			value, held := grown(many(one))
			r := Measure(value)
			if r.Inside != n || r.Beyond <= 0 {
				t.Errorf("%d parts with %d bytes beyond them, want %d parts", r.Inside, r.Beyond, n)
			}
			// The runtime's own list of timers is not theirs.
			if sum := r.Bytes + r.Beyond; float64(sum) < 0.9*float64(held) || float64(sum) > 1.02*float64(held) {
				t.Errorf("%d bytes and %d beyond, but the heap has grown by %d", r.Bytes, r.Beyond, held)
			}
			if !strings.Contains(r.String(), "beyond parts") {
				t.Errorf("the text does not say it:\n%s", r)
			}
		})
	}
}

// TestPartsOfOneBlock: the rest of a block counts once, and only what no part of it is.
func TestPartsOfOneBlock(t *testing.T) {
	s := make([]int64, 512)
	r := Measure(s[0:128:128], s[256:384:384])
	if r.Bytes != 2048 || r.Inside != 2 || r.Beyond != 2048 {
		t.Errorf("%d bytes, %d parts, %d beyond; want 2048, 2, 2048", r.Bytes, r.Inside, r.Beyond)
	}
	if r := Measure(s[:256:256], s[256:]); r.Bytes != 4096 || r.Beyond != 0 || r.Inside != 0 {
		t.Errorf("%d bytes, %d parts, %d beyond; want 4096, none, none", r.Bytes, r.Inside, r.Beyond)
	}
}

// TestUnknownBlocks: where sizes of blocks are not known, that is said whatever is measured.
func TestUnknownBlocks(t *testing.T) {
	l := layouts()
	l.spanBlock = 0
	w := newWalk(l, image())
	s := make([]int64, 512)[:2:2]
	w.root(s)
	r := w.report()
	if r.Beyond != 0 || !strings.Contains(r.String(), "rest of larger blocks of unknown size") {
		t.Errorf("not said:\n%s", r)
	}
	runtime.KeepAlive(s)
}

// TestBlockOf: what is not on the heap has no block.
func TestBlockOf(t *testing.T) {
	l := layouts()
	var local [4]int64
	for name, p := range map[string]uintptr{
		"variable of the package": uintptr(unsafe.Pointer(&kept)),
		"stack":                   uintptr(unsafe.Pointer(&local)),
		"nowhere":                 minAddress,
	} {
		if _, size := l.blockOf(p); size != 0 {
			t.Errorf("%s: a block of %d bytes", name, size)
		}
	}
}

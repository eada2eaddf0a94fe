package queue

import (
	"math"
	"reflect"
	"sync/atomic"
	"testing"
	"unsafe"
)

func TestPadShift(t *testing.T) {
	for _, c := range []struct {
		slot     uintptr
		capacity uint64
		want     uint
	}{
		{16, 1024, 3}, {8, 2, 4}, {64, 1024, 1}, {65, 1024, 1}, {128, 1024, 0}, {129, 1024, 0}, {24, 1024, 3}, {40, 1024, 2},
		{16, 2048, 3},
		{16, 4096, 2}, {16, 8192, 0}, {16, 65536, 0}, {0, 2, 0},
	} {
		if got := padShift(c.slot, c.capacity); got != c.want {
			t.Errorf("padShift(%d, %d) = %d, want %d", c.slot, c.capacity, got, c.want)
		}
	}
}

func TestHoldsPointers(t *testing.T) {
	for _, c := range []struct {
		v    any
		want bool
	}{
		{1, false}, {1.5, false}, {true, false}, {complex64(1), false}, {[4]int{}, false}, {[0]*int{}, false},
		{struct{}{}, false}, {struct{ a, b int }{}, false}, {uintptr(1), false},
		{"", true}, {new(int), true}, {[]int{}, true}, {map[int]int{}, true}, {make(chan int), true},
		{func() {}, true}, {[1]string{}, true}, {struct {
			a int
			b []int
		}{}, true}, {unsafe.Pointer(nil), true}, {struct{ e error }{}, true},
	} {
		if got := typeHoldsPointers(reflect.TypeOf(c.v)); got != c.want {
			t.Errorf("typeHoldsPointers(%T) = %v, want %v", c.v, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		head, tail, limit uint64
		want              int
	}{
		{0, 0, 8, 0}, {3, 7, 8, 4}, {math.MaxUint64 - 1, 2, 8, 4}, {math.MaxInt64, math.MaxInt64 + 5, 8, 5},
		{0, 100, 8, 8}, // read while both moved
	} {
		var head, tail atomic.Uint64
		head.Store(c.head)
		tail.Store(c.tail)
		if got := distance(head.Load, tail.Load, c.limit); got != c.want {
			t.Errorf("distance(%d, %d, %d) = %d, want %d", c.head, c.tail, c.limit, got, c.want)
		}
	}
	if got := clampLen(1<<62, noBound); got < 0 {
		t.Errorf("clampLen overflows to %d", got)
	}
}

func TestBefore(t *testing.T) {
	for _, c := range []struct {
		a, b uint64
		want bool
	}{
		{1, 2, true}, {2, 1, false}, {1, 1, false}, {math.MaxUint64, 0, true}, {0, math.MaxUint64, false},
		{math.MaxInt64, math.MaxInt64 + 1, true},
	} {
		if got := before(c.a, c.b); got != c.want {
			t.Errorf("before(%d, %d) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestLazyFor(t *testing.T) {
	for capacity, want := range map[uint64]uint64{2: 1, 8: 1, 16: 2, 512: 64, 1 << 20: 64} {
		if got := publishInterval(capacity); got != want {
			t.Errorf("publishInterval(%d) = %d, want %d", capacity, got, want)
		}
	}
}

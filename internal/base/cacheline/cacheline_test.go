package cacheline

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

func TestLineSeparates(t *testing.T) {
	var v struct {
		a atomic.Int64
		_ Line
		b atomic.Int64
		_ Line
	}
	if d := unsafe.Offsetof(v.b) - unsafe.Offsetof(v.a); d < Size {
		t.Errorf("the offsets of two padded fields differ by %d bytes, want at least %d", d, Size)
	}
	many := [2]struct {
		n atomic.Int64
		_ Line
	}{}
	first, second := uintptr(unsafe.Pointer(&many[0])), uintptr(unsafe.Pointer(&many[1]))
	if d := second - first; d < Size {
		t.Errorf("the addresses of two padded elements differ by %d bytes, want at least %d", d, Size)
	}
}

// BenchmarkTwoWriters shows what the padding is for: two goroutines count, each
// for itself, in one cache line and in two.
func BenchmarkTwoWriters(b *testing.B) {
	b.Run("shared", func(b *testing.B) {
		v := new(struct{ one, two atomic.Int64 })
		countBoth(b, &v.one, &v.two)
	})
	b.Run("padded", func(b *testing.B) {
		v := new(struct {
			one atomic.Int64
			_   Line
			two atomic.Int64
			_   Line
		})
		countBoth(b, &v.one, &v.two)
	})
}

func countBoth(b *testing.B, counters ...*atomic.Int64) {
	var wg sync.WaitGroup
	for _, c := range counters {
		wg.Go(func() {
			for range b.N {
				c.Add(1)
			}
		})
	}
	wg.Wait()
}

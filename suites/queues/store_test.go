package queues_test

import (
	"sync/atomic"
	"testing"

	"github.com/tarebench/tare/bench"
)

// BenchmarkStore is what it costs to write one word that nobody else looks at: the
// least that making an element visible can cost. On amd64 an atomic store of Go is an
// exchange, which waits for all writes before it.
func BenchmarkStore(b *testing.B) {
	word := bench.Opaque(new(int64))
	b.Run("how=plain", func(b *testing.B) {
		for i := range b.N {
			*word = int64(i)
		}
	})
	b.Run("how=atomic", func(b *testing.B) {
		for i := range b.N {
			atomic.StoreInt64(word, int64(i))
		}
	})
	b.Run("how=cas", func(b *testing.B) {
		atomic.StoreInt64(word, 0)
		for i := range b.N {
			atomic.CompareAndSwapInt64(word, int64(i), int64(i)+1)
		}
	})
}

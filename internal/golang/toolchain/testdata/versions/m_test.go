package m

import "testing"

var sink int

func BenchmarkSum(b *testing.B) {
	b.Run("size=1000", func(b *testing.B) {
		for b.Loop() {
			sink += Sum(1000)
		}
	})
	b.Run("old", func(b *testing.B) {
		for range b.N {
			sink += Sum(100)
		}
	})
}

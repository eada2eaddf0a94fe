package subjects

import "testing"

func BenchmarkAVX512(b *testing.B) {
	for range b.N {
		ZeroAVX512()
	}
}

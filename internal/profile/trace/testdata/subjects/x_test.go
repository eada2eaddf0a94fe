package subjects_test

import (
	"testing"

	"example.org/subjects"
)

func BenchmarkExternal(b *testing.B) {
	thrice()
	b.ResetTimer()
	for range b.N {
		thrice()
		subjects.G(1)
	}
}

func thrice() {
	for i := range 3 {
		subjects.F(i)
	}
}

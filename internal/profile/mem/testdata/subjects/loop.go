package subjects

import "testing"

var found int

func loop(b *testing.B, m map[int]int) {
	for i := range b.N {
		found += m[i&1023]
	}
}

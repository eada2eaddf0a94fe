package loops

import "testing"

var sink uint64

func spin(x uint64) uint64 {
	for range 60 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func BenchmarkLoop0(b *testing.B) {
	x := uint64(0)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

func BenchmarkLoop1(b *testing.B) {
	x := uint64(1)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

func BenchmarkLoop2(b *testing.B) {
	x := uint64(2)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

func BenchmarkLoop3(b *testing.B) {
	x := uint64(3)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

func BenchmarkLoop4(b *testing.B) {
	x := uint64(4)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

func BenchmarkLoop5(b *testing.B) {
	x := uint64(5)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

func BenchmarkLoop6(b *testing.B) {
	x := uint64(6)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

func BenchmarkLoop7(b *testing.B) {
	x := uint64(7)
	for range b.N {
		x = spin(x)
	}
	sink = x
}

// What allocates takes longer beside others without losing processor time, and its N follows.

var kept []byte

func BenchmarkAllocSmall(b *testing.B) {
	for range b.N {
		kept = make([]byte, 64)
	}
}

func BenchmarkAllocLarge(b *testing.B) {
	for range b.N {
		kept = make([]byte, 4096)
	}
}

func BenchmarkAllocMap(b *testing.B) {
	for range b.N {
		m := map[int]int{}
		for i := range 100 {
			m[i] = i
		}
		kept = make([]byte, len(m))
	}
}

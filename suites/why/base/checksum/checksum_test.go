package checksum

import (
	"hash/adler32"
	"testing"
)

func packet(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*i + i>>3)
	}
	return p
}

func TestChecksums(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 5552, 20000} {
		p := packet(n)
		if got, want := Adler(p), adler32.Checksum(p); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
	if got := XOR([]byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 128, 9}); got != 1<<63 {
		t.Errorf("XOR: %x", got)
	}
	if got := Weighted([]int32{1, 2, 3}, []int32{10, 20, 30}); got != 140 {
		t.Errorf("Weighted: %d", got)
	}
}

func BenchmarkAdler(b *testing.B) {
	p := packet(20000)
	var x uint32
	for b.Loop() {
		x ^= Adler(p)
	}
}

func BenchmarkXOR(b *testing.B) {
	p := packet(16384)
	var x uint64
	for b.Loop() {
		x ^= XOR(p)
	}
}

func BenchmarkWeighted(b *testing.B) {
	s, w := make([]int32, 4096), make([]int32, 4096)
	for i := range s {
		s[i], w[i] = int32(i), int32(i%7)
	}
	var x int64
	for b.Loop() {
		x += Weighted(s, w)
	}
}

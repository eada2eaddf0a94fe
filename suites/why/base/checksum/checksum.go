// Package checksum has checksums for packets.
package checksum

// modulus is the largest prime below 65536, as in Adler-32.
const modulus = 65521

// block is how many bytes can be added before a sum must be reduced.
const block = 5552

// Adler returns the Adler-32 checksum of a packet.
func Adler(p []byte) uint32 {
	a, b := uint32(1), uint32(0)
	for len(p) > 0 {
		n := min(len(p), block)
		for _, c := range p[:n] {
			a += uint32(c)
			b += a
		}
		a %= modulus
		b %= modulus
		p = p[n:]
	}
	return b<<16 | a
}

// XOR returns the words of a packet combined by exclusive or. Bytes behind the last whole word are left out.
//
//go:noinline
func XOR(p []byte) uint64 {
	var x uint64
	for len(p) >= 8 {
		x = turn(x) ^ word(p)
		p = p[8:]
	}
	return x
}

func word(p []byte) uint64 {
	_ = p[7]
	return uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
		uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
}

func turn(x uint64) uint64 { return x<<1 | x>>63 }

// Weighted returns the sum of the samples, each multiplied by the weight of its place. Both slices have one length.
//
//go:noinline
func Weighted(samples, weights []int32) int64 {
	weights = weights[:len(samples)]
	var sum int64
	for i, s := range samples {
		sum += int64(s) * int64(weights[i])
	}
	return sum
}

// Command loops runs three loops of which it is known on what they wait: a division, a
// load whose address is that of the last one, and an addition that others can see.
package main

import "sync/atomic"

var (
	sink    uint64
	counter atomic.Uint64
	ring    = cycle(1 << 20)
)

// cycle is a way through all elements that no processor foresees.
func cycle(n uint32) []uint32 {
	r := make([]uint32, n)
	for i := range n {
		r[i] = (5*i + 1) % n
	}
	return r
}

//go:noinline
func divide(n int) {
	x := sink | 1
	for range n {
		x = 1<<63/x + 3
	}
	sink = x
}

//go:noinline
func chase(n int) {
	at := uint32(0)
	for range n {
		at = ring[at]
	}
	sink = uint64(at)
}

//go:noinline
func add(n int) {
	for range n {
		counter.Add(3)
	}
}

func main() {
	for range 60 {
		divide(2_000_000)
		chase(60_000)
		add(1_600_000)
	}
}

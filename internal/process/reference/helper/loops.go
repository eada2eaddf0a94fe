//go:build linux || darwin

package main

import (
	"math/rand/v2"
	"syscall"
	"unsafe"
)

// The sizes of what the loops touch. The ring is larger than the second-level caches of today's processors and
// fits into their last-level caches, unless other processes fill them.
const (
	cacheLine  = 64
	ringBytes  = 8 << 20
	copyBytes  = 4 << 20
	randomBits = 1 << 16 // more than a branch predictor remembers
)

// sink keeps results alive.
var sink uint64

func newLoops() ([]loop, error) {
	ring, err := newRing()
	if err != nil {
		return nil, err
	}
	from, err := memory(copyBytes)
	if err != nil {
		return nil, err
	}
	to, err := memory(copyBytes)
	if err != nil {
		return nil, err
	}
	bits := randomBytes(randomBits)
	return []loop{
		{"chain", 500_000, chain},
		{"branch", 180_000, func(n int) { branch(bits, n) }},
		{"l3", 10_000, ring.walk},
		{"copy", 2, func(n int) {
			for range n {
				copy(to, from)
			}
		}},
		{"alloc", 25_000, allocate},
	}, nil
}

// memory returns zeroed and touched memory outside the heap, so that the heap stays small and the collector runs
// in the loop that allocates.
func memory(size int) ([]byte, error) {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	return b, err
}

func randomBytes(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// chain is arithmetic in which each step waits for the one before: the speed of the processor's clock.
func chain(n int) {
	x := sink | 1
	for range n {
		x = x*0x9e3779b97f4a7c15 + 1
	}
	sink = x
}

// branch takes jumps that a processor cannot predict.
func branch(bits []byte, n int) {
	var odd, even uint64
	for i := range n {
		if bits[i%randomBits]&1 != 0 {
			odd += uint64(i)
		} else {
			even ^= odd
		}
	}
	sink = odd + even
}

// A ring is a list of all cache lines of its memory in random order.
type ring struct {
	memory []byte
	at     uint32
}

func newRing() (*ring, error) {
	b, err := memory(ringBytes)
	if err != nil {
		return nil, err
	}
	r := &ring{memory: b}
	order := rand.New(rand.NewPCG(3, 4)).Perm(ringBytes / cacheLine)
	for i, line := range order {
		next := order[(i+1)%len(order)]
		*r.link(uint32(line) * cacheLine) = uint32(next) * cacheLine
	}
	return r, nil
}

// link is the place at which the cache line at an offset names the next one.
func (r *ring) link(offset uint32) *uint32 { return (*uint32)(unsafe.Pointer(&r.memory[offset])) }

// walk follows the list from where it stopped last: the time of loads from the last-level cache, or from memory
// if others have filled that cache.
func (r *ring) walk(n int) {
	at := r.at
	for range n {
		at = *r.link(at)
	}
	r.at = at
}

// A node is what the loop alloc allocates.
type node struct {
	next *node
	_    [7]uint64
}

var nodes [1024]*node

// allocate allocates small objects, of which the last 1024 are alive. The collector runs beside.
func allocate(n int) {
	for i := range n {
		p := &nodes[i%len(nodes)]
		*p = &node{next: nodes[(i+1)%len(nodes)]}
		(*p).next = nil
	}
}

package main

import "sync"

// section is a function with very many calls of short ones. Its time without probes is known by the clock around it, in a
// build without probes.
type section struct {
	name string // of the function, without its package
	run  func()
}

// sections of which a traced run makes one call each.
var sections = []section{
	{"leaf1", leaf1}, {"leaf1inlined", leaf1inlined}, {"leaf5", leaf5}, {"leaf50", leaf50}, {"leaf50apart", leaf50apart},
	{"leaf200", leaf200}, {"leaf1000", leaf1000},
	{"recursion", recursion}, {"interfaces", interfaces}, {"generics", generics}, {"levels", levels},
	{"allocation", allocation}, {"allocationInlined", allocationInlined}, {"lookups", lookups},
	{"channel", channel}, {"pingPong", pingPong}, {"goroutines", goroutines}, {"mixed", mixed},
}

// calls is how many calls a section makes: with probes, a million takes some 50 ms. few is that of a section whose calls take
// longer.
var calls, few = 1_000_000, 100_000

// setCalls changes how many calls sections make.
func setCalls(n int) {
	if n < calls {
		depth = 17
	}
	calls, few = n, max(1, n/10)
}

var sink uint64

func leaf1() {
	x := sink
	for range calls {
		x = step(x)
	}
	sink = x
}

//go:noinline
func step(x uint64) uint64 { return x + 3 }

func leaf1inlined() {
	x := sink
	for range calls {
		x = inlinedStep(x)
	}
	sink = x
}

func inlinedStep(x uint64) uint64 { return x ^ x<<1 }

func leaf5() {
	x := sink
	for range calls {
		x = steps5(x)
	}
	sink = x
}

// steps5 takes some 5 ns: each multiplication waits for the one before.
//
//go:noinline
func steps5(x uint64) uint64 { return chain(x, 5) }

// chain is inlined into its callers.
func chain(x uint64, n int) uint64 {
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func leaf50() {
	x := sink
	for range calls {
		x = steps50(x)
	}
	sink = x
}

//go:noinline
func steps50(x uint64) uint64 { return chain(x, 50) }

// leaf50apart has the same calls, none of which waits for the one before: the processor works on several at once.
func leaf50apart() {
	var x uint64
	for i := range uint64(calls) {
		x += steps50(i)
	}
	sink = x
}

func leaf200() {
	x := sink
	for range few {
		x = steps200(x)
	}
	sink = x
}

//go:noinline
func steps200(x uint64) uint64 { return chain(x, 200) }

func leaf1000() {
	x := sink
	for range few {
		x = steps1000(x)
	}
	sink = x
}

//go:noinline
func steps1000(x uint64) uint64 { return chain(x, 1000) }

func recursion() { sink += fib(uint64(depth)) }

// depth is the number of the Fibonacci sequence: 635,621 calls, and 5167 for 17.
var depth = 27

func fib(n uint64) uint64 {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

type stepper interface{ next(x uint64) uint64 }

type (
	adds   uint64
	shifts uint64
)

//go:noinline
func (a adds) next(x uint64) uint64 { return x + uint64(a) }

//go:noinline
func (s shifts) next(x uint64) uint64 { return x ^ x>>s }

var steppers = []stepper{adds(3), shifts(7), adds(5), shifts(9)}

func interfaces() {
	x := sink
	for i := range calls {
		x = steppers[i&3].next(x)
	}
	sink = x
}

func generics() {
	x, y := sink, float64(sink)
	for range calls / 2 {
		x, y = larger(x, 3), larger(y, 3)
	}
	sink = x + uint64(y)
}

//go:noinline
func larger[T uint64 | float64](a, b T) T {
	if a > b {
		return a
	}
	return b
}

// levels makes a fifth of its calls on each of five levels.
func levels() {
	x := sink
	for range calls / 5 {
		x = level1(x)
	}
	sink = x
}

//go:noinline
func level1(x uint64) uint64 { return level2(x) + 1 }

//go:noinline
func level2(x uint64) uint64 { return level3(x) + 1 }

//go:noinline
func level3(x uint64) uint64 { return level4(x) + 1 }

//go:noinline
func level4(x uint64) uint64 { return step(x) + 1 }

// A node is an object of 64 bytes with a pointer.
type node struct {
	next *node
	v    [7]uint64
}

var kept node

func allocation() {
	for range calls {
		kept.next = newNode()
	}
	sink += kept.next.v[0]
}

//go:noinline
func newNode() *node { return &node{} }

// allocationInlined has its nodes on the stack, unless probes keep newScratch from being inlined.
func allocationInlined() {
	x := sink
	for i := range uint64(few) {
		n := newScratch()
		n.v[i&127] = i
		x += n.v[x&127]
	}
	sink = x
}

type scratch struct{ v [128]uint64 }

func newScratch() *scratch { return &scratch{} }

var table = func() []uint32 {
	t := make([]uint32, 16<<20)
	for i := range t {
		t[i] = uint32(i) * 2654435761
	}
	return t
}()

// lookups reads places that are in no cache: the processor waits for several at once.
func lookups() {
	x, at := sink, uint32(1)
	for range few {
		at = at*1664525 + 1013904223
		x += uint64(lookup(at))
	}
	sink = x
}

//go:noinline
func lookup(at uint32) uint32 { return table[at>>8] }

func channel() {
	c := make(chan uint64, 1)
	x := sink
	for range few {
		send(c, x)
		x = receive(c)
	}
	sink = x
}

//go:noinline
func send(c chan<- uint64, x uint64) { c <- x + 1 }

//go:noinline
func receive(c <-chan uint64) uint64 { return <-c }

// pingPong waits for another goroutine at each call.
func pingPong() {
	to, from := make(chan uint64), make(chan uint64)
	go func() {
		for x := range to {
			send(from, x)
		}
		close(from)
	}()
	x := sink
	for range few {
		send(to, x)
		x = receive(from)
	}
	close(to)
	sink = x
}

// goroutines has two that make calls at the same time.
func goroutines() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			x := uint64(1)
			for range calls / 2 {
				x = steps5(x)
			}
			use(x)
		})
	}
	wg.Wait()
}

//go:noinline
func use(uint64) {}

// mixed is mostly work of its own.
func mixed() {
	x := sink
	for range few / 10 {
		x = steps1000(x)
		for range 10 {
			x = step(x)
		}
	}
	sink = x
}

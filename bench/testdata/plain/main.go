// Command plain is compiled by the tests of Sink, Opaque, Work and For, which look
// at its machine code. Every value comes out of a multiplication, so that
// there is one instruction to look for. It is not meant to be run.
package main

import (
	"time"

	"github.com/tarebench/tare/bench"
)

type record struct {
	id   int
	name string
	rate float64
}

var (
	names   [8]string
	slices  [8][]int
	errs    [8]error
	records [8]record
	cell    int
)

// Each pair computes the same; the first drops it.

//go:noinline
func intDropped(x, y int) { _ = x * y }

//go:noinline
func intSunk(x, y int) { bench.Sink(x * y) }

//go:noinline
func floatDropped(x, y float64) { _ = x * y }

//go:noinline
func floatSunk(x, y float64) { bench.Sink(x * y) }

//go:noinline
func stringDropped(x, y uint) { _ = names[x*y&7] }

//go:noinline
func stringSunk(x, y uint) { bench.Sink(names[x*y&7]) }

//go:noinline
func sliceDropped(x, y uint) { _ = slices[x*y&7] }

//go:noinline
func sliceSunk(x, y uint) { bench.Sink(slices[x*y&7]) }

//go:noinline
func structDropped(x, y int) { _ = record{id: x * y, name: "x", rate: 1} }

//go:noinline
func structSunk(x, y int) { bench.Sink(record{id: x * y, name: "x", rate: 1}) }

//go:noinline
func arrayDropped(x, y int) { _ = [3]int{1, x * y, 3} }

//go:noinline
func arraySunk(x, y int) { bench.Sink([3]int{1, x * y, 3}) }

//go:noinline
func pointerDropped(x, y uint) { _ = &records[x*y&7] }

//go:noinline
func pointerSunk(x, y uint) { bench.Sink(&records[x*y&7]) }

//go:noinline
func errorDropped(x, y uint) { _ = errs[x*y&7] }

//go:noinline
func errorSunk(x, y uint) { bench.Sink(errs[x*y&7]) }

//go:noinline
func anyDropped(x, y int) { _ = any(x * y) }

//go:noinline
func anySunk(x, y int) { bench.Sink(any(x * y)) }

//go:noinline
func loopDropped(n, x int) {
	for i := range n {
		_ = x * i
	}
}

//go:noinline
func loopSunk(n, x int) {
	for i := range n {
		bench.Sink(x * i)
	}
}

//go:noinline
func viaGenericDropped(x, y int) { generic(x*y, func(int) {}) }

//go:noinline
func viaGenericSunk(x, y int) { generic(x*y, bench.Sink) }

func generic[T any](v T, sink func(T)) { sink(v) }

//go:noinline
func constantDropped() int { x, y := 12345, 54321; return x * y }

//go:noinline
func constantSunk() int { return bench.Opaque(12345) * bench.Opaque(54321) }

//go:noinline
func work(tokens int) { bench.Work(tokens) }

//go:noinline
func forEmpty() bench.Result { return bench.For(time.Second, func() {}) }

//go:noinline
func forLiteral(k int) bench.Result { return bench.For(time.Second, func() { cell *= k }) }

//go:noinline
func forNamed() bench.Result { return bench.For(time.Second, named) }

func named() { cell = cell * cell }

//go:noinline
func forPrinted(k int) { bench.ForPrint("literal", time.Second, func() { cell *= k }) }

//go:noinline
func forOpaque() bench.Result { return bench.For(time.Second, bench.Opaque(func() {})) }

func main() {
	intDropped(1, 2)
	intSunk(1, 2)
	floatDropped(1, 2)
	floatSunk(1, 2)
	stringDropped(1, 2)
	stringSunk(1, 2)
	sliceDropped(1, 2)
	sliceSunk(1, 2)
	structDropped(1, 2)
	structSunk(1, 2)
	arrayDropped(1, 2)
	arraySunk(1, 2)
	pointerDropped(1, 2)
	pointerSunk(1, 2)
	errorDropped(1, 2)
	errorSunk(1, 2)
	anyDropped(1, 2)
	anySunk(1, 2)
	loopDropped(1, 2)
	loopSunk(1, 2)
	viaGenericDropped(1, 2)
	viaGenericSunk(1, 2)
	cell = constantDropped() + constantSunk()
	work(cell)
	forEmpty()
	forLiteral(1)
	forNamed()
	forPrinted(1)
	forOpaque()
}

package queue

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A gate lets producers in until it is closed, and tells when the last of them is out: from
// then on nothing is added.
//
// A producer counts itself before it checks whether the gate is closed. If all counts are 0
// after the gate was closed, every producer that found it open has therefore left. There are
// several counts, so that producers do not share a cache line. A goroutine may use any of them.
type gate struct {
	_      cacheline.Line
	closed atomic.Bool
	_      cacheline.Line
	within [gates]struct {
		n atomic.Int32
		_ cacheline.Line
	}
}

// gates is the number of counts, a power of two.
const gates, gateBits = 8, 3

// enter lets a producer in and returns the number with which it must leave. It returns false
// if the gate is closed; the producer is then out.
func (g *gate) enter() (i uint32, ok bool) {
	i = gateOf()
	g.within[i].n.Add(1)
	if g.closed.Load() {
		g.leave(i)
		return i, false
	}
	return i, true
}

func (g *gate) leave(i uint32) { g.within[i].n.Add(-1) }

// gateOf chooses a count by where the stack of the goroutine lies: Fibonacci hashing, Knuth,
// The Art of Computer Programming 3, section 6.4.
func gateOf() uint32 {
	var here byte
	return uint32(uintptr(unsafe.Pointer(&here))>>10) * 0x9E3779B1 >> (32 - gateBits)
}

// close closes the gate, and reports whether it was open.
func (g *gate) close() bool { return g.closed.CompareAndSwap(false, true) }

// wait returns when the last producer is out of a gate that was closed, or with the context's
// error. No producer waits for anything inside, so that this is soon, unless one has lost its
// processor or the wrapped queue does not return.
func (g *gate) wait(ctx context.Context) error {
	for i := range g.within {
		for tries := 0; g.within[i].n.Load() != 0; tries++ {
			if tries < 100 {
				runtime.Gosched()
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			time.Sleep(20 * time.Microsecond)
		}
	}
	return nil
}

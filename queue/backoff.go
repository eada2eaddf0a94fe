package queue

import (
	"runtime"
	"time"
)

// A Backoff is what a goroutine does when a Try method found nothing: it keeps away
// from the queue for a while. Not for politeness: a goroutine that looks again at
// once takes the cache line from the one on the other side, which makes that one
// several times slower. A look that comes a little later finds many elements, at
// the price of one.
//
//	var b queue.Backoff
//	for !done {
//		if v, ok := q.TryDequeue(); ok {
//			b.Worked(1)
//			use(v)
//		} else {
//			b.Wait()
//		}
//	}
//
// The length of a wait is remembered: it doubles, up to about 4 µs, when the wait
// before it was followed by few elements, and halves when it was followed by many.
// Where longer waits are not followed by more elements either, as when two
// goroutines send one to and fro, it stays below 0.5 µs. Waits that nothing follows
// get shorter and let other goroutines run; after some hundred of them a wait is a
// sleep, of 1 ms in the end. Message latency suffers accordingly: one that comes
// after a pause may lie that long.
//
// The zero value is for queues of a capacity around 1000; see [NewBackoff]. A
// Backoff belongs to one goroutine.
type Backoff struct {
	length    int // steps of the next wait
	vain      int // waits in a row that nothing followed
	worked    int // elements since the last wait
	before    int // elements between the two waits before
	few, many int
	x         uint64
}

// The lengths are in steps of spin, of about 1 ns.
const (
	minWait, maxWait     = 32, 4096
	cheapWait            = 256 // up to here a longer wait is tried without a reason
	vainUntilSleep       = 256
	minSleep, maxSleep   = 20 * time.Microsecond, time.Millisecond
	usualFew, usualMany  = 128, 512
	retriesBetweenYields = 128
)

// NewBackoff returns a Backoff for a queue of a certain capacity: in a small queue
// fewer elements are many. -1 stands for no bound.
func NewBackoff(capacity int) Backoff {
	if capacity < 0 {
		return Backoff{}
	}
	return Backoff{few: min(usualFew, max(1, capacity/8)), many: max(1, min(usualMany, capacity/2))}
}

// Worked says that so many elements were handed over since the last Wait.
func (b *Backoff) Worked(elements int) { b.worked += elements }

// Wait waits.
func (b *Backoff) Wait() {
	b.adapt()
	switch {
	case b.vain < 2:
		b.x = spin(b.length, b.x)
	case b.vain < vainUntilSleep:
		b.x = spin(b.length, b.x)
		runtime.Gosched()
	default:
		time.Sleep(min(maxSleep, minSleep*time.Duration(1+(b.vain-vainUntilSleep)/8)))
	}
}

// adapt chooses the length of the next wait by what followed the last one.
func (b *Backoff) adapt() {
	few, many := b.few, b.many
	if many == 0 {
		few, many = usualFew, usualMany
	}
	switch worked := b.worked; {
	case worked == 0:
		if b.vain++; b.vain > 1 {
			b.length /= 2
		}
	case worked < few && (worked > b.before || b.length < cheapWait):
		b.vain, b.length = 0, 2*b.length
	case worked < few || worked > many:
		b.vain, b.length = 0, b.length/2
	default:
		b.vain = 0
	}
	b.length = max(minWait, min(b.length, maxWait))
	b.before, b.worked = b.worked, 0
}

// spin passes time without touching memory that others use. What it computes is
// returned lest the compiler drop it; each step waits for the one before.
//
//go:noinline
func spin(steps int, x uint64) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

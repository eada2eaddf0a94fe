package queue

import (
	"runtime"
	"time"
)

// A Backoff makes a goroutine wait after a Try method has failed. Waiting raises
// throughput: a goroutine that retries at once takes the cache line from the other
// side, which becomes several times slower. A later attempt finds many elements at
// the cost of one.
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
// A Backoff adapts the length of its waits. The length doubles, up to about 4 µs,
// if few elements followed the last wait, and halves if many did. It stays below
// 0.5 µs if longer waits bring no more elements, as when two goroutines send one
// element to and fro. Waits that no element follows get shorter and yield the
// processor; after 256 of them a wait is a sleep, of at most 1 ms. An element that
// arrives after a pause can therefore wait up to 1 ms for its consumer.
//
// The zero value is for queues of a capacity around 1000; see [NewBackoff]. A
// Backoff belongs to one goroutine.
type Backoff struct {
	length     int // steps of the next wait
	emptyWaits int // waits in a row that no element followed
	worked     int // elements since the last wait
	before     int // elements between the two waits before
	few, many  int
	x          uint64
}

// The lengths are in steps of spin, of about 1 ns.
const (
	minWait, maxWait     = 32, 4096
	cheapWait            = 256 // up to here a longer wait is tried without a reason
	waitsUntilSleep      = 256
	minSleep, maxSleep   = 20 * time.Microsecond, time.Millisecond
	usualFew, usualMany  = 128, 512
	retriesBetweenYields = 128
)

// NewBackoff returns a Backoff for a queue of the given capacity, which decides how
// many elements count as few or many. -1 means no bound.
func NewBackoff(capacity int) Backoff {
	if capacity < 0 {
		return Backoff{}
	}
	return Backoff{few: min(usualFew, max(1, capacity/8)), many: max(1, min(usualMany, capacity/2))}
}

// Worked adds to the number of elements that were handed over since the last Wait.
func (b *Backoff) Worked(elements int) { b.worked += elements }

// Wait spins, yields or sleeps, depending on what followed the waits before.
func (b *Backoff) Wait() {
	b.adapt()
	switch {
	case b.emptyWaits < 2:
		b.x = spin(b.length, b.x)
	case b.emptyWaits < waitsUntilSleep:
		b.x = spin(b.length, b.x)
		runtime.Gosched()
	default:
		time.Sleep(min(maxSleep, minSleep*time.Duration(1+(b.emptyWaits-waitsUntilSleep)/8)))
	}
}

// adapt chooses the length of the next wait by the elements that followed the last.
func (b *Backoff) adapt() {
	few, many := b.few, b.many
	if many == 0 {
		few, many = usualFew, usualMany
	}
	switch worked := b.worked; {
	case worked == 0:
		if b.emptyWaits++; b.emptyWaits > 1 {
			b.length /= 2
		}
	case worked < few && (worked > b.before || b.length < cheapWait):
		b.emptyWaits, b.length = 0, 2*b.length
	case worked < few || worked > many:
		b.emptyWaits, b.length = 0, b.length/2
	default:
		b.emptyWaits = 0
	}
	b.length = max(minWait, min(b.length, maxWait))
	b.before, b.worked = b.worked, 0
}

// spin passes time without touching shared memory. Each step depends on the one
// before. The result is returned so that the compiler does not remove the loop.
//
//go:noinline
func spin(steps int, x uint64) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

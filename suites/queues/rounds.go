package queues

import (
	"sync/atomic"

	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/internal/base/cacheline"
)

// A Ring is the two ends of a round trip, there through one queue and back through
// another.
type Ring struct {
	send func(w *bench.Worker, burst int)
	echo func(w *bench.Worker)
}

// HasRing reports whether there are loops for round trips.
func (l *Link) HasRing() bool { return l.ring != nil }

// Ring makes the two queues of a round trip.
func (l *Link) Ring() Ring { return l.ring() }

// Send is the body of who sends bursts, and waits for all of one before the next.
func (r Ring) Send(w *bench.Worker, burst int) { r.send(w, burst) }

// Echo is the body of who sends each element back.
func (r Ring) Echo(w *bench.Worker) { r.echo(w) }

// A Burst is the two ends of a queue for bursts.
type Burst struct {
	link *Link
	size int
	done *counter
}

// counter is how a consumer tells that it has come so far.
type counter struct {
	_ cacheline.Line
	n atomic.Int64
	_ cacheline.Line
}

// HasBurst reports whether there are loops for bursts.
func (l *Link) HasBurst() bool { return l.giveBurst != nil }

// Burst makes the two ends.
func (l *Link) Burst(size int) Burst { return Burst{l, size, new(counter)} }

// Give is the body of who sends bursts, and waits each time until all have arrived.
func (b Burst) Give(w *bench.Worker) { b.link.giveBurst(w, b.done, b.size) }

// Take is the body of who takes them.
func (b Burst) Take(w *bench.Worker) { b.link.takeBurst(w, b.done, b.size) }

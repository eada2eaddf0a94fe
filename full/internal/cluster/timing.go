package cluster

import "time"

// Timing is how often the parties of a run say that they are there, and how long they wait for each other.
type Timing struct {
	Beat  time.Duration // between two messages that say so
	Lost  time.Duration // an agent without a message for so long is lost
	Lease time.Duration // an agent that did not hear its controller for so long sends no more operations
	Lead  time.Duration // at least, from the order to start to the start
	Order time.Duration // an order that was not answered for so long has failed
	Clock time.Duration // between two measurements of an agent's clock
}

// DefaultTiming returns the timing of real runs. An agent that ended is lost after 1.5 s, and one whose controller ended
// sends nothing after 4 s.
func DefaultTiming() Timing {
	return Timing{
		Beat: 500 * time.Millisecond, Lost: 1500 * time.Millisecond, Lease: 4 * time.Second,
		Lead: 300 * time.Millisecond, Order: 5 * time.Second, Clock: 30 * time.Second,
	}
}

package nats

import (
	"sync"

	natsgo "github.com/nats-io/nats.go"

	"github.com/tarebench/tare/full/internal/cluster"
)

// drops counts the messages that subscriptions lost because their handlers were too slow.
type drops struct {
	mu   sync.Mutex
	subs map[*natsgo.Subscription]bool
	past int // of subscriptions that have ended
}

func (d *drops) add(s *natsgo.Subscription) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.subs == nil {
		d.subs = map[*natsgo.Subscription]bool{}
	}
	d.subs[s] = true
}

func (d *drops) remove(s *natsgo.Subscription) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.subs[s] {
		delete(d.subs, s)
		d.past += dropped(s)
	}
}

func (d *drops) sum() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.past
	for s := range d.subs {
		n += dropped(s)
	}
	return n
}

// dropped returns the count of one subscription, 0 if the connection is closed.
func dropped(s *natsgo.Subscription) int {
	n, err := s.Dropped()
	if err != nil {
		return 0
	}
	return n
}

// Dropped returns how many messages the subscriptions of a connection of this package have lost because their handlers were
// too slow. It counts until the connection is closed.
func Dropped(c cluster.Conn) int { return c.(*conn).drops.sum() }

package faulty

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// reorderTime is how much later a message comes that is overtaken, at most.
const reorderTime = 20 * time.Millisecond

// subscription calls a function for messages, by a goroutine of its own.
type subscription struct {
	conn    *conn
	subject string
	f       func(cluster.Message)
	number  uint64 // of subscriptions, in the order they were made
	ended   chan struct{}

	// What follows is under the network's lock.
	queue []queued // by time
	last  time.Time
	wake  chan struct{} // has an element if the queue has changed
}

type queued struct {
	due     time.Time
	number  uint64
	message cluster.Message
}

// key returns where the network has the subscription.
func (s *subscription) key() string {
	if strings.HasSuffix(s.subject, ">") {
		return ""
	}
	return s.subject
}

// matches reports whether a subject is one of the subscription's.
func (s *subscription) matches(subject string) bool {
	if prefix, ok := strings.CutSuffix(s.subject, ">"); ok {
		return len(subject) > len(prefix) && strings.HasPrefix(subject, prefix)
	}
	return s.subject == subject
}

// push adds a message that arrives after a delay, behind those before it. The network's lock is held.
func (s *subscription) push(m cluster.Message, r *rand.Rand) {
	n := s.conn.network
	due := time.Now().Add(n.delay(r))
	if r.Float64() < n.faults.Reorder {
		due = due.Add(time.Duration(r.Int64N(int64(reorderTime))))
	} else {
		if due.Before(s.last) {
			due = s.last
		}
		s.last = due
	}
	if n.faults.QueueLimit > 0 && len(s.queue) >= n.faults.QueueLimit {
		return
	}
	n.sent++
	q := queued{due, n.sent, m}
	at, _ := slices.BinarySearchFunc(s.queue, q, func(a, b queued) int {
		if c := a.due.Compare(b.due); c != 0 {
			return c
		}
		return int(a.number) - int(b.number)
	})
	s.queue = slices.Insert(s.queue, at, q)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run handles messages until the subscription ends.
func (s *subscription) run() {
	for {
		m, wait, ok := s.pop()
		if ok {
			s.f(m)
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-s.ended:
			timer.Stop()
			return
		case <-s.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// forever is longer than any test.
const forever = 1000 * time.Hour

// pop returns the next message, or the time until there may be one. What arrives while there is no connection is lost.
func (s *subscription) pop() (m cluster.Message, wait time.Duration, ok bool) {
	n := s.conn.network
	n.mu.Lock()
	defer n.mu.Unlock()
	for n.conns[s.conn] && s.conn.subs[s] && len(s.queue) > 0 {
		if wait = time.Until(s.queue[0].due); wait > 0 {
			return m, wait, false
		}
		m, s.queue = s.queue[0].message, s.queue[1:]
		if connected, _ := s.conn.link.Now(); connected {
			return m, 0, true
		}
	}
	return cluster.Message{}, forever, false
}

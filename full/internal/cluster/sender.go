package cluster

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"
	"time"
)

// A sender delivers what an agent counted, in order, without ever having the load wait for the network.
type sender struct {
	conn    Conn
	subject string
	note    func(string)
	jitter  time.Duration // before the first message after none; agents have different ones

	mu    sync.Mutex
	wake  chan struct{} // has room for one
	queue []outgoing
	size  int // of the queue, bytes
}

type outgoing struct {
	id   string
	data []byte
}

// maxJitter limits how long a message waits so that not all agents send theirs at the same instant.
const maxJitter = 150 * time.Millisecond

// jitterOf returns the jitter of an agent.
func jitterOf(id string) time.Duration {
	h := fnv.New32a()
	h.Write([]byte(id))
	return time.Duration(h.Sum32()) % maxJitter
}

// maxQueue limits what waits to be delivered, in bytes. What is beyond is only kept.
const maxQueue = 128 << 20

func newSender(conn Conn, id string, note func(string)) *sender {
	return &sender{conn: conn, subject: subjectData + id, note: note, wake: make(chan struct{}, 1), jitter: jitterOf(id)}
}

// send queues a message, and reports false if there is no room for it. It never blocks.
func (s *sender) send(id string, data []byte) bool {
	s.mu.Lock()
	room := s.size+len(data) <= maxQueue
	if room {
		s.queue, s.size = append(s.queue, outgoing{id, data}), s.size+len(data)
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return room
}

// waiting returns how many messages are not stored yet.
func (s *sender) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// clear forgets what waits.
func (s *sender) clear() {
	s.mu.Lock()
	s.queue, s.size = nil, 0
	s.mu.Unlock()
}

// run delivers until the context ends. A message that cannot be delivered is tried again: who keeps it has it still.
func (s *sender) run(ctx context.Context) {
	noted := false
	for {
		s.mu.Lock()
		var m outgoing
		some := len(s.queue) > 0
		if some {
			m = s.queue[0]
		}
		s.mu.Unlock()
		if !some {
			select {
			case <-s.wake:
				if !pause(ctx, s.jitter) {
					return
				}
				continue
			case <-ctx.Done():
				return
			}
		}
		err := s.deliver(ctx, m)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			if !noted {
				s.note(fmt.Sprintf("results cannot be delivered, and are tried again: %v", err))
			}
			noted = true
			if !pause(ctx, retryDeliver) {
				return
			}
			continue
		}
		noted = false
		s.mu.Lock()
		if len(s.queue) > 0 && s.queue[0].id == m.id { // it was not cleared
			s.queue, s.size = s.queue[1:], s.size-len(m.data)
		}
		s.mu.Unlock()
	}
}

// deliverTime is how long one try to deliver may take, before a message to people.
const deliverTime = 5 * time.Second

// deliver delivers a message, in parts if it is long.
func (s *sender) deliver(ctx context.Context, m outgoing) error {
	parts, err := split(m.id, m.data, maxPart)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	for i, part := range parts {
		if err := s.conn.Deliver(ctx, s.subject, fmt.Sprintf("%s-%d", m.id, i), part); err != nil {
			return err
		}
	}
	return nil
}

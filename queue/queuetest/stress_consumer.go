package queuetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// stressConsumer is a consumer under stress and the elements that it has received.
type stressConsumer[T any] struct {
	*stressWorker
	r     *round[T]
	times [][]uint8 // per producer and element, how often it was received
	last  []int     // per producer, the last element received
	ended bool      // received a pill
	wrong []string  // failures
}

func newStressConsumer[T any](r *round[T], random *rand.Rand) *stressConsumer[T] {
	s := &stressConsumer[T]{stressWorker: &stressWorker{random: random}, r: r}
	for range r.producers {
		s.times = append(s.times, make([]uint8, r.elements))
		s.last = append(s.last, -1)
	}
	return s
}

// consume takes elements by all methods until it receives a pill, or until the queue
// is closed.
func (s *stressConsumer[T]) consume() {
	defer s.r.watch.finish(&s.stall)
	pills := int32(len(s.r.consumers))
	for !s.ended && s.r.pills.Load() < pills && !s.r.watch.stuck() {
		s.r.watch.note(&s.stall, s.some() > 0)
		if s.random.IntN(16) == 0 {
			pause(s.random)
		}
	}
}

// some takes several elements and returns how many there were.
func (s *stressConsumer[T]) some() int {
	m := s.r.m
	if m.waits.available() && s.random.IntN(2) == 0 {
		return s.someWaiting()
	}
	switch way := s.random.IntN(10); {
	case way == 0 && m.dequeueStrict != nil:
		return s.one(m.dequeueStrict())
	case way <= 2 && m.dequeueBatch != nil:
		dst := make([]T, 1+s.random.IntN(2*s.r.capacity))
		n := m.dequeueBatch(dst)
		for _, v := range dst[:n] {
			s.take(v)
		}
		return n
	case way == 3 && m.drain != nil:
		return m.drain(1+s.random.IntN(2*s.r.capacity), s.take)
	case way == 4 && m.all != nil:
		n, stop := 0, 1+s.random.IntN(2*s.r.capacity)
		for v := range m.all() {
			s.take(v)
			if n++; n == stop || s.ended {
				break
			}
		}
		return n
	case way == 5 && m.peek != nil:
		return s.peekAndTake()
	}
	return s.one(m.dequeue())
}

// someWaiting does the same with the methods that wait.
func (s *stressConsumer[T]) someWaiting() int {
	w := s.r.m.waits
	ctx, cancel := endingSoon(s.random.IntN(1<<10), 10*longWait)
	defer cancel()
	switch way := s.random.IntN(3); {
	case way == 0 && w.dequeueBatch != nil:
		dst := make([]T, 1+s.random.IntN(2*s.r.capacity))
		n, err := w.dequeueBatch(ctx, dst)
		for _, v := range dst[:n] {
			s.take(v)
		}
		s.endIfClosed(err)
		return n
	case way == 1 && w.all != nil:
		n, stop := 0, 1+s.random.IntN(2*s.r.capacity)
		for v := range w.all(ctx) {
			s.take(v)
			if n++; n == stop || s.ended {
				break
			}
		}
		return n
	}
	v, err := w.dequeue(ctx)
	s.endIfClosed(err)
	return s.one(v, err == nil)
}

// endIfClosed ends the consumer if the queue is closed.
func (s *stressConsumer[T]) endIfClosed(err error) {
	if !isClosedError(err) {
		return
	}
	if !s.r.closed.Load() {
		s.addError("Dequeue returned the error %q before Close", err)
	}
	s.ended = true
}

func (s *stressConsumer[T]) one(v T, ok bool) int {
	if !ok {
		return 0
	}
	s.take(v)
	return 1
}

// peekAndTake compares Peek with TryDequeue. Only queues with one consumer have Peek.
func (s *stressConsumer[T]) peekAndTake() int {
	first, there := s.r.m.peek()
	v, ok := s.r.m.dequeue()
	if there && ok && s.r.unpack(first) != s.r.unpack(v) {
		s.addError("Peek returned %s, TryDequeue %s", s.name(first), s.name(v))
	}
	return s.one(v, ok)
}

// take records an element. Each consumer must receive the elements of one producer in
// their order.
func (s *stressConsumer[T]) take(v T) {
	id := s.r.unpack(v)
	if id == pill {
		s.ended = true
		s.r.pills.Add(1)
		return
	}
	p, k := int(id>>32), int(id&(1<<32-1))
	if id < 0 || p >= len(s.times) || k >= s.r.elements {
		s.addError("%s came out, but was never added", s.name(v))
		return
	}
	if s.times[p][k] < 255 {
		s.times[p][k]++
	}
	if k <= s.last[p] {
		s.addError("%s came after %d", s.name(v), s.last[p])
	}
	s.last[p] = k
}

// addError records the first few failures.
func (s *stressConsumer[T]) addError(format string, args ...any) {
	if len(s.wrong) < 5 {
		s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
	}
}

func (s *stressConsumer[T]) name(v T) string {
	switch id := s.r.unpack(v); id {
	case nothing:
		return "nil"
	case pill:
		return "the pill"
	default:
		return fmt.Sprintf("element %d of producer %d", id&(1<<32-1), id>>32)
	}
}

// judge compares the elements that came out with those that went in.
func (r *round[T]) judge() error {
	var wrong []string
	for _, s := range r.consumers {
		wrong = append(wrong, s.wrong...)
	}
	stuck := r.watch.stuck()
	if stuck {
		wrong = append(wrong, fmt.Sprintf("no progress: for %v the queue was full for all producers and empty for all consumers", stallTime))
	}
	lost, twice := 0, 0
	for p := range r.producers {
		for k := range r.elements {
			times := 0
			for _, s := range r.consumers {
				times += int(s.times[p][k])
			}
			switch {
			case times == 0:
				if lost++; lost == 1 && !stuck {
					wrong = append(wrong, fmt.Sprintf("element %d of producer %d was lost", k, p))
				}
			case times > 1:
				if twice++; twice == 1 {
					wrong = append(wrong, fmt.Sprintf("element %d of producer %d came %d times", k, p, times))
				}
			}
		}
	}
	pills := len(r.consumers)
	if r.closes {
		pills = 0
	}
	if n := int(r.pills.Load()); n != pills && !stuck {
		wrong = append(wrong, fmt.Sprintf("%d pills came out, %d went in", n, pills))
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%d elements of %d never came, %d came more than once:\n  %s",
		lost, r.elements*len(r.producers), twice, strings.Join(wrong, "\n  "))
}

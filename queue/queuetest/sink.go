package queuetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// sink is a consumer under stress and what it has got.
type sink[T any] struct {
	*party
	r     *round[T]
	times [][]uint8 // per producer and element, how often it came
	last  []int     // per producer, the last element that came
	ended bool      // a pill came
	wrong []string  // what should not have come, in words
}

func newSink[T any](r *round[T], random *rand.Rand) *sink[T] {
	s := &sink[T]{party: &party{random: random}, r: r}
	for range r.producers {
		s.times = append(s.times, make([]uint8, r.elements))
		s.last = append(s.last, -1)
	}
	return s
}

// consume takes elements in all ways that there are until a pill comes, or until
// the queue says that it is closed.
func (s *sink[T]) consume() {
	defer s.r.watch.leave(&s.stall)
	pills := int32(len(s.r.consumers))
	for !s.ended && s.r.pills.Load() < pills && !s.r.watch.stuck() {
		s.r.watch.saw(&s.stall, s.some() > 0)
		if s.random.IntN(16) == 0 {
			pause(s.random)
		}
	}
}

// some takes a few elements and returns how many there were.
func (s *sink[T]) some() int {
	m := s.r.m
	if m.waits.there() && s.random.IntN(2) == 0 {
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

// someWaiting is some by the methods that wait.
func (s *sink[T]) someWaiting() int {
	w := s.r.m.waits
	ctx, cancel := soon(s.random.IntN(1<<10), 10*longWait)
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

// endIfClosed ends the consumer if nothing will come any more.
func (s *sink[T]) endIfClosed(err error) {
	if !saysClosed(err) {
		return
	}
	if !s.r.closed.Load() {
		s.complain("Dequeue said %q before Close", err)
	}
	s.ended = true
}

func (s *sink[T]) one(v T, ok bool) int {
	if !ok {
		return 0
	}
	s.take(v)
	return 1
}

// peekAndTake is for queues with one consumer, the only ones that have Peek.
func (s *sink[T]) peekAndTake() int {
	first, there := s.r.m.peek()
	v, ok := s.r.m.dequeue()
	if there && ok && s.r.unpack(first) != s.r.unpack(v) {
		s.complain("Peek showed %s, TryDequeue gave %s", s.name(first), s.name(v))
	}
	return s.one(v, ok)
}

// take notes an element. Elements of one producer must come in their order to
// each consumer.
func (s *sink[T]) take(v T) {
	id := s.r.unpack(v)
	if id == pill {
		s.ended = true
		s.r.pills.Add(1)
		return
	}
	p, k := int(id>>32), int(id&(1<<32-1))
	if id < 0 || p >= len(s.times) || k >= s.r.elements {
		s.complain("%s came out, which nobody put in", s.name(v))
		return
	}
	if s.times[p][k] < 255 {
		s.times[p][k]++
	}
	if k <= s.last[p] {
		s.complain("%s came after %d", s.name(v), s.last[p])
	}
	s.last[p] = k
}

// complain keeps the first few things that went wrong.
func (s *sink[T]) complain(format string, args ...any) {
	if len(s.wrong) < 5 {
		s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
	}
}

func (s *sink[T]) name(v T) string {
	switch id := s.r.unpack(v); id {
	case nothing:
		return "nil"
	case pill:
		return "the pill"
	default:
		return fmt.Sprintf("element %d of producer %d", id&(1<<32-1), id>>32)
	}
}

// judge compares what came out with what went in.
func (r *round[T]) judge() error {
	var wrong []string
	for _, s := range r.consumers {
		wrong = append(wrong, s.wrong...)
	}
	stuck := r.watch.stuck()
	if stuck {
		wrong = append(wrong, fmt.Sprintf("nothing moves any more: for %v producers were told that the queue is full and consumers that it is empty", stallTime))
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

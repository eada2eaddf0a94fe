//go:build queuedebug

package queue_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/tarebench/tare/queue"
)

// manyConsumers are the types whose consumers have no role.
var manyConsumers = map[string]bool{"SPMC": true, "MPMC": true, "UnboundedMPMC": true}

// TestRolesAreWatched uses a side of each queue while it is in use. A callback is
// the simplest way to be there twice at the same time, and the surest.
func TestRolesAreWatched(t *testing.T) {
	for name, q := range all() {
		if manyConsumers[name] {
			continue
		}
		q.TryEnqueue(1)
		wantPanic(t, name+": TryDequeue in Drain", "consumer", func() {
			q.Drain(1, func(int) { q.TryDequeue() })
		})
		q.TryEnqueue(2)
		if v, ok := q.TryDequeue(); v != 2 || !ok {
			t.Errorf("%s: after the panic TryDequeue = %d, %v, want 2", name, v, ok)
		}
	}
	for name, q := range all() {
		f, ok := q.(interface{ Fill(int, func() int) int })
		if !ok || typesForProducers()[name] != nil {
			continue
		}
		wantPanic(t, name+": TryEnqueue in Fill", "producer", func() {
			f.Fill(1, func() int { q.TryEnqueue(1); return 2 })
		})
		if !q.TryEnqueue(3) {
			t.Errorf("%s: after the panic TryEnqueue fails", name)
		}
	}
	q := queue.NewSPSC[int](8)
	end := q.Buffered(4)
	wantPanic(t, "BufferedProducer in Fill", "producer", func() {
		q.Fill(1, func() int { end.TryEnqueue(1); return 2 })
	})
}

// TestAllMethodsAreWatched is in a callback while it uses each of the other methods
// of that side.
func TestAllMethodsAreWatched(t *testing.T) {
	type consumer interface {
		Peek() (int, bool)
		TryDequeueBatch([]int) int
		All() iter.Seq[int]
	}
	for name, q := range all() {
		if manyConsumers[name] {
			continue
		}
		c := q.(consumer)
		methods := map[string]func(){
			"TryDequeue": func() { q.TryDequeue() }, "Peek": func() { c.Peek() },
			"TryDequeueBatch": func() { c.TryDequeueBatch(make([]int, 1)) },
			"Drain":           func() { q.Drain(1, func(int) {}) },
			"All": func() {
				for range c.All() {
				}
			},
		}
		if s, ok := q.(interface{ TryDequeueStrict() (int, bool) }); ok {
			methods["TryDequeueStrict"] = func() { s.TryDequeueStrict() }
		}
		if b, ok := q.(interface {
			BufferedConsumer() *queue.BufferedConsumer[int]
		}); ok {
			end := b.BufferedConsumer()
			methods["BufferedConsumer.TryDequeue"] = func() { end.TryDequeue() }
		}
		for method, use := range methods {
			q.TryEnqueue(1)
			wantPanic(t, name+": "+method+" in Drain", "consumer", func() { q.Drain(1, func(int) { use() }) })
		}
	}
	for name, q := range all() {
		f, ok := q.(interface{ Fill(int, func() int) int })
		if !ok || typesForProducers()[name] != nil {
			continue
		}
		methods := map[string]func(){
			"TryEnqueue": func() { q.TryEnqueue(1) }, "TryEnqueueBatch": func() { q.TryEnqueueBatch([]int{1}) },
			"Fill": func() { f.Fill(1, func() int { return 1 }) },
		}
		if s, ok := q.(interface{ TryEnqueueStrict(int) bool }); ok {
			methods["TryEnqueueStrict"] = func() { s.TryEnqueueStrict(1) }
		}
		if b, ok := q.(interface {
			Buffered(int) *queue.BufferedProducer[int]
		}); ok {
			end := b.Buffered(2)
			methods["BufferedProducer.TryEnqueue"] = func() { end.TryEnqueue(1) }
			methods["BufferedProducer.Flush"] = end.Flush
			methods["BufferedProducer.Close"] = end.Close
		}
		for method, use := range methods {
			wantPanic(t, name+": "+method+" in Fill", "producer", func() { f.Fill(1, func() int { use(); return 2 }) })
			q.TryDequeueBatch(make([]int, 8))
		}
	}
}

// TestTwoGoroutinesAreCaught has one goroutine wait inside of a call while another
// comes, as in a program that got its roles wrong.
func TestTwoGoroutinesAreCaught(t *testing.T) {
	q := queue.NewSPSC[int](8)
	inside, leave, done := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		q.Fill(1, func() int { inside <- true; <-leave; return 1 })
		close(done)
	}()
	<-inside
	wantPanic(t, "TryEnqueue of another goroutine", "producer", func() { q.TryEnqueue(2) })
	if _, ok := q.TryDequeue(); ok {
		t.Error("the other side is watched too, or something came")
	}
	close(leave)
	<-done
	if v, ok := q.TryDequeue(); v != 1 || !ok || !q.TryEnqueue(3) {
		t.Errorf("afterwards TryDequeue = %d, %v", v, ok)
	}
}

func wantPanic(t *testing.T, what, side string, f func()) {
	t.Helper()
	got, _ := panicOf(f).(string)
	if !strings.HasSuffix(got, "on the side of the single "+side) {
		t.Errorf("%s panics with %q", what, got)
	}
}

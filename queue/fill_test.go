package queue_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/tarebench/tare/queue"
)

// manyProducers is what the types with many producers have.
type manyProducers interface {
	drainer
	Fill(int, func() int) int
}

func typesForProducers() map[string]manyProducers {
	types := map[string]manyProducers{}
	for name, q := range all() {
		switch name {
		case "SPSC", "GrowableSPSC", "UnboundedSPSC", "SPMC":
			continue
		}
		types[name] = q.(manyProducers)
	}
	return types
}

func taken(q drainer) (vs []int) {
	q.Drain(1000, func(v int) { vs = append(vs, v) })
	return vs
}

// TestFillStopsNobody uses a queue for 8 elements from the callback of a Fill that
// wants 5: its consumer does not wait, and other producers get the other 3.
func TestFillStopsNobody(t *testing.T) {
	for name, q := range typesForProducers() {
		q.TryEnqueue(100)
		calls := 0
		n := q.Fill(5, func() int {
			if calls++; calls == 3 {
				if v, ok := q.TryDequeue(); v != 100 || !ok {
					t.Errorf("%s: TryDequeue in a callback = %d, %v, want 100", name, v, ok)
				}
				if v, ok := q.TryDequeue(); ok {
					t.Errorf("%s: TryDequeue in a callback finds %d, which has not been added", name, v)
				}
				if s, ok := q.(interface{ TryDequeueStrict() (int, bool) }); ok {
					if v, ok := s.TryDequeueStrict(); ok {
						t.Errorf("%s: TryDequeueStrict in a callback finds %d, which has not been added", name, v)
					}
				}
				if got := q.TryEnqueueBatch([]int{201, 202, 203}); got != 3 || q.Len() != 3 {
					t.Errorf("%s: room for %d elements of 3 beside a Fill, Len %d", name, got, q.Len())
				}
				if s, ok := q.(interface{ TryEnqueueStrict(int) bool }); ok && s.TryEnqueueStrict(204) {
					t.Errorf("%s: TryEnqueueStrict gets what Fill has reserved", name)
				}
				if name == "MPSC" || name == "MPMC" {
					if q.TryEnqueue(205) || q.TryEnqueueBatch([]int{206}) != 0 || q.Fill(1, func() int { return 207 }) != 0 {
						t.Errorf("%s: another producer gets what Fill has reserved", name)
					}
				}
			}
			return calls
		})
		if got := taken(q); n != 5 || calls != 5 || !slices.Equal(got, []int{201, 202, 203, 1, 2, 3, 4, 5}) {
			t.Errorf("%s: Fill = %d after %d calls, then there are %v", name, n, calls, got)
		}
	}
}

// TestFillGivesRoomBack ends callbacks early, by a panic and by runtime.Goexit: what came
// before is there, and the room for the rest is free again.
func TestFillGivesRoomBack(t *testing.T) {
	for name, q := range typesForProducers() {
		for lap := range 20 {
			for end, stop := range map[string]func(){"panic": func() { panic("no more") }, "Goexit": runtime.Goexit} {
				for given := range 4 {
					done := make(chan bool)
					go func() {
						defer close(done)
						defer func() { _ = recover() }()
						calls := 0
						q.Fill(6, func() int {
							if calls == given {
								stop()
							}
							calls++
							return calls
						})
					}()
					<-done
					rest := q.TryEnqueueBatch([]int{11, 12, 13, 14, 15, 16, 17, 18}[given:])
					if got := taken(q); rest != 8-given || len(got) != 8 || !slices.Equal(got[:given], []int{1, 2, 3}[:given]) {
						t.Fatalf("%s, lap %d, %s after %d: %v, then room for %d", name, lap, end, given, got, rest)
					}
				}
			}
		}
	}
}

// TestFillsInFills has callbacks that fill. The inner elements come first.
func TestFillsInFills(t *testing.T) {
	for name, q := range typesForProducers() {
		next := func(v int) func() int { return func() int { v++; return v } }
		outer := next(10)
		if n := q.Fill(2, func() int { q.Fill(1, next(0)); return outer() }); n != 2 {
			t.Errorf("%s: Fill = %d, want 2", name, n)
		}
		if got := taken(q); !slices.Equal(got, []int{1, 1, 11, 12}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestFillMany adds more elements than are collected at a time.
func TestFillMany(t *testing.T) {
	for name, q := range map[string]manyProducers{
		"MPSC": queue.TunedMPSC[int](256, 3, nearUint64), "MPMC": queue.TunedMPMC[int](256, nearInt64),
		"LinkedMPSC": queue.NewLinkedMPSC[int](), "UnboundedMPMC": queue.TunedUnboundedMPMC[int](24, nearUint64),
	} {
		for range 7 {
			calls := 0
			n := q.Fill(200, func() int { calls++; return calls })
			got := taken(q)
			if n != 200 || calls != 200 || len(got) != 200 || !slices.IsSorted(got) || got[0] != 1 || got[199] != 200 {
				t.Fatalf("%s: Fill = %d after %d calls, %v", name, n, calls, got)
			}
		}
		if q, ok := q.(interface{ Cap() int }); ok && q.Cap() < 0 {
			continue
		}
		calls := 0
		if n := q.Fill(1000, func() int { calls++; return calls }); n != 256 || calls != 256 {
			t.Errorf("%s: Fill = %d after %d calls, want 256", name, n, calls)
		}
	}
}

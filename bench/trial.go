package bench

import (
	"fmt"
	"reflect"
	"testing"
)

// Trial returns a value that a benchmark shares between all of its windows. The first call in the process
// creates it. It is kept while testing calls the benchmark function again (for -count and -cpu, and to find
// b.N), and dropped after the last window.
//
//	db := bench.Trial(b, openDB, func(db *DB) { db.Close() })
//
// The timer is stopped meanwhile. An error of create fails the benchmark; drop may be nil. Trials of one
// benchmark function are identified by their order, so each call of the function must make the same calls of
// Trial. Sub-benchmarks share the values of their parent.
//
// The last window follows from how testing works: it measures a benchmark once for each -count and each value
// of -cpu, each time with another *testing.B, until the timer has run for -benchtime or b.N has reached the
// given number. The value is dropped in the Cleanup of the last one. A process that is killed drops nothing.
func Trial[T any](b *testing.B, create func() (T, error), drop func(T)) T {
	b.Helper()
	if create == nil {
		b.Fatalf("bench: Trial: create is nil")
	}
	s := benchmarkOf(b)
	t := s.currentTrial(b)
	if t.value == nil {
		v, err := untimed(b, create)
		if err != nil {
			b.Fatalf("bench: Trial: %v", err)
		}
		t.value = &v
		t.drop = func() {
			if drop != nil {
				drop(v)
			}
		}
	}
	v, ok := t.value.(*T)
	if !ok {
		b.Fatalf("bench: Trial: was called for a %v before and now for a %v; each call of the benchmark function must make the same calls of Trial",
			reflect.TypeOf(t.value).Elem(), reflect.TypeFor[T]())
	}
	return *v
}

// untimed calls f with b's timer stopped.
func untimed[T any](b *testing.B, f func() (T, error)) (v T, err error) {
	if timerRuns(b) {
		b.StopTimer()
		defer b.StartTimer()
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v%s", r, panicLocation())
		}
	}()
	return f()
}

// A trial is a value that all windows of a benchmark share.
type trial struct {
	value any // a *T; nil: not made, or dropped
	drop  func()
}

// currentTrial returns the trial of this call, and registers its end.
func (s *benchmark) currentTrial(b *testing.B) *trial {
	if s.nextTrial == len(s.trials) {
		s.trials = append(s.trials, new(trial))
	}
	t := s.trials[s.nextTrial]
	s.nextTrial++
	b.Cleanup(func() {
		if t.value != nil && s.last(b) {
			t.value = nil
			defer func() {
				if r := recover(); r != nil {
					b.Errorf("bench: Trial: dropping it: panic: %v%s", r, panicLocation())
				}
			}()
			t.drop()
		}
	})
	return t
}

// last reports, after a call of the benchmark function, whether it was the last one.
func (s *benchmark) last(b *testing.B) bool {
	a := readFlags()
	if s.name == "" {
		a.rounds = 1 // testing.Benchmark ignores -count and -cpu
	}
	switch {
	case usedRun(b):
		return true // functions with sub-benchmarks are called once
	case s.rounds == 1 && (b.Failed() || b.Skipped()) && s.calls == 1:
		return true // testing stops here
	case s.rounds < a.rounds:
		return false
	case b.Failed() || b.Skipped() || usedLoop(b):
		return true
	case a.count > 0:
		return a.count == 1 || s.calls > 1
	}
	return b.Elapsed() >= a.length || s.n >= maxN
}

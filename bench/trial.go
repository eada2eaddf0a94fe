package bench

import (
	"fmt"
	"reflect"
	"testing"
)

// Trial returns something that one benchmark needs in all of its windows: it is
// made by the first call in the process, kept while testing calls the benchmark
// function again (for -count and -cpu, and to find b.N), and dropped after the
// last window.
//
//	db := bench.Trial(b, openDB, func(db *DB) { db.Close() })
//
// The timer does not run while it is made. An error of create fails the
// benchmark; drop may be nil. Trials of one benchmark
// function are told apart by their order, so each call of the function must
// make the same calls of Trial. With a parent of sub-benchmarks, all of these
// share the value.
//
// That a window was the last is known from what testing does: it measures a
// benchmark once for each -count and each value of -cpu, each time with another
// *testing.B, and with each of these until the timer has run for -benchtime, or
// b.N has come to the number asked for. When the last one's Cleanup is run,
// nothing will be called again. A process that is killed drops nothing.
func Trial[T any](b *testing.B, create func() (T, error), drop func(T)) T {
	b.Helper()
	s := subjectOf(b)
	t := s.trialNow(b)
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
		b.Fatalf("bench: Trial: was called for a %v before and now for a %v; the calls must be the same each time",
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
			err = fmt.Errorf("panic: %v%s", r, panicked())
		}
	}()
	return f()
}

// A trial is one value that lives over the windows of a benchmark.
type trial struct {
	value any // a *T; nil: not made, or dropped
	drop  func()
}

// trialNow is the trial of this call, and sees to it that it ends.
func (s *subject) trialNow(b *testing.B) *trial {
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
					b.Errorf("bench: Trial: dropping it: panic: %v%s", r, panicked())
				}
			}()
			t.drop()
		}
	})
	return t
}

// last tells, when a call of the benchmark function has ended, whether there
// will be no other one.
func (s *subject) last(b *testing.B) bool {
	a := readFlags()
	if s.name == "" {
		a.rounds = 1 // testing.Benchmark heeds neither -count nor -cpu
	}
	switch {
	case usedRun(b):
		return true // functions with sub-benchmarks are called once
	case s.rounds == 1 && (b.Failed() || b.Skipped()) && s.calls == 1:
		return true // testing tries no further
	case s.rounds < a.rounds:
		return false
	case b.Failed() || b.Skipped() || usedLoop(b):
		return true
	case a.count > 0:
		return a.count == 1 || s.calls > 1
	}
	return b.Elapsed() >= a.length || s.n >= maxN
}

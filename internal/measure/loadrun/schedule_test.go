package loadrun

import (
	"fmt"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
)

// TestWarmupSchedule: the warm-up has the rate with which the run begins.
func TestWarmupSchedule(t *testing.T) {
	for _, c := range []struct {
		s    load.Schedule
		rate float64
		due  int64
	}{
		{load.Schedule{}, 0, 0},
		{load.Schedule{Rate: 50}, 50, 100},
		{load.Schedule{Rate: 50, To: 150, Over: time.Second}, 50, 250},
		{load.Schedule{Rate: 50, To: 150, Over: 4 * time.Second}, 50, 150},
		{load.Schedule{Steps: []load.Step{{Rate: 10, For: time.Second}, {Rate: 30, For: 2 * time.Second}}}, 10, 70},
		{load.Schedule{Steps: []load.Step{{To: 30, Ramp: true, For: 2 * time.Second}, {Rate: 30, For: time.Second}}}, 15, 60},
		{load.Schedule{Times: []time.Duration{0, time.Second, 2 * time.Second}}, 1.5, 3},
		{load.Schedule{Times: []time.Duration{0, 0}}, 0, 2},
	} {
		if got := warmupSchedule(c.s); got.Rate != c.rate || got.Over != 0 || len(got.Steps)+len(got.Times) > 0 {
			t.Errorf("%+v: warm-up %+v", c.s, got)
		}
		if got := due(c.s, 2*time.Second); got != c.due {
			t.Errorf("%+v: %d are due, want %d", c.s, got, c.due)
		}
	}
}

// TestSearch lets searches find the capacity of systems that they know nothing of.
func TestSearch(t *testing.T) {
	for _, capacity := range []float64{0.3, 7, 137, 999, 1000, 1001, 54321, 5e8} {
		for _, start := range []float64{1, 1000, 1e6} {
			s := &bisection{start: start, most: 1e9, precision: 0.05}
			steps := 0
			for rate, more := s.next(); more; rate, more = s.next() {
				s.add(rate, rate <= capacity)
				steps++
			}
			met, times, missed := s.bracket()
			if met > capacity || missed <= capacity || missed/met > 1.06 || times < 2 || steps > 45 {
				t.Errorf("capacity %v from %v: %v (%d times) … %v in %d steps", capacity, start, met, times, missed, steps)
			}
		}
	}
}

// TestSearchEnds: a search ends whatever is answered, and at its bounds.
func TestSearchEnds(t *testing.T) {
	run := func(s *bisection, met func(n int, rate float64) bool) (rates []float64) {
		for rate, more := s.next(); more; rate, more = s.next() {
			s.add(rate, met(len(rates), rate))
			if rates = append(rates, rate); len(rates) > maxSteps {
				t.Fatal("it does not end")
			}
		}
		return rates
	}
	if got := run(&bisection{start: 100, most: 1000, precision: 0.05}, func(int, float64) bool { return true }); fmt.Sprint(got) != "[100 200 400 800 1000 1000]" {
		t.Errorf("everything is met: %v", got)
	}
	if got := run(&bisection{start: 1, most: 1000, precision: 0.05}, func(int, float64) bool { return false }); fmt.Sprint(got) != "[1 0.5 0.25 0.125]" {
		t.Errorf("nothing is met: %v", got)
	}
	if got := run(&bisection{start: 100, most: 1000, precision: 0.5}, func(n int, _ float64) bool { return n == 0 }); fmt.Sprint(got[:4]) != "[100 200 141 100]" {
		t.Errorf("only the first was met: %v", got)
	}
	run(&bisection{start: 100, most: 1e9, precision: 0.01}, func(n int, _ float64) bool { return n%3 != 0 })
}

// TestSearchUndecided: a rate at which the objectives are undecided is tried again and does not count as missed. The third
// undecided try in a row ends the search.
func TestSearchUndecided(t *testing.T) {
	s := &bisection{start: 100, most: 1000, precision: 0.05}
	var rates []float64
	for rate, more := s.next(); more; rate, more = s.next() {
		if n := len(rates); n == 1 || n > 3 {
			s.addUndecided(rate)
		} else {
			s.add(rate, true)
		}
		rates = append(rates, rate)
	}
	if fmt.Sprint(rates) != "[100 200 200 400 800 800 800]" {
		t.Error(rates)
	}
	if met, _, missed := s.bracket(); met != 400 || missed != 0 {
		t.Errorf("met %v, missed %v", met, missed)
	}
}

// Package retry repeats calls that fail.
package retry

import (
	"errors"
	"time"
)

// ErrGivenUp is returned when all attempts failed.
var ErrGivenUp = errors.New("retry: all attempts failed")

// A Policy says how often a call is repeated, and how long to wait before.
type Policy struct {
	Attempts int
	Wait     time.Duration // before the first repetition; doubled for each further one
}

// Do calls f until it succeeds.
func (p Policy) Do(f func(attempt int) error) error {
	wait := p.Wait
	for attempt := range p.Attempts {
		if attempt > 1 { // the first repetition is at once
			time.Sleep(wait)
			wait *= 2
		}
		if f(attempt) == nil {
			return nil
		}
	}
	return ErrGivenUp
}

// Collect returns what arrives until the channel is closed, or until nothing arrives for the given time.
func Collect(from <-chan int, idle time.Duration) []int {
	var all []int
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for {
		select {
		case n, ok := <-from:
			if !ok {
				return all
			}
			all = append(all, n)
			timer.Reset(idle)
		case <-timer.C:
			return all
		}
	}
}

package server

import (
	"slices"
	"sync"
)

// rank says whose a connection is. A higher rank keeps its seat before a lower one.
type rank int

const (
	silent  rank = iota // sends no request: not yet, or not now
	visitor             // anybody with a request
	owner               // has the token, or where there is none the secret in the address that tare prints
)

// seats are a limited number of places for connections. When all are taken, a new connection replaces another one, so that
// idle connections keep no one from connecting. It is not known whether a connection is read from: the kernel acknowledges
// what a program never reads.
type seats struct {
	most  int
	mu    sync.Mutex
	taken []*seat // the oldest first
}

// seat is the place of a connection.
type seat struct {
	rank  rank
	leave func() // ends the connection
}

// take returns a seat of a rank. If none is free, the oldest connection of the lowest rank leaves; nil if that is above most.
func (s *seats) take(r, most rank, leave func()) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.taken) >= s.most {
		last := slices.MinFunc(s.taken, func(a, b *seat) int { return int(a.rank - b.rank) })
		if last.rank > most {
			return nil
		}
		s.remove(last)
		last.leave()
	}
	x := &seat{r, leave}
	s.taken = append(s.taken, x)
	return x
}

// free gives a seat back, unless another has it already.
func (s *seats) free(x *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(x)
}

func (s *seats) remove(x *seat) {
	s.taken = slices.DeleteFunc(s.taken, func(y *seat) bool { return x == y })
}

// set changes the rank of a seat.
func (s *seats) set(x *seat, r rank) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.rank = r
}

// count returns how many seats are taken.
func (s *seats) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.taken)
}

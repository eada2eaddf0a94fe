package caches

import (
	"sync/atomic"

	"github.com/tarebench/tare/bench"
)

// Value is what the source has under a key. Every value that comes out of a cache
// is compared with it.
func Value(key int) int { return key*2 + 11 }

// A Source is what lies behind a cache: it takes its time, and counts.
type Source struct {
	free    atomic.Bool // costs nothing, for the set-up
	stripes [stripes]stripe
}

// Loads are counted in stripes by key. Loaders of most libraries know no more than
// the key, and one counter for all goroutines would slow down those that miss at
// the same time.
const stripes = 64

type stripe struct {
	n atomic.Int64
	_ [120]byte // two cache lines, because they are fetched in pairs
}

// Load loads the value of a key.
func (s *Source) Load(key int) int {
	s.stripes[uint(key)%stripes].n.Add(1)
	if !s.free.Load() {
		bench.Work(Tokens)
	}
	return Value(key)
}

// Loads is how often Load was called.
func (s *Source) Loads() int64 {
	sum := int64(0)
	for i := range s.stripes {
		sum += s.stripes[i].n.Load()
	}
	return sum
}

// Package counters counts events by name, from many goroutines.
package counters

import "sync"

// shards is how many locks share the names. A power of two.
const shards = 64

// A Set holds counters by name. The zero value is empty.
type Set struct{ shards [shards]shard }

type shard struct {
	mu     sync.RWMutex
	counts map[string]int
	_      [64]byte // so that two locks do not share a cache line
}

// Add adds n to a counter.
func (s *Set) Add(name string, n int) {
	h := hash(name)
	sh := s.of(h)
	sh.mu.Lock()
	sh.add(name, n)
	sh.mu.Unlock()
}

// Get returns the value of a counter.
func (s *Set) Get(name string) int {
	sh := s.of(hash(name))
	sh.mu.RLock()
	n := sh.counts[name]
	sh.mu.RUnlock()
	return n
}

func (s *Set) of(h uint32) *shard { return &s.shards[h%shards] }

func (s *shard) add(name string, n int) {
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	s.counts[name] += n
}

// hash is FNV-1a.
//
//go:noinline
func hash(name string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

package caches

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/bench"
)

// A Subject is a cache that is full and warm, with what is needed to measure it.
type Subject struct {
	Source  *Source
	Workers []*Client
	MissNs  float64 // what the work of a Load takes, ns

	cache Cache
	gets  atomic.Int64
}

// A Client is one goroutine's view. Its keys go on from window to window: a window
// that began with the same keys again would find them in the cache.
type Client struct {
	Keys    *Keys
	Session Session
}

const (
	// PutSeed is the article's seed of the keys that are put before measuring.
	PutSeed = 1802
	// putsPerEntry is how many there are.
	putsPerEntry = 3
	// getsPerEntry is how many read-through gets follow, at no cost for misses.
	// They stand for the article's 40 s of warm-up: what puts leave behind is not
	// what gets keep. A cache that is a log, as bigcache is, holds each put of a
	// popular key once until it has been overwritten.
	getsPerEntry = 15
	// pause is how many operations of the filling follow each other before
	// buffered writes are waited for. Filling goes faster than the goroutine that
	// makes ristretto's writes, which then loses them: its hit rate was 73 %
	// without, and 78 % with pauses or with misses at their full cost.
	pause = 1024
)

// NewSubject fills a cache of the kind.
func NewSubject(k Kind, c Config) (*Subject, error) {
	z, err := NewZipf(c.Keys)
	if err != nil {
		return nil, err
	}
	s := &Subject{Source: new(Source)}
	if s.cache, err = k.New(c.Entries, c.Keys, s.Source); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	if !k.Floor {
		if err := s.fill(c, z.Keys(PutSeed)); err != nil {
			s.cache.Close()
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
	}
	for i := range c.Workers {
		s.Workers = append(s.Workers, &Client{z.Keys(uint64(i + 1)), s.cache.Session()})
	}
	s.MissNs = missCost()
	return s, nil
}

func (s *Subject) fill(c Config, keys *Keys) error {
	session := s.cache.Session()
	for i := range putsPerEntry * c.Entries {
		k := keys.Next()
		session.Put(k, Value(k))
		s.settleAfter(i)
	}
	s.Source.free.Store(true)
	defer s.Source.free.Store(false)
	for i := range getsPerEntry * c.Entries {
		k := keys.Next()
		if v := session.Get(k); v != Value(k) {
			return wrong(k, v)
		}
		s.settleAfter(i)
	}
	s.cache.Settle()
	return nil
}

func (s *Subject) settleAfter(i int) {
	if (i+1)%pause == 0 {
		s.cache.Settle()
	}
}

func wrong(key, value int) error {
	return fmt.Errorf("the value of key %d is %d, want %d", key, value, Value(key))
}

// Run is the body of a worker. It panics if a value is wrong, which fails the
// benchmark.
func (s *Subject) Run(w *bench.Worker) {
	c := s.Workers[w.Index()]
	n := int64(0)
	for w.Next() {
		k := c.Keys.Next()
		if v := c.Session.Get(k); v != Value(k) {
			panic(wrong(k, v))
		}
		n++
	}
	s.gets.Add(n)
}

// Gets is how many gets there were in Run.
func (s *Subject) Gets() int64 { return s.gets.Load() }

// Entries counts the entries held, after buffered writes have been made.
func (s *Subject) Entries() int {
	s.cache.Settle()
	return s.cache.Len()
}

// Close drops the cache.
func (s *Subject) Close() { s.cache.Close() }

// missCost is the time of Tokens, ns: the least of some, because all that can happen
// meanwhile makes it longer.
func missCost() float64 {
	best := time.Hour
	for range 101 {
		from := time.Now()
		bench.Work(Tokens)
		best = min(best, time.Since(from))
	}
	return float64(best)
}

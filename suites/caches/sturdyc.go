package caches

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/viccon/sturdyc"
)

var sturdycKind = Kind{
	Name: "sturdyc", Module: "github.com/viccon/sturdyc", Flight: Single, Low: 0.85, High: 1,
	Note: "keys are strings: 8 bytes are allocated per get; a full shard evicts 10 % at once, the documentation's figure",
	New: func(entries, _ int, src *Source) (Cache, error) {
		const shards, evict = 10, 10 // of the documentation's example
		c := sturdyc.New[int](entries, shards, 1000*time.Hour, evict, sturdyc.WithNoContinuousEvictions())
		return &sturdycCache{c, src}, nil
	},
}

// sturdycCache does without continuous evictions, which search for what has expired.
type sturdycCache struct {
	c   *sturdyc.Client[int]
	src *Source
}

func (c *sturdycCache) Session() Session {
	s := &sturdycSession{sturdycCache: c}
	s.fetch = func(context.Context) (int, error) { return c.src.Load(s.key), nil }
	return s
}

func (c *sturdycCache) Settle()  {}
func (c *sturdycCache) Len() int { return c.c.Size() }
func (c *sturdycCache) Close()   {}

// A sturdycSession has one fetch function for all gets: it runs in the goroutine
// that asks, so the key can lie in the session.
type sturdycSession struct {
	*sturdycCache
	key   int
	fetch sturdyc.FetchFn[int]
}

func (s *sturdycSession) Get(key int) int {
	s.key = key
	v, err := s.c.GetOrFetch(context.Background(), text(key), s.fetch)
	if err != nil {
		panic(err)
	}
	return v
}

func (s *sturdycSession) Put(key, value int) { s.c.Set(text(key), value) }

// text is the key as a string, which the cache keeps.
func text(key int) string {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(key))
	return string(b[:])
}

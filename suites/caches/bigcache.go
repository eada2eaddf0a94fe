package caches

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
	"unsafe"

	"github.com/allegro/bigcache/v3"
)

// bigcacheEntry is what an entry takes in bigcache's queues: 1 byte for its length,
// 18 for time, hash and length of the key, and key and value of 8 each. The map of
// hashes comes on top.
const bigcacheEntry = 1 + 18 + 8 + 8

var bigcacheKind = Kind{
	Name: "bigcache", Module: "github.com/allegro/bigcache/v3", Flight: ByHand, Low: 0.95, High: 1.02,
	Note: "sized in whole MiB, 35 bytes per entry (19 header, 8 key, 8 value); first in, first out",
	New:  newBigcache,
}

// newBigcache takes the whole number of MiB that is nearest. Time plays no part.
func newBigcache(entries, _ int, src *Source) (Cache, error) {
	mib := int(math.Round(float64(entries) * bigcacheEntry / (1 << 20)))
	if mib < 1 {
		return nil, fmt.Errorf("%d entries are too few: bigcache is sized in MiB", entries)
	}
	c, err := bigcache.New(context.Background(), bigcache.Config{
		Shards: 1024, LifeWindow: 1000 * time.Hour, MaxEntriesInWindow: entries, MaxEntrySize: bigcacheEntry, HardMaxCacheSize: mib,
	})
	if err != nil {
		return nil, err
	}
	return &bigcacheCache{c, src}, nil
}

type bigcacheCache struct {
	c   *bigcache.BigCache
	src *Source
}

func (c *bigcacheCache) Session() Session {
	s := &bigcacheSession{bigcacheCache: c}
	s.text = unsafe.String(&s.key[0], len(s.key))
	return s
}

func (c *bigcacheCache) Settle()  {}
func (c *bigcacheCache) Len() int { return c.c.Len() }

func (c *bigcacheCache) Close() {
	if err := c.c.Close(); err != nil {
		panic(err)
	}
}

type bigcacheSession struct {
	*bigcacheCache
	key, value [8]byte
	text       string // key, as a string that changes: bigcache copies it and keeps none
}

func (s *bigcacheSession) Get(key int) int {
	binary.LittleEndian.PutUint64(s.key[:], uint64(key))
	v, err := s.c.Get(s.text)
	switch {
	case err == nil:
		return int(binary.LittleEndian.Uint64(v))
	case !errors.Is(err, bigcache.ErrEntryNotFound):
		panic(err)
	}
	value := s.src.Load(key)
	s.set(value)
	return value
}

func (s *bigcacheSession) Put(key, value int) {
	binary.LittleEndian.PutUint64(s.key[:], uint64(key))
	s.set(value)
}

func (s *bigcacheSession) set(value int) {
	binary.LittleEndian.PutUint64(s.value[:], uint64(value))
	if err := s.c.Set(s.text, s.value[:]); err != nil {
		panic(err)
	}
}

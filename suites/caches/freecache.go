package caches

import (
	"encoding/binary"
	"errors"

	"github.com/coocood/freecache"
)

// freecacheEntry is what an entry takes in freecache's ring buffers: a header of
// 24 bytes, and key and value of 8 each. The index, 16 bytes per slot, comes on top.
const freecacheEntry = freecache.ENTRY_HDR_SIZE + 8 + 8

var freecacheKind = Kind{
	Name: "freecache", Module: "github.com/coocood/freecache", Flight: ByHand, Low: 0.95, High: 1,
	Note: "sized in bytes, 40 per entry (24 header, 8 key, 8 value); reads into a buffer of the session",
	New: func(entries, _ int, src *Source) (Cache, error) {
		return &freecacheCache{freecache.NewCache(entries * freecacheEntry), src}, nil
	},
}

type freecacheCache struct {
	c   *freecache.Cache
	src *Source
}

func (c *freecacheCache) Session() Session { return &freecacheSession{freecacheCache: c} }
func (c *freecacheCache) Settle()          {}
func (c *freecacheCache) Len() int         { return int(c.c.EntryCount()) }
func (c *freecacheCache) Close()           {}

type freecacheSession struct {
	*freecacheCache
	key, value, buf [8]byte
}

func (s *freecacheSession) Get(key int) int {
	binary.LittleEndian.PutUint64(s.key[:], uint64(key))
	v, err := s.c.GetWithBuf(s.key[:], s.buf[:])
	switch {
	case err == nil:
		return int(binary.LittleEndian.Uint64(v))
	case !errors.Is(err, freecache.ErrNotFound):
		panic(err)
	}
	value := s.src.Load(key)
	s.set(value)
	return value
}

func (s *freecacheSession) Put(key, value int) {
	binary.LittleEndian.PutUint64(s.key[:], uint64(key))
	s.set(value)
}

// set stores the value under the key in s.key; both are copied.
func (s *freecacheSession) set(value int) {
	binary.LittleEndian.PutUint64(s.value[:], uint64(value))
	if err := s.c.Set(s.key[:], s.value[:], 0); err != nil {
		panic(err)
	}
}

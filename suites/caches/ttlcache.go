package caches

import "github.com/jellydator/ttlcache/v3"

var ttlcacheKind = Kind{
	Name: "ttlcache", Module: "github.com/jellydator/ttlcache/v3", Flight: Double, Low: 1, High: 1,
	Note: "WithCapacity, WithLoader, no expiry: a least recently used list under one lock",
	New: func(entries, _ int, src *Source) (Cache, error) {
		load := ttlcache.LoaderFunc[int, int](func(c *ttlcache.Cache[int, int], key int) *ttlcache.Item[int, int] {
			return c.Set(key, src.Load(key), ttlcache.NoTTL)
		})
		c := ttlcache.New(
			ttlcache.WithCapacity[int, int](uint64(entries)),
			ttlcache.WithTTL[int, int](ttlcache.NoTTL),
			ttlcache.WithDisableTouchOnHit[int, int](),
			ttlcache.WithLoader[int, int](load),
		)
		return &ttlCache{c}, nil
	},
}

// ttlCache does without Start: the goroutine that it runs deletes what has expired.
type ttlCache struct {
	c *ttlcache.Cache[int, int]
}

func (c *ttlCache) Session() Session   { return c }
func (c *ttlCache) Get(key int) int    { return c.c.Get(key).Value() }
func (c *ttlCache) Put(key, value int) { c.c.Set(key, value, ttlcache.NoTTL) }
func (c *ttlCache) Settle()            {}
func (c *ttlCache) Len() int           { return c.c.Len() }
func (c *ttlCache) Close()             {}

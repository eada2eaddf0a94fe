package caches

import "github.com/dgraph-io/ristretto/v2"

var ristrettoKind = Kind{
	Name: "ristretto", Module: "github.com/dgraph-io/ristretto/v2", Flight: ByHand, Low: 0.95, High: 1.01,
	Note: "10 counters per entry, cost 1 each, IgnoreInternalCost: MaxCost is entries; may drop a Set under load",
	New: func(entries, _ int, src *Source) (Cache, error) {
		c, err := ristretto.NewCache(&ristretto.Config[int, int]{
			NumCounters: 10 * int64(entries), MaxCost: int64(entries), BufferItems: 64, IgnoreInternalCost: true,
		})
		if err != nil {
			return nil, err
		}
		return &ristrettoCache{c, src}, nil
	},
}

type ristrettoCache struct {
	c   *ristretto.Cache[int, int]
	src *Source
}

func (c *ristrettoCache) Session() Session { return c }

func (c *ristrettoCache) Get(key int) int {
	if v, ok := c.c.Get(key); ok {
		return v
	}
	v := c.src.Load(key)
	c.c.Set(key, v, 1)
	return v
}

func (c *ristrettoCache) Put(key, value int) { c.c.Set(key, value, 1) }
func (c *ristrettoCache) Settle()            { c.c.Wait() }
func (c *ristrettoCache) Close()             { c.c.Close() }

// Len counts what is stored: there is no method for it, and the cost used is that
// of the policy, which learns of a new entry later than the store.
func (c *ristrettoCache) Len() int {
	n := 0
	c.c.IterValues(func(int) (stop bool) {
		n++
		return false
	})
	return n
}

package caches

import lru "github.com/hashicorp/golang-lru/v2"

var lruKind = Kind{
	Name: "golang-lru", Module: "github.com/hashicorp/golang-lru/v2", Flight: ByHand, Low: 1, High: 1,
	Note: "lru.Cache, one lock for all",
	New: func(entries, _ int, src *Source) (Cache, error) {
		c, err := lru.New[int, int](entries)
		if err != nil {
			return nil, err
		}
		return &lruCache{c, src}, nil
	},
}

type lruCache struct {
	c   *lru.Cache[int, int]
	src *Source
}

func (c *lruCache) Session() Session { return c }

func (c *lruCache) Get(key int) int {
	if v, ok := c.c.Get(key); ok {
		return v
	}
	v := c.src.Load(key)
	c.c.Add(key, v)
	return v
}

func (c *lruCache) Put(key, value int) { c.c.Add(key, value) }
func (c *lruCache) Settle()            {}
func (c *lruCache) Len() int           { return c.c.Len() }
func (c *lruCache) Close()             {}

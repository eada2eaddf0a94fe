package caches

import (
	"context"

	"github.com/Yiling-J/theine-go"
)

var theineKind = Kind{
	Name: "theine", Module: "github.com/Yiling-J/theine-go", Flight: Single, Low: 0.95, High: 1.02,
	Note: "BuildWithLoader; loads under the lock of a shard",
	New: func(entries, _ int, src *Source) (Cache, error) {
		c, err := theine.NewBuilder[int, int](int64(entries)).BuildWithLoader(func(_ context.Context, key int) (theine.Loaded[int], error) {
			return theine.Loaded[int]{Value: src.Load(key), Cost: 1}, nil
		})
		if err != nil {
			return nil, err
		}
		return &theineCache{c}, nil
	},
}

type theineCache struct {
	c *theine.LoadingCache[int, int]
}

func (c *theineCache) Session() Session { return c }

func (c *theineCache) Get(key int) int {
	v, err := c.c.Get(context.Background(), key)
	if err != nil {
		panic(err)
	}
	return v
}

func (c *theineCache) Put(key, value int) { c.c.Set(key, value, 1) }
func (c *theineCache) Settle()            { c.c.Wait() }
func (c *theineCache) Len() int           { return c.c.Len() }
func (c *theineCache) Close()             { c.c.Close() }

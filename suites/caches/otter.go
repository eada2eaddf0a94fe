package caches

import (
	"context"

	"github.com/maypok86/otter/v2"
)

var otterKind = Kind{
	Name: "otter", Module: "github.com/maypok86/otter/v2", Flight: Single, Low: 0.99, High: 1,
	Note: "MaximumSize; Get with one Loader that is built once",
	New: func(entries, _ int, src *Source) (Cache, error) {
		c, err := otter.New(&otter.Options[int, int]{MaximumSize: entries})
		if err != nil {
			return nil, err
		}
		load := otter.LoaderFunc[int, int](func(_ context.Context, key int) (int, error) { return src.Load(key), nil })
		return &otterCache{c, load}, nil
	},
}

type otterCache struct {
	c      *otter.Cache[int, int]
	loader otter.Loader[int, int]
}

func (c *otterCache) Session() Session { return c }

func (c *otterCache) Get(key int) int {
	v, err := c.c.Get(context.Background(), key, c.loader)
	if err != nil {
		panic(err)
	}
	return v
}

func (c *otterCache) Put(key, value int) { c.c.Set(key, value) }
func (c *otterCache) Settle()            { c.c.CleanUp() }
func (c *otterCache) Close()             { c.c.StopAllGoroutines() }

// Len counts: EstimatedSize may be off while writes are under way.
func (c *otterCache) Len() int {
	n := 0
	for range c.c.Keys() {
		n++
	}
	return n
}

package caches

import "sync"

var mapKind = Kind{
	Name: "map", Flight: ByHand,
	Note: "a map under one mutex, without bound: it never evicts and is no cache",
	New: func(_, _ int, src *Source) (Cache, error) {
		return &plainMap{m: map[int]int{}, src: src}, nil
	},
}

type plainMap struct {
	mu  sync.Mutex
	m   map[int]int
	src *Source
}

func (c *plainMap) Session() Session { return c }

func (c *plainMap) Get(key int) int {
	c.mu.Lock()
	v, ok := c.m[key]
	c.mu.Unlock()
	if ok {
		return v
	}
	v = c.src.Load(key)
	c.Put(key, v)
	return v
}

func (c *plainMap) Put(key, value int) {
	c.mu.Lock()
	c.m[key] = value
	c.mu.Unlock()
}

func (c *plainMap) Settle() {}
func (c *plainMap) Close()  {}

func (c *plainMap) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.m)
}

// Package lru is a cache that evicts what was not used for the longest time.
package lru

import "sync"

// A Cache holds a limited number of values. Goroutines may share it.
type Cache struct {
	mu      sync.Mutex
	limit   int
	entries map[string]*entry
	head    entry // of a ring: its next is the newest, its prev the oldest
}

type entry struct {
	key        string
	value      []byte
	prev, next *entry
}

// New returns a cache of at most limit values, which must be positive.
func New(limit int) *Cache {
	c := &Cache{limit: limit, entries: make(map[string]*entry, limit)}
	c.head.prev, c.head.next = &c.head, &c.head
	return c
}

// Get returns the value of a key, and whether there is one.
func (c *Cache) Get(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.find(key)
	if e == nil {
		return nil, false
	}
	e.unlink()
	c.link(e)
	return e.value, true
}

// Put sets the value of a key.
func (c *Cache) Put(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.find(key); e != nil {
		e.value = value
		e.unlink()
		c.link(e)
		return
	}
	e := c.vacant()
	e.key, e.value = key, value
	c.entries[key] = e
	c.link(e)
}

// find returns the entry of a key, nil if there is none.
//
//go:noinline
func (c *Cache) find(key string) *entry { return c.entries[key] }

// vacant returns an entry to fill: the oldest one if the cache is full.
func (c *Cache) vacant() *entry {
	if len(c.entries) < c.limit {
		return &entry{}
	}
	e := c.head.prev
	e.unlink()
	delete(c.entries, e.key)
	return e
}

func (c *Cache) link(e *entry) {
	e.prev, e.next = &c.head, c.head.next
	e.next.prev = e
	c.head.next = e
}

func (e *entry) unlink() {
	e.prev.next = e.next
	e.next.prev = e.prev
}

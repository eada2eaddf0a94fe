package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// stock is how many items the shop has, and shown how many of them a page lists.
const stock, shown = 100_000, 20

// item is what is sold.
type item struct {
	ID    int `json:"id"`
	Price int `json:"price"`
}

// list keeps the cheapest items for a while, because to find them takes long.
type list struct {
	fresh time.Duration

	mu    sync.Mutex
	page  []item
	found time.Time
}

func newList(fresh time.Duration) *list { return &list{fresh: fresh} }

// cheapest returns the cheapest items, as they were at most the time ago that the list is fresh.
func (l *list) cheapest() []item {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.found) > l.fresh {
		l.page, l.found = find(), time.Now()
	}
	return l.page
}

// find sorts all items by what they cost now.
func find() []item {
	all := make([]item, stock)
	for i := range all {
		all[i] = item{ID: i, Price: rand.IntN(1e6)}
	}
	slices.SortFunc(all, func(a, b item) int { return cmp.Compare(a.Price, b.Price) })
	return slices.Clone(all[:shown])
}

package groups

import "sync"

// Ring is a bounded queue under a mutex.
type Ring struct {
	mu    sync.Mutex
	items []int
	head  int // of the oldest
	n     int
}

// NewRing returns an empty queue for capacity items.
func NewRing(capacity int) *Ring { return &Ring{items: make([]int, capacity)} }

// Offer appends an item, unless the queue is full.
func (r *Ring) Offer(item int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == len(r.items) {
		return false
	}
	r.items[(r.head+r.n)%len(r.items)] = item
	r.n++
	return true
}

// Poll takes the oldest item, unless the queue is empty.
func (r *Ring) Poll() (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == 0 {
		return 0, false
	}
	item := r.items[r.head]
	r.head = (r.head + 1) % len(r.items)
	r.n--
	return item, true
}

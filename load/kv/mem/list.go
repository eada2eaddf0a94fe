package mem

import (
	"math/bits"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// A list holds entries in the order of their keys: a skip list (W. Pugh, Skip
// Lists: A Probabilistic Alternative to Balanced Trees, CACM 33(6), 1990) with a
// quarter of each level in the next one. One goroutine at a time changes it, the
// others walk it meanwhile without a lock.
//
// That is safe because an entry is linked from the lowest level up, after its own
// links are set, and keeps its links when it is removed: a goroutine at a removed
// entry continues to the entries after it.
type list struct {
	height atomic.Int32 // levels in use, at least 1
	head   entry        // before all others; has every level

	mu  sync.Mutex // guards changes
	rng *rand.Rand // guarded by mu
}

// links are the next entries, level by level. Their elements are atomic; the slice
// does not change once the entry is in the list.
type links []atomic.Pointer[entry]

// levels is the limit of levels, enough for 4^16 entries.
const levels = 16

// path holds the last entry before a key on each level.
type path [levels]*entry

func (l *list) init() {
	l.rng = rand.New(rand.NewPCG(1, 1)) // heights need not be unpredictable
	l.head.links = make(links, levels)
	l.height.Store(1)
}

// clear empties the list. Goroutines that walk it still reach its end.
func (l *list) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.head.links {
		l.head.links[i].Store(nil)
	}
}

// next returns the entry behind, or nil.
func (e *entry) next() *entry { return e.links[0].Load() }

// seek returns the first entry whose key is not before the given one, or nil.
func (l *list) seek(key []byte) *entry {
	e := &l.head
	for level := int(l.height.Load()) - 1; level >= 0; level-- {
		for n := e.links[level].Load(); n != nil && n.key < string(key); n = e.links[level].Load() {
			e = n
		}
	}
	return l.from(e, key)
}

// from continues on the lowest level: e may have been removed since, and entries
// before the key may have been inserted.
func (l *list) from(e *entry, key []byte) *entry {
	for e = e.next(); e != nil && e.key < string(key); {
		e = e.next()
	}
	return e
}

// insert adds an entry whose key is not in the list.
func (l *list) insert(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	height := 1 + bits.TrailingZeros64(l.rng.Uint64()|1<<(2*(levels-1)))/2
	if int32(height) > l.height.Load() {
		l.height.Store(int32(height))
	}
	before := l.path(e.key)
	e.links = make(links, height)
	for level := range e.links {
		e.links[level].Store(before[level].links[level].Load())
		before[level].links[level].Store(e)
	}
}

// remove removes an entry.
func (l *list) remove(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.path(e.key)
	for level := len(e.links) - 1; level >= 0; level-- {
		if link := &before[level].links[level]; link.Load() == e {
			link.Store(e.links[level].Load())
		}
	}
}

func (l *list) path(key string) (p path) {
	e := &l.head
	for level := int(l.height.Load()) - 1; level >= 0; level-- {
		for n := e.links[level].Load(); n != nil && n.key < key; n = e.links[level].Load() {
			e = n
		}
		p[level] = e
	}
	return p
}

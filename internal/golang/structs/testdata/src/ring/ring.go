// Package ring has structs of all kinds to look at.
package ring

import (
	"sync"
	"sync/atomic"
	"time"
)

// SPSC has its ends on one line.
type SPSC struct {
	head atomic.Uint64
	tail atomic.Uint64
	_    [112]byte
	buf  []any
	mask uint64
}

// Loose has its fields in a bad order.
type Loose struct {
	ok    bool
	n     int64
	flag  bool
	id    int32
	name  string
	small int8
	end   struct{}
}

// Counters uses functions of sync/atomic.
type Counters struct {
	on     bool
	hits   int64
	misses int64
	per    [4]int64
	list   []int64
	limit  int
}

func (c *Counters) hit(i int) {
	atomic.AddInt64(&c.hits, 1)
	atomic.AddInt64((&c.per[i]), 1)
	atomic.AddInt64(&c.list[i], 1)
}

func (c *Counters) miss() { atomic.StoreInt64(&(c.misses), 1) }

// Guarded has a lock and what it guards.
type Guarded struct {
	mu    sync.Mutex
	items map[string]int
	pos   struct {
		line uint8
		at   time.Time
	}
	inner
	once  sync.Once
	ready atomic.Bool
}

type inner struct {
	a bool
	b uint16
	c bool
}

// Ring is generic.
type Ring[T any] struct {
	full  bool
	items [5]T
	next  *Ring[T]
}

type pairOf[K comparable, V any] struct {
	key   K
	ok    bool
	value V
}

// Padded has its sides on separate cache lines.
type Padded struct {
	a    bool
	prod uint64
	b    bool
	_    [40]byte
	c    bool
	cons uint64
	d    bool
}

// Big is larger than any line.
type Big struct {
	n    int32
	data [1000]byte
	last int64
	slot [100]atomic.Uint32
}

// Empty has nothing.
type Empty struct{}

// Number is no struct.
type Number int

// Alias is another name.
type Alias = Loose

// Waiting has types of other packages with something atomic in them.
type Waiting struct {
	group sync.WaitGroup
	done  bool
	rw    sync.RWMutex
	stats [2]struct {
		hits atomic.Uint32
		name [20]byte
	}
	_ struct{}
}

// All has a value of each type.
func All() []any {
	return []any{&SPSC{}, &Loose{}, &Counters{}, &Guarded{}, &Ring[time.Time]{}, &pairOf[string, [2]*Loose]{}, &Padded{}, &Big{}, &Empty{}, &Waiting{}, Number(1)}
}

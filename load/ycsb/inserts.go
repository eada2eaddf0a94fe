package ycsb

import (
	"sync"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// inserts numbers the records that a run inserts, and knows up to which record all
// are inserted. Workers take numbers in order and finish in any order. All methods
// are safe for concurrent use and rarely wait for another worker.
type inserts struct {
	_      cacheline.Line
	number atomic.Int64 // of the next record
	_      cacheline.Line
	acked  atomic.Int64 // all records up to this one are inserted
	_      cacheline.Line
	spare  atomic.Int64 // how many numbers were given back
	mu     sync.Mutex   // guards changes of acked and back
	back   []int64
	ready  []atomic.Uint64 // a bit for each of window numbers behind acked
	window int64           // a power of 2, from 64
}

// insertWindow is how far numbers may be acknowledged ahead of one that is not. An
// insert that has not been answered by then counts as inserted. YCSB fails in that
// case.
const insertWindow = 1 << 20

// newInserts returns inserts whose first record does not exist yet.
func newInserts(first, window int64) *inserts {
	n := &inserts{ready: make([]atomic.Uint64, window/64), window: window}
	n.number.Store(first)
	n.acked.Store(first - 1)
	return n
}

// last returns the record up to which all are inserted.
func (n *inserts) last() int64 { return n.acked.Load() }

// take returns the number of a record to insert.
func (n *inserts) take() int64 {
	if n.spare.Load() > 0 {
		n.mu.Lock()
		defer n.mu.Unlock()
		if end := len(n.back) - 1; end >= 0 {
			record := n.back[end]
			n.back = n.back[:end]
			n.spare.Add(-1)
			return record
		}
	}
	return n.number.Add(1) - 1
}

// giveBack returns a number that was taken and will not be inserted.
func (n *inserts) giveBack(record int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.back = append(n.back, record)
	n.spare.Add(1)
}

// acknowledge records that the insert of a record has been answered.
func (n *inserts) acknowledge(record int64) {
	if record-n.acked.Load() > n.window {
		n.mu.Lock()
		for record-n.acked.Load() > n.window {
			n.pass(n.acked.Load() + 1)
		}
		n.mu.Unlock()
	}
	if record <= n.acked.Load() {
		return // the window has passed it
	}
	n.slot(record).Or(1 << (record % 64))
	// The holder of the lock checks again after releasing it, so that a record that
	// was acknowledged just before is not missed.
	for n.isReady(n.acked.Load()+1) && n.mu.TryLock() {
		for next := n.acked.Load() + 1; n.isReady(next); next++ {
			n.pass(next)
		}
		n.mu.Unlock()
	}
}

// slot returns the word with the mark of a record, which is bit record mod 64.
func (n *inserts) slot(record int64) *atomic.Uint64 {
	return &n.ready[record&(n.window-1)/64]
}

func (n *inserts) isReady(record int64) bool {
	return n.slot(record).Load()>>(record%64)&1 != 0
}

// pass counts a record as inserted, and clears its mark for the record one window
// ahead.
func (n *inserts) pass(record int64) {
	n.slot(record).And(^uint64(1 << (record % 64)))
	n.acked.Store(record)
}

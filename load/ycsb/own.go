package ycsb

import (
	"sync"
	"sync/atomic"
)

// ownInserts are records that this load generator has inserted, one of several. It knows nothing
// of the others': theirs may not exist yet. All methods are safe for concurrent use, and only add
// waits for others.
type ownInserts struct {
	loaded int64 // records of the load phase
	mu     sync.Mutex
	n      atomic.Int64 // inserted so far
	recent []atomic.Int64
}

// recentInserts is how many of the records inserted last are requested.
const recentInserts = 1 << 20

func newOwnInserts(loaded, recent int64) *ownInserts {
	return &ownInserts{loaded: loaded, recent: make([]atomic.Int64, recent)}
}

// add adds a record that was inserted.
func (o *ownInserts) add(record int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := o.n.Load()
	o.recent[n%int64(len(o.recent))].Store(record)
	o.n.Store(n + 1)
}

// choose has a chooser choose a record. It sees a row of records without gaps: first those of the
// load phase, then those inserted, in the order in which that was answered.
func (o *ownInserts) choose(chooser keyChooser, r *random) int64 {
	n := o.n.Load()
	recent := min(n, int64(len(o.recent)))
	place := chooser.next(r, o.loaded+recent-1) - o.loaded
	if place < 0 {
		return place + o.loaded
	}
	// A later insert may have replaced it, which exists as well.
	return o.recent[(n-recent+place)%int64(len(o.recent))].Load()
}

package ycsb

import (
	"fmt"
	"sync"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// A SharedTarget is the target of one of several load generators that send the operations of each
// phase, see [load.Config].Share. The record of an insert follows from the number of its operation.
type SharedTarget interface {
	load.Target

	// BeginPhase is called before each phase but a first one whose operations begin at 0. first is
	// the phase's [load.Config].First, and inserted the number of records that all load generators
	// inserted in earlier phases: the sum of [Inserts] of these.
	BeginPhase(first uint64, inserted int64)
}

// NewShared is [New] for one of several load generators.
func NewShared(c Config, db kv.DB) (SharedTarget, error) {
	t, err := newTarget(c, db)
	if err != nil {
		return nil, err
	}
	s := &sharedTarget{runTarget: t}
	if c.InsertProportion > 0 {
		s.numbers, s.own = newNumbering(&t.c, 0, 0), newOwnInserts(c.RecordCount, recentInserts)
		t.shared = func() sharing { return &sharedWorker{numbers: s.numbers, own: s.own} }
	}
	return s, nil
}

// Inserts returns how many of the n operations of a valid workload from first on are inserts, in
// any phase of the run. It takes some ns for each operation.
func Inserts(c Config, first, n uint64) int64 {
	return newNumbering(&c, first, 0).count(first, first+n)
}

type sharedTarget struct {
	*runTarget
	numbers *numbering
	own     *ownInserts
}

func (t *sharedTarget) BeginPhase(first uint64, inserted int64) {
	t.numbers = newNumbering(&t.c, first, inserted)
}

// sharedWorker is what a worker of a shared workload with inserts has besides.
type sharedWorker struct {
	numbers *numbering
	own     *ownInserts
	last    counted // as far as this worker has counted
}

func (w *sharedWorker) choose(c keyChooser, r *random) int64 { return w.own.choose(c, r) }
func (w *sharedWorker) insert(k uint64) int64                { return w.numbers.recordOf(k, &w.last) }

// answered has a record requested from now on. One whose insert failed may not exist.
func (w *sharedWorker) answered(record int64, err error) {
	if err == nil {
		w.own.add(record)
	}
}

// numbering gives each insert of a phase its record by the number of its operation: the inserts
// before it are counted. So it does not matter who sends them, or whether one does. All
// methods are safe for concurrent use.
type numbering struct {
	seed   uint64
	mix    mix
	first  uint64 // operation
	record int64  // of the first insert

	mu     sync.Mutex
	blocks []int64 // inserts of the phase before each block of operations
}

const (
	// countBlock is the number of operations between two counts that are kept: 8 bytes each.
	countBlock = 4096

	// mostAhead is how many operations may lie between two inserts that one load generator sends.
	// More mean that BeginPhase was not called; counting them would take 10 s and more.
	mostAhead = 1 << 32
)

func newNumbering(c *Config, first uint64, inserted int64) *numbering {
	return &numbering{
		seed: mix64(c.Seed ^ runStream), mix: c.mix(), first: first, record: c.RecordCount + inserted,
		blocks: []int64{0},
	}
}

// A counted is how far a worker has counted: inserts of the phase before an operation.
type counted struct {
	k       uint64
	inserts int64
}

// recordOf returns the record that operation k inserts. last is how far the worker has counted
// before, which saves work if k is not much later.
func (n *numbering) recordOf(k uint64, last *counted) int64 {
	from := n.block(k)
	if last.k > from.k && last.k <= k {
		from = *last
	}
	*last = counted{k, from.inserts + n.count(from.k, k)}
	return n.record + last.inserts
}

// block returns the count before the block of operation k.
func (n *numbering) block(k uint64) counted {
	if k < n.first {
		panic(fmt.Sprintf("ycsb: operation %d comes before operation %d, with which the phase begins", k, n.first))
	}
	i := (k - n.first) / countBlock
	n.mu.Lock()
	defer n.mu.Unlock()
	if ahead := i - min(i, uint64(len(n.blocks))); ahead > mostAhead/countBlock {
		panic(fmt.Sprintf("ycsb: operation %d comes %d operations after the others: the target does not know where the phase begins", k, ahead*countBlock))
	}
	for b := uint64(len(n.blocks)); b <= i; b++ {
		end := n.first + b*countBlock
		n.blocks = append(n.blocks, n.blocks[b-1]+n.count(end-countBlock, end))
	}
	return counted{n.first + i*countBlock, n.blocks[i]}
}

// count returns how many of the operations from one up to another are inserts.
func (n *numbering) count(from, to uint64) (inserts int64) {
	var r random
	for k := from; k < to; k++ {
		r.start(n.seed, k)
		if n.mix.operation(r.next()) == opInsert {
			inserts++
		}
	}
	return inserts
}

package ycsb

import (
	"context"

	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// worker sends the operations of the run for one goroutine.
type worker struct {
	_       cacheline.Line
	session kv.Session
	ins     *inserts
	last    int64   // last existing record, if none is inserted
	shared  sharing // nil, or instead of ins
	index   [operations]int

	// How operations are chosen.
	seed    uint64
	random  random
	mix     mix
	records keyChooser
	scans   lengths
	fields  uint64
	readOne bool  // field of the record
	readAll []int // nil, or the list of all
	writing bool  // all fields

	// What was chosen.
	op     operation
	key    []byte
	ask    []int // fields to read, nil for all
	one    [1]int
	n      int // of records to scan
	record int64
	taken  bool // record is a number that must be inserted or given back

	keys   keyText
	maker  maker
	value  kv.Record
	result kv.Record
	found  kv.Records
	_      cacheline.Line
}

func newWorker(t *runTarget, s kv.Session) *worker {
	c := &t.c
	w := &worker{
		session: s, ins: t.ins, last: c.RecordCount - 1, index: t.index,
		seed: mix64(c.Seed ^ runStream), mix: c.mix(), records: newKeyChooser(c),
		scans:  newLengths(c.ScanLengthDistribution, c.MinScanLength, c.MaxScanLength),
		fields: uint64(c.FieldCount), readOne: !c.ReadAllFields, writing: c.WriteAllFields,
		keys: newKeyText(c), maker: t.maker,
	}
	if t.shared != nil {
		w.shared = t.shared()
	}
	if c.ReadAllFieldsByName || c.DataIntegrity {
		for i := range c.FieldCount {
			w.readAll = append(w.readAll, i)
		}
	}
	return w
}

// Independent streams of random numbers for the same seed.
const (
	runStream  = 0x72756e
	loadStream = 0x6c6f6164
)

// Prepare chooses an operation. Values that depend on seed and k alone are drawn
// first. The record may take any number of draws, so it comes last.
func (w *worker) Prepare(k uint64) (kind int) {
	r := &w.random
	r.start(w.seed, k)
	w.op = w.mix.operation(r.next())
	switch w.op {
	case opRead:
		w.ask = w.askFor(r)
		w.key = w.keys.key(w.choose(r))
	case opScan:
		w.ask = w.askFor(r)
		w.n = w.scans.next(r)
		w.key = w.keys.key(w.choose(r))
	case opUpdate:
		w.prepareUpdate(r)
	case opReadModifyWrite:
		w.ask = w.askFor(r)
		w.prepareUpdate(r)
	case opInsert:
		w.prepareInsert(r)
	}
	return w.index[w.op]
}

// askFor chooses the fields to read.
func (w *worker) askFor(r *random) []int {
	if w.readOne {
		w.one[0] = int(r.below(w.fields))
		return w.one[:]
	}
	return w.readAll
}

// choose returns an existing record.
func (w *worker) choose(r *random) int64 {
	if w.shared != nil {
		return w.shared.choose(w.records, r)
	}
	last := w.last
	if w.ins != nil {
		last = w.ins.last()
	}
	return w.records.next(r, last)
}

func (w *worker) prepareUpdate(r *random) {
	field := int(r.below(w.fields))
	values := r.fork()
	w.key = w.keys.key(w.choose(r))
	if w.writing {
		w.maker.all(&w.value, w.key, &values)
	} else {
		w.maker.one(&w.value, w.key, field, &values)
	}
}

// prepareInsert takes the next number, or that of an insert that was prepared and not
// sent. In a shared workload the number follows from that of the operation.
func (w *worker) prepareInsert(r *random) {
	if w.shared != nil {
		w.record = w.shared.insert(r.k)
	} else if !w.taken {
		w.record, w.taken = w.ins.take(), true
	}
	w.key = w.keys.key(w.record)
	values := r.fork()
	w.maker.all(&w.value, w.key, &values)
}

func (w *worker) Do(ctx context.Context, t *load.Timer) error {
	switch w.op {
	case opRead:
		return w.session.Read(ctx, w.key, w.ask, &w.result)
	case opUpdate:
		return w.session.Update(ctx, w.key, &w.value)
	case opInsert:
		return w.session.Insert(ctx, w.key, &w.value)
	case opScan:
		_, err := w.session.Scan(ctx, w.key, w.n, w.ask, &w.found)
		return err
	default:
		return w.readModifyWrite(ctx, t)
	}
}

func (w *worker) readModifyWrite(ctx context.Context, t *load.Timer) error {
	from := t.Now()
	err := w.session.Read(ctx, w.key, w.ask, &w.result)
	t.Sub(w.index[opRead], from, err)
	if err != nil {
		return err
	}
	from = t.Now()
	err = w.session.Update(ctx, w.key, &w.value)
	t.Sub(w.index[opUpdate], from, err)
	return err
}

// Done acknowledges an insert, also a failed one unless the workload is shared: it was answered,
// and later records must not wait for it.
func (w *worker) Done(err error) error {
	switch {
	case w.op != opInsert:
	case w.shared != nil:
		w.shared.answered(w.record, err)
	default:
		w.ins.acknowledge(w.record)
		w.taken = false
	}
	if err != nil || !w.maker.verifiable {
		return err
	}
	switch w.op {
	case opRead, opReadModifyWrite:
		return w.maker.verify(w.key, w.ask, &w.result)
	case opScan:
		return w.verifyScan()
	}
	return nil
}

// AppendOperation implements [load.Describer]: the key.
func (w *worker) AppendOperation(b []byte, _ int) []byte { return append(b, w.key...) }

// verifyScan checks each record against its key. The expected set of records is not
// known.
func (w *worker) verifyScan() error {
	for i := range w.found.Len() {
		key, record := w.found.At(i)
		if err := w.maker.verify(key, w.ask, record); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) Close() error {
	if w.taken {
		w.ins.giveBack(w.record)
		w.taken = false
	}
	return w.session.Close()
}

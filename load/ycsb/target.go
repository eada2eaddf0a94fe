package ycsb

import (
	"context"
	"fmt"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// runTarget sends the operations of the run.
type runTarget struct {
	c     Config
	db    kv.DB
	maker maker
	kinds []string
	index [operations]int
	ins   *inserts // nil if the workload inserts nothing

	shared func() sharing // for each worker of a SharedTarget that inserts; else nil
}

// sharing chooses records for a worker of a [SharedTarget]: new ones to insert, and existing ones. It is
// an interface so that the linker leaves it out of programs without a SharedTarget.
type sharing interface {
	choose(c keyChooser, r *random) (record int64)
	insert(k uint64) (record int64) // of operation k
	answered(record int64, err error)
}

// New returns the target of the run. It does not close the database. Phases of one
// run, such as a warm-up, must use the same target, with [load.Config].First;
// otherwise records of the first phase are inserted again.
//
// It returns an [*UnsupportedError] if the database lacks a capability that the
// workload needs.
func New(c Config, db kv.DB) (load.Target, error) {
	t, err := newTarget(c, db)
	if err != nil {
		return nil, err
	}
	if c.InsertProportion > 0 {
		t.ins = newInserts(c.RecordCount, insertWindow)
	}
	return t, nil
}

func newTarget(c Config, db kv.DB) (*runTarget, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("ycsb: %w", err)
	}
	if err := c.supported(db.Capabilities()); err != nil {
		return nil, fmt.Errorf("ycsb: %w", err)
	}
	m, err := newMaker(&c)
	if err != nil {
		return nil, fmt.Errorf("ycsb: %w", err)
	}
	t := &runTarget{c: c, db: db, maker: m}
	t.kinds, t.index = c.kinds()
	return t, nil
}

// supported compares the needs of the workload with the capabilities of the database.
func (c *Config) supported(has kv.Capabilities) error {
	if c.ScanProportion > 0 && !has.Scan {
		return &UnsupportedError{
			DB: has.Name, Want: fmt.Sprintf("scanproportion %v", c.ScanProportion), Why: "which has no scans",
			Advice: "choose a workload without scans (a, b, c, d or f) or a database that has them",
		}
	}
	if c.DataIntegrity && !has.Integrity {
		return &UnsupportedError{
			DB: has.Name, Want: "dataintegrity", Why: "which does not return what was written",
			Advice: "leave it out or choose a database that does",
		}
	}
	return nil
}

func (t *runTarget) Kinds() []string { return t.kinds }

func (t *runTarget) Worker(ctx context.Context, n int) (load.Worker, error) {
	s, err := t.db.Session(ctx, n)
	if err != nil {
		return nil, err
	}
	return newWorker(t, s), nil
}

func (t *runTarget) Close() error { return nil }

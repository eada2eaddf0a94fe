package ycsb

import (
	"context"
	"fmt"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// loader sends the inserts of the load phase.
type loader struct {
	c     Config
	db    kv.DB
	maker maker
}

// Loader returns the target of the load phase: operation k inserts record
// InsertStart+k, for the number of operations in [Config.LoadPhase]. A database
// without Capabilities.Load needs no Loader. It does not close the database.
//
// A failed insert is retried as configured; all attempts and the time between them
// are one operation.
func Loader(c Config, db kv.DB) (load.Target, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("ycsb: %w", err)
	}
	m, err := newMaker(&c)
	if err != nil {
		return nil, fmt.Errorf("ycsb: %w", err)
	}
	return &loader{c: c, db: db, maker: m}, nil
}

// LoadPhase returns the load configuration of the load phase: every record once, in a
// closed loop, to the end or, unless InsertionKeepGoing is set, to the first insert
// that fails after its retries. The caller sets Workers and other fields.
func (c Config) LoadPhase() load.Config {
	phase := load.Config{Phase: record.LoadInsert, Operations: uint64(c.inserted()), MaxErrors: 1}
	if c.InsertionKeepGoing {
		phase.MaxErrors = 0
	}
	return phase
}

func (l *loader) Kinds() []string { return []string{opInsert.String()} }

func (l *loader) Worker(ctx context.Context, n int) (load.Worker, error) {
	s, err := l.db.Session(ctx, n)
	if err != nil {
		return nil, err
	}
	return &inserter{c: &l.c, session: s, seed: mix64(l.c.Seed ^ loadStream), keys: newKeyText(&l.c), maker: l.maker}, nil
}

func (l *loader) Close() error { return nil }

// inserter is a worker of the load phase.
type inserter struct {
	c       *Config
	session kv.Session
	seed    uint64
	random  random
	k       uint64
	keys    keyText
	maker   maker
	key     []byte
	value   kv.Record
}

func (w *inserter) Prepare(k uint64) (kind int) {
	w.k = k
	if k < uint64(w.c.inserted()) {
		w.random.start(w.seed, k)
		w.key = w.keys.key(w.c.InsertStart + int64(k))
		values := w.random.fork()
		w.maker.all(&w.value, w.key, &values)
	}
	return 0
}

func (w *inserter) Do(ctx context.Context, _ *load.Timer) error {
	if n := w.c.inserted(); w.k >= uint64(n) {
		return fmt.Errorf("ycsb: insert %d of %d: the load phase has no more records", w.k+1, n)
	}
	err := w.session.Insert(ctx, w.key, &w.value)
	for try := 0; err != nil && try < w.c.InsertionRetryLimit; try++ {
		if !sleep(ctx, w.pause()) {
			break
		}
		err = w.session.Insert(ctx, w.key, &w.value)
	}
	return err
}

// pause returns the interval between two attempts, ± 20 %, so that workers that
// failed together do not retry together.
func (w *inserter) pause() time.Duration {
	return time.Duration(float64(w.c.InsertionRetryInterval) * (0.8 + 0.4*w.random.unit()))
}

// sleep waits, and returns false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (w *inserter) Done(err error) error { return err }

func (w *inserter) Close() error { return w.session.Close() }

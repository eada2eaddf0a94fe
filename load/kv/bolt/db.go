package bolt

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/tarebench/tare/internal/client/datadir"
	"github.com/tarebench/tare/load/kv"
)

// Binding returns the binding "bolt".
func Binding() kv.Binding {
	return kv.Binding{
		Name:  "bolt",
		Short: "bbolt, embedded: a B+tree in one file",
		Properties: []kv.Property{
			{Name: "bolt.sync", Default: "false", Short: "flush each commit to disk"},
			{Name: "bolt.batch", Default: "0s", Short: "how long a write waits for others to share its transaction"},
		},
		OpenDB: Open,
	}
}

var errClosed = errors.New("bolt: the database is closed")

const (
	file        = "tare.bolt"
	lockTimeout = time.Second // for the lock of a file that another process has open
)

type config struct {
	sync  bool
	batch time.Duration
}

type db struct {
	config
	bolt  *bbolt.DB
	home  *datadir.Home
	table []byte

	closing sync.Once
	closed  error // guarded by closing
}

// Open opens or creates the file, with a bucket for the table. It fails if properties
// are invalid, if the directory is missing or not writable, or if another process has
// the file open.
func Open(_ context.Context, s kv.Settings) (kv.DB, error) {
	c, err := configOf(s.Props)
	if err != nil {
		return nil, fmt.Errorf("bolt: %w", err)
	}
	home, err := datadir.Open("bolt", s.Dir)
	if err != nil {
		return nil, fmt.Errorf("bolt: %w", err)
	}
	d := &db{config: c, home: home, table: []byte(s.Table)}
	if err := d.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("bolt: %s: %w", home.Path(file), err), home.Close())
	}
	return d, nil
}

func configOf(p kv.Properties) (c config, err error) {
	g := p.Getter()
	c.sync = g.Bool("bolt.sync", false)
	c.batch = g.Duration("bolt.batch", 0)
	g.Known("bolt.", Binding().Properties)
	return c, g.Err()
}

func (d *db) open() error {
	var err error
	d.bolt, err = bbolt.Open(d.home.Path(file), 0o600, &bbolt.Options{
		Timeout: lockTimeout,
		NoSync:  !d.sync,
		// The file grows in steps of 16 MB. A flush at each step would stall without a
		// commit.
		NoGrowSync: !d.sync,
		// The other type of freelist is searched completely for each page.
		FreelistType: bbolt.FreelistMapType,
		NoStatistics: true, // a lock for each transaction
	})
	if errors.Is(err, berrors.ErrTimeout) {
		return errors.New("another process has it open; wait until that ends, or use another directory")
	}
	if err != nil {
		return err
	}
	d.bolt.MaxBatchDelay = d.batch
	err = d.bolt.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(d.table)
		return err
	})
	if err != nil {
		return errors.Join(fmt.Errorf("bucket %q of the table: %w", d.table, err), d.bolt.Close())
	}
	return nil
}

// Capabilities implements [kv.DB].
func (d *db) Capabilities() kv.Capabilities {
	c := kv.Capabilities{
		Name:      "bolt" + datadir.Version("go.etcd.io/bbolt"),
		Scan:      true,
		Ordered:   true,
		Integrity: true,
		Load:      true,
		Notes: []string{
			"one write transaction at a time: writes of several workers queue",
			"a partial update reads and writes the record, in one transaction",
		},
	}
	if d.sync {
		c.Notes = append(c.Notes, "sync=true: each commit is flushed to disk")
	} else {
		const note = "sync=false: commits are not flushed to disk"
		c.Notes = append(c.Notes, note)
		c.Weak = []string{note}
	}
	if d.batch > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("batch=%v: a write waits so long for others to share its transaction", d.batch))
	}
	c.Notes = append(c.Notes, d.home.Notes()...)
	return c
}

// Session implements [kv.DB].
func (d *db) Session(context.Context, int) (kv.Session, error) {
	tx, err := d.bolt.Begin(false)
	if err != nil {
		return nil, closedOr("session", nil, err)
	}
	s := &session{db: d}
	s.write = s.apply
	return s, tx.Rollback()
}

// Close implements [kv.DB]. It waits for running transactions. Remaining data are
// flushed to disk; a temporary directory is removed.
func (d *db) Close() error {
	d.closing.Do(func() { d.closed = d.close() })
	return d.closed
}

func (d *db) close() error {
	var err error
	if !d.sync && !d.home.Temporary() {
		err = d.bolt.Sync()
	}
	if err = errors.Join(err, d.bolt.Close(), d.home.Close()); err != nil {
		return fmt.Errorf("bolt: close: %w", err)
	}
	return nil
}

package mock

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load/kv"
)

var errClosed = errors.New("mock: the database is closed")

type db struct {
	settings
	queue   *servers  // nil: every operation is served at once
	stalls  *periodic // nil without mock.stall
	noted   noted     // stalls of the four modes
	print   *printer  // nil: nothing is printed
	seed    uint64
	timeout time.Duration // of operations; 0 means none
	late    error         // error of operations that would take longer
	closed  atomic.Bool
	group   *pace.Group // of the pacers by which sessions wait; nil without delays

	mu   sync.Mutex
	free []*pace.Pacer // of sessions that were closed: a pacer holds a descriptor

	// world is locked for writing by an operation that stalls all others, and for
	// reading by all others while they run.
	world sync.RWMutex
}

// Open returns a database without data. It fails only for invalid properties.
func Open(_ context.Context, s kv.Settings) (kv.DB, error) {
	set, err := settingsOf(s.Props)
	if err != nil {
		return nil, fmt.Errorf("mock: %w", err)
	}
	d := &db{settings: set, seed: s.Seed, timeout: s.OpTimeout, print: newPrinter(s)}
	d.late = fmt.Errorf("mock: no response within %v: %w", s.OpTimeout, context.DeadlineExceeded)
	if set.servers > 0 {
		d.queue = newServers(set.servers)
	}
	if set.stall > 0 {
		d.stalls = &periodic{clock.Now(), int64(set.every), int64(set.stall)}
	}
	if !set.none() || set.stall > 0 {
		if d.group, err = pace.NewGroup(pace.Sleep, nil); err != nil {
			return nil, fmt.Errorf("mock: %w", err)
		}
	}
	return d, nil
}

// Capabilities implements [kv.DB].
func (d *db) Capabilities() kv.Capabilities {
	return kv.Capabilities{
		Name:          "mock",
		Scan:          true,
		PartialUpdate: true,
		Notes:         []string{"no database: " + d.settings.String() + "; reads and scans succeed and return nothing"},
	}
}

// Stalls implements [kv.Staller].
func (d *db) Stalls(from, to int64) []kv.Stall {
	if d.stalls != nil {
		return d.stalls.between(from, to)
	}
	return d.noted.between(from, to)
}

// Session implements [kv.DB].
func (d *db) Session(_ context.Context, worker int) (kv.Session, error) {
	if d.closed.Load() {
		return nil, errClosed
	}
	s := &session{db: d}
	if d.group == nil {
		return s, nil
	}
	s.rng = rand.New(rand.NewPCG(d.seed, uint64(worker)))
	var err error
	if s.pacer, err = d.pacer(); err != nil {
		return nil, fmt.Errorf("mock: session of worker %d: %w", worker, err)
	}
	return s, nil
}

func (d *db) pacer() (*pace.Pacer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.free); n > 0 {
		p := d.free[n-1]
		d.free = d.free[:n-1]
		return p, nil
	}
	return d.group.Pacer()
}

func (d *db) release(p *pace.Pacer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.free = append(d.free, p)
}

// Close implements [kv.DB]. It ends delays.
func (d *db) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	if d.print != nil {
		d.print.end()
	}
	if d.group == nil {
		return nil
	}
	if err := d.group.Close(); err != nil {
		return fmt.Errorf("mock: close: %w", err)
	}
	return nil
}

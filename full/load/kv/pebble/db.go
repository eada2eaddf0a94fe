package pebble

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/internal/client/datadir"
	"github.com/tarebench/tare/load/kv"
)

var errClosed = errors.New("pebble: the database is closed")

type db struct {
	config
	pebble *pebble.DB
	home   *datadir.Home
	table  string
	write  *pebble.WriteOptions

	background atomic.Pointer[error] // the first of those that Pebble met by itself

	seed  maphash.Seed
	locks [64]lock // of keys, for writes that read first

	mu       sync.Mutex
	sessions map[*session]bool
	closed   bool
	err      error // of Close
}

type lock struct {
	sync.Mutex
	_ cacheline.Line
}

// Open opens or creates the directory. It fails if properties are invalid, if the
// directory is missing or not writable, or if it is open already.
func Open(_ context.Context, s kv.Settings) (kv.DB, error) {
	c, err := configOf(s.Props)
	if err == nil && strings.Contains(s.Table, "\x00") {
		err = fmt.Errorf("table %q: a name must not contain a zero byte", s.Table)
	}
	if err != nil {
		return nil, fmt.Errorf("pebble: %w", err)
	}
	home, err := datadir.Open("pebble", s.Dir)
	if err != nil {
		return nil, fmt.Errorf("pebble: %w", err)
	}
	d := &db{config: c, home: home, table: s.Table, seed: maphash.MakeSeed(), sessions: map[*session]bool{}, write: pebble.NoSync}
	if c.sync {
		d.write = pebble.Sync
	}
	path := home.Path("tare.pebble")
	d.pebble, err = pebble.Open(path, &pebble.Options{
		CacheSize:          c.cache,
		FormatMajorVersion: pebble.FormatNewest,
		Logger:             quiet{},
		EventListener:      d.listen(),
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pebble: %s: %w (has somebody else opened it?)", path, err), home.Close())
	}
	return d, nil
}

// listen records background errors of Pebble.
func (d *db) listen() *pebble.EventListener {
	return &pebble.EventListener{BackgroundError: func(err error) { d.background.CompareAndSwap(nil, &err) }}
}

// Capabilities implements [kv.DB].
func (d *db) Capabilities() kv.Capabilities {
	c := kv.Capabilities{
		Name:      "pebble" + datadir.Version("github.com/cockroachdb/pebble/v2"),
		Scan:      true,
		Ordered:   true,
		Integrity: true,
		Load:      true,
		Notes: []string{
			"a partial update reads and writes the record",
			"flushes and compactions run in this process",
		},
	}
	if d.sync {
		c.Notes = append(c.Notes, "sync=true: the log is flushed to disk at each write")
	} else {
		const note = "sync=false: writes are not flushed to disk"
		c.Notes = append(c.Notes, note)
		c.Weak = []string{note}
	}
	c.Notes = append(c.Notes, d.home.Notes()...)
	return c
}

// Session implements [kv.DB].
func (d *db) Session(context.Context, int) (kv.Session, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	s := newSession(d)
	d.sessions[s] = true
	return s, nil
}

// Close implements [kv.DB]. It waits for running operations, because Pebble panics if
// it is used after it is closed.
func (d *db) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return d.err
	}
	d.closed = true
	for s := range d.sessions {
		s.end()
	}
	if err := errors.Join(d.pebble.Close(), d.home.Close()); err != nil {
		d.err = fmt.Errorf("pebble: close: %w", err)
	}
	return d.err
}

// lock returns that of a key.
func (d *db) lock(key []byte) *lock {
	return &d.locks[maphash.Bytes(d.seed, key)%uint64(len(d.locks))]
}

// quiet keeps Pebble from writing to the standard error stream. Background errors are
// received as events instead.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}

// Fatalf is called if Pebble cannot continue, as when its log cannot be written, and
// must not return.
func (quiet) Fatalf(format string, args ...any) { panic("pebble: " + fmt.Sprintf(format, args...)) }

package loadtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// A fake is the world of a store that is right but for one planted fault: what
// is on its disk, and whether its server is up. No fault is a data race, so that
// it is the kit that finds it, not the race detector.
type fake struct {
	fault string
	mu    sync.Mutex
	disk  map[string]map[string]rec // by directory and table, then by key
	kept  map[string]kv.Record      // by key, with faults that keep records as they come
	inUse map[string]bool           // directories
	down  bool
	hung  chan struct{} // closed when it goes on; nil if it does not hang
	epoch int           // of the server: a connection does not outlive it
}

func newFake(fault string) *fake {
	return &fake{fault: fault, disk: map[string]map[string]rec{}, kept: map[string]kv.Record{}, inUse: map[string]bool{}}
}

func (f *fake) has(fault string) bool { return f.fault == fault }

type fakeDB struct {
	f       *fake
	dir     string
	temp    bool
	table   string
	timeout time.Duration
	closed  bool
}

var errDown = load.WithClass("refused", errors.New("fake: connection refused"))

func (f *fake) open(_ context.Context, s kv.Settings) (kv.DB, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down && !f.has("opens while down") {
		return nil, errDown
	}
	d := &fakeDB{f: f, dir: s.Dir, table: s.Dir + "/" + s.Table, timeout: s.OpTimeout}
	if f.has("one table for all") {
		d.table = ""
	}
	if s.Dir == "" {
		var err error
		if d.dir, err = os.MkdirTemp("", "fake"); err != nil {
			return nil, err
		}
		d.temp = true
	} else if _, err := os.Stat(s.Dir); err != nil && !f.has("makes a missing directory") {
		return nil, err
	}
	if f.inUse[d.dir] && !f.has("opens a directory twice") {
		return nil, fmt.Errorf("fake: %s is in use", d.dir)
	}
	f.inUse[d.dir] = true
	if f.disk[d.table] == nil {
		f.disk[d.table] = map[string]rec{}
	}
	if f.has("leaks goroutines") {
		go func() { select {} }()
	}
	return d, nil
}

func (d *fakeDB) Capabilities() kv.Capabilities {
	c := kv.Capabilities{Name: "fake", Scan: true, Ordered: true, Integrity: true, Load: true}
	switch d.f.fault {
	case "no name":
		c.Name = ""
	case "no scan", "no scan and says nothing":
		c.Scan, c.Ordered = false, false
	case "no order":
		c.Ordered = false
	}
	return c
}

func (d *fakeDB) Session(context.Context, int) (kv.Session, error) {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	if d.closed && !d.f.has("session after close") {
		return nil, errors.New("fake: closed")
	}
	return &fakeSession{d: d, f: d.f, epoch: d.f.epoch}, nil
}

func (d *fakeDB) Close() error {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	if d.closed {
		if d.f.has("second close fails") {
			return errors.New("fake: already closed")
		}
		return nil
	}
	d.closed = true
	delete(d.f.inUse, d.dir)
	if d.f.has("forgets on close") {
		d.f.disk[d.table] = map[string]rec{}
	}
	if d.temp && !d.f.has("leaves its directory") {
		return os.RemoveAll(d.dir)
	}
	return nil
}

type fakeSession struct {
	d     *fakeDB
	f     *fake
	epoch int
	late  *rec // an answer that somebody gave up to wait for
}

// begin waits as a server would have one wait, and leaves the store locked.
func (s *fakeSession) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		switch s.f.fault {
		case "ignores the context":
		case "misnames the context's end":
			return errors.New("fake: it did not work")
		default:
			return err
		}
	} else if ctx.Done() != nil { // somebody may give up: be slow
		select {
		case <-ctx.Done():
			s.f.mu.Lock() // the answer will still come
			s.late = new(rec)
			*s.late = maps.Clone(s.f.disk[s.d.table]["user1"])
			s.f.mu.Unlock()
			return ctx.Err()
		case <-time.After(100 * time.Microsecond):
		}
	}
	s.f.mu.Lock()
	if s.f.hung != nil {
		if err := s.hang(ctx); err != nil {
			return err
		}
	}
	if err := s.state(); err != nil {
		s.f.mu.Unlock()
		return err
	}
	return nil
}

func (s *fakeSession) hang(ctx context.Context) error {
	hung := s.f.hung
	s.f.mu.Unlock()
	timeout := time.After(s.d.timeout)
	if s.f.has("no timeout") {
		timeout = nil
	}
	select {
	case <-hung:
		s.f.mu.Lock()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timeout:
		if s.f.has("misnames the timeout") {
			return errors.New("fake: took too long")
		}
		return os.ErrDeadlineExceeded
	}
}

// state says what is wrong with the store or its server, which are locked.
func (s *fakeSession) state() error {
	switch {
	case s.d.closed && s.f.has("panics after close"):
		s.f.mu.Unlock()
		panic("fake: closed")
	case s.d.closed && !s.f.has("works after close"):
		return errors.New("fake: closed")
	case s.f.down && s.f.has("does not notice the kill"):
		return nil
	case s.f.down && s.f.has("misnames the kill"):
		return errors.New("fake: something happened")
	case s.f.down && s.f.has("panics when killed"):
		s.f.mu.Unlock()
		panic("fake: lost the connection")
	case s.f.down:
		return errDown
	case s.epoch != s.f.epoch && s.f.has("does not reconnect"):
		return errDown
	}
	s.epoch = s.f.epoch
	return nil
}

func (s *fakeSession) Close() error { return nil }

// server is how the kit mishandles it.
func (f *fake) server() *Server {
	set := func(change func()) func(testing.TB) {
		return func(testing.TB) {
			f.mu.Lock()
			defer f.mu.Unlock()
			change()
		}
	}
	return &Server{
		Kill:  set(func() { f.down = true; f.epoch++ }),
		Start: set(func() { f.down = false }),
		Stop:  set(func() { f.hung = make(chan struct{}) }),
		Cont:  set(func() { close(f.hung); f.hung = nil }),
	}
}

// named is the key as the store keeps it.
func (s *fakeSession) named(key []byte) string {
	switch k := string(key); s.f.fault {
	case "folds case":
		return strings.ToLower(k)
	case "cuts keys":
		return k[:min(len(k), 100)]
	case "keys end at NUL":
		k, _, _ = strings.Cut(k, "\x00")
		return k
	default:
		return k
	}
}

func sortedKeys(t map[string]rec) []string { return slices.Sorted(maps.Keys(t)) }

package loadtest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// A check is one subtest. Its needs say for which stores it is.
type check struct {
	name  string
	needs needs
	run   func(*kit)
}

type needs int

const (
	embedded needs = 1 << iota
	server
	stoppable
)

func (c check) skip(cfg Config) string {
	switch {
	case c.needs&embedded != 0 && !cfg.Embedded:
		return "not an embedded store"
	case c.needs&server != 0 && cfg.Server == nil:
		return "no server to kill"
	case c.needs&stoppable != 0 && (cfg.Server == nil || cfg.Server.Stop == nil):
		return "no server to stop"
	}
	return ""
}

// A kit is the environment of a check.
type kit struct {
	testing.TB
	c      Config
	rng    *rand.Rand // of the check's own goroutine; others take one from random
	run    uint32     // in the names of tables: a server may keep those of other checks and runs
	tables int

	patience time.Duration // with what should come at once: only a failure takes it
}

func newKit(t testing.TB, c Config) *kit {
	t.Logf("seed %d", c.Seed)
	k := &kit{TB: t, c: c, rng: rand.New(rand.NewPCG(c.Seed, 0)), run: rand.Uint32(), patience: time.Minute}
	if c.Embedded {
		k.watchTemp()
	}
	return k
}

// random returns a source of random numbers for another goroutine.
func (k *kit) random(n int) *rand.Rand { return rand.New(rand.NewPCG(k.c.Seed, uint64(n)+1)) }

// watchTemp puts temporary directories into a directory that must be empty when all
// stores are closed.
func (k *kit) watchTemp() {
	dir := k.TempDir()
	k.Setenv("TMPDIR", dir)
	k.Setenv("TMP", dir) // Windows
	k.Cleanup(func() {
		left, err := os.ReadDir(dir)
		if err != nil {
			k.Errorf("temporary directory: %v", err)
		}
		for _, f := range left {
			k.Errorf("Close left %s in the temporary directory", f.Name())
		}
	})
}

// settings returns the settings for a new table.
func (k *kit) settings() kv.Settings {
	k.tables++
	return kv.Settings{
		Props:     maps.Clone(k.c.Props),
		URL:       k.c.URL,
		Table:     fmt.Sprintf("loadtest_%x_%d", k.run, k.tables),
		Fields:    fields,
		FieldName: func(i int) string { return "field" + strconv.Itoa(i) },
		Workers:   sessions,
		OpTimeout: opTimeout,
		Seed:      k.c.Seed,
	}
}

// open opens an empty store that is closed at the end of the check.
func (k *kit) open() kv.DB { return k.openWith(k.settings()) }

func (k *kit) openWith(s kv.Settings) kv.DB {
	k.Helper()
	db, err := k.c.Open(context.Background(), s)
	if err != nil {
		k.Fatalf("open: %v", err)
	}
	k.Cleanup(func() {
		if err := db.Close(); err != nil {
			k.Errorf("close: %v", err)
		}
	})
	return db
}

// stores reports whether values can be read after they were written.
func stores(db kv.DB) bool { return db.Capabilities().Integrity }

// session opens the session of worker n, which is closed at the end of the check,
// before the store.
func (k *kit) session(db kv.DB, n int) *session {
	k.Helper()
	s, err := db.Session(context.Background(), n)
	if err != nil {
		k.Fatalf("session %d: %v", n, err)
	}
	k.Cleanup(func() {
		if err := s.Close(); err != nil {
			k.Errorf("close session %d: %v", n, err)
		}
	})
	return &session{s: s, ctx: context.Background()}
}

// sessions opens the sessions of workers 0 to n-1.
func (k *kit) sessions(db kv.DB, n int) []*session {
	k.Helper()
	all := make([]*session, n)
	for i := range all {
		all[i] = k.session(db, i)
	}
	return all
}

// each runs the function in a goroutine for each session and reports errors and
// panics.
func (k *kit) each(all []*session, run func(worker int, s *session) error) {
	k.Helper()
	var wg sync.WaitGroup
	errs := make([]error, len(all))
	for i, s := range all {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					errs[i] = fmt.Errorf("panic: %v", p)
				}
			}()
			errs[i] = run(i, s)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			k.Errorf("worker %d: %v", i, err)
		}
	}
}

// wait polls until the condition holds.
func (k *kit) wait(what string, cond func() bool) {
	k.Helper()
	for end := time.Now().Add(k.patience); !cond(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			k.Fatalf("timed out after %v waiting until %s", k.patience, what)
		}
	}
}

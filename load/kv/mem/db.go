package mem

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/tarebench/tare/internal/base/cacheline"
	"github.com/tarebench/tare/internal/client/kvcodec"
	"github.com/tarebench/tare/load/kv"
)

// Binding returns the binding "mem".
func Binding() kv.Binding {
	return kv.Binding{
		Name:   "mem",
		Short:  "records in this program's memory",
		OpenDB: Open,
	}
}

var errClosed = errors.New("mem: the store is closed")

// shards is the number of maps. With this many, two workers rarely need the same lock
// unless they need the same record.
const shards = 256

type db struct {
	seed   maphash.Seed
	closed atomic.Bool
	_      cacheline.Line
	list   list
	_      cacheline.Line
	shards [shards]shard
}

// A shard holds the records of some keys, and guards what is in them.
type shard struct {
	mu      sync.RWMutex
	records map[string]*entry
	_       cacheline.Line
}

// An entry is a record in the store.
type entry struct {
	key   string
	shard *shard
	links links // of the list

	// Guarded by shard.mu.
	data []byte // as package kvcodec encodes it
	gone bool   // deleted, but readers may still hold it
}

// Open returns an empty store. It fails only for unknown properties.
func Open(_ context.Context, s kv.Settings) (kv.DB, error) {
	g := s.Props.Getter()
	g.Known("mem.", nil)
	if err := g.Err(); err != nil {
		return nil, fmt.Errorf("mem: %w", err)
	}
	d := &db{seed: maphash.MakeSeed()}
	d.list.init()
	for i := range d.shards {
		d.shards[i].records = map[string]*entry{}
	}
	return d, nil
}

// Capabilities implements [kv.DB].
func (d *db) Capabilities() kv.Capabilities {
	return kv.Capabilities{
		Name:          "mem",
		Scan:          true,
		Ordered:       true,
		PartialUpdate: true,
		Integrity:     true,
		Load:          true,
		Notes:         []string{"in the memory of tare itself: no network, no disk; tare's garbage collector scans the records"},
	}
}

// Session implements [kv.DB].
func (d *db) Session(context.Context, int) (kv.Session, error) {
	if d.closed.Load() {
		return nil, errClosed
	}
	return &session{db: d}, nil
}

// Close implements [kv.DB]. It drops the records.
func (d *db) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	for i := range d.shards {
		s := &d.shards[i]
		s.mu.Lock()
		clear(s.records)
		s.mu.Unlock()
	}
	d.list.clear()
	return nil
}

func (d *db) shard(key []byte) *shard {
	return &d.shards[maphash.Bytes(d.seed, key)%shards]
}

// encode returns the record in new memory of the exact size.
func encode(v *kv.Record) []byte {
	const overhead = 4 // bytes per value, as a rule
	return kvcodec.Append(make([]byte, 0, v.Size()+overhead*v.Len()), v)
}

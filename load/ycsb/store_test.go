package ycsb

import (
	"context"
	"errors"
	"slices"
	"sort"
	"sync"

	"github.com/tarebench/tare/load/kv"
)

// store is a database of the tests: records in a map, all keys in a sorted list.
// Once everything has been seen it does not allocate.
type store struct {
	mu      sync.RWMutex
	records map[string][][]byte
	keys    []string
	caps    kv.Capabilities

	sessions int
	calls    []string          // of a store that keeps them
	keep     bool              //
	fail     func(n int) error // of insert n, from 0, if it is to fail
	inserts  int
}

func newStore() *store {
	return &store{
		records: map[string][][]byte{},
		caps:    kv.Capabilities{Name: "store of the test", Scan: true, Ordered: true, PartialUpdate: true, Integrity: true, Load: true},
	}
}

func (s *store) Capabilities() kv.Capabilities { return s.caps }
func (s *store) Close() error                  { return nil }

func (s *store) Session(context.Context, int) (kv.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions++
	return session{s}, nil
}

type session struct{ *store }

func (s session) note(call string, key []byte) {
	if s.keep {
		s.calls = append(s.calls, call+" "+string(key))
	}
}

func (s session) copyTo(dst *kv.Record, record [][]byte, fields []int) {
	if fields == nil {
		for f, v := range record {
			dst.Append(f, v)
		}
	}
	for _, f := range fields {
		dst.Append(f, record[f])
	}
}

func (s session) Read(_ context.Context, key []byte, fields []int, dst *kv.Record) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.note("READ", key)
	dst.Reset()
	record, ok := s.records[string(key)]
	if !ok {
		return kv.ErrNotFound
	}
	s.copyTo(dst, record, fields)
	return nil
}

func (s session) Scan(_ context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.note("SCAN", key)
	dst.Reset()
	from := sort.Search(len(s.keys), func(i int) bool { return s.keys[i] >= string(key) })
	some := s.keys[from:min(from+n, len(s.keys))]
	for _, k := range some {
		s.copyTo(dst.Next([]byte(k)), s.records[k], fields)
	}
	return len(some), nil
}

func (s session) Update(_ context.Context, key []byte, v *kv.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note("UPDATE", key)
	record, ok := s.records[string(key)]
	if !ok {
		return kv.ErrNotFound
	}
	for i := range v.Len() {
		f, value := v.At(i)
		record[f] = append(record[f][:0], value...)
	}
	return nil
}

func (s session) Insert(_ context.Context, key []byte, v *kv.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note("INSERT", key)
	n := s.inserts
	s.inserts++
	if s.fail != nil {
		if err := s.fail(n); err != nil {
			return err
		}
	}
	record := make([][]byte, v.Len())
	for i := range v.Len() {
		f, value := v.At(i)
		record[f] = append(make([]byte, 0, 512), value...)
	}
	k := string(key)
	if at, there := slices.BinarySearch(s.keys, k); !there {
		s.keys = slices.Insert(s.keys, at, k)
	}
	s.records[k] = record
	return nil
}

func (s session) Delete(context.Context, []byte) error {
	return errors.New("a workload does not delete")
}

func (s session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions--
	return nil
}

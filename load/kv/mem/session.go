package mem

import (
	"context"
	"fmt"

	"github.com/tarebench/tare/internal/client/kvcodec"
	"github.com/tarebench/tare/load/kv"
)

type session struct {
	db  *db
	key []byte // of the current record of a scan
	buf []byte // swapped with a record's memory when the record is written anew
}

// Read implements [kv.Session].
func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	if err := s.check(ctx); err != nil {
		return err
	}
	sh := s.db.shard(key)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	e := sh.records[string(key)]
	if e == nil {
		return kv.ErrNotFound
	}
	return named(kvcodec.Read(dst, e.data, fields), key)
}

// Scan implements [kv.Session].
func (s *session) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	dst.Reset()
	if err := s.check(ctx); err != nil {
		return 0, err
	}
	for e := s.db.list.seek(key); e != nil && dst.Len() < n; e = e.next() {
		if err := s.copyOut(e, fields, dst); err != nil {
			return dst.Len(), err
		}
	}
	return dst.Len(), nil
}

func (s *session) copyOut(e *entry, fields []int, dst *kv.Records) error {
	e.shard.mu.RLock()
	defer e.shard.mu.RUnlock()
	if e.gone {
		return nil
	}
	s.key = append(s.key[:0], e.key...)
	return named(kvcodec.Read(dst.Next(s.key), e.data, fields), s.key)
}

// Update implements [kv.Session].
func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.check(ctx); err != nil {
		return err
	}
	sh := s.db.shard(key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e := sh.records[string(key)]
	if e == nil {
		return kv.ErrNotFound
	}
	if done, err := kvcodec.Patch(e.data, v); done || err != nil {
		return named(err, key)
	}
	merged, err := kvcodec.Merge(s.buf[:0], e.data, v)
	if err != nil {
		return named(err, key)
	}
	e.data, s.buf = merged, e.data
	return nil
}

// Insert implements [kv.Session].
func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.check(ctx); err != nil {
		return err
	}
	sh := s.db.shard(key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if e := sh.records[string(key)]; e != nil {
		e.data, s.buf = kvcodec.Append(s.buf[:0], v), e.data
		return nil
	}
	e := &entry{key: string(key), shard: sh, data: encode(v)}
	sh.records[e.key] = e
	s.db.list.insert(e)
	return nil
}

// Delete implements [kv.Session].
func (s *session) Delete(ctx context.Context, key []byte) error {
	if err := s.check(ctx); err != nil {
		return err
	}
	sh := s.db.shard(key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e := sh.records[string(key)]
	if e == nil {
		return kv.ErrNotFound
	}
	delete(sh.records, e.key)
	e.gone = true
	s.db.list.remove(e)
	return nil
}

// Close implements [kv.Session].
func (s *session) Close() error { return nil }

func (s *session) check(ctx context.Context) error {
	if s.db.closed.Load() {
		return errClosed
	}
	return ctx.Err()
}

func named(err error, key []byte) error {
	if err != nil {
		return fmt.Errorf("mem: record %q: %w", key, err)
	}
	return nil
}

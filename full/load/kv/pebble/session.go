package pebble

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tarebench/tare/internal/client/kvcodec"
	"github.com/tarebench/tare/load/kv"
)

type session struct {
	db     *db
	prefix int // length of the table's name and the zero byte
	key    []byte
	buf    []byte
	bounds pebble.IterOptions // of scans; the upper one is the end of the table

	mu    sync.Mutex // held by an operation, and by the end of the session
	ended bool       // guarded by mu
}

func newSession(d *db) *session {
	s := &session{db: d, prefix: len(d.table) + 1}
	s.key = append([]byte(d.table), 0)
	s.bounds.UpperBound = append([]byte(d.table), 1)
	return s
}

// begin makes sure that the database stays open until done.
func (s *session) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.db.background.Load(); err != nil {
		return fmt.Errorf("pebble: in the background: %w", *err)
	}
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return errClosed
	}
	return nil
}

func (s *session) done() { s.mu.Unlock() }

func (s *session) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
}

// Close implements [kv.Session].
func (s *session) Close() error {
	s.db.mu.Lock()
	delete(s.db.sessions, s)
	s.db.mu.Unlock()
	s.end()
	return nil
}

// named puts the table before a key. The result is valid until the next call.
func (s *session) named(key []byte) []byte {
	s.key = append(s.key[:s.prefix], key...)
	return s.key
}

// Read implements [kv.Session].
func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.done()
	data, release, err := s.db.pebble.Get(s.named(key))
	if err != nil {
		return explain("read", key, err)
	}
	return explain("read", key, errors.Join(kvcodec.Read(dst, data, fields), release.Close()))
}

// Scan implements [kv.Session].
func (s *session) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	dst.Reset()
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	defer s.done()
	s.bounds.LowerBound = s.named(key)
	it, err := s.db.pebble.NewIter(&s.bounds)
	if err != nil {
		return 0, explain("scan", key, err)
	}
	for ok := n > 0 && it.First(); ok; ok = dst.Len() < n && it.Next() {
		data, err := it.ValueAndErr()
		if err == nil {
			err = kvcodec.Read(dst.Next(it.Key()[s.prefix:]), data, fields)
		}
		if err != nil {
			return dst.Len(), explain("scan", it.Key()[s.prefix:], errors.Join(err, it.Close()))
		}
	}
	return dst.Len(), explain("scan", key, it.Close())
}

// Update implements [kv.Session].
func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.done()
	l := s.db.lock(key)
	l.Lock()
	defer l.Unlock()
	name := s.named(key)
	old, release, err := s.db.pebble.Get(name)
	if err != nil {
		return explain("update", key, err)
	}
	s.buf, err = kvcodec.Merge(s.buf[:0], old, v)
	if err = errors.Join(err, release.Close()); err != nil {
		return explain("update", key, err)
	}
	return explain("update", key, s.db.pebble.Set(name, s.buf, s.db.write))
}

// Insert implements [kv.Session].
func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.done()
	l := s.db.lock(key)
	l.Lock()
	defer l.Unlock()
	s.buf = kvcodec.Append(s.buf[:0], v)
	return explain("insert", key, s.db.pebble.Set(s.named(key), s.buf, s.db.write))
}

// Delete implements [kv.Session].
func (s *session) Delete(ctx context.Context, key []byte) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.done()
	l := s.db.lock(key)
	l.Lock()
	defer l.Unlock()
	name := s.named(key)
	_, release, err := s.db.pebble.Get(name)
	if err == nil {
		err = release.Close()
	}
	if err == nil {
		err = s.db.pebble.Delete(name, s.db.write)
	}
	return explain("delete", key, err)
}

func explain(what string, key []byte, err error) error {
	if err == nil {
		return nil
	}
	if err == pebble.ErrNotFound {
		return kv.ErrNotFound
	}
	return fmt.Errorf("pebble: %s %q: %w", what, key, err)
}

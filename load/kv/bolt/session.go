package bolt

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/tarebench/tare/internal/client/kvcodec"
	"github.com/tarebench/tare/load/kv"
)

type session struct {
	db    *db
	op    change
	write func(*bbolt.Tx) error // s.apply, made once
	buf   []byte                // of the record that is written; bbolt may use it until the commit
}

// A change is the current write of a session. With shared transactions another
// goroutine does it while the session waits.
type change struct {
	kind kind
	ctx  context.Context
	key  []byte
	v    *kv.Record
}

type kind int

const (
	insert kind = iota
	update
	remove
)

var kindNames = [...]string{insert: "insert", update: "update", remove: "delete"}

// Read implements [kv.Session].
func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	if err := ctx.Err(); err != nil {
		return err
	}
	tx, err := s.db.bolt.Begin(false)
	if err != nil {
		return closedOr("read", key, err)
	}
	defer tx.Rollback() // the end of one that only reads
	data := tx.Bucket(s.db.table).Get(key)
	if data == nil {
		return kv.ErrNotFound
	}
	return closedOr("read", key, kvcodec.Read(dst, data, fields))
}

// Scan implements [kv.Session].
func (s *session) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	dst.Reset()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	tx, err := s.db.bolt.Begin(false)
	if err != nil {
		return 0, closedOr("scan", key, err)
	}
	defer tx.Rollback()
	c := tx.Bucket(s.db.table).Cursor()
	for k, data := c.Seek(key); k != nil && dst.Len() < n; k, data = c.Next() {
		if err := kvcodec.Read(dst.Next(k), data, fields); err != nil {
			return dst.Len(), closedOr("scan", k, err)
		}
	}
	return dst.Len(), nil
}

// Update implements [kv.Session].
func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	return s.commit(change{update, ctx, key, v})
}

// Insert implements [kv.Session].
func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	return s.commit(change{insert, ctx, key, v})
}

// Delete implements [kv.Session].
func (s *session) Delete(ctx context.Context, key []byte) error {
	return s.commit(change{remove, ctx, key, nil})
}

// Close implements [kv.Session].
func (s *session) Close() error { return nil }

// commit does a change in its own transaction, or in a shared one.
func (s *session) commit(c change) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	s.op = c
	var err error
	if s.db.batch > 0 {
		err = s.db.bolt.Batch(s.write)
	} else {
		err = s.db.bolt.Update(s.write)
	}
	s.op = change{kind: c.kind}
	return closedOr(kindNames[c.kind], c.key, err)
}

// apply is called in the transaction, and again in another one if that failed. The
// context may have ended during other writes.
func (s *session) apply(tx *bbolt.Tx) error {
	if err := s.op.ctx.Err(); err != nil {
		return err
	}
	bucket := tx.Bucket(s.db.table)
	if s.op.kind == insert {
		s.buf = kvcodec.Append(s.buf[:0], s.op.v)
		return bucket.Put(s.op.key, s.buf)
	}
	old := bucket.Get(s.op.key)
	if old == nil {
		return kv.ErrNotFound
	}
	if s.op.kind == remove {
		return bucket.Delete(s.op.key)
	}
	var err error
	if s.buf, err = kvcodec.Merge(s.buf[:0], old, s.op.v); err != nil {
		return err
	}
	return bucket.Put(s.op.key, s.buf)
}

// closedOr returns an error with the operation and key added. It returns errors that callers compare by ==
// unchanged.
func closedOr(what string, key []byte, err error) error {
	switch {
	case err == nil, err == kv.ErrNotFound, err == context.Canceled, err == context.DeadlineExceeded:
		return err
	case errors.Is(err, berrors.ErrDatabaseNotOpen):
		return errClosed
	}
	return fmt.Errorf("bolt: %s %q: %w", what, key, err)
}

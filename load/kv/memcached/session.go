package memcached

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/tarebench/tare/internal/client/kvcodec"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// session is the session of one worker.
type session struct {
	*store
	dialer *load.Dialer
	client *memcache.Client
	blob   []byte // reused
}

// key returns the key of the item, or an error for one that memcached rejects.
func (s *session) key(ctx context.Context, key []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	k := s.table + ":" + string(key)
	return k, legal(k)
}

func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	k, err := s.key(ctx, key)
	if err != nil {
		return s.fail("read", err)
	}
	item, err := s.client.Get(k)
	if err == nil {
		err = foreign(kvcodec.Read(dst, item.Value, fields))
	}
	return s.fail("read", err)
}

// Scan returns ErrUnsupported: memcached cannot list keys.
func (s *session) Scan(context.Context, []byte, int, []int, *kv.Records) (int, error) {
	return 0, fmt.Errorf("memcached: scan: %w: memcached cannot list keys", kv.ErrUnsupported)
}

func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	k, err := s.key(ctx, key)
	if err != nil {
		return s.fail("insert", err)
	}
	s.blob = kvcodec.Append(s.blob[:0], v)
	return s.fail("insert", s.client.Set(&memcache.Item{Key: k, Value: s.blob}))
}

// Update of all fields need not read the others.
func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	k, err := s.key(ctx, key)
	if err != nil {
		return s.fail("update", err)
	}
	if s.fields > 0 && v.Len() == s.fields {
		s.blob = kvcodec.Append(s.blob[:0], v)
		return s.fail("update", s.client.Replace(&memcache.Item{Key: k, Value: s.blob}))
	}
	for {
		err := s.mergeInto(k, v)
		if !errors.Is(err, memcache.ErrCASConflict) || ctx.Err() != nil {
			return s.fail("update", err)
		}
		// Another session's update came between; that one succeeded.
	}
}

func (s *session) mergeInto(key string, v *kv.Record) error {
	item, err := s.client.Get(key)
	if err != nil {
		return err
	}
	if s.blob, err = kvcodec.Merge(s.blob[:0], item.Value, v); err != nil {
		return foreign(err)
	}
	item.Value = s.blob
	return s.client.CompareAndSwap(item)
}

func (s *session) Delete(ctx context.Context, key []byte) error {
	k, err := s.key(ctx, key)
	if err == nil {
		err = s.client.Delete(k)
	}
	return s.fail("delete", err)
}

func (s *session) Close() error {
	s.dialer.Close()
	return nil
}

// foreign returns an error for a value that this package did not write.
func foreign(err error) error {
	if err == nil {
		return nil
	}
	return load.WithClass(load.ClassProtocol, fmt.Errorf("the value is not a record: something else writes under these keys: %w", err))
}

// fail adds the operation to an error, with its class.
func (s *session) fail(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, memcache.ErrCacheMiss), errors.Is(err, memcache.ErrNotStored):
		return kv.ErrNotFound // not stored: a replace or cas of what is not there
	}
	return fmt.Errorf("memcached: %s: %w", what, classify(s.dialer.Err(err)))
}

// classify returns an error of gomemcache with its class.
func classify(err error) error {
	if load.Class(err) != load.ClassOther {
		return err
	}
	var late *memcache.ConnectTimeoutError
	text := err.Error()
	switch {
	case errors.As(err, &late):
		return load.WithClass(load.ClassTimeout, err)
	case strings.HasPrefix(text, "memcache: client error"), strings.HasPrefix(text, "memcache: server error"),
		strings.Contains(text, "SERVER_ERROR"):
		return load.WithClass(load.ClassServer, err)
	case strings.HasPrefix(text, "memcache: "), errors.Is(err, bufio.ErrBufferFull):
		return load.WithClass(load.ClassProtocol, err)
	}
	return err
}

package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// session is that of one worker. Commands are given as arguments, so that a
// record is read into a flat list instead of a map.
type session struct {
	*store
	dialer *load.Dialer
	client *redis.Client // nil if there is no connection
	args   []any         // reused: go-redis is done with it when it returns
}

// begin connects if need be.
func (s *session) begin(ctx context.Context) (err error) {
	if err = ctx.Err(); err == nil && s.client == nil {
		s.client, err = s.connect(ctx, s.dialer)
	}
	return err
}

func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	if err := s.begin(ctx); err != nil {
		return s.fail("read", err)
	}
	k := s.key(key)
	if fields != nil {
		return s.readSome(ctx, k, fields, dst)
	}
	cmd := s.readAll(ctx, k)
	if err := s.client.Process(ctx, cmd); err != nil {
		return s.fail("read", err)
	}
	if len(cmd.Val()) == 0 {
		return kv.ErrNotFound
	}
	return s.fail("read", s.fill(dst, cmd.Val()))
}

func (s *session) readAll(ctx context.Context, key string) *redis.StringSliceCmd {
	return redis.NewStringSliceCmd(ctx, "hgetall", key)
}

// fill appends name, value, name, value …; foreign fields are left out.
func (s *session) fill(dst *kv.Record, pairs []string) error {
	if len(pairs)%2 != 0 {
		return load.WithClass(load.ClassProtocol, fmt.Errorf("a hash of %d names and values", len(pairs)))
	}
	for i := 0; i < len(pairs); i += 2 {
		if f, ok := s.fields[pairs[i]]; ok {
			dst.AppendString(f, pairs[i+1])
		}
	}
	return nil
}

func (s *session) readSome(ctx context.Context, key string, fields []int, dst *kv.Record) error {
	cmd := s.hmget(ctx, key, fields)
	if err := s.client.Process(ctx, cmd); err != nil {
		return s.fail("read", err)
	}
	if err := s.fillSome(dst, fields, cmd.Val()); err != nil || dst.Len() > 0 {
		return s.fail("read", err)
	}
	// None of the fields: is there a record that lacks them?
	n, err := s.client.Exists(ctx, key).Result()
	if err != nil {
		return s.fail("read", err)
	}
	if n == 0 {
		return kv.ErrNotFound
	}
	return nil
}

func (s *session) hmget(ctx context.Context, key string, fields []int) *redis.SliceCmd {
	s.args = append(s.args[:0], "hmget", key)
	for _, f := range fields {
		s.args = append(s.args, s.name(f))
	}
	return redis.NewSliceCmd(ctx, s.args...)
}

// fillSome appends the values of fields; a record lacks those that are nil.
func (s *session) fillSome(dst *kv.Record, fields []int, values []any) error {
	if len(values) != len(fields) {
		return load.WithClass(load.ClassProtocol, fmt.Errorf("%d values for %d fields", len(values), len(fields)))
	}
	for i, v := range values {
		if text, ok := v.(string); ok {
			dst.AppendString(fields[i], text)
		}
	}
	return nil
}

func isText(v any) bool { _, ok := v.(string); return ok }

func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return s.fail("update", err)
	}
	return s.fail("update", s.client.Process(ctx, s.hset(ctx, s.key(key), v)))
}

func (s *session) hset(ctx context.Context, key string, v *kv.Record) *redis.IntCmd {
	s.args = append(s.args[:0], "hset", key)
	for i := range v.Len() {
		f, value := v.At(i)
		s.args = append(s.args, s.name(f), value)
	}
	return redis.NewIntCmd(ctx, s.args...)
}

func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return s.fail("insert", err)
	}
	k := s.key(key)
	pipe := s.client.Pipeline()
	if v.Len() < len(s.names) {
		pipe = s.client.TxPipeline() // nobody may see the record between
		pipe.Del(ctx, k)
	}
	pipe.Process(ctx, s.hset(ctx, k, v))
	pipe.Process(ctx, redis.NewIntCmd(ctx, "zadd", s.table, 0, key))
	_, err := pipe.Exec(ctx)
	return s.fail("insert", err)
}

func (s *session) Delete(ctx context.Context, key []byte) error {
	if err := s.begin(ctx); err != nil {
		return s.fail("delete", err)
	}
	pipe := s.client.Pipeline()
	deleted := pipe.Del(ctx, s.key(key))
	pipe.Process(ctx, redis.NewIntCmd(ctx, "zrem", s.table, key))
	if _, err := pipe.Exec(ctx); err != nil {
		return s.fail("delete", err)
	}
	if deleted.Val() == 0 {
		return kv.ErrNotFound
	}
	return nil
}

func (s *session) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	dst.Reset()
	if err := s.begin(ctx); err != nil {
		return 0, s.fail("scan", err)
	}
	if n <= 0 {
		return 0, nil
	}
	keys := redis.NewStringSliceCmd(ctx, "zrangebylex", s.table, "["+string(key), "+", "limit", 0, n)
	if err := s.client.Process(ctx, keys); err != nil {
		return 0, s.fail("scan", err)
	}
	if len(keys.Val()) == 0 {
		return 0, nil
	}
	err := s.readMany(ctx, keys.Val(), fields, dst)
	return dst.Len(), s.fail("scan", err)
}

// readMany reads the records under the keys in one round trip. One that was
// deleted meanwhile is left out.
func (s *session) readMany(ctx context.Context, keys []string, fields []int, dst *kv.Records) error {
	if fields != nil {
		return s.readSomeOfMany(ctx, keys, fields, dst)
	}
	pipe := s.client.Pipeline()
	cmds := make([]*redis.StringSliceCmd, len(keys))
	for i, k := range keys {
		cmds[i] = s.readAll(ctx, s.key([]byte(k)))
		pipe.Process(ctx, cmds[i])
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	for i, k := range keys {
		if len(cmds[i].Val()) == 0 {
			continue
		}
		if err := s.fill(dst.Next([]byte(k)), cmds[i].Val()); err != nil {
			return err
		}
	}
	return nil
}

// readSomeOfMany takes a second round trip if a record has none of the fields,
// to tell it from one that is gone.
func (s *session) readSomeOfMany(ctx context.Context, keys []string, fields []int, dst *kv.Records) error {
	pipe := s.client.Pipeline()
	cmds := make([]*redis.SliceCmd, len(keys))
	for i, k := range keys {
		s.args = make([]any, 0, 2+len(fields)) // the pipeline keeps them until Exec
		cmds[i] = s.hmget(ctx, s.key([]byte(k)), fields)
		pipe.Process(ctx, cmds[i])
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	empty := map[int]*redis.IntCmd{}
	for i, k := range keys {
		if !slices.ContainsFunc(cmds[i].Val(), isText) {
			empty[i] = pipe.Exists(ctx, s.key([]byte(k)))
		}
	}
	if len(empty) > 0 {
		if _, err := pipe.Exec(ctx); err != nil {
			return err
		}
	}
	for i, k := range keys {
		if exists, asked := empty[i]; asked && exists.Val() == 0 {
			continue
		}
		if err := s.fillSome(dst.Next([]byte(k)), fields, cmds[i].Val()); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) Close() error {
	s.drop()
	s.dialer.Close()
	return nil
}

func (s *session) drop() {
	if s.client != nil {
		s.client.Close() // an error says that the connection is lost
		s.client = nil
	}
}

// fail returns what an error is to be called, and leaves a connection on which
// an answer may still come.
func (s *session) fail(what string, err error) error {
	if err == nil {
		return nil
	}
	var answer redis.Error
	whole := errors.As(err, &answer) && s.client != nil && s.client.PoolStats().TotalConns > 0
	if !whole {
		s.drop()
	}
	return fmt.Errorf("redis: %s: %w", what, s.classify(s.dialer.Err(err)))
}

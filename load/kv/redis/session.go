package redis

import (
	"context"
	"errors"
	"fmt"

	"github.com/gomodule/redigo/redis"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// session is the session of one worker.
type session struct {
	*store
	dialer *load.Dialer
	conn   redis.Conn // nil if there is no connection
	args   []any      // reused; the client does not keep them
}

// begin connects if there is no connection.
func (s *session) begin(ctx context.Context) (err error) {
	if err = ctx.Err(); err == nil && s.conn == nil {
		s.conn, err = s.connect(ctx, s.dialer)
	}
	return err
}

// exec sends the pending commands in one round trip and returns their answers. It
// reads all answers and returns the first that is an error.
func (s *session) exec() ([]any, error) {
	answers, err := redis.Values(s.conn.Do(""))
	if err != nil {
		return nil, err
	}
	return answers, firstError(answers)
}

// firstError returns the first answer that is an error, also within a transaction.
func firstError(answers []any) error {
	for _, a := range answers {
		switch a := a.(type) {
		case redis.Error:
			return a
		case []any:
			if err := firstError(a); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	if err := s.begin(ctx); err != nil {
		return s.fail("read", err)
	}
	k := s.key(key)
	if fields != nil {
		return s.readSome(k, fields, dst)
	}
	pairs, err := redis.Values(s.conn.Do("HGETALL", k))
	if err != nil {
		return s.fail("read", err)
	}
	if len(pairs) == 0 {
		return kv.ErrNotFound
	}
	return s.fail("read", s.fill(dst, pairs))
}

// fill appends the fields of a reply to dst. In pairs names and values alternate, as in
// the reply to HGETALL. Unknown fields are skipped.
func (s *session) fill(dst *kv.Record, pairs []any) error {
	if len(pairs)%2 != 0 {
		return load.WithClass(load.ClassProtocol, fmt.Errorf("a hash of %d names and values", len(pairs)))
	}
	for i := 0; i < len(pairs); i += 2 {
		name, isName := pairs[i].([]byte)
		value, isValue := pairs[i+1].([]byte)
		if !isName || !isValue {
			return load.WithClass(load.ClassProtocol, fmt.Errorf("a hash with %T and %T in it", pairs[i], pairs[i+1]))
		}
		if f, ok := s.fields[string(name)]; ok {
			dst.Append(f, value)
		}
	}
	return nil
}

func (s *session) readSome(key string, fields []int, dst *kv.Record) error {
	values, err := redis.Values(s.conn.Do("HMGET", s.hmget(key, fields)...))
	if err != nil {
		return s.fail("read", err)
	}
	if err := s.fillSome(dst, fields, values); err != nil || dst.Len() > 0 {
		return s.fail("read", err)
	}
	// None of the fields: is there a record that lacks them?
	n, err := redis.Int(s.conn.Do("EXISTS", key))
	if err != nil {
		return s.fail("read", err)
	}
	if n == 0 {
		return kv.ErrNotFound
	}
	return nil
}

// hmget returns the arguments of HMGET.
func (s *session) hmget(key string, fields []int) []any {
	s.args = append(s.args[:0], key)
	for _, f := range fields {
		s.args = append(s.args, s.name(f))
	}
	return s.args
}

// fillSome appends the values of fields; a record lacks those that are nil.
func (s *session) fillSome(dst *kv.Record, fields []int, values []any) error {
	if len(values) != len(fields) {
		return load.WithClass(load.ClassProtocol, fmt.Errorf("%d values for %d fields", len(values), len(fields)))
	}
	for i, v := range values {
		if text, ok := v.([]byte); ok {
			dst.Append(fields[i], text)
		}
	}
	return nil
}

func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return s.fail("update", err)
	}
	_, err := redis.Int(s.conn.Do("HSET", s.hset(s.key(key), v)...))
	return s.fail("update", err)
}

// hset returns the arguments of HSET.
func (s *session) hset(key string, v *kv.Record) []any {
	s.args = append(s.args[:0], key)
	for i := range v.Len() {
		f, value := v.At(i)
		s.args = append(s.args, s.name(f), value)
	}
	return s.args
}

func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return s.fail("insert", err)
	}
	k := s.key(key)
	whole := v.Len() >= len(s.names)
	if !whole { // no other session may read the record in between
		s.conn.Send("MULTI")
		s.conn.Send("DEL", k)
	}
	s.conn.Send("HSET", s.hset(k, v)...)
	s.conn.Send("ZADD", s.table, 0, key)
	if !whole {
		s.conn.Send("EXEC")
	}
	_, err := s.exec() // exec returns an error of Send again
	return s.fail("insert", err)
}

func (s *session) Delete(ctx context.Context, key []byte) error {
	if err := s.begin(ctx); err != nil {
		return s.fail("delete", err)
	}
	s.conn.Send("DEL", s.key(key))
	s.conn.Send("ZREM", s.table, key)
	answers, err := s.exec()
	if err != nil {
		return s.fail("delete", err)
	}
	deleted, err := redis.Int(answers[0], nil)
	if err == nil && deleted == 0 {
		return kv.ErrNotFound
	}
	return s.fail("delete", err)
}

func (s *session) Close() error {
	s.drop()
	s.dialer.Close()
	return nil
}

func (s *session) drop() {
	if s.conn != nil {
		s.conn.Close() // an error says that the connection is lost
		s.conn = nil
	}
}

// fail returns an operation's error with its name and class, and drops a connection
// on which an answer may still arrive.
func (s *session) fail(what string, err error) error {
	if err == nil {
		return nil
	}
	var answer redis.Error
	whole := errors.As(err, &answer) && s.conn != nil && s.conn.Err() == nil
	if !whole {
		s.drop()
	}
	return fmt.Errorf("redis: %s: %w", what, s.classify(s.dialer.Err(err)))
}

package redis

import (
	"context"
	"slices"

	"github.com/gomodule/redigo/redis"

	"github.com/tarebench/tare/load/kv"
)

func (s *session) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	dst.Reset()
	if err := s.begin(ctx); err != nil {
		return 0, s.fail("scan", err)
	}
	if n <= 0 {
		return 0, nil
	}
	keys, err := redis.ByteSlices(s.conn.Do("ZRANGEBYLEX", s.table, "["+string(key), "+", "LIMIT", 0, n))
	if err != nil {
		return 0, s.fail("scan", err)
	}
	if len(keys) == 0 {
		return 0, nil
	}
	if fields == nil {
		err = s.readMany(keys, dst)
	} else {
		err = s.readSomeOfMany(keys, fields, dst)
	}
	return dst.Len(), s.fail("scan", err)
}

// readMany reads the records under the keys in one round trip. It skips records that
// were deleted meanwhile.
func (s *session) readMany(keys [][]byte, dst *kv.Records) error {
	for _, k := range keys {
		s.conn.Send("HGETALL", s.key(k))
	}
	answers, err := s.exec()
	if err != nil {
		return err
	}
	for i, k := range keys {
		pairs, err := redis.Values(answers[i], nil)
		if err != nil {
			return err
		}
		if len(pairs) == 0 {
			continue
		}
		if err := s.fill(dst.Next(k), pairs); err != nil {
			return err
		}
	}
	return nil
}

// readSomeOfMany does the same for some fields. It needs a second round trip if a
// record has none of the fields, to distinguish it from a deleted one.
func (s *session) readSomeOfMany(keys [][]byte, fields []int, dst *kv.Records) error {
	for _, k := range keys {
		s.conn.Send("HMGET", s.hmget(s.key(k), fields)...)
	}
	answers, err := s.exec()
	if err != nil {
		return err
	}
	records := make([][]any, len(keys))
	for i := range keys {
		if records[i], err = redis.Values(answers[i], nil); err != nil {
			return err
		}
	}
	gone, err := s.gone(keys, records)
	if err != nil {
		return err
	}
	for i, k := range keys {
		if gone[i] {
			continue
		}
		if err := s.fillSome(dst.Next(k), fields, records[i]); err != nil {
			return err
		}
	}
	return nil
}

// gone returns which records have no values and do not exist.
func (s *session) gone(keys [][]byte, records [][]any) (map[int]bool, error) {
	var empty []int
	for i, k := range keys {
		if !slices.ContainsFunc(records[i], isText) {
			empty = append(empty, i)
			s.conn.Send("EXISTS", s.key(k))
		}
	}
	if len(empty) == 0 {
		return nil, nil
	}
	answers, err := s.exec()
	if err != nil {
		return nil, err
	}
	gone := map[int]bool{}
	for j, i := range empty {
		n, err := redis.Int(answers[j], nil)
		if err != nil {
			return nil, err
		}
		gone[i] = n == 0
	}
	return gone, nil
}

func isText(v any) bool { _, ok := v.([]byte); return ok }

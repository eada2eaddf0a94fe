package loadtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/load/kv"
)

// A rec is a record in checks: values by field.
type rec map[int]string

// A row is one record of a scan.
type row struct {
	key string
	rec rec
}

// A session passes all arguments in reused buffers, and overwrites them after each
// call.
type session struct {
	s   kv.Session
	ctx context.Context

	key    []byte
	fields []int
	v, dst kv.Record
	rows   kv.Records
}

// What a binding must not do whatever else is checked.
var (
	errChangedArgs = errors.New("the binding changed the caller's key, fields or record")
	errBadDst      = errors.New("the binding filled dst badly")
)

// scrap is the content of the caller's memory after each call.
const scrap = 0xA5

func (s *session) read(key string, fields []int) (rec, error) {
	if s.dst.Len() == 0 {
		s.dst.Append(0, []byte("left over")) // is to be emptied
	}
	err := s.s.Read(s.ctx, s.args(key, fields), s.fields, &s.dst)
	got, bad := take(&s.dst)
	if err != nil && s.dst.Len() > 0 && errors.Is(err, kv.ErrNotFound) {
		bad = fmt.Errorf("%w: %d values although the record was not found", errBadDst, s.dst.Len())
	}
	return got, both(s.after(key, fields, nil, err), bad)
}

func (s *session) scan(key string, n int, fields []int) ([]row, error) {
	s.rows.Next([]byte("left over"))
	count, err := s.s.Scan(s.ctx, s.args(key, fields), n, s.fields, &s.rows)
	var rows []row
	var bad error
	if err == nil && count != s.rows.Len() {
		bad = fmt.Errorf("%w: Scan returned %d and %d records", errBadDst, count, s.rows.Len())
	}
	for i := range s.rows.Len() {
		k, v := s.rows.At(i)
		r, dup := take(v)
		bad = errors.Join(bad, dup)
		rows = append(rows, row{string(k), r})
		fill(k)
	}
	return rows, both(s.after(key, fields, nil, err), bad)
}

func (s *session) insert(key string, r rec) error {
	s.args(key, nil)
	put(&s.v, r)
	return s.after(key, nil, r, s.s.Insert(s.ctx, s.key, &s.v))
}

func (s *session) update(key string, r rec) error {
	s.args(key, nil)
	put(&s.v, r)
	return s.after(key, nil, r, s.s.Update(s.ctx, s.key, &s.v))
}

func (s *session) delete(key string) error {
	return s.after(key, nil, nil, s.s.Delete(s.ctx, s.args(key, nil)))
}

func (s *session) args(key string, fields []int) []byte {
	s.key = append(s.key[:0], key...)
	s.fields = append(s.fields[:0], fields...)
	if fields == nil {
		s.fields = nil
	}
	return s.key
}

// after checks that the arguments are unchanged, overwrites them, and returns the
// error of the call joined with what it found.
func (s *session) after(key string, fields []int, r rec, err error) error {
	if string(s.key) != key || !slices.Equal(s.fields, fields) {
		err = both(err, errChangedArgs)
	}
	if r != nil {
		if now, bad := take(&s.v); bad != nil || !equal(now, r) {
			err = both(err, errChangedArgs)
		}
	}
	fill(s.key)
	for i := range s.fields {
		s.fields[i] = 1 << 30
	}
	return err
}

// put fills a record, in an order that differs between calls, like that of maps.
func put(v *kv.Record, r rec) {
	v.Reset()
	for f, value := range r {
		v.AppendString(f, value)
	}
}

// take copies what is in a record and scribbles over it.
func take(v *kv.Record) (rec, error) {
	r := make(rec, v.Len())
	var err error
	for i := range v.Len() {
		f, value := v.At(i)
		if _, twice := r[f]; twice {
			err = fmt.Errorf("%w: field %d is there twice", errBadDst, f)
		}
		r[f] = string(value)
		fill(value)
	}
	return r, err
}

// both returns the store's error joined with what the test found wrong. If bad is nil it returns err unchanged.
func both(err, bad error) error {
	if bad == nil {
		return err
	}
	return errors.Join(err, bad)
}

func fill(b []byte) {
	for i := range b {
		b[i] = scrap
	}
}

package ycsb

import (
	"bytes"
	"fmt"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// maker makes the values of records, and verifies them. Each worker has a copy,
// because it contains buffers.
type maker struct {
	names      []string // of fields
	lengths    lengths
	verifiable bool
	size       int // of verifiable values
	scratch    []byte
}

func newMaker(c *Config) (maker, error) {
	l, err := c.fieldLengths()
	if err != nil {
		return maker{}, err
	}
	m := maker{lengths: l, verifiable: c.DataIntegrity, size: c.FieldLength}
	for i := range c.FieldCount {
		m.names = append(m.names, c.FieldName(i))
	}
	return m, nil
}

// all makes values for all fields of the record under key.
func (m *maker) all(to *kv.Record, key []byte, r *random) {
	to.Reset()
	for field := range m.names {
		m.add(to, key, field, r)
	}
}

// one makes a value for one field.
func (m *maker) one(to *kv.Record, key []byte, field int, r *random) {
	to.Reset()
	m.add(to, key, field, r)
}

func (m *maker) add(to *kv.Record, key []byte, field int, r *random) {
	if m.verifiable {
		to.Append(field, m.value(key, field))
		return
	}
	fillText(to.Grow(field, m.lengths.next(r)), r)
}

// value returns the value of a verifiable field. It is valid until the next call.
func (m *maker) value(key []byte, field int) []byte {
	m.scratch = appendVerifiable(m.scratch[:0], key, m.names[field], m.size)
	return m.scratch
}

// verify compares a record that was read under key with the expected values. A nil
// list of fields means all of them.
func (m *maker) verify(key []byte, fields []int, got *kv.Record) error {
	want := len(fields)
	if fields == nil {
		want = len(m.names)
	}
	if got.Len() != want {
		return fmt.Errorf("%s has %d fields of %d that were read: %w", key, got.Len(), want, load.ErrIntegrity)
	}
	for i := range want {
		field := i
		if fields != nil {
			field = fields[i]
		}
		value, ok := valueAt(got, i, field)
		if !ok {
			return fmt.Errorf("%s has no %s: %w", key, m.names[field], load.ErrIntegrity)
		}
		if !bytes.Equal(value, m.value(key, field)) {
			return fmt.Errorf("%s of %s: %w", m.names[field], key, load.ErrIntegrity)
		}
	}
	return nil
}

// valueAt finds the value of a field, which is probably the i-th.
func valueAt(r *kv.Record, i, field int) ([]byte, bool) {
	if f, value := r.At(i); f == field {
		return value, true
	}
	return r.Value(field)
}

package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// session is the session of one worker.
type session struct {
	*store
	dialer *load.Dialer
	conn   *conn // nil if it was lost

	// Reused by each operation.
	shape  []byte
	fields []int
	params [][]byte
	number []byte
	object []byte
}

// binaryFormat is the format of all values: bytes unchanged. Keys are the same in
// either format; jsonb is text.
var binaryFormat = []int16{1}

func (s *session) formats() []int16 {
	if s.layout.jsonb {
		return nil
	}
	return binaryFormat
}

// begin connects if there is no connection, and sets the deadline.
func (s *session) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.conn == nil {
		return s.reconnect()
	}
	s.conn.deadline(s.timeout)
	return nil
}

// reconnect opens a connection and prepares the statements of most workloads.
func (s *session) reconnect() error {
	c, err := s.connect(s.dialer)
	if err != nil {
		return err
	}
	s.conn = &conn{PgConn: c, prepared: map[string]*pgconn.StatementDescription{}}
	s.conn.deadline(s.timeout)
	for _, op := range []byte{'r', 's', 'i'} {
		if _, err := s.statement(op, nil); err != nil {
			return err
		}
	}
	return nil
}

// statement returns the one for an operation on some fields: r, s, u, i, d.
func (s *session) statement(op byte, fields []int) (*pgconn.StatementDescription, error) {
	s.shape = append(s.shape[:0], op)
	if fields != nil {
		s.shape = append(s.shape, ':')
	}
	for _, f := range fields {
		s.shape = binary.AppendUvarint(s.shape, uint64(f))
	}
	return s.conn.statement(s.shape, func() string {
		switch op {
		case 'r':
			return s.layout.read(fields)
		case 's':
			return s.layout.scan(fields)
		case 'u':
			return s.layout.update(fields)
		case 'i':
			return s.layout.insert()
		}
		return s.layout.delete()
	})
}

func (s *session) check(fields []int) error {
	for _, f := range fields {
		if err := s.layout.check(f); err != nil {
			return err
		}
	}
	return nil
}

// query begins a statement that returns rows.
func (s *session) query(ctx context.Context, op byte, fields []int, results []int16, params ...[]byte) (*pgconn.ResultReader, error) {
	if err := s.check(fields); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	st, err := s.statement(op, fields)
	if err != nil {
		return nil, err
	}
	s.params = append(s.params[:0], params...)
	return s.conn.ExecStatement(context.Background(), st, s.params, nil, results), nil
}

func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	rows, err := s.query(ctx, 'r', fields, s.formats(), key)
	if err != nil {
		return s.fail("read", err)
	}
	found := rows.NextRow()
	var bad error
	if found {
		bad = s.fill(dst, rows.Values(), fields)
	}
	if _, err := rows.Close(); err != nil || bad != nil {
		return s.fail("read", errors.Join(err, bad))
	}
	if !found {
		return kv.ErrNotFound
	}
	return nil
}

// fill appends the values of a row, in the order of the fields.
func (s *session) fill(dst *kv.Record, values [][]byte, fields []int) error {
	if s.layout.jsonb && fields == nil {
		if len(values) != 1 {
			return errJSON
		}
		return decodeObject(dst, values[0], s.numbers)
	}
	for i, v := range values {
		if v == nil {
			continue // the record lacks it
		}
		f := i
		if fields != nil {
			f = fields[i]
		}
		if s.layout.jsonb {
			var err error
			if v, err = decodeValue(v); err != nil {
				return err
			}
		}
		dst.Append(f, v)
	}
	return nil
}

func (s *session) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	dst.Reset()
	s.number = strconv.AppendInt(s.number[:0], int64(max(n, 0)), 10)
	rows, err := s.query(ctx, 's', fields, s.formats(), key, s.number)
	if err != nil {
		return 0, s.fail("scan", err)
	}
	var bad error
	for rows.NextRow() && bad == nil {
		values := rows.Values()
		bad = s.fill(dst.Next(values[0]), values[1:], fields)
	}
	_, err = rows.Close()
	return dst.Len(), s.fail("scan", errors.Join(err, bad))
}

func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	s.params = append(s.params[:0], key)
	if err := s.setParams(v, false); err != nil {
		return s.fail("insert", err)
	}
	_, err := s.exec(ctx, 'i', nil)
	return s.fail("insert", err)
}

func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	s.params = append(s.params[:0], key)
	if err := s.setParams(v, true); err != nil {
		return s.fail("update", err)
	}
	fields := s.fields
	if s.layout.jsonb {
		fields = nil // one statement for all
	}
	return s.execExisting(ctx, "update", 'u', fields)
}

func (s *session) Delete(ctx context.Context, key []byte) error {
	s.params = append(s.params[:0], key)
	return s.execExisting(ctx, "delete", 'd', nil)
}

// setParams sets the parameters to a record: all fields, with NULL for missing ones, or
// with present only its own fields, listed in s.fields.
func (s *session) setParams(v *kv.Record, present bool) error {
	for i := range v.Len() {
		field, _ := v.At(i)
		if err := s.layout.check(field); err != nil {
			return err
		}
	}
	if s.layout.jsonb {
		s.object = appendObject(s.object[:0], s.layout.names, v)
		s.params = append(s.params, s.object)
		return nil
	}
	s.fields = s.fields[:0]
	if present && v.Len() == 1 { // most updates
		field, value := v.At(0)
		s.fields, s.params = append(s.fields, field), append(s.params, notNull(value))
		return nil
	}
	for field := range s.layout.names { // in a fixed order, so that there are fewer statements
		if value, ok := v.Value(field); ok {
			s.fields, s.params = append(s.fields, field), append(s.params, notNull(value))
		} else if !present {
			s.params = append(s.params, nil)
		}
	}
	return nil
}

// notNull returns a value that is not nil, which pgx would send as NULL.
func notNull(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

// execExisting executes a statement that must change a record, and returns ErrNotFound
// otherwise.
func (s *session) execExisting(ctx context.Context, what string, op byte, fields []int) error {
	n, err := s.exec(ctx, op, fields)
	if err == nil && n == 0 {
		return kv.ErrNotFound
	}
	return s.fail(what, err)
}

// exec executes a statement with s.params and returns how many records it changed.
func (s *session) exec(ctx context.Context, op byte, fields []int) (int64, error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	st, err := s.statement(op, fields)
	if err != nil {
		return 0, err
	}
	tag, err := s.conn.ExecStatement(context.Background(), st, s.params, s.formats(), nil).Close()
	return tag.RowsAffected(), err
}

func (s *session) Close() error {
	if s.conn != nil {
		s.conn.terminate()
		s.conn = nil
	}
	s.dialer.Close()
	return nil
}

// fail returns an operation's error with its name and class, and closes a connection
// on which an answer may still arrive.
func (s *session) fail(what string, err error) error {
	if err == nil {
		return nil
	}
	if s.conn != nil && (s.conn.IsClosed() || s.conn.IsBusy()) {
		s.conn.drop()
		s.conn = nil
	}
	return fmt.Errorf("postgres: %s: %w", what, s.classify(s.dialer.Err(err)))
}

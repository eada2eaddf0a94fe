package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
)

// statementWorker executes statements over a connection of its own.
type statementWorker struct {
	*statements
	dialer   *load.Dialer
	conn     *pgconn.PgConn // nil if it was lost
	prepared []*pgconn.StatementDescription

	// Of the next operation, reused.
	next   int
	text   []byte // of all values
	ends   []int  // of each in text
	params [][]byte

	rows, done atomic.Int64
	mu         sync.Mutex
	statuses   map[string]int64 // of errors, by SQLSTATE
}

// reconnect opens a connection and prepares the statements.
func (w *statementWorker) reconnect() error {
	c, err := w.connect(w.dialer)
	if err != nil {
		return err
	}
	w.conn = c
	w.deadline()
	if w.prepared, err = w.prepare(c); err != nil {
		c.Conn().Close()
		w.conn = nil
	}
	return err
}

// deadline makes the next operation end after the timeout.
func (w *statementWorker) deadline() {
	if w.timeout > 0 {
		w.conn.Conn().SetDeadline(time.Now().Add(w.timeout))
	}
}

// Prepare chooses the statement of operation k, and fills in its values.
func (w *statementWorker) Prepare(k uint64) int {
	w.next = w.choose(k)
	w.text, w.ends, w.params = w.text[:0], w.ends[:0], w.params[:0]
	for i := range w.list[w.next].args {
		// Seeds of their own, so that {rand:N} of two values are independent.
		w.text = w.list[w.next].args[i].Append(w.text, httpclient.Random(w.seed, uint64(i)), k)
		w.ends = append(w.ends, len(w.text))
	}
	from := 0
	for _, end := range w.ends {
		w.params = append(w.params, notNull(w.text[from:end:end]))
		from = end
	}
	return w.next
}

// Do executes the statement and reads its rows. One that finds or changes no row is load.ErrNotFound.
func (w *statementWorker) Do(ctx context.Context, _ *load.Timer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.conn == nil {
		if err := w.reconnect(); err != nil {
			return w.fail(err)
		}
	}
	w.deadline()
	result := w.conn.ExecStatement(context.Background(), w.prepared[w.next], w.params, nil, nil)
	rows := int64(0)
	for result.NextRow() {
		rows++
	}
	tag, err := result.Close()
	w.rows.Add(rows)
	if err != nil {
		return w.fail(err)
	}
	w.done.Add(1)
	if (tag.Select() || tag.Update() || tag.Delete()) && tag.RowsAffected() == 0 {
		return load.ErrNotFound
	}
	return nil
}

func (w *statementWorker) Done(err error) error { return err }

func (w *statementWorker) Close() error {
	if w.conn != nil {
		terminate(w.conn)
		w.conn = nil
	}
	w.dialer.Close()
	return nil
}

// AddTraffic implements [load.TrafficCounter].
func (w *statementWorker) AddTraffic(t *load.Traffic) {
	sent, received := w.dialer.Bytes()
	t.Sent, t.Received, t.Rows = t.Sent+sent, t.Received+received, t.Rows+w.rows.Load()
	t.AddStatus(successful, w.done.Load())
	w.mu.Lock()
	defer w.mu.Unlock()
	for status, n := range w.statuses {
		t.AddStatus(status, n)
	}
}

// successful is the SQLSTATE of a statement without an error.
const successful = "00000"

// fail returns an operation's error with its class and status, and closes a connection on which an answer may still arrive.
func (w *statementWorker) fail(err error) error {
	if w.conn != nil && (w.conn.IsClosed() || w.conn.IsBusy()) {
		w.conn.Conn().Close()
		w.conn = nil
	}
	err = w.dialer.Err(err)
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return fmt.Errorf("postgres: %w", w.classify(err))
	}
	w.mu.Lock()
	w.statuses[answer.Code]++
	w.mu.Unlock()
	class := classOfCode(answer.Code)
	if class == load.ClassServer {
		class = classOfState(answer.Code)
	}
	return load.WithStatus(answer.Code, load.WithClass(class, load.Mask(plain(err), w.config.Password)))
}

// classOfState returns the class of an error of a statement, by the class of its SQLSTATE, which is its first two
// characters (PostgreSQL, Appendix A).
func classOfState(code string) string {
	if len(code) == 5 {
		if name := stateClasses[code[:2]]; name != "" {
			return name
		}
	}
	return load.ClassServer
}

var stateClasses = map[string]string{
	"22": "data",              // a value that cannot be computed with, or is out of range
	"23": "constraint",        // unique, foreign key, not null, check
	"25": "transaction_state", // such as read-only
	"28": "authorization",     //
	"40": "rollback",          // serialization failure, deadlock
	"42": "sql",               // syntax, missing tables and rights
	"53": "resources",         // disk, memory, connections
	"54": "limit",             // too complex
	"55": "object_state",      // lock not available
	"57": "intervention",      // by an operator
	"P0": "procedure",         // raised by a function
	"XX": "server_internal",   //
}

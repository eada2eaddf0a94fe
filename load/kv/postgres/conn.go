package postgres

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/load"
)

var errNoCancel = errors.New("no second connection to cancel a query")

// connect opens a connection. It rejects further connections of pgx for cancelling
// queries.
func (d *store) connect(dialer *load.Dialer) (*pgconn.PgConn, error) {
	var connected atomic.Bool
	config := d.config.Copy()
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if connected.Load() {
			return nil, errNoCancel
		}
		return dialer.DialContext(ctx, network, addr)
	}
	c, err := pgconn.ConnectConfig(context.Background(), config)
	connected.Store(true)
	return c, err
}

// maxStatements is how many statements a session keeps prepared. A workload needs a
// few; random choices of fields may need more.
const maxStatements = 200

// conn is a connection and its prepared statements.
type conn struct {
	*pgconn.PgConn
	prepared map[string]*pgconn.StatementDescription // by what they do, see shape
	count    int
}

// deadline makes the next operation end after the timeout.
func (c *conn) deadline(timeout time.Duration) {
	if timeout > 0 {
		c.Conn().SetDeadline(time.Now().Add(timeout))
	}
}

// statement returns the prepared statement of a shape.
func (c *conn) statement(shape []byte, sql func() string) (*pgconn.StatementDescription, error) {
	if st, ok := c.prepared[string(shape)]; ok {
		return st, nil
	}
	if len(c.prepared) >= maxStatements {
		if err := c.Exec(context.Background(), "DEALLOCATE ALL").Close(); err != nil {
			return nil, err
		}
		clear(c.prepared)
	}
	c.count++
	st, err := c.Prepare(context.Background(), "tare"+strconv.Itoa(c.count), sql(), nil)
	if err != nil {
		return nil, err
	}
	c.prepared[string(shape)] = st
	return st, nil
}

// drop closes the connection at once. pgx would wait for the server otherwise.
func (c *conn) drop() { c.Conn().Close() }

// terminate ends the session with the server, within a time limit because it may hang.
func (c *conn) terminate() { terminate(c.PgConn) }

func terminate(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.Close(ctx) // an error says that it is closed already
}

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

var errNoCancel = errors.New("what was given up is not cancelled")

// connect opens a connection. pgx would open more of them, to cancel what was
// given up; those are refused.
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

// maxStatements is how many a session keeps prepared. A workload uses a few;
// beyond that come choices of fields at random.
const maxStatements = 200

// conn is a connection and what is prepared on it.
type conn struct {
	*pgconn.PgConn
	prepared map[string]*pgconn.StatementDescription // by what they do, see shape
	count    int
}

// deadline has what follows end after the timeout.
func (c *conn) deadline(timeout time.Duration) {
	if timeout > 0 {
		c.Conn().SetDeadline(time.Now().Add(timeout))
	}
}

// statement returns the one of a shape, prepared if need be.
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

// drop closes the connection at once. Without it, pgx would wait for the server
// to do so.
func (c *conn) drop() { c.Conn().Close() }

// leave takes leave of the server, which may be hanging.
func (c *conn) leave() { leave(c.PgConn) }

func leave(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.Close(ctx) // an error says that it is closed already
}

package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// statements is a target whose operations are statements.
type statements struct {
	*store
	list    []statement
	weights uint64 // sum
	seed    uint64
}

// OpenStatements connects once, to check the address, the credentials and the statements.
func OpenStatements(ctx context.Context, s kv.Settings) (load.Target, error) {
	list, err := parseStatements(s.Props)
	if err == nil && s.Props.Getter().Has("postgres.layout") {
		err = errors.New("property postgres.layout: statements have tables of their own")
	}
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	d, err := newStore(s)
	if err != nil {
		return nil, err
	}
	t := &statements{store: d, list: list, seed: s.Seed}
	for _, x := range list {
		t.weights += x.weight
	}
	if err := reach(ctx, s.Allow, d.config, s.OpTimeout); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := t.check(ctx); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return t, nil
}

// check logs in and has the server prepare the statements.
func (t *statements) check(ctx context.Context) error {
	dialer := load.NewDialer(ctx, t.dialers.Allow, t.timeout)
	defer dialer.Close()
	c, err := t.connect(dialer)
	if err != nil {
		return fmt.Errorf("log in at %s: %w%s", t.where, t.classify(dialer.Err(err)), hint(err))
	}
	defer terminate(c)
	t.version = c.ParameterStatus("server_version")
	if t.timeout > 0 {
		c.Conn().SetDeadline(time.Now().Add(t.timeout))
	}
	descriptions, err := t.prepare(c)
	if err != nil {
		return t.classify(dialer.Err(err))
	}
	for i, d := range descriptions {
		if want, have := len(d.ParamOIDs), len(t.list[i].args); want != have {
			x := &t.list[i]
			return fmt.Errorf("property %s: it has %s, and %s", x.property, units.Plural(want, "parameter"), argsText(x, have))
		}
	}
	return nil
}

func argsText(x *statement, have int) string {
	name := propArgs + strings.TrimPrefix(x.property, propStatement)
	if have == 0 {
		return "there is no " + name
	}
	return name + " has " + units.Plural(have, "value")
}

// prepare has a connection prepare all statements, in their order.
func (t *statements) prepare(c *pgconn.PgConn) (all []*pgconn.StatementDescription, err error) {
	for i, x := range t.list {
		d, err := c.Prepare(context.Background(), "tare"+strconv.Itoa(i), x.sql, nil)
		if err != nil {
			return nil, fmt.Errorf("property %s: %w", x.property, err)
		}
		all = append(all, d)
	}
	return all, nil
}

// Kinds returns the names of the statements.
func (t *statements) Kinds() []string {
	var names []string
	for _, x := range t.list {
		names = append(names, x.name)
	}
	return names
}

// Capabilities names the server, and says which statement has which share.
func (t *statements) Capabilities() kv.Capabilities {
	c := kv.Capabilities{Name: strings.TrimSpace("postgres "+t.version) + " at " + t.where}
	if len(t.list) > 1 {
		var shares []string
		for _, x := range t.list {
			shares = append(shares, fmt.Sprintf("%s %.3g %%", x.name, 100*float64(x.weight)/float64(t.weights)))
		}
		c.Notes = []string{"statements: " + strings.Join(shares, ", ")}
	}
	return c
}

// Worker connects, and prepares the statements.
func (t *statements) Worker(ctx context.Context, _ int) (load.Worker, error) {
	dialer, err := t.dialers.New(ctx, t.timeout)
	if err != nil {
		return nil, fmt.Errorf("postgres: worker: %w", err)
	}
	w := &statementWorker{statements: t, dialer: dialer, statuses: map[string]int64{}}
	if err := w.reconnect(); err != nil {
		err = w.fail(err) // before its connection is closed, which is no reason
		dialer.Close()
		return nil, err
	}
	return w, nil
}

// Close closes the workers.
func (t *statements) Close() error {
	t.dialers.Close()
	return nil
}

// choose returns the index of operation k's statement.
func (t *statements) choose(k uint64) int {
	n := httpclient.Random(t.seed, k) % t.weights
	for i, x := range t.list {
		if n < x.weight {
			return i
		}
		n -= x.weight
	}
	panic("weights")
}

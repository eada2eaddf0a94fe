package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// store is the database and what its sessions share.
type store struct {
	config  *pgconn.Config
	layout  layout
	numbers map[string]int // of fields, by name
	timeout time.Duration
	where   string
	version string
	dialers load.Dialers
}

// Open connects once, to check the address and the credentials, and creates the
// table.
func Open(ctx context.Context, s kv.Settings) (kv.DB, error) {
	d, err := newStore(s)
	if err != nil {
		return nil, err
	}
	for i := range s.Fields {
		name := s.FieldName(i)
		d.layout.names = append(d.layout.names, name)
		d.numbers[name] = i
	}
	if err := checkNames(append([]string{s.Table}, d.layout.names...)...); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := reach(ctx, s.Allow, d.config, s.OpTimeout); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := d.prepareTable(ctx, s.Table); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return d, nil
}

// newStore returns a store that knows its settings, and not yet the server.
func newStore(s kv.Settings) (*store, error) {
	config, form, err := parseConfig(s)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return &store{
		config:  config,
		layout:  layout{table: quote(s.Table), jsonb: form == layoutJSONB},
		numbers: map[string]int{},
		timeout: s.OpTimeout,
		where:   address(config.Host, config.Port),
		dialers: load.Dialers{Allow: s.Allow},
	}, nil
}

// reach returns nil if any of the addresses accepts connections. It fails if one of them may
// not be loaded.
func reach(ctx context.Context, allow *load.Consent, c *pgconn.Config, timeout time.Duration) (first error) {
	all := slices.Compact(addresses(c))
	for _, a := range all {
		if err := allow.Check(ctx, a); err != nil {
			return err
		}
	}
	for _, a := range all {
		err := load.Reach(ctx, allow, a, timeout, "start PostgreSQL, or set its address: --db postgres://user:password@host:port/database")
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// prepareTable creates the table, or checks that an existing one has the right
// columns.
func (d *store) prepareTable(ctx context.Context, name string) error {
	dialer := load.NewDialer(ctx, d.dialers.Allow, d.timeout)
	defer dialer.Close()
	c, err := d.connect(dialer)
	if err != nil {
		return fmt.Errorf("log in at %s: %w%s", d.where, d.classify(dialer.Err(err)), hint(err))
	}
	defer terminate(c)
	d.version = c.ParameterStatus("server_version")
	if d.timeout > 0 {
		c.Conn().SetDeadline(time.Now().Add(d.timeout))
	}
	if err := c.Exec(context.Background(), d.layout.create()).Close(); err != nil {
		return fmt.Errorf("make table %s: %w", name, d.classify(dialer.Err(err)))
	}
	for _, sql := range []string{d.layout.read(nil), d.layout.insert()} {
		if _, err := c.Prepare(context.Background(), "", sql, nil); err != nil {
			return d.otherColumnsError(name, dialer.Err(err))
		}
	}
	return nil
}

// hint returns advice for a refused login.
func hint(err error) string {
	var answer *pgconn.PgError
	switch {
	case errors.As(err, &answer) && strings.HasPrefix(answer.Code, "28"): // invalid authorization
		return " (set user and password: --db postgres://user:password@host:port/database)"
	case errors.As(err, &answer) && answer.Code == tooManyConnections:
		return " (use fewer --workers, or raise max_connections of the server)"
	}
	return ""
}

// undefinedColumn is PostgreSQL's code for a missing column.
const undefinedColumn = "42703"

// otherColumnsError returns an error with advice for a table that has other columns.
func (d *store) otherColumnsError(table string, err error) error {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) || !strings.HasPrefix(answer.Code, "42") {
		return fmt.Errorf("prepare: %w", d.classify(err))
	}
	why := answer.Message
	if answer.Code == undefinedColumn {
		why = "it has other columns: " + why
	}
	return fmt.Errorf("table %s is not of layout %s (%s): drop it, or choose another with -p table=NAME",
		table, d.form(), why)
}

func (d *store) form() string {
	if d.layout.jsonb {
		return layoutJSONB
	}
	return layoutColumns
}

func (d *store) Capabilities() kv.Capabilities {
	notes := []string{"layout " + d.form() + ": update writes the fields alone"}
	if d.layout.jsonb {
		notes = []string{"layout jsonb: update merges in the server, which writes the whole record"}
	}
	return kv.Capabilities{
		Name:          strings.TrimSpace("postgres "+d.version) + " at " + d.where,
		Scan:          true,
		Ordered:       true,
		PartialUpdate: true,
		Integrity:     true,
		Load:          true,
		Notes:         notes,
	}
}

// Session connects, and prepares the statements of most workloads.
func (d *store) Session(ctx context.Context, _ int) (kv.Session, error) {
	dialer, err := d.dialers.New(ctx, d.timeout)
	if err != nil {
		return nil, fmt.Errorf("postgres: session: %w", err)
	}
	s := &session{store: d, dialer: dialer}
	if err := s.reconnect(); err != nil {
		err = s.fail("session", err) // before its connection is closed, which is no reason
		dialer.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the sessions. The table stays.
func (d *store) Close() error {
	d.dialers.Close()
	return nil
}

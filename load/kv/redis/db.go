package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// store is the database and what its sessions share.
type store struct {
	config
	table   string
	timeout time.Duration
	names   []string       // of fields
	fields  map[string]int // and back
	version string

	dialers load.Dialers
}

// Open connects to the server once, to check the address and the credentials.
func Open(ctx context.Context, s kv.Settings) (kv.DB, error) {
	c, err := parseConfig(s)
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	if err := load.Reach(ctx, s.Allow, c.addr, s.OpTimeout, "start redis-server, or set its address: -p redis.addr=host:port"); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	d := &store{config: c, table: s.Table, timeout: s.OpTimeout, fields: map[string]int{}, dialers: load.Dialers{Allow: s.Allow}}
	for i := range s.Fields {
		d.names = append(d.names, s.FieldName(i))
		d.fields[d.names[i]] = i
	}
	if d.version, err = d.greet(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// greet logs in and returns the server's version, or "" if the user may not read it.
func (d *store) greet(ctx context.Context) (string, error) {
	dialer := load.NewDialer(ctx, d.dialers.Allow, d.timeout)
	defer dialer.Close()
	conn, err := d.connect(ctx, dialer)
	if err == nil {
		defer conn.Close()
		err = expect("PONG", conn, "PING")
	}
	if err != nil {
		err = dialer.Err(err)
		return "", fmt.Errorf("redis: log in at %s: %w%s", d.addr, d.classify(err), hint(err))
	}
	info, err := redis.String(conn.Do("INFO", "server"))
	if err != nil {
		return "", nil // the user may lack permission
	}
	return version(info), nil
}

// hint returns advice for a login that failed, in parentheses; "" if there is none.
func hint(err error) string {
	switch {
	case hasPrefix(err, "NOAUTH"), hasPrefix(err, "WRONGPASS"):
		return " (set the properties redis.username and redis.password)"
	case hasPrefix(err, "ERR max number of clients"):
		return " (use fewer --workers, or raise maxclients of the server)"
	case errors.Is(err, load.ErrServerTLS):
		return " (-p redis.tls=true, or --db rediss://…)"
	case errors.Is(err, load.ErrServerPlain):
		return " (-p redis.tls=false, or --db redis://…)"
	}
	return ""
}

// hasPrefix reports whether the server's answer is an error with a prefix.
func hasPrefix(err error, prefix string) bool {
	var answer redis.Error
	return errors.As(err, &answer) && strings.HasPrefix(string(answer), prefix)
}

// version returns the version in the answer to INFO.
func version(info string) string {
	for line := range strings.Lines(info) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "redis_version:"); ok {
			return v
		}
	}
	return ""
}

// connect opens a connection, logs in, and chooses the database.
func (d *store) connect(ctx context.Context, dialer *load.Dialer) (redis.Conn, error) {
	network := "tcp"
	if strings.HasPrefix(d.addr, "/") {
		network = "unix"
	}
	c, err := dialer.DialContext(ctx, network, d.addr)
	if err != nil {
		return nil, err
	}
	if d.timeout > 0 {
		c.SetDeadline(time.Now().Add(d.timeout)) // of the handshake; each command sets it anew
	}
	if secure := d.tlsConfig(); secure != nil {
		t := tls.Client(c, secure)
		if err := t.HandshakeContext(ctx); err != nil {
			c.Close()
			return nil, err
		}
		c = t
	}
	conn := redis.NewConn(&bounded{Conn: c}, d.timeout, d.timeout)
	if err := d.logIn(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func (d *store) logIn(conn redis.Conn) error {
	if d.password != "" {
		who := []any{d.password}
		if d.username != "" {
			who = []any{d.username, d.password}
		}
		if err := expect("OK", conn, "AUTH", who...); err != nil {
			return err
		}
	}
	if d.db == 0 {
		return nil
	}
	return expect("OK", conn, "SELECT", d.db)
}

// expect sends a command. It returns an error of class protocol if the reply differs
// from answer.
func expect(answer string, conn redis.Conn, command string, args ...any) error {
	got, err := redis.String(conn.Do(command, args...))
	if err == nil && got != answer {
		return load.WithClass(load.ClassProtocol, fmt.Errorf("the answer to %s is not %s", command, answer))
	}
	return err
}

func (d *store) Capabilities() kv.Capabilities {
	return kv.Capabilities{
		Name:          strings.TrimSpace("redis "+d.version) + " at " + d.addr,
		Scan:          true,
		Ordered:       true,
		PartialUpdate: true,
		Integrity:     true,
		Load:          true,
		Notes: []string{
			"hash per record, keys in one sorted set; insert is HSET and ZADD in one round trip",
			"update is HSET alone: it creates a missing record without an error",
		},
	}
}

func (d *store) Session(ctx context.Context, _ int) (kv.Session, error) {
	dialer, err := d.dialers.New(ctx, d.timeout)
	if err != nil {
		return nil, fmt.Errorf("redis: session: %w", err)
	}
	return &session{store: d, dialer: dialer}, nil
}

// Close closes the sessions. The records stay.
func (d *store) Close() error {
	d.dialers.Close()
	return nil
}

// key returns the key of a record's hash.
func (d *store) key(key []byte) string { return d.table + ":" + string(key) }

// name returns the name of a field. Fields beyond the workload's have YCSB's names.
func (d *store) name(field int) string {
	if field < len(d.names) {
		return d.names[field]
	}
	return "field" + strconv.Itoa(field)
}

package redis

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// store is the database: where it is, and what sessions share.
type store struct {
	config
	table   string
	timeout time.Duration
	names   []string       // of fields
	fields  map[string]int // and back
	version string

	dialers load.Dialers
}

// Open connects to the server once, to see that it is there and lets us in.
func Open(ctx context.Context, s kv.Settings) (kv.DB, error) {
	c, err := parseConfig(s)
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	if err := load.Reach(ctx, c.addr, s.OpTimeout); err != nil {
		return nil, fmt.Errorf("redis: %w (start redis-server, or say where it is: -p redis.addr=host:port)", err)
	}
	d := &store{config: c, table: s.Table, timeout: s.OpTimeout, fields: map[string]int{}}
	for i := range s.Fields {
		d.names = append(d.names, s.FieldName(i))
		d.fields[d.names[i]] = i
	}
	if d.version, err = d.greet(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// greet logs in and returns the server's version.
func (d *store) greet(ctx context.Context) (string, error) {
	dialer := load.NewDialer(ctx, d.timeout)
	defer dialer.Close()
	client, err := d.connect(ctx, dialer)
	if err == nil {
		defer client.Close()
		err = client.Ping(ctx).Err()
	}
	if err != nil {
		hint := ""
		if redis.HasErrorPrefix(err, "NOAUTH") || redis.HasErrorPrefix(err, "WRONGPASS") {
			hint = " (say who you are with the properties redis.username and redis.password)"
		}
		return "", fmt.Errorf("redis: log in at %s: %w%s", d.addr, d.classify(dialer.Err(err)), hint)
	}
	info, err := client.Info(ctx, "server").Result()
	if err != nil {
		return "", nil // not everybody may ask
	}
	return version(info), nil
}

// version finds the version in the answer to INFO.
func version(info string) string {
	for line := range strings.Lines(info) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "redis_version:"); ok {
			return v
		}
	}
	return ""
}

// connect opens a connection and returns a client that uses it, and no other:
// left to itself, go-redis logs each attempt that fails, and after the first
// gives the same error for a second without trying.
func (d *store) connect(ctx context.Context, dialer *load.Dialer) (*redis.Client, error) {
	network := "tcp"
	if strings.HasPrefix(d.addr, "/") {
		network = "unix"
	}
	c, err := dialer.DialContext(ctx, network, d.addr)
	if err != nil {
		return nil, err
	}
	if d.timeout > 0 {
		c.SetDeadline(time.Now().Add(d.timeout)) // of the handshake; go-redis sets it anew
	}
	if secure := d.tlsConfig(); secure != nil {
		t := tls.Client(c, secure)
		if err := t.HandshakeContext(ctx); err != nil {
			c.Close()
			return nil, err
		}
		c = t
	}
	return d.client(struct{ net.Conn }{c}), nil
}

// client returns one with a connection. It is passed without its other methods:
// by one of those go-redis looks before each command whether the server has
// closed the connection, which is a system call, and tells less than the command.
func (d *store) client(c net.Conn) *redis.Client {
	patience := d.timeout
	if patience == 0 {
		patience = -1 // go-redis: for ever
	}
	var used atomic.Bool
	return redis.NewClient(&redis.Options{
		Addr:     d.addr,
		Username: d.username,
		Password: d.password,
		DB:       d.db,
		Protocol: 2, // the oldest servers speak it, and HGETALL is read without a map

		Dialer: func(context.Context, string, string) (net.Conn, error) {
			if used.Swap(true) {
				return nil, errLost
			}
			return c, nil
		},
		PoolSize:         1,
		PipelinePoolSize: -1, // pipelines use the same connection
		MaxRetries:       -1,
		DialerRetries:    1,
		ReadTimeout:      patience,
		WriteTimeout:     patience,
		ConnMaxIdleTime:  -1,

		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
}

// errLost should never be seen: a session has no client without a connection.
var errLost = &net.OpError{Op: "dial", Err: net.ErrClosed}

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
			"update is HSET alone: a record that is missing is made, and not told",
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

// Close ends the sessions. The records stay.
func (d *store) Close() error {
	d.dialers.Close()
	return nil
}

// key returns that of a record's hash.
func (d *store) key(key []byte) string { return d.table + ":" + string(key) }

// name returns that of a field. What is beyond the workload's fields is named as
// YCSB does.
func (d *store) name(field int) string {
	if field < len(d.names) {
		return d.names[field]
	}
	return "field" + strconv.Itoa(field)
}

package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/load/kv"
)

const (
	layoutColumns = "columns"
	layoutJSONB   = "jsonb"
)

// maxMessage is the limit of a message in bytes. Without it, a wrong server may
// announce a message of 2 GB, for which memory would be allocated.
const maxMessage = 256 << 20

// errDSN does not contain the connection string or the error of pgx: in an invalid
// string, any part may be the password.
var errDSN = errors.New("invalid connection string: want postgres://user:password@host:port/database, " +
	"with special characters as %XX, or host=… port=… user=… password='…' dbname=…")

// parseConfig reads the properties and the connection string.
func parseConfig(s kv.Settings) (*pgconn.Config, string, error) {
	g := s.Props.Getter()
	g.Known("postgres.", Binding().Properties)
	layout := g.OneOf("postgres.layout", layoutColumns, layoutColumns, layoutJSONB)
	dsn := g.String("postgres.dsn", s.URL)
	if err := g.Err(); err != nil {
		return nil, "", err
	}
	if severalAts(dsn) {
		return nil, "", errDSN
	}
	c, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, "", errDSN
	}
	// The dialer resolves names itself: whether an address may be loaded depends on them.
	c.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	c.MaxProtocolMessageBodyLen = maxMessage
	c.ConnectTimeout = s.OpTimeout
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "tare"
	}
	return c, layout, nil
}

// severalAts reports whether the authority of a URL has more than one @: the first is then part of a password that was not
// escaped, and its rest would be taken for the host.
func severalAts(dsn string) bool {
	_, rest, ok := strings.Cut(dsn, "://")
	if !ok || strings.ContainsAny(dsn[:len(dsn)-len(rest)], " ='") { // key=value settings
		return false
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return strings.Count(rest, "@") > 1
}

// addresses returns the addresses that are tried one after the other.
func addresses(c *pgconn.Config) []string {
	all := []string{address(c.Host, c.Port)}
	for _, f := range c.Fallbacks {
		all = append(all, address(f.Host, f.Port))
	}
	return all
}

// address returns host:port, or the path of the Unix socket in a folder.
func address(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return filepath.Join(host, ".s.PGSQL."+strconv.Itoa(int(port)))
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// maxName is the limit of a name in PostgreSQL in bytes; it truncates longer ones.
const maxName = 63

// quote returns a name as an SQL identifier.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// checkNames returns an error for names that PostgreSQL would change.
func checkNames(names ...string) error {
	for _, n := range names {
		if n == "" || len(n) > maxName || strings.Contains(n, "\x00") {
			return fmt.Errorf("name %.80q of a table or field: PostgreSQL takes 1 to %d bytes", n, maxName)
		}
	}
	return nil
}

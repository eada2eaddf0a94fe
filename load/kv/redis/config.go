package redis

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/tarebench/tare/load/kv"
)

const defaultAddr = "127.0.0.1:6379"

// config holds the address and the credentials.
type config struct {
	addr, username, password string
	db                       int
	tls                      string // "false", "true", "insecure"
}

// parseConfig reads the URL and the properties. Properties override the URL.
func parseConfig(s kv.Settings) (config, error) {
	c := config{addr: defaultAddr, tls: "false"}
	if s.URL != "" {
		if err := c.parseURL(s.URL); err != nil {
			return c, err
		}
	}
	g := s.Props.Getter()
	g.Known("redis.", Binding().Properties)
	c.addr = g.String("redis.addr", c.addr)
	c.username = g.String("redis.username", c.username)
	if g.Has("redis.password") {
		c.password = s.Props["redis.password"] // unchanged, including white space
	}
	c.db = int(g.IntIn("redis.db", int64(c.db), 0, math.MaxInt32))
	c.tls = g.OneOf("redis.tls", c.tls, "false", "true", "insecure")
	return c, g.Err()
}

// errURL does not contain the URL or the error of url.Parse: if a password is not
// escaped, any part may be the password.
var errURL = errors.New("invalid URL: want redis://[user:password@]host[:port][/db], with special characters of the password as %XX")

func (c *config) parseURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" {
		return errURL
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return errors.New("the URL has parameters: use properties, as -p redis.db=1")
	}
	if u.Scheme == "rediss" {
		c.tls = "true"
	}
	host, port := u.Hostname(), u.Port()
	if host == "" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = "6379"
	}
	c.addr = net.JoinHostPort(host, port)
	c.username = u.User.Username()
	c.password, _ = u.User.Password()
	if name := strings.Trim(u.Path, "/"); name != "" {
		if c.db, err = strconv.Atoi(name); err != nil || c.db < 0 {
			return fmt.Errorf("the URL names database %q: want a number, as in redis://host:6379/0", name)
		}
	}
	return nil
}

// tlsConfig returns nil for plain connections.
func (c *config) tlsConfig() *tls.Config {
	if c.tls == "false" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.addr)
	if err != nil {
		host = "localhost" // a Unix socket
	}
	return &tls.Config{ServerName: host, InsecureSkipVerify: c.tls == "insecure"}
}

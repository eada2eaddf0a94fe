package memcached

import (
	"errors"
	"net"
	"net/url"

	"github.com/tarebench/tare/load/kv"
)

const defaultAddr = "127.0.0.1:11211"

// Binding returns the binding "memcached".
func Binding() kv.Binding {
	return kv.Binding{
		Name:    "memcached",
		Schemes: []string{"memcached"},
		Short:   "memcached; it has no scans",
		Properties: []kv.Property{
			{Name: "memcached.addr", Default: defaultAddr, Short: "host:port, or the path of a Unix socket"},
		},
		OpenDB: Open,
	}
}

// parseAddr reads the URL and the property, which overrides it.
func parseAddr(s kv.Settings) (string, error) {
	addr := defaultAddr
	if s.URL != "" {
		u, err := url.Parse(s.URL)
		if err != nil || u.Opaque != "" || u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
			return "", errors.New("invalid URL: want memcached://host[:port]")
		}
		host, port := u.Hostname(), u.Port()
		if host == "" {
			host = "127.0.0.1"
		}
		if port == "" {
			port = "11211"
		}
		addr = net.JoinHostPort(host, port)
	}
	g := s.Props.Getter()
	g.Known("memcached.", Binding().Properties)
	return g.String("memcached.addr", addr), g.Err()
}

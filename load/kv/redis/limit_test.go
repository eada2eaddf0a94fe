package redis

import (
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// TestOpenSaysWhy: what keeps a client out is named, with what to do about it.
func TestOpenSaysWhy(t *testing.T) {
	full := servers.Fake(t, func(c net.Conn) { io.WriteString(c, "-ERR max number of clients reached\r\n") })
	plain := servers.Fake(t, func(c net.Conn) {
		c.Read(make([]byte, 5))
		io.WriteString(c, "-ERR unknown command\r\n")
	})
	secure := httptest.NewTLSServer(nil)
	t.Cleanup(secure.Close)
	for _, c := range []struct {
		addr, tls, want, class string
	}{
		{full, "false", "ERR max number of clients reached", load.ClassRefused},
		{plain, "true", "the server does not speak TLS (", load.ClassProtocol},
		{secure.Listener.Addr().String(), "false", "the server speaks TLS, and this connection is plain (", load.ClassProtocol},
	} {
		_, err := Open(ctx, settings(kv.Properties{"redis.addr": c.addr, "redis.tls": c.tls}))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasSuffix(err.Error(), ")") || load.Class(err) != c.class {
			t.Errorf("%v, class %s, want %q and advice", err, load.Class(err), c.want)
		}
	}
}

package redis

import (
	"crypto/tls"
	"net"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

// TestTLS has a server with a certificate that no authority has signed.
func TestTLS(t *testing.T) {
	certified := httptest.NewTLSServer(nil) // for its certificate
	defer certified.Close()
	relay := servers.Relay(servers.Redis(t).Addr, 0)
	addr := servers.Fake(t, func(c net.Conn) {
		relay(tls.Server(c, &tls.Config{Certificates: certified.TLS.Certificates}))
	})
	s := settings(kv.Properties{"redis.addr": addr, "redis.tls": "insecure"})
	if err := begin(t, s).Insert(ctx, []byte("k"), values("a", "b", "c")); err != nil {
		t.Error(err)
	}
	s = settings(nil)
	s.URL = "rediss://" + addr
	if _, err := Open(ctx, s); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("with the certificate checked: error %v", err)
	}
}

func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "redis.sock")
	if len(path) > 100 {
		t.Skip("the temporary directory's name is too long for a socket")
	}
	servers.Redis(t, "--unixsocket", path)
	s := begin(t, settings(kv.Properties{"redis.addr": path}))
	if err := s.Insert(ctx, []byte("k"), values("a", "b", "c")); err != nil {
		t.Error(err)
	}
}

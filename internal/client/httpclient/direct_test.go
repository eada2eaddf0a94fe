package httpclient

import (
	"crypto/tls"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/client/http1"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
)

// TestClosedWithoutAWord has a server that closes each connection after its first response and does not say so: connections are looked
// at before they are used.
func TestClosedWithoutAWord(t *testing.T) {
	addr := servers.Fake(t, func(c net.Conn) {
		c.Read(make([]byte, 4096))
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	})
	u := &url.URL{Scheme: "http", Host: addr}
	d := (&Config{KeepAlive: true}).Direct(t.Context(), load.NewDialer(t.Context(), nil, 0), u)
	defer d.Close()
	for range 6 {
		r, err := d.Exchange(&http1.Request{First: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")}, 1<<20, nil)
		d.Settle()
		if err != nil || r.Status != 200 {
			t.Errorf("status %d, error %v", r.Status, err)
		}
		waitForEnd(t, d)
	}
}

// TestUnasked has a server that sends two responses for each request, the second one in a packet of its own, or of TLS in a record of
// its own. The second is no response to the next request.
func TestUnasked(t *testing.T) {
	serve := func(c net.Conn) {
		for {
			if _, err := c.Read(make([]byte, 4096)); err != nil {
				return
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			io.WriteString(c, "HTTP/1.1 299 Unasked\r\nContent-Length: 0\r\n\r\n")
		}
	}
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			config := &Config{KeepAlive: true}
			handle := serve
			if scheme == "https" {
				server := httptest.NewTLSServer(nil)
				defer server.Close()
				config.TLS = &tls.Config{InsecureSkipVerify: true}
				handle = func(c net.Conn) { serve(tls.Server(c, server.TLS)) }
			}
			d := config.Direct(t.Context(), load.NewDialer(t.Context(), nil, 0), &url.URL{Scheme: scheme, Host: servers.Fake(t, handle)})
			defer d.Close()
			for range 20 {
				r, err := d.Exchange(&http1.Request{First: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")}, 1<<20, nil)
				d.Settle()
				if err != nil || r.Status != 200 {
					t.Fatalf("status %d, error %v", r.Status, err)
				}
				waitForEnd(t, d)
			}
		})
	}
}

// waitForEnd waits until the client can know that the server has closed its connection, or sent more.
func waitForEnd(t *testing.T, d *Direct) {
	t.Helper()
	for began := time.Now(); d.conn != nil && d.conn.Quiet(); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the connection is still open")
		}
	}
}

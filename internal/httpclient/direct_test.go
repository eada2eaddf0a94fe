package httpclient

import (
	"io"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/http1"
	"github.com/tarebench/tare/internal/loadtest/servers"
	"github.com/tarebench/tare/load"
)

// TestClosedWithoutAWord has a server that closes each connection after its first response and does not say so. The first request that
// meets that is an error, because the connection was not idle for long; from then on connections are looked at.
func TestClosedWithoutAWord(t *testing.T) {
	addr := servers.Fake(t, func(c net.Conn) {
		c.Read(make([]byte, 4096))
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	})
	u := &url.URL{Scheme: "http", Host: addr}
	d := (&Config{KeepAlive: true}).Direct(t.Context(), load.NewDialer(t.Context(), nil, 0), u)
	defer d.Close()
	failed := 0
	for range 6 {
		r, err := d.Exchange(&http1.Request{First: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")}, 1<<20, nil)
		d.Settle()
		if err != nil {
			failed++
			if class := load.Class(d.Explain(err)); class != load.ClassReset {
				t.Errorf("error %v of class %s", err, class)
			}
		} else if r.Status != 200 {
			t.Errorf("status %d", r.Status)
		}
		waitForEnd(t, d)
	}
	if failed > 1 {
		t.Errorf("%d of 6 requests failed, want 1 at most", failed)
	}
}

// waitForEnd waits until the client can know that the server has closed its connection.
func waitForEnd(t *testing.T, d *Direct) {
	t.Helper()
	for began := time.Now(); d.conn != nil && d.conn.Quiet(); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the connection is still open")
		}
	}
}

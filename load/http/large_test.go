package http

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// TestEarlyAnswer has servers that answer before they have read a large body.
func TestEarlyAnswer(t *testing.T) {
	for name, then := range map[string]func(net.Conn, <-chan struct{}){
		"closes":        func(net.Conn, <-chan struct{}) {},
		"reads no more": func(_ net.Conn, end <-chan struct{}) { <-end },
		"reads on":      func(c net.Conn, _ <-chan struct{}) { io.Copy(io.Discard, c) },
	} {
		for _, scheme := range []string{"http", "https"} {
			t.Run(name+"/"+scheme, func(t *testing.T) {
				serve := func(c net.Conn) {
					c.Read(make([]byte, 4096))
					io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 5\r\n\r\nlarge")
					then(c, t.Context().Done())
				}
				if scheme == "https" {
					serve = overTLS(serve)
				}
				w := user(t, kv.Settings{URL: scheme + "://" + servers.Fake(t, serve), OpTimeout: time.Minute,
					Props: kv.Properties{"http.method": "POST", "http.body": strings.Repeat("x", 32<<20), "http.expect": "413", "http.insecure": "true"}})
				for k := range uint64(2) {
					err := send(w, k)
					if class := load.Class(err); class != "" && (class != load.ClassReset || name != "closes") { // the answer may be lost with the connection
						t.Errorf("error %v of class %s", err, class)
					}
				}
			})
		}
	}
}

// TestLargeBody sends bodies of sizes around those at which they are written otherwise.
func TestLargeBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		if !bytes.Equal(body, bytes.Repeat([]byte("x"), len(body))) || int64(len(body)) != q.ContentLength {
			w.WriteHeader(http.StatusBadRequest)
		}
		w.Header().Set("X-Remote", q.RemoteAddr)
		fmt.Fprint(w, len(body))
	}))
	defer server.Close()
	for _, n := range []int{0, 1, 16<<10 - 200, 16<<10 - 100, 16 << 10, 16<<10 + 1, 1 << 20, 5 << 20} {
		w := user(t, kv.Settings{URL: server.URL, Props: kv.Properties{"http.method": "PUT", "http.body": strings.Repeat("x", n)}})
		for k := range uint64(3) {
			if err := send(w, k); err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
		var traffic load.Traffic
		if w.AddTraffic(&traffic); traffic.Sent < 3*int64(n) || traffic.Sent > 3*int64(n+200) {
			t.Errorf("%d bytes sent for three bodies of %d", traffic.Sent, n)
		}
	}
}

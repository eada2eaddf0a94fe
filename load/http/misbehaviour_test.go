package http

import (
	"context"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// TestMisbehaviour has servers that do what servers should not.
func TestMisbehaviour(t *testing.T) {
	for _, c := range []struct {
		name  string
		serve func(net.Conn)
		class string
	}{
		{"rubbish", servers.Rubbish, load.ClassProtocol},
		{"echo", servers.Echo, load.ClassProtocol},
		{"closing", servers.Closing, load.ClassReset},
		{"silent", servers.Silent, load.ClassTimeout},
		{"not HTTP", answer("<html>hello</html>"), load.ClassProtocol},
		{"status 000", answer("HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"), "status"},
		{"cut off", answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"), load.ClassReset},
		{"stuck", func(c net.Conn) {
			c.Read(make([]byte, 4096))
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
			servers.Silent(c)
		}, load.ClassTimeout},
		{"endless header", func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			for {
				if _, err := io.WriteString(c, "X-Y: "+strings.Repeat("z", 1<<16)+"\r\n"); err != nil {
					return
				}
			}
		}, load.ClassProtocol},
	} {
		for path, follow := range paths {
			t.Run(c.name+"/"+path, func(t *testing.T) {
				t.Parallel()
				timeout := time.Minute
				if c.class == load.ClassTimeout {
					timeout = time.Second // is all that ends it
				}
				addr := servers.Fake(t, c.serve)
				w := user(t, kv.Settings{
					URL:       "http://me:sentinel@" + addr + "/",
					Props:     kv.Properties{"http.header.Cookie": "sentinel", "http.header.X-Auth-Token": "sentinel", "http.follow": follow},
					OpTimeout: timeout,
				})
				for k := range uint64(2) {
					err := send(w, k)
					got := load.Class(err)
					if got != c.class {
						t.Errorf("operation %d: error %v of class %q, want %q", k, err, got, c.class)
					}
					if err != nil && (strings.Contains(err.Error(), "sentinel") || len(err.Error()) > 400) {
						t.Errorf("operation %d: an error with a secret, or too long: %v", k, err)
					}
				}
			})
		}
	}
}

// answer returns a server that sends a text and closes.
func answer(text string) func(net.Conn) {
	return func(c net.Conn) {
		c.Read(make([]byte, 4096))
		io.WriteString(c, text)
	}
}

// TestClosedUnanswered has a server that closes connections after the first answer,
// with the second request unanswered: net/http tries again.
func TestClosedUnanswered(t *testing.T) {
	for path, follow := range paths {
		t.Run(path, func(t *testing.T) {
			addr := servers.Fake(t, func(c net.Conn) {
				for _, text := range []string{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""} {
					if _, err := c.Read(make([]byte, 4096)); err != nil {
						return
					}
					io.WriteString(c, text)
				}
			})
			w := user(t, kv.Settings{URL: "http://" + addr, Props: kv.Properties{"http.follow": follow}})
			if err := send(w, 0); err != nil {
				t.Fatal(err)
			}
			if err := send(w, 1); load.Class(err) != load.ClassReset {
				t.Errorf("an operation that was not answered: error %v, want class reset", err)
			}
		})
	}
}

func TestCanceled(t *testing.T) {
	for path, follow := range paths {
		t.Run(path, func(t *testing.T) {
			addr := servers.Fake(t, servers.Silent)
			run, cancel := context.WithCancel(context.Background())
			target := open(t, kv.Settings{URL: "http://" + addr, Props: kv.Properties{"http.follow": follow}})
			w, err := target.Worker(run, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			time.AfterFunc(20*time.Millisecond, cancel)
			w.Prepare(0)
			if err := w.Do(run, nil); load.Class(err) != load.ClassCanceled {
				t.Errorf("error %v of class %s, want canceled", err, load.Class(err))
			}
			if err := w.Do(run, nil); load.Class(err) != load.ClassCanceled {
				t.Errorf("afterwards: error %v of class %s, want canceled", err, load.Class(err))
			}
		})
	}
}

// TestGoesAway has a server that ends and comes back.
func TestGoesAway(t *testing.T) {
	serve := func(addr string) *httptest.Server {
		t.Helper()
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewUnstartedServer(&recorder{})
		s.Listener.Close()
		s.Listener = l
		s.Start()
		return s
	}
	addr := servers.FreeAddr(t)
	server := serve(addr)
	w := user(t, kv.Settings{URL: "http://" + addr})
	if err := send(w, 0); err != nil {
		t.Fatal(err)
	}
	server.CloseClientConnections()
	server.Close()
	for k := range uint64(3) {
		if class := load.Class(send(w, k)); class != load.ClassRefused && class != load.ClassReset {
			t.Errorf("class %q without a server", class)
		}
	}
	server = serve(addr)
	defer server.Close()
	if err := send(w, 4); err != nil {
		t.Errorf("the server is back: %v", err)
	}
}

func TestAfterClose(t *testing.T) {
	server := httptest.NewServer(&recorder{})
	defer server.Close()
	target := open(t, kv.Settings{URL: server.URL})
	w, err := target.Worker(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := send(w, 0); err != nil {
		t.Fatal(err)
	}
	target.Close()
	if err := send(w, 1); err == nil {
		t.Error("an operation after Close succeeded")
	}
	if _, err := target.Worker(context.Background(), 1); err == nil {
		t.Error("a worker after Close")
	}
	w.Close()
	w.Close()
}
